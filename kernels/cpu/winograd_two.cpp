// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/winograd_two.h"

#include "kernels/cpu/winograd_filters.h"

namespace scalebench::kernels::cpu {
namespace {

using V [[gnu::vector_size(64)]] = float;

/// As many channels as fill vectors; the rest is done one by one.
constexpr std::int64_t inVectors(std::int64_t channels)
{
    return channels / two::kLanes<V> * two::kLanes<V>;
}

template <int First, int Last, class Pixel>
SB_HOST_DEVICE void inputRows(Pixel pixel, std::int64_t C, float* out, std::int64_t step)
{
    two::transformInput<V, First, Last>(pixel, 0, inVectors(C), out, step);
    two::transformInput<float, First, Last>(pixel, inVectors(C), C, out, step);
}

template <int First, int Last, class Pixel>
SB_HOST_DEVICE void gradientRows(Pixel pixel, std::int64_t K, float* out, std::int64_t step)
{
    two::transformGradient<V, First, Last>(pixel, 0, inVectors(K), out, step);
    two::transformGradient<float, First, Last>(pixel, inVectors(K), K, out, step);
}

/// G g for a column g of a window.
template <class T>
SB_HOST_DEVICE void windowRows(T a, T b, T c, T& o0, T& o1, T& o2, T& o3)
{
    o0 = a, o1 = 0.5f * (a + b + c), o2 = 0.5f * (a - b + c), o3 = c;
}

/// G' x for a column x of sums.
template <class T>
SB_HOST_DEVICE void sumRows(T a, T b, T c, T d, T& o0, T& o1, T& o2)
{
    o0 = a + 0.5f * (b + c), o1 = 0.5f * (b - c), o2 = 0.5f * (b + c) + d;
}

/// dw[c] = G' x G, in vectors T of channels.
template <class T>
SB_HOST_DEVICE void sumsOf(const float* sums, std::int64_t step, std::int64_t first, std::int64_t C,
                           float* dw)
{
    constexpr std::int64_t kWide = two::kLanes<T>;
    for (std::int64_t c = first; c < C; c += kWide) {
        T rows[3][4];
#pragma GCC unroll 4
        for (int s = 0; s < 4; ++s) {
            const auto sum = [&](int r)
                                 SB_INLINE { return two::load<T>(sums + c + (r * 4 + s) * step); };
            sumRows(sum(0), sum(1), sum(2), sum(3), rows[0][s], rows[1][s], rows[2][s]);
        }
        alignas(64) float windows[9][kWide];
#pragma GCC unroll 3
        for (int r = 0; r < 3; ++r) {
            T o[3];
            sumRows(rows[r][0], rows[r][1], rows[r][2], rows[r][3], o[0], o[1], o[2]);
            for (int s = 0; s < 3; ++s)
                two::store(windows[r * 3 + s], o[s]);
        }
        for (std::int64_t j = 0; j < kWide; ++j)
            for (std::int64_t e = 0; e < 9; ++e)
                dw[(c + j) * 9 + e] = windows[e][j];
    }
}

} // namespace

SB_TARGET_CLONES
void WinogradTwo::transformInput(const float* const* pixels, std::int64_t C, float* out,
                                 std::int64_t step, WinogradRows rows)
{
    const two::ByPointer<const float> pixel{pixels, kSeen};
    withRows<kSeen>(rows, [&](auto first, auto last)
                              SB_INLINE { inputRows<first, last>(pixel, C, out, step); });
}

SB_TARGET_CLONES
void WinogradTwo::transformOutput(const float* m, std::int64_t step, std::int64_t K,
                                  const float* bias, bool relu, float* const* pixels)
{
    const two::ByPointer<float> pixel{pixels, kTile};
    two::transformOutput<V>(m, step, 0, inVectors(K), bias, relu, pixel);
    two::transformOutput<float>(m, step, inVectors(K), K, bias, relu, pixel);
}

SB_TARGET_CLONES
void WinogradTwo::transformGradient(const float* const* pixels, std::int64_t K, float* out,
                                    std::int64_t step, WinogradRows rows)
{
    const two::ByPointer<const float> pixel{pixels, kTile};
    withRows<kSeen>(rows, [&](auto first, auto last)
                              SB_INLINE { gradientRows<first, last>(pixel, K, out, step); });
}

SB_TARGET_CLONES
void WinogradTwo::transformWindows(const float* g, bool turned, float* out, std::int64_t step)
{
    static_assert(two::kLanes<V> == kWindows);
    V rows[4][3];
#pragma GCC unroll 3
    for (int s = 0; s < 3; ++s) {
        const auto number = [&](int r) SB_INLINE {
            const int e = r * 3 + s;
            return two::load<V>(g + (turned ? 8 - e : e) * kWindows);
        };
        windowRows(number(0), number(1), number(2), rows[0][s], rows[1][s], rows[2][s], rows[3][s]);
    }
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) {
        V o[4];
        windowRows(rows[r][0], rows[r][1], rows[r][2], o[0], o[1], o[2], o[3]);
        for (int s = 0; s < 4; ++s)
            two::store(out + (r * 4 + s) * step, o[s]);
    }
}

SB_TARGET_CLONES
void WinogradTwo::transformSums(const float* sums, std::int64_t step, std::int64_t C, float* dw)
{
    sumsOf<V>(sums, step, 0, inVectors(C), dw);
    sumsOf<float>(sums, step, inVectors(C), C, dw);
}

} // namespace scalebench::kernels::cpu
