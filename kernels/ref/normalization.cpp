// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/normalization.h"

#include <algorithm>
#include <cmath>

namespace scalebench::kernels::ref {

Values batchNormForward(std::int64_t rows, std::int64_t C, bool relu, double epsilon,
                        const Values& x, const Values& z, const Values& gamma, const Values& beta)
{
    Values mean(static_cast<std::size_t>(C)), variance(static_cast<std::size_t>(C));
    for (std::int64_t c = 0; c < C; ++c) {
        const auto i = std::size_t(c);
        for (std::int64_t r = 0; r < rows; ++r)
            mean[i] += x[std::size_t(r * C + c)] / double(rows);
        for (std::int64_t r = 0; r < rows; ++r) {
            const double d = x[std::size_t(r * C + c)] - mean[i];
            variance[i] += d * d / double(rows);
        }
    }
    return frozenBatchNormForward(relu, epsilon, x, z, gamma, beta, mean, variance);
}

Values frozenBatchNormForward(bool relu, double epsilon, const Values& x, const Values& z,
                              const Values& gamma, const Values& beta, const Values& mean,
                              const Values& variance)
{
    Values y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t c = i % mean.size();
        double v = (x[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * gamma[c] + beta[c];
        if (!z.empty())
            v += z[i];
        y[i] = relu ? std::max(v, 0.0) : v;
    }
    return y;
}

} // namespace scalebench::kernels::ref
