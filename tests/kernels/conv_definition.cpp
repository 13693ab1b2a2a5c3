// SPDX-License-Identifier: GPL-3.0-or-later
#include "conv_definition.h"

#include <algorithm>

namespace scalebench::test {

using kernels::ref::Values;

Gradients convGradients(const Conv2dParams& p, const Values& x, const Values& w, const Values& dy)
{
    Gradients g{Values(x.size()), Values(w.size())};
    std::size_t o = 0;
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t i = 0; i < p.outH(); ++i)
            for (std::int64_t j = 0; j < p.outW(); ++j)
                for (std::int64_t k = 0; k < p.K; ++k, ++o)
                    for (std::int64_t r = 0; r < p.R; ++r)
                        for (std::int64_t s = 0; s < p.S; ++s) {
                            const std::int64_t h = i * p.stride - p.padding + r * p.dilation;
                            const std::int64_t v = j * p.stride - p.padding + s * p.dilation;
                            if (h < 0 || h >= p.H || v < 0 || v >= p.W)
                                continue;
                            const auto at = std::size_t(((n * p.H + h) * p.W + v) * p.C);
                            for (std::int64_t c = 0; c < p.C; ++c) {
                                const auto t = std::size_t(((k * p.C + c) * p.R + r) * p.S + s);
                                g.input[at + std::size_t(c)] += dy[o] * w[t];
                                g.weight[t] += dy[o] * x[at + std::size_t(c)];
                            }
                        }
    return g;
}

Values convResult(const Conv2dParams& p, const Values& x, const Values& w, const Values& bias)
{
    Values y(std::size_t(p.N * p.outH() * p.outW() * p.K));
    std::size_t o = 0;
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t i = 0; i < p.outH(); ++i)
            for (std::int64_t j = 0; j < p.outW(); ++j)
                for (std::int64_t k = 0; k < p.K; ++k, ++o) {
                    double sum = bias[std::size_t(k)];
                    for (std::int64_t r = 0; r < p.R; ++r)
                        for (std::int64_t s = 0; s < p.S; ++s) {
                            const std::int64_t h = i * p.stride - p.padding + r * p.dilation,
                                               v = j * p.stride - p.padding + s * p.dilation;
                            if (h < 0 || h >= p.H || v < 0 || v >= p.W)
                                continue;
                            for (std::int64_t c = 0; c < p.C; ++c)
                                sum += x[std::size_t(((n * p.H + h) * p.W + v) * p.C + c)] *
                                       w[std::size_t(((k * p.C + c) * p.R + r) * p.S + s)];
                        }
                    y[o] = std::max(0.0, sum);
                }
    return y;
}

} // namespace scalebench::test
