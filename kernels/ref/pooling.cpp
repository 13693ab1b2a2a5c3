// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/pooling.h"

#include <algorithm>
#include <limits>

namespace scalebench::kernels::ref {

Values maxPoolForward(const MaxPoolParams& p, const Values& x, std::vector<std::size_t>* argmax)
{
    Values y;
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t oh = 0; oh < p.outH(); ++oh)
            for (std::int64_t ow = 0; ow < p.outW(); ++ow)
                for (std::int64_t c = 0; c < p.C; ++c) {
                    double best = -std::numeric_limits<double>::infinity();
                    std::size_t at = 0;
                    for (std::int64_t r = 0; r < p.window; ++r)
                        for (std::int64_t s = 0; s < p.window; ++s) {
                            const std::int64_t h = oh * p.stride - p.padding + r;
                            const std::int64_t w = ow * p.stride - p.padding + s;
                            if (h < 0 || h >= p.H || w < 0 || w >= p.W)
                                continue;
                            const auto i = std::size_t(((n * p.H + h) * p.W + w) * p.C + c);
                            if (x[i] > best) {
                                best = x[i];
                                at = i;
                            }
                        }
                    y.push_back(best);
                    if (argmax)
                        argmax->push_back(at);
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

Values avgPoolForward(const AvgPoolParams& p, const Values& x)
{
    Values y;
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t oh = 0; oh < p.outH(); ++oh)
            for (std::int64_t ow = 0; ow < p.outW(); ++ow)
                for (std::int64_t c = 0; c < p.C; ++c) {
                    double sum = 0.0;
                    std::int64_t inside = 0;
                    for (std::int64_t r = 0; r < p.window; ++r)
                        for (std::int64_t s = 0; s < p.window; ++s) {
                            const std::int64_t h = oh * p.stride - p.padding + r;
                            const std::int64_t w = ow * p.stride - p.padding + s;
                            if (h < 0 || h >= p.H || w < 0 || w >= p.W)
                                continue;
                            sum += x[std::size_t(((n * p.H + h) * p.W + w) * p.C + c)];
                            ++inside;
                        }
                    y.push_back(sum / double(p.countPadding ? p.window * p.window : inside));
                }
    return y;
}

Values resize2dForward(const Resize2dParams& p, const Values& x)
{
    // Neighbours of output pixel i on an axis: place = (i + 0.5) * in / out - 0.5, clamped.
    struct Tap {
        std::int64_t low, high;
        double weight;
    };
    auto tap = [&](std::int64_t i, std::int64_t in, std::int64_t out) -> Tap {
        if (p.mode == ResizeMode::Nearest)
            return {i * in / out, i * in / out, 0.0};
        const double place = std::max(0.0, (double(i) + 0.5) * double(in) / double(out) - 0.5);
        const auto low = std::int64_t(place);
        return {low, std::min(low + 1, in - 1), place - double(low)};
    };
    Values y;
    for (std::int64_t n = 0; n < p.N; ++n)
        for (std::int64_t oh = 0; oh < p.outH; ++oh)
            for (std::int64_t ow = 0; ow < p.outW; ++ow)
                for (std::int64_t c = 0; c < p.C; ++c) {
                    const Tap v = tap(oh, p.H, p.outH), h = tap(ow, p.W, p.outW);
                    auto at = [&](std::int64_t row, std::int64_t column) {
                        return x[std::size_t(((n * p.H + row) * p.W + column) * p.C + c)];
                    };
                    y.push_back((1.0 - v.weight) * ((1.0 - h.weight) * at(v.low, h.low) +
                                                    h.weight * at(v.low, h.high)) +
                                v.weight * ((1.0 - h.weight) * at(v.high, h.low) +
                                            h.weight * at(v.high, h.high)));
                }
    return y;
}

} // namespace scalebench::kernels::ref
