// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Transposition of square blocks of 32-bit words that lie in vector registers, as many rows as a
// vector has words.

#include <cstdint>
#include <utility>

#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {

/// Rows H apart swap their halves of 2 H words.
template <int H, class Words, int... J>
SB_HOST_DEVICE void swapHalves(Words& a, Words& b, std::integer_sequence<int, J...>)
{
    constexpr int kWidth = sizeof...(J);
    const Words first = __builtin_shufflevector(a, b, ((J & H) != 0 ? kWidth + J - H : J)...);
    b = __builtin_shufflevector(a, b, ((J & H) != 0 ? kWidth + J : J + H)...);
    a = first;
}

/// The rounds of a transposition from distance H down to 1.
template <int H, class Words, int W>
SB_HOST_DEVICE void swapRounds(Words (&rows)[W])
{
#pragma GCC unroll 16
    for (int i = 0; i < W; ++i)
        if ((i & H) == 0)
            swapHalves<H>(rows[i], rows[i + H], std::make_integer_sequence<int, W>{});
    if constexpr (H > 1)
        swapRounds<H / 2>(rows);
}

template <class Words, int W>
SB_HOST_DEVICE void transposeSquare(Words (&rows)[W])
{
    static_assert(sizeof(Words) == W * sizeof(std::uint32_t));
    swapRounds<W / 2>(rows);
}

} // namespace scalebench::kernels::cpu
