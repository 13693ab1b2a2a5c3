// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The innermost loops of max pooling: over the channels of the pixels that a window has in the
// picture, or that a pixel has among the windows.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu::pool {

/// A pixel of x and its number in the window; or of dy, with the numbers of those that won there.
template <class T>
struct Tap {
    const T* at;
    const std::uint8_t* won = nullptr;
    std::uint8_t number = 0;
};

/// room: [C], to work in.
template <class T>
struct Loops {
    /// y [C] = the largest of n > 0 pixels, index [C] the number of the first such (of the last
    /// NaN).
    void (*largest)(const Tap<T>* taps, int n, std::int64_t C, T* y, std::uint8_t* index,
                    float* room);
    /// dx [C] = sum of the gradients of n windows where it won.
    void (*gradient)(const Tap<T>* taps, int n, std::int64_t C, T* dx, float* room);
};

/// With AVX512_BF16; null where the processor has no such thing.
const Loops<bf16_t>* bf16Loops();

} // namespace scalebench::kernels::cpu::pool
