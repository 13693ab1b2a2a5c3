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

} // namespace scalebench::kernels::ref
