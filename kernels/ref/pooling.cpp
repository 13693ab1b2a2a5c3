// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/pooling.h"

#include <algorithm>
#include <limits>

namespace scalebench::kernels::ref {

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

} // namespace scalebench::kernels::ref
