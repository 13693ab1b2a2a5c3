// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/convolution.h"

#include <algorithm>

namespace scalebench::kernels::ref {
namespace {

/// Calls body(xIndex, wIndex, yIndex) for every product of a convolution.
template <class Body>
void everyProduct(const Conv2dParams& p, Body&& body)
{
    const std::int64_t channels = p.C / p.groups, filters = p.K / p.groups;
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t oh = 0; oh < p.outH(); ++oh)
            for (std::int64_t ow = 0; ow < p.outW(); ++ow)
                for (std::int64_t k = 0; k < p.K; ++k)
                    for (std::int64_t r = 0; r < p.R; ++r)
                        for (std::int64_t s = 0; s < p.S; ++s) {
                            const std::int64_t h = oh * p.stride - p.padding + r * p.dilation;
                            const std::int64_t w = ow * p.stride - p.padding + s * p.dilation;
                            if (h < 0 || h >= p.H || w < 0 || w >= p.W)
                                continue;
                            for (std::int64_t c = 0; c < channels; ++c)
                                body(std::size_t(((n * p.H + h) * p.W + w) * p.C +
                                                 k / filters * channels + c),
                                     std::size_t(((k * channels + c) * p.R + r) * p.S + s),
                                     std::size_t(((n * p.outH() + oh) * p.outW() + ow) * p.K + k));
                        }
}

} // namespace

Values conv2dForward(const Conv2dParams& p, const Values& x, const Values& w, const Values& bias)
{
    Values y(std::size_t(p.N * p.outH() * p.outW() * p.K));
    everyProduct(p, [&](std::size_t i, std::size_t j, std::size_t k) { y[k] += x[i] * w[j]; });
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (p.bias)
            y[i] += bias[i % std::size_t(p.K)];
        if (p.relu)
            y[i] = std::max(y[i], 0.0);
    }
    return y;
}

Values conv2dBackwardData(const Conv2dParams& p, const Values& dy, const Values& w)
{
    Values dx(std::size_t(p.N * p.H * p.W * p.C));
    everyProduct(p, [&](std::size_t i, std::size_t j, std::size_t k) { dx[i] += dy[k] * w[j]; });
    return dx;
}

Values conv2dBackwardWeight(const Conv2dParams& p, const Values& x, const Values& dy)
{
    Values dw(std::size_t(p.weightCount()));
    everyProduct(p, [&](std::size_t i, std::size_t j, std::size_t k) { dw[j] += dy[k] * x[i]; });
    return dw;
}

} // namespace scalebench::kernels::ref
