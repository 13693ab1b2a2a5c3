// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlperf_epochs.h"

#include <algorithm>
#include <cmath>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

/// BERT logs the samples trained in the place of the epoch; nobody trains that many epochs.
constexpr double kMostRunEpochs = 10'000;

/// The smallest number of an epoch: v0.5 counts from 0, a few from -1; later rounds from 1.
double firstTag(const MlperfRun& run)
{
    if (run.generation != MlperfGeneration::V05) {
        double least = INFINITY;
        for (const MlperfEval& eval : run.evals)
            least = std::min(least, eval.tag.value_or(INFINITY));
        return least;
    }
    double first = run.trainEpochs.isEmpty()
                       ? 0
                       : *std::min_element(run.trainEpochs.begin(), run.trainEpochs.end());
    for (const MlperfEval& eval : run.evals)
        if (eval.tag && eval.afterTraining)
            first = std::min(first, *eval.tag);
    return first;
}

/// Some log one number of an epoch again and again beside the samples.
bool epochsGrow(const MlperfRun& run)
{
    double last = -INFINITY;
    for (const MlperfEval& eval : run.evals) {
        if (!eval.tag || *eval.tag <= last)
            return false;
        last = *eval.tag;
    }
    return true;
}

bool hasSamplesOnly(const MlperfRun& run)
{
    const auto any = [&run](auto is) {
        return std::any_of(run.evals.begin(), run.evals.end(), is);
    };
    if (any([](const MlperfEval& eval) { return eval.tag.value_or(0) > kMostRunEpochs; }))
        return true;
    return any([](const MlperfEval& eval) { return eval.samples.has_value(); }) && !run.own &&
           !epochsGrow(run);
}

bool numbersEvaluations(const MlperfRun& run)
{
    double most = 0;
    for (const MlperfEval& eval : run.evals)
        most = std::max(most, eval.tag.value_or(0));
    return most > 2 && std::all_of(run.evals.begin(), run.evals.end(), [](const MlperfEval& eval) {
               return eval.tag.value_or(0) == std::floor(eval.tag.value_or(0));
           });
}

} // namespace

EpochCount::EpochCount(const MlperfRun& run, const QString& benchmark)
    : m_run(run), m_benchmark(benchmark), m_samples(hasSamplesOnly(run)), m_first(firstTag(run))
{
}

std::optional<double> EpochCount::counted(const MlperfEval& eval) const
{
    return m_samples && eval.samples ? eval.samples : eval.tag;
}

std::optional<double> EpochCount::atEnd() const
{
    for (auto eval = m_run.evals.rbegin(); eval != m_run.evals.rend(); ++eval)
        if (const auto told = counted(*eval))
            return m_run.generation == MlperfGeneration::V05 ? *told - m_first + 1 : *told;
    if (!m_run.trainEpochs.isEmpty())
        return double(m_run.trainEpochs.size());
    return {};
}

std::optional<double> EpochCount::passesAt(const MlperfEval& eval) const
{
    const auto told = counted(eval);
    if (!told)
        return {};
    if (m_samples) // BERT's train_samples are those of the run, not of its data
        return *told / 1e6;
    if (m_run.generation == MlperfGeneration::V05)
        return *told - m_first + 1;
    if (m_benchmark != "dlrm"_L1 || m_first < 1 || m_run.own)
        return told;
    // DLRM's log counts 1 + the fraction of its one pass; some number its evaluations in place of
    // that, one after every twentieth of it.
    return numbersEvaluations(m_run) ? *told / 20 : *told - 1;
}

} // namespace scalebench::imports
