// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/step_model.h"

#include "analysis/student_t.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scalebench {

namespace {

constexpr int kTerms = 3;
using Terms = std::array<double, kTerms>;

Terms termsOf(double workers, double globalBatch)
{
    return {1, globalBatch / workers, std::log2(workers)};
}

double valueOf(const Terms& coefficients, const Terms& terms)
{
    double sum = 0;
    for (int i = 0; i < kTerms; ++i)
        sum += coefficients[i] * terms[i];
    return sum;
}

/// Normal equations of the chosen columns, by Gauss and Jordan with pivots; nothing where the
/// columns say the same.
std::optional<Terms> solve(const QList<Terms>& rows, const QList<int>& chosen)
{
    const auto n = static_cast<int>(chosen.size());
    double m[kTerms][kTerms + 1] = {};
    double scale[kTerms] = {};
    for (int i = 0; i < n; ++i) {
        for (const Terms& row : rows)
            scale[i] += row[chosen[i]] * row[chosen[i]];
        scale[i] = std::sqrt(scale[i]);
        if (!(scale[i] > 0))
            return {};
    }
    for (int i = 0; i < n; ++i) {
        for (const Terms& row : rows) {
            for (int j = 0; j < n; ++j)
                m[i][j] += row[chosen[i]] / scale[i] * row[chosen[j]] / scale[j];
            m[i][n] += row[chosen[i]] / scale[i]; // every relative time is 1
        }
    }
    constexpr double kSame = 1e-10;
    for (int i = 0; i < n; ++i) {
        int pivot = i;
        for (int k = i + 1; k < n; ++k)
            if (std::abs(m[k][i]) > std::abs(m[pivot][i]))
                pivot = k;
        if (std::abs(m[pivot][i]) < kSame)
            return {};
        std::swap(m[i], m[pivot]);
        for (int k = 0; k < n; ++k) {
            const double factor = k == i ? 0 : m[k][i] / m[i][i];
            for (int j = i; j <= n; ++j)
                m[k][j] -= factor * m[i][j];
        }
    }
    Terms found{};
    for (int i = 0; i < n; ++i)
        found[chosen[i]] = m[i][n] / m[i][i] / scale[i];
    return found;
}

/// Of all choices of terms whose coefficients are not below 0 the one that fits best.
Terms fitTerms(const QList<StepSample>& samples)
{
    QList<Terms> rows; // over the measured value: all counts weigh alike
    for (const StepSample& s : samples) {
        Terms row = termsOf(s.workers, s.globalBatch);
        for (double& term : row)
            term /= s.epochS * s.globalBatch;
        rows << row;
    }
    const auto most = std::min<qsizetype>(kTerms, samples.size() - (samples.size() > 2 ? 1 : 0));
    Terms best{};
    double least = -1;
    for (unsigned set = 1; set < 1U << kTerms; ++set) {
        QList<int> chosen;
        for (int i = 0; i < kTerms; ++i)
            if ((set >> i) & 1U)
                chosen << i;
        if (chosen.size() > most)
            continue;
        const std::optional<Terms> found = solve(rows, chosen);
        if (!found || std::any_of(found->begin(), found->end(), [](double c) { return c < 0; }))
            continue;
        double squares = 0;
        for (const Terms& row : std::as_const(rows))
            squares += std::pow(valueOf(*found, row) - 1, 2);
        constexpr double kNoBetter = 1e-12; // fewer terms come first where all fit
        if (least < 0 || squares < least - kNoBetter) {
            least = squares;
            best = *found;
        }
    }
    return best;
}

double epochOf(const Terms& coefficients, int workers, double globalBatch)
{
    return valueOf(coefficients, termsOf(workers, globalBatch)) / globalBatch;
}

} // namespace

std::optional<StepModel> StepModel::fit(QList<StepSample> samples, double scatter)
{
    samples.removeIf([](const StepSample& s) {
        return s.workers < 1 || !(s.globalBatch > 0) || !(s.epochS > 0);
    });
    std::sort(samples.begin(), samples.end(), [](const StepSample& x, const StepSample& y) {
        return std::pair(x.workers, x.globalBatch) < std::pair(y.workers, y.globalBatch);
    });
    qsizetype counts = 0;
    for (qsizetype i = 0; i < samples.size(); ++i)
        counts += i == 0 || samples[i].workers != samples[i - 1].workers ? 1 : 0;
    if (counts < kFewestCounts)
        return {};
    StepModel model;
    model.m_samples = samples;
    model.m_scatter = scatter > 0 ? scatter : 0; // NaN is not
    const Terms all = fitTerms(samples);
    std::copy(all.begin(), all.end(), model.m_terms);
    for (qsizetype i = 0; i < samples.size(); ++i) {
        QList<StepSample> others = samples;
        const StepSample left = others.takeAt(i);
        model.m_errors << epochOf(fitTerms(others), left.workers, left.globalBatch) / left.epochS -
                              1;
    }
    return model;
}

double StepModel::epochS(int workers, double globalBatch) const
{
    return epochOf({m_terms[0], m_terms[1], m_terms[2]}, workers, globalBatch);
}

double StepModel::error() const
{
    double squares = 0;
    for (const double e : m_errors)
        squares += e * e;
    return std::sqrt(squares / double(m_errors.size()));
}

double StepModel::worstError() const
{
    double worst = 0;
    for (const double e : m_errors)
        if (std::abs(e) > std::abs(worst))
            worst = e;
    return worst;
}

bool StepModel::mixedBatches() const
{
    const auto differ = [](double x, double y) { return std::abs(x / y - 1) > 0.01; };
    bool global = false, each = false;
    const StepSample& first = m_samples.first();
    for (const StepSample& s : m_samples) {
        global |= differ(s.globalBatch, first.globalBatch);
        each |= differ(s.globalBatch / s.workers, first.globalBatch / first.workers);
    }
    return global && each;
}

/// As the measured ones have it: the same for all, the same for each worker, or that of the nearest
/// count.
double StepModel::batchFor(int workers) const
{
    const StepSample* nearest = &m_samples.first();
    bool each = m_samples.size() > 1;
    for (const StepSample& s : m_samples) {
        const auto far = [workers](const StepSample& one) {
            return std::abs(std::log2(double(one.workers) / workers));
        };
        if (far(s) <= far(*nearest))
            nearest = &s;
        each &= std::abs(s.globalBatch / s.workers * m_samples.first().workers /
                             m_samples.first().globalBatch -
                         1) < 0.01;
    }
    return each ? nearest->globalBatch / nearest->workers * workers : nearest->globalBatch;
}

/// Of the runs with the nearest batch, a mean.
double StepModel::epochsFor(double globalBatch) const
{
    const auto far = [globalBatch](const StepSample& s) {
        return std::abs(std::log2(s.globalBatch / globalBatch));
    };
    double least = -1;
    for (const StepSample& s : m_samples)
        if (s.epochs > 0 && (least < 0 || far(s) < least))
            least = far(s);
    double sum = 0;
    int n = 0;
    for (const StepSample& s : m_samples)
        if (s.epochs > 0 && far(s) <= least + 0.01) {
            sum += s.epochs;
            ++n;
        }
    return n > 0 ? sum / n : 0;
}

std::optional<PredictedTime> StepModel::predict(int workers, double globalBatch,
                                                double epochs) const
{
    const double beyond = double(workers) / m_samples.last().workers;
    if (workers < 1 || beyond > kFarthest || !(globalBatch > 0) || !(epochs > 0))
        return {};
    PredictedTime p;
    p.workers = workers;
    p.globalBatch = globalBatch;
    p.epochs = epochs;
    p.far = beyond > kFar;
    p.timeS = epochs * epochS(workers, globalBatch);
    // Every doubling beyond what was measured adds the error of one that was left out.
    double squares = 0;
    for (const double e : m_errors)
        squares += std::pow(std::log1p(std::max(e, -0.99)), 2);
    const double each = std::sqrt(squares / double(m_errors.size()) + m_scatter * m_scatter) *
                        (1 + std::max(0.0, std::log2(beyond)));
    const auto freedom = static_cast<int>(m_errors.size()) - 1;
    const double half50 = studentT(0.5, freedom) * each, half90 = studentT(0.9, freedom) * each;
    p.low50 = p.timeS * std::exp(-half50);
    p.high50 = p.timeS * std::exp(half50);
    p.low90 = p.timeS * std::exp(-half90);
    p.high90 = p.timeS * std::exp(half90);
    return p;
}

std::optional<PredictedTime> StepModel::predict(int workers) const
{
    const double batch = batchFor(workers);
    return predict(workers, batch, epochsFor(batch));
}

} // namespace scalebench
