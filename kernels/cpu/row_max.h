// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The largest of a row of numbers, in a form that vectorises although NaN keeps its meaning: lanes
// side by side, which a compiler may not make of a plain loop by itself.

#include <cstdint>

#include "kernels/formula/bf16.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {

/// n > 0. NaN elements are passed over (x - max is still NaN there).
template <class T>
SB_HOST_DEVICE float rowMax(const T* x, std::int64_t n)
{
    using Lanes [[gnu::vector_size(64)]] = float;
    constexpr std::int64_t kLanes = 16;
    float top = formula::load(x);
    std::int64_t i = 0;
    if (n >= kLanes) {
        Lanes lanes = Lanes{} + top;
        for (; i + kLanes <= n; i += kLanes) {
            Lanes v;
            for (std::int64_t j = 0; j < kLanes; ++j)
                v[j] = formula::load(x + i + j);
            lanes = v > lanes ? v : lanes;
        }
        for (std::int64_t j = 0; j < kLanes; ++j)
            top = lanes[j] > top ? lanes[j] : top;
    }
    for (; i < n; ++i)
        top = formula::load(x + i) > top ? formula::load(x + i) : top;
    return top;
}

} // namespace scalebench::kernels::cpu
