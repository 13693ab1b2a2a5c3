// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/conv_winograd.h"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "kernels/cpu/fixed_gemm.h"
#include "kernels/cpu/float_gemm.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu/tile_gemm.h"
#include "kernels/cpu/winograd_filters.h"
#include "kernels/cpu/winograd_narrow.h"
#include "kernels/cpu/winograd_sums.h"
#include "kernels/cpu/winograd_tiles.h"
#include "kernels/cpu_level.h"

namespace scalebench::kernels::cpu {
namespace {

using Two = WinogradTwo;

/// Tiles of a block: transformed pixels and sums of `channels` in all stay in `bytes` of cache.
std::int64_t tilesOf(std::int64_t channels, std::int64_t places, std::int64_t bytes,
                     std::int64_t least)
{
    const std::int64_t fit = bytes / (channels * places * std::int64_t(sizeof(float)));
    return std::clamp<std::int64_t>(fit / 12 * 12, least, 1020);
}

std::int64_t tilesForward(std::int64_t channels)
{
    return tilesOf(channels, Two::kPlaces, 3 << 19, 48);
}
/// Of a block of so many: blocks are as many for each task, if they are not too small for the
/// products.
std::int64_t tilesForward(std::int64_t tiles, std::int64_t channels, std::int64_t tasks)
{
    constexpr std::int64_t kFewest = 12; // rows of a product
    const std::int64_t most = tilesForward(channels), least = (tiles + most - 1) / most;
    const std::int64_t even = (least + tasks - 1) / tasks * tasks;
    const std::int64_t blocks = std::max(least, std::min(even, tiles / kFewest));
    return (tiles + blocks - 1) / blocks;
}
std::int64_t tilesBackward(std::int64_t channels)
{
    return tilesOf(channels, Two::kPlaces, 4 << 20, 132);
}

/// Scratch of one task that goes through blocks of tiles by itself.
struct BlockScratch {
    float *zeros, *outside, *noBias, *seen, *sums;
    std::byte* product;

    BlockScratch(Carver& c, std::int64_t C, std::int64_t K)
        : zeros(c.take<float>(C)),
          outside(c.take<float>(K)),
          noBias(c.take<float>(K)),
          seen(c.take<float>(Two::kPlaces * stepOf(tilesForward(C + K) * C))),
          sums(c.take<float>(Two::kPlaces * stepOf(tilesForward(C + K) * K))),
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
    if (narrow::suits(C, K))
        return narrow::convolve(t, C, K, x, static_cast<const float*>(packed),
                                std::int64_t(packedBytes(C, K) / sizeof(float)), bias, relu, y,
                                tasks, workspace);
    const std::int64_t most = tilesForward(t.count(), C + K, tasks),
                       blocks = (t.count() + most - 1) / most;
    Carver measure(nullptr);
    (void)BlockScratch(measure, C, K);
    parallelWorkers(tasks, blocks, [&](std::int64_t block, int worker) {
        Carver carver(static_cast<std::byte*>(workspace) + std::size_t(worker) * measure.used());
        const BlockScratch scratch(carver, C, K);
        std::fill_n(scratch.zeros, C, 0.0f);
        std::fill_n(scratch.noBias, K, 0.0f);
        const std::int64_t first = block * most, count = std::min(most, t.count() - first);
        const std::int64_t stepC = stepOf(count * C), stepK = stepOf(count * K);
        auto inputs = seenInOrder<Two>(t, first, C, x, scratch.zeros);
        for (std::int64_t i = 0; i < count; ++i)
            Two::transformInput(inputs.next(), C, scratch.seen + i * C, stepC);
        for (std::int64_t place = 0; place < Two::kPlaces; ++place)
            floatGemmPacked(count, K, C, {scratch.seen + place * stepC, C, 1},
                            reinterpret_cast<const float*>(static_cast<const std::byte*>(packed) +
                                                           std::size_t(place) * packedBytes(C, K)),
                            scratch.sums + place * stepK, K, false, 1, scratch.product);
        for (std::int64_t i = 0; i < count; ++i) {
            float* pixels[Two::kPixels];
            ofResult<Two>(t, placeOf(t, first + i), K, y, scratch.outside, pixels);
            Two::transformOutput(scratch.sums + i * K, stepK, K, bias ? bias : scratch.noBias, relu,
                                 pixels);
        }
    });
}

/// Windows of 3x3 numbers side by side, that of (row, column) at at[row * rowStride + column *
/// columnStride], transformed and packed for the products with `places`, packedBytes() apart.
struct Windows {
    const float* at;
    std::int64_t rowStride, columnStride;
    bool turned;
    std::int64_t place; ///< floats from one to the next
};

void packWindows(const void* source, std::int64_t k, std::int64_t depth, std::int64_t n,
                 std::int64_t width, std::int64_t panel, float* out)
{
    constexpr std::int64_t kWide = Two::kWindows, kPanel = kFloatPanelRows * kFloatPanelWidth;
    const Windows& w = *static_cast<const Windows*>(source);
    // All places of one row of a panel, which lie far from one another, would be written line by
    // line to few sets of the cache.
    alignas(64) float places[Two::kPlaces * kPanel];
    for (std::int64_t row = 0; row < depth; ++row)
        for (std::int64_t column = 0; column < panel; column += kWide) {
            alignas(64) float numbers[9 * kWide];
            const std::int64_t count = std::clamp<std::int64_t>(width - column, 0, kWide);
            const float* at = w.at + (k + row) * w.rowStride + (n + column) * w.columnStride;
            for (std::int64_t i = 0; i < count; ++i, at += w.columnStride)
                for (std::int64_t e = 0; e < 9; ++e)
                    numbers[e * kWide + i] = at[e];
            for (std::int64_t i = count; i < kWide; ++i)
                for (std::int64_t e = 0; e < 9; ++e)
                    numbers[e * kWide + i] = 0.0f;
            Two::transformWindows(numbers, w.turned, places + row * panel + column, kPanel);
        }
    for (std::int64_t place = 0; place < Two::kPlaces; ++place)
        std::memcpy(out + place * w.place, places + place * kPanel,
                    std::size_t(depth * panel) * sizeof(float));
}

void packWindows(std::int64_t rows, std::int64_t columns, const float* w, std::int64_t rowStride,
                 std::int64_t columnStride, bool turned, void* packed)
{
    const Windows windows{w, rowStride, columnStride, turned,
                          std::int64_t(packedBytes(rows, columns) / sizeof(float))};
    floatGemmPackPanels(columns, rows, {packWindows, &windows}, static_cast<float*>(packed));
}

/// Scratch of the weight gradient's sums.
struct GradientScratch {
    float *zeros, *seen, *gradients;
    std::byte* product; ///< of each worker
    std::int64_t productBytes;

    GradientScratch(Carver& c, std::int64_t C, std::int64_t K, int tasks)
        : zeros(c.take<float>(std::max(C, K))),
          seen(c.take<float>(Two::kPlaces * stepOf(tilesBackward(C + K) * C))),
          gradients(c.take<float>(Two::kPlaces * stepOf(tilesBackward(C + K) * K))),
          productBytes(std::int64_t((floatGemmWorkspace(C, 1) + 63) / 64 * 64))
    {
        product = c.take<std::byte>(tasks * productBytes);
    }
};

/// sums [place][K,C] of transformed x [N,H,W,C] and dy [N,outH,outW,K].
void sumWindows(const Tiling& t, std::int64_t C, std::int64_t K, const float* x, const float* dy,
                float* sums, int tasks, void* workspace)
{
    const std::int64_t most = tilesBackward(C + K);
    Carver carver(workspace);
    const GradientScratch scratch(carver, C, K, tasks);
    std::fill_n(scratch.zeros, std::max(C, K), 0.0f);
    const std::int64_t stepC = stepOf(most * C), stepK = stepOf(most * K);
    sumInBlocks(
        t.count(), most, Two::kPlaces, tasks,
        [&](TileBlock block, std::int64_t begin, std::int64_t end, WinogradRows rows) {
            auto inputs = seenInOrder<Two>(t, block.first + begin, C, x, scratch.zeros);
            auto gradients = resultInOrder<Two>(t, block.first + begin, K, dy, scratch.zeros);
            for (std::int64_t i = begin; i < end; ++i) {
                Two::transformInput(inputs.next(), C, scratch.seen + i * C, stepC, rows);
                Two::transformGradient(gradients.next(), K, scratch.gradients + i * K, stepK, rows);
            }
        },
        [&](TileBlock block, std::int64_t place, int worker) {
            floatGemm(K, C, block.count, {scratch.gradients + place * stepK, 1, K},
                      {scratch.seen + place * stepC, C, 1}, sums + place * C * K, C,
                      block.first > 0, 1, scratch.product + worker * scratch.productBytes);
        });
}

/// dw [K,C,3,3] of x [N,H,W,C] and dy [N,outH,outW,K].
void weightGradientOf(const Tiling& t, std::int64_t C, std::int64_t K, const float* x,
                      const float* dy, float* dw, int tasks, void* workspace)
{
    Carver carver(workspace);
    float* const sums = carver.take<float>(Two::kPlaces * C * K);
    void* const rest = carver.take(0);
    if (narrow::sumSuits(C, K))
        narrow::sumWindows(t, C, K, x, dy, sums, tasks, rest);
    else
        sumWindows(t, C, K, x, dy, sums, tasks, rest);
    parallelRanges(K, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k)
            Two::transformSums(sums + k * C, C * K, C, dw + k * C * 9);
    });
}

/// By what fits the measurements (resources/docs/performance.md): products of bf16 numbers, one for
/// each of a window's places, against those of the tiles (of which 14x14 pixels have as many as
/// 16x16), transforms that narrow layers feel most, and the transform of the weight.
bool suitsBf16(const Conv2dParams& p)
{
    if (!tile::bf16Available() || tile::amxAvailable() || !fixed::available())
        return false;
    const double direct = double(p.N * p.outH() * p.outW()) * 9.0 * 0.92;
    const double transforms = 34.0 / double(p.C) + 34.0 / double(p.K);
    const double tiles = double(forwardTiling<WinogradFour>(p).count() * WinogradFour::kPlaces);
    const double weight = p.C * p.K > (1 << 17) ? 1700.0 : 950.0;
    return (tiles * (1.0 + transforms) + weight) * 1.05 < direct;
}

bool appliesTo(const Conv2dParams& p)
{
    return floatGemmAvailable() && p.groups == 1 && p.R == 3 && p.S == 3 && p.stride == 1 &&
           p.dilation == 1 && p.padding <= 2;
}

bool suitsFloat(const Conv2dParams& p)
{
    const bool wide = std::min(p.C, p.K) >= (cpuLevel() == CpuLevel::Avx2 ? 48 : 64);
    return (wide || narrow::suits(p.C, p.K)) && std::min(p.outH(), p.outW()) >= 4 &&
           forwardTiling<Two>(p).count() >= 48;
}

/// Whether the products saved make up for transforming the windows in every step, which takes as
/// long as some 650 products with each. Ratios to oneDNN's direct convolution, packing in both,
/// operands in the memory, forward and data gradient, one Zen 4 core:
///
///   batch, picture, channels   AVX2        AVX-512
///   2, 7x7, 512 to 512         1.27 1.21   1.18 1.23
///   4, 7x7, 512 to 512         0.94 0.95   0.95 0.99
///   8, 7x7, 512 to 512         0.76 0.78   0.88 0.88
///   16, 7x7, 512 to 512        0.68 0.72   0.79 0.83
///   4, 7x7, 256 to 256         1.00 1.07   1.00 1.05
///   8, 5x5, 256 to 256         1.10 1.18   1.09 1.19
///   16, 5x5, 256 to 256        0.90 1.01   1.01 1.09
///   2, 10x10, 256 to 256       0.90 0.95   0.81 0.88
///   2, 10x10, 512 to 512       0.87 0.90   0.84 0.84
///   16, 10x10, 256 to 256      0.50 0.60   0.60 0.60
///
/// The weight gradient, which transforms once: 0.75 to 0.8, at 5x5 1.0.
bool repaysWindows(const Conv2dParams& p)
{
    const double tiles = double(forwardTiling<Two>(p).count() * Two::kPlaces);
    const double withTransforms = cpuLevel() == CpuLevel::Avx512 ? 1.3 : 1.05;
    return tiles * withTransforms + 650.0 < double(p.N * p.outH() * p.outW()) * 9.0;
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
// computed as the next one. Layers with few channels have loops of their own since (and a table) in
// winograd_narrow.cpp; packing the windows is not in these times, but in repaysWindows()'s.
bool WinogradConvolution::suits(const Conv2dParams& p)
{
    if (p.dtype == DType::BF16)
        return appliesTo(p) && suitsBf16(p);
    return appliesTo(p) && suitsFloat(p) && repaysWindows(p);
}

/// With 16 channels AVX-512 fills one register a pixel, and oneDNN's direct sums are as fast or
/// faster (winograd_narrow.cpp).
bool WinogradConvolution::suitsWeight(const Conv2dParams& p)
{
    if (p.dtype == DType::BF16)
        return suits(p);
    return appliesTo(p) && suitsFloat(p) &&
           (cpuLevel() == CpuLevel::Avx2 || std::max(p.C, p.K) > 16);
}

WinogradConvolution::WinogradConvolution(const Conv2dParams& p)
    : p_(p), tasks_(std::max(1, omp_get_max_threads()))
{
}

bool WinogradConvolution::packsAhead() const
{
    return p_.dtype == DType::F32;
}

FixedWinograd WinogradConvolution::fixedPoint() const
{
    return {p_, tasks_};
}

std::size_t WinogradConvolution::packedWeightBytes() const
{
    return packsAhead() ? std::size_t(Two::kPlaces) *
                              std::max(packedBytes(p_.C, p_.K), packedBytes(p_.K, p_.C))
                        : 0;
}

WeightLayout WinogradConvolution::forwardLayout() const
{
    static const WeightLayout layout = newWeightLayout();
    return layout;
}
WeightLayout WinogradConvolution::dataLayout() const
{
    static const WeightLayout layout = newWeightLayout();
    return layout;
}

std::size_t WinogradConvolution::workspaceBytes() const
{
    if (!packsAhead())
        return fixedPoint().workspaceBytes();
    Carver forward(nullptr), data(nullptr), weight(nullptr);
    weight.take<float>(Two::kPlaces * p_.C * p_.K);
    if (narrow::sumSuits(p_.C, p_.K))
        weight.take(std::int64_t(narrow::sumWorkspace(p_.C, p_.K, tasks_)));
    else
        (void)GradientScratch(weight, p_.C, p_.K, tasks_);
    if (narrow::suits(p_.C, p_.K))
        return std::max(narrow::convolveWorkspace(p_.C, p_.K, tasks_), weight.used());
    (void)BlockScratch(forward, p_.C, p_.K);
    (void)BlockScratch(data, p_.K, p_.C);
    return std::max(std::size_t(tasks_) * std::max(forward.used(), data.used()), weight.used());
}

void WinogradConvolution::packForward(const float* w, void* packed) const
{
    if (packsAhead())
        packWindows(p_.C, p_.K, w, 9, p_.C * 9, false, packed);
}

void WinogradConvolution::packData(const float* w, void* packed) const
{
    if (packsAhead())
        packWindows(p_.K, p_.C, w, p_.C * 9, 9, true, packed);
}

void WinogradConvolution::forward(const void* x, const void* packed, const float* bias, void* y,
                                  void* workspace) const
{
    if (!p_.bias)
        bias = nullptr;
    if (packsAhead())
        convolve(forwardTiling<Two>(p_), p_.C, p_.K, static_cast<const float*>(x), packed, bias,
                 p_.relu, static_cast<float*>(y), tasks_, workspace);
    else
        fixedPoint().forward(static_cast<const bf16_t*>(x), static_cast<const float*>(packed), bias,
                             static_cast<bf16_t*>(y), workspace);
}

void WinogradConvolution::dataGradient(const void* dy, const void* packed, void* dx,
                                       void* workspace) const
{
    if (packsAhead())
        convolve(dataTiling<Two>(p_), p_.K, p_.C, static_cast<const float*>(dy), packed, nullptr,
                 false, static_cast<float*>(dx), tasks_, workspace);
    else
        fixedPoint().dataGradient(static_cast<const bf16_t*>(dy), static_cast<const float*>(packed),
                                  static_cast<bf16_t*>(dx), workspace);
}

void WinogradConvolution::weightGradient(const void* x, const void* dy, float* dw,
                                         void* workspace) const
{
    if (packsAhead())
        weightGradientOf(forwardTiling<Two>(p_), p_.C, p_.K, static_cast<const float*>(x),
                         static_cast<const float*>(dy), dw, tasks_, workspace);
    else
        fixedPoint().weightGradient(static_cast<const bf16_t*>(x), static_cast<const bf16_t*>(dy),
                                    dw, workspace);
}

} // namespace scalebench::kernels::cpu
