// SPDX-License-Identifier: GPL-3.0-or-later
// F(2x2, 3x3): points 0, 1, -1 and infinity (Lavin and Gray, section 4.1).
#include "kernels/cpu/winograd_filters.h"

#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {

SB_TARGET_CLONES
void WinogradTwo::transformInput(const float* const* pixels, std::int64_t C, float* out,
                                 std::int64_t step)
{
    const float *d0 = pixels[0], *d1 = pixels[1], *d2 = pixels[2], *d3 = pixels[3], *d4 = pixels[4],
                *d5 = pixels[5], *d6 = pixels[6], *d7 = pixels[7], *d8 = pixels[8], *d9 = pixels[9],
                *d10 = pixels[10], *d11 = pixels[11], *d12 = pixels[12], *d13 = pixels[13],
                *d14 = pixels[14], *d15 = pixels[15];
#pragma GCC ivdep
    for (std::int64_t c = 0; c < C; ++c) {
        const float a0 = d0[c] - d8[c], a1 = d1[c] - d9[c], a2 = d2[c] - d10[c],
                    a3 = d3[c] - d11[c];
        const float b0 = d4[c] + d8[c], b1 = d5[c] + d9[c], b2 = d6[c] + d10[c],
                    b3 = d7[c] + d11[c];
        const float e0 = d8[c] - d4[c], e1 = d9[c] - d5[c], e2 = d10[c] - d6[c],
                    e3 = d11[c] - d7[c];
        const float f0 = d4[c] - d12[c], f1 = d5[c] - d13[c], f2 = d6[c] - d14[c],
                    f3 = d7[c] - d15[c];
        float* const o = out + c;
        o[0] = a0 - a2, o[step] = a1 + a2, o[2 * step] = a2 - a1, o[3 * step] = a1 - a3;
        o[4 * step] = b0 - b2, o[5 * step] = b1 + b2, o[6 * step] = b2 - b1, o[7 * step] = b1 - b3;
        o[8 * step] = e0 - e2, o[9 * step] = e1 + e2, o[10 * step] = e2 - e1,
              o[11 * step] = e1 - e3;
        o[12 * step] = f0 - f2, o[13 * step] = f1 + f2, o[14 * step] = f2 - f1,
               o[15 * step] = f1 - f3;
    }
}

SB_TARGET_CLONES
void WinogradTwo::transformOutput(const float* m, std::int64_t step, std::int64_t K,
                                  const float* bias, bool relu, float* const* pixels)
{
    float *y0 = pixels[0], *y1 = pixels[1], *y2 = pixels[2], *y3 = pixels[3];
    const float least = relu ? 0.0f : -__builtin_inff();
#pragma GCC ivdep
    for (std::int64_t k = 0; k < K; ++k) {
        const float* const i = m + k;
        const float a0 = i[0] + i[4 * step] + i[8 * step], a1 = i[step] + i[5 * step] + i[9 * step],
                    a2 = i[2 * step] + i[6 * step] + i[10 * step],
                    a3 = i[3 * step] + i[7 * step] + i[11 * step];
        const float b0 = i[4 * step] - i[8 * step] - i[12 * step],
                    b1 = i[5 * step] - i[9 * step] - i[13 * step],
                    b2 = i[6 * step] - i[10 * step] - i[14 * step],
                    b3 = i[7 * step] - i[11 * step] - i[15 * step];
        const float z = bias[k];
        const float r0 = a0 + a1 + a2 + z, r1 = a1 - a2 - a3 + z, r2 = b0 + b1 + b2 + z,
                    r3 = b1 - b2 - b3 + z;
        y0[k] = r0 < least ? least : r0, y1[k] = r1 < least ? least : r1;
        y2[k] = r2 < least ? least : r2, y3[k] = r3 < least ? least : r3;
    }
}

SB_TARGET_CLONES
void WinogradTwo::transformGradient(const float* const* pixels, std::int64_t K, float* out,
                                    std::int64_t step)
{
    const float *y0 = pixels[0], *y1 = pixels[1], *y2 = pixels[2], *y3 = pixels[3];
#pragma GCC ivdep
    for (std::int64_t k = 0; k < K; ++k) {
        // Rows 0, 0 + 1, 0 - 1, -1 of each column.
        const float l0 = y0[k], r0 = y1[k], l3 = -y2[k], r3 = -y3[k];
        const float l1 = l0 - l3, l2 = l0 + l3, r1 = r0 - r3, r2 = r0 + r3;
        float* const o = out + k;
        o[0] = l0, o[step] = l0 + r0, o[2 * step] = l0 - r0, o[3 * step] = -r0;
        o[4 * step] = l1, o[5 * step] = l1 + r1, o[6 * step] = l1 - r1, o[7 * step] = -r1;
        o[8 * step] = l2, o[9 * step] = l2 + r2, o[10 * step] = l2 - r2, o[11 * step] = -r2;
        o[12 * step] = l3, o[13 * step] = l3 + r3, o[14 * step] = l3 - r3, o[15 * step] = -r3;
    }
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
