// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// F(2x2, 3x3): points 0, 1, -1 and infinity (Lavin and Gray, section 4.1), for vectors of any width
// V (float: one number). Pixel(row, column) points to the channels of a pixel.

#include <cstdint>
#include <cstring>

#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu::two {

/// Pixels that lie as in a picture.
template <class E>
struct InPicture {
    E* at;
    std::int64_t row, column; ///< numbers from one to the next

    SB_HOST_DEVICE E* operator()(std::int64_t r, std::int64_t s) const
    {
        return at + r * row + s * column;
    }
};

/// Pixels of which each has a pointer, `across` in a row.
template <class E>
struct ByPointer {
    E* const* at;
    std::int64_t across;

    SB_HOST_DEVICE E* operator()(std::int64_t r, std::int64_t s) const
    {
        return at[r * across + s];
    }
};

template <class V>
SB_HOST_DEVICE V load(const float* from)
{
    V v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
template <class V>
SB_HOST_DEVICE void store(float* to, V v)
{
    std::memcpy(to, &v, sizeof v);
}
template <class V>
constexpr std::int64_t kLanes = std::int64_t(sizeof(V) / sizeof(float));

/// out[place * step + c] = B' d B, in rows [First, Last) of places.
template <class V, int First = 0, int Last = 4, class Pixel>
SB_HOST_DEVICE void transformInput(Pixel pixel, std::int64_t first, std::int64_t C, float* out,
                                   std::int64_t step)
{
#pragma GCC ivdep
    for (std::int64_t c = first; c < C; c += kLanes<V>) {
        // All loaded before anything is stored, or the compiler loads twice.
        V d[4][4];
#pragma GCC unroll 4
        for (int r = 0; r < 4; ++r)
#pragma GCC unroll 4
            for (int s = 0; s < 4; ++s)
                d[r][s] = load<V>(pixel(r, s) + c);
        const auto row = [&](int r, V t0, V t1, V t2, V t3) SB_INLINE {
            if (r < First || r >= Last)
                return;
            float* const o = out + c + 4 * r * step;
            store(o, t0 - t2), store(o + step, t1 + t2);
            store(o + 2 * step, t2 - t1), store(o + 3 * step, t1 - t3);
        };
        row(0, d[0][0] - d[2][0], d[0][1] - d[2][1], d[0][2] - d[2][2], d[0][3] - d[2][3]);
        row(1, d[1][0] + d[2][0], d[1][1] + d[2][1], d[1][2] + d[2][2], d[1][3] + d[2][3]);
        row(2, d[2][0] - d[1][0], d[2][1] - d[1][1], d[2][2] - d[1][2], d[2][3] - d[1][3]);
        row(3, d[1][0] - d[3][0], d[1][1] - d[3][1], d[1][2] - d[3][2], d[1][3] - d[3][3]);
    }
}

/// The 2 x 2 pixels of a result = A' m A, with bias and ReLU.
template <class V, class Pixel>
SB_HOST_DEVICE void transformOutput(const float* m, std::int64_t step, std::int64_t first,
                                    std::int64_t K, const float* bias, bool relu, Pixel pixel)
{
    const V least = V{} + (relu ? 0.0f : -__builtin_inff());
#pragma GCC ivdep
    for (std::int64_t k = first; k < K; k += kLanes<V>) {
        const auto sum = [&](int r, int s)
                             SB_INLINE { return load<V>(m + k + (4 * r + s) * step); };
        const auto upper = [&](int s) SB_INLINE { return sum(0, s) + sum(1, s) + sum(2, s); };
        const auto lower = [&](int s) SB_INLINE { return sum(1, s) - sum(2, s) - sum(3, s); };
        const V z = load<V>(bias + k);
        const auto put = [&](int r, int s, V y)
                             SB_INLINE { store(pixel(r, s) + k, V(y < least ? least : y)); };
        const V a0 = upper(0), a1 = upper(1), a2 = upper(2), a3 = upper(3);
        const V b0 = lower(0), b1 = lower(1), b2 = lower(2), b3 = lower(3);
        put(0, 0, a0 + a1 + a2 + z), put(0, 1, a1 - a2 - a3 + z);
        put(1, 0, b0 + b1 + b2 + z), put(1, 1, b1 - b2 - b3 + z);
    }
}

/// out[place * step + k] = A dY A', in rows [First, Last) of places.
template <class V, int First = 0, int Last = 4, class Pixel>
SB_HOST_DEVICE void transformGradient(Pixel pixel, std::int64_t first, std::int64_t K, float* out,
                                      std::int64_t step)
{
#pragma GCC ivdep
    for (std::int64_t k = first; k < K; k += kLanes<V>) {
        const auto row = [&](int r, V left, V right) SB_INLINE {
            if (r < First || r >= Last)
                return;
            float* const o = out + k + 4 * r * step;
            store(o, left), store(o + step, left + right);
            store(o + 2 * step, left - right), store(o + 3 * step, -right);
        };
        // Rows 0, 0 + 1, 0 - 1, -1 of each column.
        const V l0 = load<V>(pixel(0, 0) + k), r0 = load<V>(pixel(0, 1) + k),
                l3 = -load<V>(pixel(1, 0) + k), r3 = -load<V>(pixel(1, 1) + k);
        row(0, l0, r0), row(1, l0 - l3, r0 - r3), row(2, l0 + l3, r0 + r3), row(3, l3, r3);
    }
}

} // namespace scalebench::kernels::cpu::two
