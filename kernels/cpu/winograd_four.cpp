// SPDX-License-Identifier: GPL-3.0-or-later
// F(4x4, 3x3), 16 channels at a time. The points are 0, 5/8, -5/8, 3/2, -3/2 and infinity: the
// usual 1 and 2 (Lavin and Gray, section 4.2) magnify the rounding of the products' operands 2.2
// times as much. Matrices by Lagrange's polynomials (Toom and Cook).
#include "kernels/cpu/winograd_filters.h"

#include <algorithm>
#include <cstring>

#include "kernels/formula/bf16.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::int64_t kLanes = 16;
using Lanes [[gnu::vector_size(kLanes * sizeof(float))]] = float;
using Halves [[gnu::vector_size(kLanes * sizeof(bf16_t))]] = bf16_t;
using Words [[gnu::vector_size(kLanes * sizeof(std::uint32_t))]] = std::uint32_t;

// `n` is how many of a vector's numbers there are; a constant in the loops over whole vectors.

SB_HOST_DEVICE void loadLanes(const float* x, std::int64_t n, Lanes& v)
{
    if (n == kLanes) {
        std::memcpy(&v, x, sizeof v);
        return;
    }
    v = Lanes{};
    std::memcpy(&v, x, std::size_t(n) * sizeof(float));
}

SB_HOST_DEVICE void loadLanes(const bf16_t* x, std::int64_t n, Lanes& v)
{
    Halves halves{};
    if (n == kLanes)
        std::memcpy(&halves, x, sizeof halves);
    else
        std::memcpy(&halves, x, std::size_t(n) * sizeof(bf16_t));
    const Words words = __builtin_convertvector(halves, Words) << 16;
    std::memcpy(&v, &words, sizeof v);
}

SB_HOST_DEVICE void storeLanes(const Lanes& v, std::int64_t n, float* out)
{
    if (n == kLanes)
        std::memcpy(out, &v, sizeof v);
    else
        std::memcpy(out, &v, std::size_t(n) * sizeof(float));
}

/// As formula::f32ToBf16().
SB_HOST_DEVICE void storeLanes(const Lanes& v, std::int64_t n, bf16_t* out)
{
    Words u;
    std::memcpy(&u, &v, sizeof u);
    const Words rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16, quietNan = (u >> 16) | 0x40u;
    const Words result = (u & 0x7fffffffu) > 0x7f800000u ? quietNan : rounded;
    const Halves halves = __builtin_convertvector(result, Halves);
    if (n == kLanes)
        std::memcpy(out, &halves, sizeof halves);
    else
        std::memcpy(out, &halves, std::size_t(n) * sizeof(bf16_t));
}

/// body(first number, how many) for all vectors of `count` numbers.
template <class Body>
SB_HOST_DEVICE void eachVector(std::int64_t count, const Body& body)
{
    std::int64_t first = 0;
    for (; first + kLanes <= count; first += kLanes)
        body(first, kLanes);
    if (first < count)
        body(first, count - first);
}

constexpr float kA = 0.625f, kB = 1.5f; ///< the points
constexpr float kA2 = kA * kA, kB2 = kB * kB, kSum = kA2 + kB2, kProduct = kA2 * kB2;
// What Lagrange's polynomials of the points are divided by.
constexpr float kOfA = 1.0f / (2.0f * kA2 * (kA2 - kB2)), kOfB = 1.0f / (2.0f * kB2 * (kB2 - kA2));

/// B' d of one row or column.
struct OfSeen {
    SB_HOST_DEVICE static void apply(const Lanes (&d)[6], Lanes (&o)[6])
    {
        const Lanes even1 = d[4] - kB2 * d[2], odd1 = kA * (d[3] - kB2 * d[1]);
        const Lanes even2 = d[4] - kA2 * d[2], odd2 = kB * (d[3] - kA2 * d[1]);
        o[0] = kProduct * d[0] - kSum * d[2] + d[4];
        o[1] = even1 + odd1, o[2] = even1 - odd1;
        o[3] = even2 + odd2, o[4] = even2 - odd2;
        o[5] = kProduct * d[1] - kSum * d[3] + d[5];
    }
};

/// A' m.
struct OfPlaces {
    SB_HOST_DEVICE static void apply(const Lanes (&m)[6], Lanes (&y)[4])
    {
        const Lanes sum1 = m[1] + m[2], less1 = kA * (m[1] - m[2]);
        const Lanes sum2 = m[3] + m[4], less2 = kB * (m[3] - m[4]);
        y[0] = m[0] + sum1 + sum2;
        y[1] = less1 + less2;
        y[2] = kA2 * sum1 + kB2 * sum2;
        y[3] = kA2 * less1 + kB2 * less2 + m[5];
    }
};

/// A y.
struct OfGradient {
    SB_HOST_DEVICE static void apply(const Lanes (&y)[4], Lanes (&o)[6])
    {
        const Lanes even1 = y[0] + kA2 * y[2], odd1 = kA * (y[1] + kA2 * y[3]);
        const Lanes even2 = y[0] + kB2 * y[2], odd2 = kB * (y[1] + kB2 * y[3]);
        o[0] = y[0];
        o[1] = even1 + odd1, o[2] = even1 - odd1;
        o[3] = even2 + odd2, o[4] = even2 - odd2;
        o[5] = y[3];
    }
};

/// G g.
struct OfWindow {
    SB_HOST_DEVICE static void apply(const Lanes (&g)[3], Lanes (&o)[6])
    {
        const Lanes even1 = kOfA * (g[0] + kA2 * g[2]), odd1 = kOfA * kA * g[1];
        const Lanes even2 = kOfB * (g[0] + kB2 * g[2]), odd2 = kOfB * kB * g[1];
        o[0] = g[0] * (1.0f / kProduct);
        o[1] = even1 + odd1, o[2] = even1 - odd1;
        o[3] = even2 + odd2, o[4] = even2 - odd2;
        o[5] = g[2];
    }
};

/// G' x.
struct OfSums {
    SB_HOST_DEVICE static void apply(const Lanes (&x)[6], Lanes (&g)[3])
    {
        const Lanes sum1 = kOfA * (x[1] + x[2]), less1 = kOfA * kA * (x[1] - x[2]);
        const Lanes sum2 = kOfB * (x[3] + x[4]), less2 = kOfB * kB * (x[3] - x[4]);
        g[0] = x[0] * (1.0f / kProduct) + sum1 + sum2;
        g[1] = less1 + less2;
        g[2] = kA2 * sum1 + kB2 * sum2 + x[5];
    }
};

/// The same to the columns and then to the rows of In x In numbers: load(row, column, lanes) and
/// store(row, column, lanes), for rows [First, Last) of the result.
template <class One, int In, int Out, int First = 0, int Last = Out, class Load, class Store>
SB_HOST_DEVICE void bothWays(const Load& load, const Store& store)
{
    Lanes half[Out][In];
    for (int s = 0; s < In; ++s) {
        Lanes column[In], out[Out];
#pragma GCC unroll 6
        for (int r = 0; r < In; ++r)
            load(r, s, column[r]);
        One::apply(column, out);
#pragma GCC unroll 6
        for (int r = First; r < Last; ++r)
            half[r][s] = out[r];
    }
    for (int r = First; r < Last; ++r) {
        Lanes out[Out];
        One::apply(half[r], out);
#pragma GCC unroll 6
        for (int s = 0; s < Out; ++s)
            store(r, s, out[s]);
    }
}

template <int First, int Last>
SB_HOST_DEVICE void inputRows(const bf16_t* const* pixels, std::int64_t C, float* out,
                              std::int64_t step)
{
    eachVector(C, [&](std::int64_t c, std::int64_t n) SB_INLINE {
        bothWays<OfSeen, 6, 6, First, Last>(
            [&](int r, int s, Lanes& v) SB_INLINE { loadLanes(pixels[r * 6 + s] + c, n, v); },
            [&](int r, int s, const Lanes& v)
                SB_INLINE { storeLanes(v, n, out + (r * 6 + s) * step + c); });
    });
}

template <int First, int Last>
SB_HOST_DEVICE void gradientRows(const bf16_t* const* pixels, std::int64_t K, float* out,
                                 std::int64_t step)
{
    eachVector(K, [&](std::int64_t k, std::int64_t n) SB_INLINE {
        bothWays<OfGradient, 4, 6, First, Last>(
            [&](int r, int s, Lanes& v) SB_INLINE { loadLanes(pixels[r * 4 + s] + k, n, v); },
            [&](int r, int s, const Lanes& v)
                SB_INLINE { storeLanes(v, n, out + (r * 6 + s) * step + k); });
    });
}

} // namespace

SB_TARGET_CLONES
void WinogradFour::transformInput(const bf16_t* const* pixels, std::int64_t C, float* out,
                                  std::int64_t step, WinogradRows rows)
{
    withRows<kSeen>(rows, [&](auto first, auto last)
                              SB_INLINE { inputRows<first, last>(pixels, C, out, step); });
}

SB_TARGET_CLONES
void WinogradFour::transformOutput(const float* m, std::int64_t step, std::int64_t K,
                                   const float* bias, bool relu, bf16_t* const* pixels)
{
    const float least = relu ? 0.0f : -__builtin_inff();
    eachVector(K, [&](std::int64_t k, std::int64_t n) SB_INLINE {
        Lanes z;
        loadLanes(bias + k, n, z);
        bothWays<OfPlaces, 6, 4>(
            [&](int r, int s, Lanes& v) SB_INLINE { loadLanes(m + (r * 6 + s) * step + k, n, v); },
            [&](int r, int s, const Lanes& v) SB_INLINE {
                const Lanes y = v + z;
                storeLanes(y < least ? Lanes{} + least : y, n, pixels[r * 4 + s] + k);
            });
    });
}

SB_TARGET_CLONES
void WinogradFour::transformGradient(const bf16_t* const* pixels, std::int64_t K, float* out,
                                     std::int64_t step, WinogradRows rows)
{
    withRows<kSeen>(rows, [&](auto first, auto last)
                              SB_INLINE { gradientRows<first, last>(pixels, K, out, step); });
}

SB_TARGET_CLONES
void WinogradFour::transformWindows(const float* g, bool turned, float* out, std::int64_t step)
{
    static_assert(kWindows == kLanes);
    bothWays<OfWindow, 3, 6>(
        [&](int r, int s, Lanes& v) SB_INLINE {
            const int e = r * 3 + s;
            loadLanes(g + (turned ? 8 - e : e) * kLanes, kLanes, v);
        },
        [&](int r, int s, const Lanes& v)
            SB_INLINE { storeLanes(v, kLanes, out + (r * 6 + s) * step); });
}

SB_TARGET_CLONES
void WinogradFour::transformSums(const float* sums, std::int64_t step, std::int64_t C, float* dw)
{
    eachVector(C, [&](std::int64_t c, std::int64_t n) SB_INLINE {
        alignas(64) float windows[9][kLanes];
        bothWays<OfSums, 6, 3>([&](int r, int s, Lanes& v)
                                   SB_INLINE { loadLanes(sums + (r * 6 + s) * step + c, n, v); },
                               [&](int r, int s, const Lanes& v)
                                   SB_INLINE { std::memcpy(windows[r * 3 + s], &v, sizeof v); });
        for (std::int64_t j = 0; j < n; ++j)
            for (std::int64_t e = 0; e < 9; ++e)
                dw[(c + j) * 9 + e] = windows[e][j];
    });
}

} // namespace scalebench::kernels::cpu
