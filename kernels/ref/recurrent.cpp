// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/recurrent.h"

#include <cmath>

namespace scalebench::kernels::ref {
namespace {

double sigmoid(double v)
{
    return 1.0 / (1.0 + std::exp(-v));
}

/// w[row,:] . v[offset ...]
double dotRow(const Values& w, std::int64_t row, const Values& v, std::int64_t offset,
              std::int64_t n)
{
    double sum = 0.0;
    for (std::int64_t i = 0; i < n; ++i)
        sum += w[std::size_t(row * n + i)] * v[std::size_t(offset + i)];
    return sum;
}

} // namespace

LstmResult lstmForward(const LstmParams& p, const Values& x, const Values& wx, const Values& wh,
                       const Values& bx, const Values& bh, const Values& h0, const Values& c0,
                       const std::vector<std::int32_t>& lengths)
{
    const std::int64_t H = p.H;
    const auto states = std::size_t(p.B * H);
    LstmResult r;
    r.y.assign(std::size_t(p.T * p.B * H), 0.0);
    r.hN = h0.empty() ? Values(states, 0.0) : h0;
    r.cN = c0.empty() ? Values(states, 0.0) : c0;
    for (std::int64_t b = 0; b < p.B; ++b) {
        const std::int64_t length = lengths.empty() ? p.T : lengths[std::size_t(b)];
        for (std::int64_t k = 0; k < length; ++k) {
            const std::int64_t row = (p.reverse ? length - 1 - k : k) * p.B + b;
            Values sums(std::size_t(4 * H)); // before any state changes
            for (std::int64_t j = 0; j < 4 * H; ++j)
                sums[std::size_t(j)] = dotRow(wx, j, x, row * p.I, p.I) +
                                       dotRow(wh, j, r.hN, b * H, H) +
                                       (bx.empty() ? 0.0 : bx[std::size_t(j)]) +
                                       (bh.empty() ? 0.0 : bh[std::size_t(j)]);
            for (std::int64_t j = 0; j < H; ++j) {
                const double i = sigmoid(sums[std::size_t(j)]);
                const double f = sigmoid(sums[std::size_t(H + j)]);
                const double g = std::tanh(sums[std::size_t(2 * H + j)]);
                const double o = sigmoid(sums[std::size_t(3 * H + j)]);
                const auto at = std::size_t(b * H + j);
                r.cN[at] = f * r.cN[at] + i * g;
                r.hN[at] = o * std::tanh(r.cN[at]);
                r.y[std::size_t(row * H + j)] = r.hN[at];
            }
        }
    }
    return r;
}

AdditiveAttentionResult additiveAttentionForward(const AdditiveAttentionParams& p, const Values& q,
                                                 const Values& k, const Values& value,
                                                 const Values& v, const Values& scale,
                                                 const Values& bias,
                                                 const std::vector<std::int32_t>& lengths)
{
    AdditiveAttentionResult r;
    r.context.assign(std::size_t(p.Tq * p.B * p.V), 0.0);
    r.probabilities.assign(std::size_t(p.B * p.Tq * p.Tk), 0.0);
    double square = 0.0;
    for (const double e : v)
        square += e * e;
    const double factor = p.normalised ? scale.at(0) / std::sqrt(square) : 1.0;
    for (std::int64_t b = 0; b < p.B; ++b) {
        const std::int64_t n = lengths.empty() ? p.Tk : lengths[std::size_t(b)];
        for (std::int64_t t = 0; t < p.Tq; ++t) {
            double* weights = r.probabilities.data() + (b * p.Tq + t) * p.Tk;
            double sum = 0.0;
            for (std::int64_t s = 0; s < n; ++s) {
                double score = 0.0;
                for (std::int64_t a = 0; a < p.A; ++a)
                    score += factor * v[std::size_t(a)] *
                             std::tanh(q[std::size_t((t * p.B + b) * p.A + a)] +
                                       k[std::size_t((s * p.B + b) * p.A + a)] +
                                       (bias.empty() ? 0.0 : bias[std::size_t(a)]));
                sum += weights[s] = std::exp(score);
            }
            for (std::int64_t s = 0; s < n; ++s) {
                weights[s] /= sum;
                for (std::int64_t e = 0; e < p.V; ++e)
                    r.context[std::size_t((t * p.B + b) * p.V + e)] +=
                        weights[s] * value[std::size_t((s * p.B + b) * p.V + e)];
            }
        }
    }
    return r;
}

} // namespace scalebench::kernels::ref
