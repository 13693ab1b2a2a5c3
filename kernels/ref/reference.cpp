// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scalebench::kernels::ref {
namespace {

/// Calls body(xIndex, wIndex, yIndex) for every product of a convolution.
template <class Body>
void everyProduct(const Conv2dParams& p, Body&& body)
{
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t oh = 0; oh < p.outH(); ++oh)
            for (std::int64_t ow = 0; ow < p.outW(); ++ow)
                for (std::int64_t k = 0; k < p.K; ++k)
                    for (std::int64_t r = 0; r < p.R; ++r)
                        for (std::int64_t s = 0; s < p.S; ++s) {
                            const std::int64_t h = oh * p.stride - p.padding + r;
                            const std::int64_t w = ow * p.stride - p.padding + s;
                            if (h < 0 || h >= p.H || w < 0 || w >= p.W)
                                continue;
                            for (std::int64_t c = 0; c < p.C; ++c)
                                body(std::size_t(((n * p.H + h) * p.W + w) * p.C + c),
                                     std::size_t(((k * p.C + c) * p.R + r) * p.S + s),
                                     std::size_t(((n * p.outH() + oh) * p.outW() + ow) * p.K + k));
                        }
}

} // namespace

Values conv2dForward(const Conv2dParams& p, const Values& x, const Values& w)
{
    Values y(std::size_t(p.N * p.outH() * p.outW() * p.K));
    everyProduct(p, [&](std::size_t i, std::size_t j, std::size_t k) { y[k] += x[i] * w[j]; });
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
    Values dw(std::size_t(p.K * p.C * p.R * p.S));
    everyProduct(p, [&](std::size_t i, std::size_t j, std::size_t k) { dw[j] += dy[k] * x[i]; });
    return dw;
}

Values linearForward(std::int64_t N, std::int64_t in, std::int64_t out, const Values& x,
                     const Values& w, const Values& b)
{
    Values y(std::size_t(N * out));
    for (std::int64_t n = 0; n < N; ++n)
        for (std::int64_t o = 0; o < out; ++o) {
            double sum = b.empty() ? 0.0 : b[std::size_t(o)];
            for (std::int64_t i = 0; i < in; ++i)
                sum += x[std::size_t(n * in + i)] * w[std::size_t(o * in + i)];
            y[std::size_t(n * out + o)] = sum;
        }
    return y;
}

Values batchNormForward(std::int64_t rows, std::int64_t C, bool relu, double epsilon,
                        const Values& x, const Values& z, const Values& gamma, const Values& beta)
{
    Values y(x.size());
    for (std::int64_t c = 0; c < C; ++c) {
        double mean = 0.0, var = 0.0;
        for (std::int64_t r = 0; r < rows; ++r)
            mean += x[std::size_t(r * C + c)] / double(rows);
        for (std::int64_t r = 0; r < rows; ++r) {
            const double d = x[std::size_t(r * C + c)] - mean;
            var += d * d / double(rows);
        }
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto i = std::size_t(r * C + c);
            double v = (x[i] - mean) / std::sqrt(var + epsilon) * gamma[std::size_t(c)] +
                       beta[std::size_t(c)];
            if (!z.empty())
                v += z[i];
            y[i] = relu ? std::max(v, 0.0) : v;
        }
    }
    return y;
}

Values maxPoolForward(const MaxPoolParams& p, const Values& x)
{
    Values y;
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t oh = 0; oh < p.outH(); ++oh)
            for (std::int64_t ow = 0; ow < p.outW(); ++ow)
                for (std::int64_t c = 0; c < p.C; ++c) {
                    double best = -std::numeric_limits<double>::infinity();
                    for (std::int64_t r = 0; r < p.window; ++r)
                        for (std::int64_t s = 0; s < p.window; ++s) {
                            const std::int64_t h = oh * p.stride - p.padding + r;
                            const std::int64_t w = ow * p.stride - p.padding + s;
                            if (h >= 0 && h < p.H && w >= 0 && w < p.W)
                                best = std::max(
                                    best, x[std::size_t(((n * p.H + h) * p.W + w) * p.C + c)]);
                        }
                    y.push_back(best);
                }
    return y;
}

Values globalAvgPoolForward(const GlobalAvgPoolParams& p, const Values& x)
{
    Values y(std::size_t(p.N * p.C));
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t i = 0; i < p.H * p.W; ++i)
            for (std::int64_t c = 0; c < p.C; ++c)
                y[std::size_t(n * p.C + c)] +=
                    x[std::size_t((n * p.H * p.W + i) * p.C + c)] / double(p.H * p.W);
    return y;
}

Values shortcutPadForward(const ShortcutPadParams& p, const Values& x)
{
    Values y(std::size_t(p.N * p.outH() * p.outW() * p.K));
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t h = 0; h < p.outH(); ++h)
            for (std::int64_t w = 0; w < p.outW(); ++w)
                for (std::int64_t c = 0; c < p.C; ++c)
                    y[std::size_t(((n * p.outH() + h) * p.outW() + w) * p.K + c)] =
                        x[std::size_t(((n * p.H + h * p.stride) * p.W + w * p.stride) * p.C + c)];
    return y;
}

double softmaxCrossEntropy(std::int64_t N, std::int64_t classes, double labelSmoothing,
                           const Values& logits, const std::vector<std::int32_t>& labels)
{
    double loss = 0.0;
    for (std::int64_t n = 0; n < N; ++n) {
        if (labels[std::size_t(n)] < 0)
            continue;
        const double* z = logits.data() + n * classes;
        const double top = *std::max_element(z, z + classes);
        double sum = 0.0;
        for (std::int64_t c = 0; c < classes; ++c)
            sum += std::exp(z[c] - top);
        for (std::int64_t c = 0; c < classes; ++c) {
            const double target = labelSmoothing / double(classes) +
                                  (c == labels[std::size_t(n)] ? 1.0 - labelSmoothing : 0.0);
            loss -= target * (z[c] - top - std::log(sum));
        }
    }
    return loss;
}

} // namespace scalebench::kernels::ref
