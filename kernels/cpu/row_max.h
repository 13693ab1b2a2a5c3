// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The largest of a row of numbers, in a form that vectorises although NaN keeps its meaning: lanes
// side by side, which a compiler may not make of a plain loop by itself. Vectors of 16 bytes, as
// every x86-64 has them: compilers compare wider ones than the target's number by number.

#include <cstdint>
#include <cstring>

#include "kernels/formula/bf16.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {

using Lanes [[gnu::vector_size(16)]] = float;

SB_HOST_DEVICE void loadLanes(const float* x, Lanes& lanes)
{
    std::memcpy(&lanes, x, sizeof lanes);
}
SB_HOST_DEVICE void loadLanes(const bf16_t* x, Lanes& lanes)
{
    using Words [[gnu::vector_size(16)]] = std::uint32_t;
    const Words words = Words{x[0], x[1], x[2], x[3]} << 16;
    std::memcpy(&lanes, &words, sizeof lanes);
}

/// `lanes` becomes the larger of the two, lane by lane.
SB_HOST_DEVICE void raise(Lanes& lanes, const Lanes& other)
{
    lanes = other > lanes ? other : lanes;
}

/// n > 0. NaN elements are passed over (x - max is still NaN there).
template <class T>
SB_HOST_DEVICE float rowMax(const T* x, std::int64_t n)
{
    constexpr std::int64_t kLanes = 4, kChains = 4;
    float top = formula::load(x);
    std::int64_t i = 0;
    if (n >= kLanes * kChains) {
        Lanes lanes[kChains];
#pragma GCC unroll 4
        for (Lanes& l : lanes)
            l = Lanes{} + top;
        for (; i + kLanes * kChains <= n; i += kLanes * kChains)
#pragma GCC unroll 4
            for (std::int64_t c = 0; c < kChains; ++c) {
                Lanes v;
                loadLanes(x + i + c * kLanes, v);
                raise(lanes[c], v);
            }
        raise(lanes[0], lanes[1]);
        raise(lanes[2], lanes[3]);
        raise(lanes[0], lanes[2]);
        for (std::int64_t j = 0; j < kLanes; ++j)
            top = lanes[0][j] > top ? lanes[0][j] : top;
    }
    for (; i < n; ++i)
        top = formula::load(x + i) > top ? formula::load(x + i) : top;
    return top;
}

} // namespace scalebench::kernels::cpu
