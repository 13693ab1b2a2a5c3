// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/conv_winograd.h"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "kernels/cpu/float_gemm.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu_level.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::int64_t kPlaces = 16; ///< of a transformed tile

/// Pictures [N,H,W,C] seen by tiles of a result of outH x outW pixels, with so much zero padding.
struct Tiling {
    std::int64_t N, H, W, outH, outW, padding;

    std::int64_t down() const { return (outH + 1) / 2; }
    std::int64_t across() const { return (outW + 1) / 2; }
    std::int64_t count() const { return N * down() * across(); }
};

/// Picture, row and column of a tile's first pixel in the result.
struct TilePlace {
    std::int64_t n, row, column;
};

TilePlace placeOf(const Tiling& t, std::int64_t tile)
{
    return {tile / t.across() / t.down(), tile / t.across() % t.down() * 2, tile % t.across() * 2};
}

/// The 4x4 pixels that a tile sees; `zeros` where there is none.
void seen(const Tiling& t, TilePlace at, std::int64_t C, const float* x, const float* zeros,
          const float* (&pixels)[kPlaces])
{
    for (std::int64_t r = 0; r < 4; ++r)
        for (std::int64_t s = 0; s < 4; ++s) {
            const std::int64_t h = at.row - t.padding + r, w = at.column - t.padding + s;
            const bool inside = h >= 0 && h < t.H && w >= 0 && w < t.W;
            pixels[r * 4 + s] = inside ? x + ((at.n * t.H + h) * t.W + w) * C : zeros;
        }
}

/// The 2x2 pixels of a tile in the result; `outside` where there is none.
template <class T>
void ofResult(const Tiling& t, TilePlace at, std::int64_t K, T* y, T* outside, T* (&pixels)[4])
{
    for (std::int64_t r = 0; r < 2; ++r)
        for (std::int64_t s = 0; s < 2; ++s) {
            const std::int64_t h = at.row + r, w = at.column + s;
            const bool inside = h < t.outH && w < t.outW;
            pixels[r * 2 + s] = inside ? y + ((at.n * t.outH + h) * t.outW + w) * K : outside;
        }
}

/// out[place * step + c] = B' d B.
SB_TARGET_CLONES
void transformInput(const float* const* pixels, std::int64_t C, float* out, std::int64_t step)
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

/// The pixels of a result = A' m A, with bias and ReLU.
SB_TARGET_CLONES
void transformOutput(const float* m, std::int64_t step, std::int64_t K, const float* bias,
                     bool relu, float* const* pixels)
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

/// out[place * step + k] = A dY A'.
SB_TARGET_CLONES
void transformGradient(const float* const* pixels, std::int64_t K, float* out, std::int64_t step)
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

/// out[place * step + i] = G g G' for the windows g at `w + i * stride`, turned round or not.
SB_TARGET_CLONES
void transformWeight(const float* w, std::int64_t stride, bool turned, std::int64_t count,
                     float* out, std::int64_t step)
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

/// dw[c] (9 numbers each) = G' x G for the sums x of one output channel at sums[place * step + c].
SB_TARGET_CLONES
void transformSums(const float* sums, std::int64_t step, std::int64_t C, float* dw)
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

/// Tiles of a block: transformed pixels and sums of `channels` in all stay in `bytes` of cache.
std::int64_t tilesOf(std::int64_t channels, std::int64_t bytes, std::int64_t least)
{
    const std::int64_t fit = bytes / (channels * kPlaces * std::int64_t(sizeof(float)));
    return std::clamp<std::int64_t>(fit / 12 * 12, least, 1020);
}
std::int64_t tilesForward(std::int64_t channels)
{
    return tilesOf(channels, 3 << 19, 48);
}
std::int64_t tilesBackward(std::int64_t channels)
{
    return tilesOf(channels, 4 << 20, 132);
}

/// Scratch of one task that goes through blocks of tiles by itself.
struct BlockScratch {
    float *zeros, *outside, *seen, *sums;
    std::byte* product;

    BlockScratch(Carver& c, std::int64_t C, std::int64_t K)
        : zeros(c.take<float>(std::max(C, K))),
          outside(c.take<float>(K)),
          seen(c.take<float>(kPlaces * tilesForward(C + K) * C)),
          sums(c.take<float>(kPlaces * tilesForward(C + K) * K)),
          product(c.take<std::byte>(std::int64_t(floatGemmWorkspace(K, 1))))
    {
    }
};

std::size_t packedBytes(std::int64_t C, std::int64_t K)
{
    return (floatGemmPackedBytes(K, C) + 63) / 64 * 64;
}

/// y [N,outH,outW,K] of x [N,H,W,C] and windows packed with packedBytes(C, K) a place.
void convolve(const Tiling& t, std::int64_t C, std::int64_t K, const float* x, const void* packed,
              const float* bias, bool relu, float* y, int tasks, void* workspace)
{
    const std::int64_t most = tilesForward(C + K), blocks = (t.count() + most - 1) / most;
    Carver measure(nullptr);
    (void)BlockScratch(measure, C, K);
    parallelFor(tasks, [&](std::int64_t task) {
        Carver carver(static_cast<std::byte*>(workspace) + std::size_t(task) * measure.used());
        const BlockScratch scratch(carver, C, K);
        std::fill_n(scratch.zeros, std::max(C, K), 0.0f);
        for (std::int64_t block = blocks * task / tasks; block < blocks * (task + 1) / tasks;
             ++block) {
            const std::int64_t first = block * most, count = std::min(most, t.count() - first);
            const std::int64_t stepC = count * C, stepK = count * K;
            for (std::int64_t i = 0; i < count; ++i) {
                const float* pixels[kPlaces];
                seen(t, placeOf(t, first + i), C, x, scratch.zeros, pixels);
                transformInput(pixels, C, scratch.seen + i * C, stepC);
            }
            for (std::int64_t place = 0; place < kPlaces; ++place)
                floatGemmPacked(
                    count, K, C, {scratch.seen + place * stepC, C, 1},
                    reinterpret_cast<const float*>(static_cast<const std::byte*>(packed) +
                                                   std::size_t(place) * packedBytes(C, K)),
                    scratch.sums + place * stepK, K, false, 1, scratch.product);
            for (std::int64_t i = 0; i < count; ++i) {
                float* pixels[4];
                ofResult(t, placeOf(t, first + i), K, y, scratch.outside, pixels);
                transformOutput(scratch.sums + i * K, stepK, K, bias ? bias : scratch.zeros, relu,
                                pixels);
            }
        }
    });
}

/// Transforms windows, `rows` x `columns` of them, and packs them as the products read them.
template <class Transform>
void packWindows(std::int64_t rows, std::int64_t columns, void* packed, float* whole,
                 const Transform& transformRow)
{
    const std::int64_t step = rows * columns;
    parallelRanges(rows, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            transformRow(row, whole + row * columns, step);
    });
    parallelFor(kPlaces, [&](std::int64_t place) {
        floatGemmPack(columns, rows, {whole + place * step, columns, 1},
                      reinterpret_cast<float*>(static_cast<std::byte*>(packed) +
                                               std::size_t(place) * packedBytes(rows, columns)));
    });
}

/// Scratch of the weight gradient.
struct GradientScratch {
    float *zeros, *seen, *gradients, *sums;
    std::byte* product; ///< of each task
    std::int64_t productBytes;

    GradientScratch(Carver& c, std::int64_t C, std::int64_t K, int tasks)
        : zeros(c.take<float>(std::max(C, K))),
          seen(c.take<float>(kPlaces * tilesBackward(C + K) * C)),
          gradients(c.take<float>(kPlaces * tilesBackward(C + K) * K)),
          sums(c.take<float>(kPlaces * C * K)),
          productBytes(std::int64_t((floatGemmWorkspace(C, 1) + 63) / 64 * 64))
    {
        product = c.take<std::byte>(tasks * productBytes);
    }
};

Tiling forwardTiling(const Conv2dParams& p)
{
    return {p.N, p.H, p.W, p.outH(), p.outW(), p.padding};
}

} // namespace

// Against oneDNN 2.6.3, and our own product where that gave the weight gradient (ms of one core
// with a peak of 118 GFLOP/s, Zen 4 class; "AVX2" is the same core with both capped):
//
//   batch, picture, channels     AVX-512: forward   data         weight       AVX2: forward  weight
//   4, 56x56, 64 to 64              8.0, 5.1     8.2, 5.2     8.9, 5.7       9.6, 5.9    10.4, 6.3
//   4, 28x28, 128 to 128            7.8, 4.3     7.8, 4.3     8.2, 4.7
//   8, 14x14, 256 to 256           14.8, 7.9    14.8, 8.0    16.2, 9.6      18.6, 8.4    18.3, 9.9
//   16, 7x7, 512 to 512            27.6, 22.3   27.0, 22.7   37.7, 28.1     38.5, 24.6   37.0, 27.2
//   1, 160x160, 256 to 256          264, 131     277, 131     342, 162
//   2, 10x10, 256 to 256            1.8, 1.0     1.8, 1.0     2.3, 1.9
//   4, 5x5, 128 to 256             0.40, 0.36   0.38, 0.38   0.63, 0.82
//   2, 75x75, 32 to 32              1.8, 1.6     1.8, 1.6     1.8, 1.5       1.9, 1.9     2.6, 1.8
//   4, 56x56, 48 to 48              4.4, 5.1     4.5, 5.2     4.7, 4.8       6.4, 3.4     6.8, 4.1
//   32, 32x32, 16 to 16             1.7, 6.1     1.3, 6.1     1.5, 3.0       1.7, 2.7     1.5, 2.0
//
// The first number is the other's. Widths between multiples of a register pair's 32 numbers are
// computed as the next one.
bool WinogradConvolution::suits(const Conv2dParams& p)
{
    if (!floatGemmAvailable() || p.dtype != DType::F32 || p.groups != 1 || p.R != 3 || p.S != 3 ||
        p.stride != 1 || p.dilation != 1 || p.padding > 2)
        return false;
    const std::int64_t narrow = std::min(p.C, p.K);
    const bool wide = cpuLevel() == CpuLevel::Avx2
                          ? narrow >= 48
                          : narrow >= 64 || (narrow == 32 && p.C % 32 == 0 && p.K % 32 == 0);
    return wide && std::min(p.outH(), p.outW()) >= 4 && forwardTiling(p).count() >= 48;
}

WinogradConvolution::WinogradConvolution(const Conv2dParams& p)
    : p_(p), tasks_(std::max(1, omp_get_max_threads()))
{
}

std::size_t WinogradConvolution::packedWeightBytes() const
{
    return std::size_t(kPlaces) * std::max(packedBytes(p_.C, p_.K), packedBytes(p_.K, p_.C));
}

WeightLayout WinogradConvolution::forwardLayout()
{
    static const WeightLayout layout = newWeightLayout();
    return layout;
}
WeightLayout WinogradConvolution::dataLayout()
{
    static const WeightLayout layout = newWeightLayout();
    return layout;
}

std::size_t WinogradConvolution::workspaceBytes() const
{
    Carver forward(nullptr), data(nullptr), weight(nullptr);
    (void)BlockScratch(forward, p_.C, p_.K);
    (void)BlockScratch(data, p_.K, p_.C);
    (void)GradientScratch(weight, p_.C, p_.K, tasks_);
    const std::size_t blocks = std::size_t(tasks_) * std::max(forward.used(), data.used());
    return std::max(blocks, weight.used()); // whose sums are as large as what packWindows() needs
}

void WinogradConvolution::packForward(const float* w, void* packed, void* workspace) const
{
    packWindows(p_.C, p_.K, packed, static_cast<float*>(workspace),
                [&](std::int64_t c, float* out, std::int64_t step) {
                    transformWeight(w + c * 9, p_.C * 9, false, p_.K, out, step);
                });
}

void WinogradConvolution::packData(const float* w, void* packed, void* workspace) const
{
    packWindows(p_.K, p_.C, packed, static_cast<float*>(workspace),
                [&](std::int64_t k, float* out, std::int64_t step) {
                    transformWeight(w + k * p_.C * 9, 9, true, p_.C, out, step);
                });
}

void WinogradConvolution::forward(const float* x, const void* packed, const float* bias, float* y,
                                  void* workspace) const
{
    convolve(forwardTiling(p_), p_.C, p_.K, x, packed, p_.bias ? bias : nullptr, p_.relu, y, tasks_,
             workspace);
}

void WinogradConvolution::dataGradient(const float* dy, const void* packed, float* dx,
                                       void* workspace) const
{
    const Tiling t{p_.N, p_.outH(), p_.outW(), p_.H, p_.W, 2 - p_.padding};
    convolve(t, p_.K, p_.C, dy, packed, nullptr, false, dx, tasks_, workspace);
}

void WinogradConvolution::weightGradient(const float* x, const float* dy, float* dw,
                                         void* workspace) const
{
    const std::int64_t C = p_.C, K = p_.K, most = tilesBackward(C + K);
    const Tiling t = forwardTiling(p_);
    Carver carver(workspace);
    const GradientScratch scratch(carver, C, K, tasks_);
    std::fill_n(scratch.zeros, std::max(C, K), 0.0f);
    for (std::int64_t first = 0; first < t.count(); first += most) {
        const std::int64_t count = std::min(most, t.count() - first);
        const std::int64_t stepC = count * C, stepK = count * K;
        parallelRanges(count, 16, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const TilePlace at = placeOf(t, first + i);
                const float *pixels[kPlaces], *gradients[4];
                seen(t, at, C, x, scratch.zeros, pixels);
                transformInput(pixels, C, scratch.seen + i * C, stepC);
                ofResult<const float>(t, at, K, dy, scratch.zeros, gradients);
                transformGradient(gradients, K, scratch.gradients + i * K, stepK);
            }
        });
        parallelFor(tasks_, [&](std::int64_t task) {
            for (std::int64_t place = kPlaces * task / tasks_;
                 place < kPlaces * (task + 1) / tasks_; ++place)
                floatGemm(K, C, count, {scratch.gradients + place * stepK, 1, K},
                          {scratch.seen + place * stepC, C, 1}, scratch.sums + place * C * K, C,
                          first > 0, 1, scratch.product + task * scratch.productBytes);
        });
    }
    parallelRanges(K, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k)
            transformSums(scratch.sums + k * C, C * K, C, dw + k * C * 9);
    });
}

} // namespace scalebench::kernels::cpu
