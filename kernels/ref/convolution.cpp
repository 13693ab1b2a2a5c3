// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/convolution.h"

#include <algorithm>

#include "kernels/formula/host_device.h"

// Weights are first turned round so that output channels lie side by side: the innermost loop adds
// one input value times a row of weights, which compilers vectorise without reordering any sum.

namespace scalebench::kernels::ref {
namespace {

/// w [groups,R,S,C/groups,K/groups].
SB_TARGET_CLONES void addProducts(const Conv2dParams& p, const double* x, const double* w,
                                  double* y)
{
    const std::int64_t channels = p.C / p.groups, filters = p.K / p.groups;
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t oh = 0; oh < p.outH(); ++oh)
            for (std::int64_t ow = 0; ow < p.outW(); ++ow)
                for (std::int64_t g = 0; g < p.groups; ++g)
                    for (std::int64_t r = 0; r < p.R; ++r)
                        for (std::int64_t s = 0; s < p.S; ++s) {
                            const std::int64_t ih = oh * p.stride - p.padding + r * p.dilation;
                            const std::int64_t iw = ow * p.stride - p.padding + s * p.dilation;
                            if (ih < 0 || ih >= p.H || iw < 0 || iw >= p.W)
                                continue;
                            const double* in = x + ((n * p.H + ih) * p.W + iw) * p.C + g * channels;
                            double* out =
                                y + ((n * p.outH() + oh) * p.outW() + ow) * p.K + g * filters;
                            for (std::int64_t c = 0; c < channels; ++c) {
                                const double* row =
                                    w + (((g * p.R + r) * p.S + s) * channels + c) * filters;
                                for (std::int64_t k = 0; k < filters; ++k)
                                    out[k] += in[c] * row[k];
                            }
                        }
}

/// w [stride,stride,C,K].
SB_TARGET_CLONES void addTransposedProducts(const ConvTranspose2dParams& p, const double* x,
                                            const double* w, double* y)
{
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t oh = 0; oh < p.outH(); ++oh)
            for (std::int64_t ow = 0; ow < p.outW(); ++ow) {
                const double* in = x + ((n * p.H + oh / p.stride) * p.W + ow / p.stride) * p.C;
                double* out = y + ((n * p.outH() + oh) * p.outW() + ow) * p.K;
                const double* tap = w + (oh % p.stride * p.stride + ow % p.stride) * p.C * p.K;
                for (std::int64_t c = 0; c < p.C; ++c)
                    for (std::int64_t k = 0; k < p.K; ++k)
                        out[k] += in[c] * tap[c * p.K + k];
            }
}

void finish(bool bias, bool relu, const Values& b, Values& y)
{
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (bias)
            y[i] += b[i % b.size()];
        if (relu)
            y[i] = std::max(y[i], 0.0);
    }
}

} // namespace

Values conv2dForward(const Conv2dParams& p, const Values& x, const Values& w, const Values& bias)
{
    const std::int64_t channels = p.C / p.groups, filters = p.K / p.groups, taps = p.R * p.S;
    Values turned(w.size());
    for (std::int64_t k = 0; k < p.K; ++k)
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t t = 0; t < taps; ++t)
                turned[std::size_t(((k / filters * taps + t) * channels + c) * filters +
                                   k % filters)] = w[std::size_t((k * channels + c) * taps + t)];
    Values y(std::size_t(p.N * p.outH() * p.outW() * p.K));
    addProducts(p, x.data(), turned.data(), y.data());
    finish(p.bias, p.relu, bias, y);
    return y;
}

Values convTranspose2dForward(const ConvTranspose2dParams& p, const Values& x, const Values& w,
                              const Values& bias)
{
    const std::int64_t taps = p.stride * p.stride;
    Values turned(w.size());
    for (std::int64_t c = 0; c < p.C; ++c)
        for (std::int64_t k = 0; k < p.K; ++k)
            for (std::int64_t t = 0; t < taps; ++t)
                turned[std::size_t((t * p.C + c) * p.K + k)] =
                    w[std::size_t((c * p.K + k) * taps + t)];
    Values y(std::size_t(p.N * p.outH() * p.outW() * p.K));
    addTransposedProducts(p, x.data(), turned.data(), y.data());
    finish(p.bias, p.relu, bias, y);
    return y;
}

} // namespace scalebench::kernels::ref
