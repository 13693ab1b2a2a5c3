// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/normalization.h"

#include <algorithm>
#include <cmath>

namespace scalebench::kernels::ref {

Values batchNormForward(std::int64_t rows, std::int64_t C, bool relu, double epsilon,
                        const Values& x, const Values& z, const Values& gamma, const Values& beta)
{
    Values mean(static_cast<std::size_t>(C)), variance(static_cast<std::size_t>(C));
    for (std::size_t i = 0; i < std::size_t(rows * C);)
        for (std::size_t c = 0; c < mean.size(); ++c, ++i)
            mean[c] += x[i] / double(rows);
    for (std::size_t i = 0; i < std::size_t(rows * C);)
        for (std::size_t c = 0; c < mean.size(); ++c, ++i) {
            const double d = x[i] - mean[c];
            variance[c] += d * d / double(rows);
        }
    return frozenBatchNormForward(relu, epsilon, x, z, gamma, beta, mean, variance);
}

Values frozenBatchNormForward(bool relu, double epsilon, const Values& x, const Values& z,
                              const Values& gamma, const Values& beta, const Values& mean,
                              const Values& variance)
{
    Values y(x.size());
    for (std::size_t i = 0; i < x.size();)
        for (std::size_t c = 0; c < mean.size(); ++c, ++i) {
            double v = (x[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * gamma[c] + beta[c];
            if (!z.empty())
                v += z[i];
            y[i] = relu ? std::max(v, 0.0) : v;
        }
    return y;
}

} // namespace scalebench::kernels::ref
