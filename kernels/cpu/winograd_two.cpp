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

} // namespace

SB_TARGET_CLONES
void WinogradTwo::transformInput(const float* const* pixels, std::int64_t C, float* out,
                                 std::int64_t step)
{
    const two::ByPointer<const float> pixel{pixels, kSeen};
    two::transformInput<V>(pixel, 0, inVectors(C), out, step);
    two::transformInput<float>(pixel, inVectors(C), C, out, step);
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
                                    std::int64_t step)
{
    const two::ByPointer<const float> pixel{pixels, kTile};
    two::transformGradient<V>(pixel, 0, inVectors(K), out, step);
    two::transformGradient<float>(pixel, inVectors(K), K, out, step);
}

SB_TARGET_CLONES
void WinogradTwo::transformWeight(const float* w, std::int64_t stride, bool turned,
                                  std::int64_t count, float* out, std::int64_t step)
{
    const std::int64_t first = turned ? 8 : 0, next = turned ? -1 : 1;
    for (std::int64_t i = 0; i < count; ++i) {
        const float* const g = w + i * stride + first;
        float rows[4][3];
        for (int s = 0; s < 3; ++s) {
            const float a = g[s * next], b = g[(3 + s) * next], c = g[(6 + s) * next];
            rows[0][s] = a, rows[1][s] = 0.5f * (a + b + c), rows[2][s] = 0.5f * (a - b + c),
            rows[3][s] = c;
        }
        float* const o = out + i;
        for (int r = 0; r < 4; ++r) {
            const float a = rows[r][0], b = rows[r][1], c = rows[r][2];
            o[(r * 4) * step] = a, o[(r * 4 + 1) * step] = 0.5f * (a + b + c);
            o[(r * 4 + 2) * step] = 0.5f * (a - b + c), o[(r * 4 + 3) * step] = c;
        }
    }
}

SB_TARGET_CLONES
void WinogradTwo::transformSums(const float* sums, std::int64_t step, std::int64_t C, float* dw)
{
    for (std::int64_t c = 0; c < C; ++c) {
        const float* const x = sums + c;
        float rows[3][4];
        for (int s = 0; s < 4; ++s) {
            const float a = x[s * step], b = x[(4 + s) * step], d = x[(8 + s) * step],
                        e = x[(12 + s) * step];
            rows[0][s] = a + 0.5f * (b + d), rows[1][s] = 0.5f * (b - d),
            rows[2][s] = 0.5f * (b + d) + e;
        }
        for (int r = 0; r < 3; ++r) {
            const float a = rows[r][0], b = rows[r][1], d = rows[r][2], e = rows[r][3];
            dw[c * 9 + r * 3] = a + 0.5f * (b + d), dw[c * 9 + r * 3 + 1] = 0.5f * (b - d),
                           dw[c * 9 + r * 3 + 2] = 0.5f * (b + d) + e;
        }
    }
}

} // namespace scalebench::kernels::cpu
