// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/conv_winograd.h"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "kernels/cpu/float_gemm.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu/tile_gemm.h"
#include "kernels/cpu/winograd_filters.h"
#include "kernels/cpu_level.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {
namespace {

/// Pictures [N,H,W,C] seen by tiles of a result of outH x outW pixels, with so much zero padding.
struct Tiling {
    std::int64_t N, H, W, outH, outW, padding, tile;

    std::int64_t down() const { return (outH + tile - 1) / tile; }
    std::int64_t across() const { return (outW + tile - 1) / tile; }
    std::int64_t count() const { return N * down() * across(); }
};

/// Picture, row and column of a tile's first pixel in the result.
struct TilePlace {
    std::int64_t n, row, column;
};

TilePlace placeOf(const Tiling& t, std::int64_t tile)
{
    return {tile / t.across() / t.down(), tile / t.across() % t.down() * t.tile,
            tile % t.across() * t.tile};
}

/// The pixels that a tile sees; `zeros` where there is none.
template <class Filter, class E = typename Filter::Element>
void seen(const Tiling& t, TilePlace at, std::int64_t C, const E* x, const E* zeros,
          const E* (&pixels)[Filter::kPlaces])
{
    for (std::int64_t r = 0; r < Filter::kSeen; ++r)
        for (std::int64_t s = 0; s < Filter::kSeen; ++s) {
            const std::int64_t h = at.row - t.padding + r, w = at.column - t.padding + s;
            const bool inside = h >= 0 && h < t.H && w >= 0 && w < t.W;
            pixels[r * Filter::kSeen + s] = inside ? x + ((at.n * t.H + h) * t.W + w) * C : zeros;
        }
}

/// The pixels of a tile in the result; `outside` where there is none.
template <class Filter, class E>
void ofResult(const Tiling& t, TilePlace at, std::int64_t K, E* y, E* outside,
              E* (&pixels)[Filter::kPixels])
{
    for (std::int64_t r = 0; r < Filter::kTile; ++r)
        for (std::int64_t s = 0; s < Filter::kTile; ++s) {
            const std::int64_t h = at.row + r, w = at.column + s;
            const bool inside = h < t.outH && w < t.outW;
            pixels[r * Filter::kTile + s] =
                inside ? y + ((at.n * t.outH + h) * t.outW + w) * K : outside;
        }
}

/// Tiles of a block: transformed pixels and sums of `channels` in all stay in `bytes` of cache.
std::int64_t tilesOf(std::int64_t channels, std::int64_t places, std::int64_t bytes,
                     std::int64_t least)
{
    const std::int64_t fit = bytes / (channels * places * std::int64_t(sizeof(float)));
    return std::clamp<std::int64_t>(fit / 12 * 12, least, 1020);
}
/// Numbers from one place to the next: not a multiple of 4,096 bytes, as all places of a tile would
/// then lie in one set of the cache.
constexpr std::int64_t stepOf(std::int64_t numbers)
{
    return numbers + 16;
}
template <class Filter>
std::int64_t tilesForward(std::int64_t channels)
{
    return tilesOf(channels, Filter::kPlaces, 3 << 19, 48);
}
template <class Filter>
std::int64_t tilesBackward(std::int64_t channels)
{
    return tilesOf(channels, Filter::kPlaces, 4 << 20, 132);
}

/// Scratch of one task that goes through blocks of tiles by itself.
template <class Filter>
struct BlockScratch {
    using E = typename Filter::Element;
    E *zeros, *outside;
    float *noBias, *seen, *sums;
    std::byte* product;

    BlockScratch(Carver& c, std::int64_t C, std::int64_t K)
        : zeros(c.take<E>(C)),
          outside(c.take<E>(K)),
          noBias(c.take<float>(K)),
          seen(c.take<float>(Filter::kPlaces * stepOf(tilesForward<Filter>(C + K) * C))),
          sums(c.take<float>(Filter::kPlaces * stepOf(tilesForward<Filter>(C + K) * K))),
          product(c.take<std::byte>(std::int64_t(floatGemmWorkspace(K, 1))))
    {
    }
};

std::size_t packedBytes(std::int64_t C, std::int64_t K)
{
    return (floatGemmPackedBytes(K, C) + 63) / 64 * 64;
}

/// y [N,outH,outW,K] of x [N,H,W,C] and windows packed with packedBytes(C, K) a place.
template <class Filter, class E = typename Filter::Element>
void convolve(const Tiling& t, std::int64_t C, std::int64_t K, const void* from, const void* packed,
              const float* bias, bool relu, void* to, int tasks, void* workspace)
{
    const E* const x = static_cast<const E*>(from);
    E* const y = static_cast<E*>(to);
    const std::int64_t most = tilesForward<Filter>(C + K), blocks = (t.count() + most - 1) / most;
    Carver measure(nullptr);
    (void)BlockScratch<Filter>(measure, C, K);
    parallelFor(tasks, [&](std::int64_t task) {
        Carver carver(static_cast<std::byte*>(workspace) + std::size_t(task) * measure.used());
        const BlockScratch<Filter> scratch(carver, C, K);
        std::fill_n(scratch.zeros, C, E(0));
        std::fill_n(scratch.noBias, K, 0.0f);
        for (std::int64_t block = blocks * task / tasks; block < blocks * (task + 1) / tasks;
             ++block) {
            const std::int64_t first = block * most, count = std::min(most, t.count() - first);
            const std::int64_t stepC = stepOf(count * C), stepK = stepOf(count * K);
            for (std::int64_t i = 0; i < count; ++i) {
                const E* pixels[Filter::kPlaces];
                seen<Filter>(t, placeOf(t, first + i), C, x, scratch.zeros, pixels);
                Filter::transformInput(pixels, C, scratch.seen + i * C, stepC);
            }
            for (std::int64_t place = 0; place < Filter::kPlaces; ++place)
                floatGemmPacked(
                    count, K, C, {scratch.seen + place * stepC, C, 1},
                    reinterpret_cast<const float*>(static_cast<const std::byte*>(packed) +
                                                   std::size_t(place) * packedBytes(C, K)),
                    scratch.sums + place * stepK, K, false, 1, scratch.product);
            for (std::int64_t i = 0; i < count; ++i) {
                E* pixels[Filter::kPixels];
                ofResult<Filter>(t, placeOf(t, first + i), K, y, scratch.outside, pixels);
                Filter::transformOutput(scratch.sums + i * K, stepK, K,
                                        bias ? bias : scratch.noBias, relu, pixels);
            }
        }
    });
}

/// Transforms windows, `rows` x `columns` of them, and packs them as the products read them.
template <class Filter, class Transform>
void packWindows(std::int64_t rows, std::int64_t columns, void* packed, float* whole,
                 const Transform& transformRow)
{
    const std::int64_t step = rows * columns;
    parallelRanges(rows, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            transformRow(row, whole + row * columns, step);
    });
    parallelFor(Filter::kPlaces, [&](std::int64_t place) {
        floatGemmPack(columns, rows, {whole + place * step, columns, 1},
                      reinterpret_cast<float*>(static_cast<std::byte*>(packed) +
                                               std::size_t(place) * packedBytes(rows, columns)));
    });
}

/// Scratch of the weight gradient.
template <class Filter>
struct GradientScratch {
    using E = typename Filter::Element;
    E* zeros;
    float *seen, *gradients, *sums;
    std::byte* product; ///< of each task
    std::int64_t productBytes;

    GradientScratch(Carver& c, std::int64_t C, std::int64_t K, int tasks)
        : zeros(c.take<E>(std::max(C, K))),
          seen(c.take<float>(Filter::kPlaces * stepOf(tilesBackward<Filter>(C + K) * C))),
          gradients(c.take<float>(Filter::kPlaces * stepOf(tilesBackward<Filter>(C + K) * K))),
          sums(c.take<float>(Filter::kPlaces * C * K)),
          productBytes(std::int64_t((floatGemmWorkspace(C, 1) + 63) / 64 * 64))
    {
        product = c.take<std::byte>(tasks * productBytes);
    }
};

/// dw [K,C,3,3] of x [N,H,W,C] and dy [N,outH,outW,K].
template <class Filter, class E = typename Filter::Element>
void sumWindows(const Tiling& t, std::int64_t C, std::int64_t K, const void* from,
                const void* gradient, float* dw, int tasks, void* workspace)
{
    const E *const x = static_cast<const E*>(from), *const dy = static_cast<const E*>(gradient);
    const std::int64_t most = tilesBackward<Filter>(C + K);
    Carver carver(workspace);
    const GradientScratch<Filter> scratch(carver, C, K, tasks);
    std::fill_n(scratch.zeros, std::max(C, K), E(0));
    for (std::int64_t first = 0; first < t.count(); first += most) {
        const std::int64_t count = std::min(most, t.count() - first);
        const std::int64_t stepC = stepOf(count * C), stepK = stepOf(count * K);
        parallelRanges(count, 16, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const TilePlace at = placeOf(t, first + i);
                const E *pixels[Filter::kPlaces], *gradients[Filter::kPixels];
                seen<Filter>(t, at, C, x, scratch.zeros, pixels);
                Filter::transformInput(pixels, C, scratch.seen + i * C, stepC);
                ofResult<Filter, const E>(t, at, K, dy, scratch.zeros, gradients);
                Filter::transformGradient(gradients, K, scratch.gradients + i * K, stepK);
            }
        });
        parallelFor(tasks, [&](std::int64_t task) {
            for (std::int64_t place = Filter::kPlaces * task / tasks;
                 place < Filter::kPlaces * (task + 1) / tasks; ++place)
                floatGemm(K, C, count, {scratch.gradients + place * stepK, 1, K},
                          {scratch.seen + place * stepC, C, 1}, scratch.sums + place * C * K, C,
                          first > 0, 1, scratch.product + task * scratch.productBytes);
        });
    }
    parallelRanges(K, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k)
            Filter::transformSums(scratch.sums + k * C, C * K, C, dw + k * C * 9);
    });
}

template <class Filter>
Tiling forwardTiling(const Conv2dParams& p)
{
    return {p.N, p.H, p.W, p.outH(), p.outW(), p.padding, Filter::kTile};
}

/// Tiles of 4x4 have to fill the picture: 14x14 pixels take as many as 16x16.
bool suitsBf16(const Conv2dParams& p)
{
    const std::int64_t tiles = forwardTiling<WinogradFour>(p).count();
    return tile::bf16Available() && !tile::amxAvailable() && std::min(p.C, p.K) >= 64 &&
           tiles >= 48 && p.N * p.outH() * p.outW() * 100 >= tiles * WinogradFour::kPixels * 88;
}

/// body(the filter for this element type), which has none but types.
template <class Body>
auto withFilter(const Conv2dParams& p, const Body& body)
{
    return p.dtype == DType::BF16 ? body(WinogradFour()) : body(WinogradTwo());
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
    if (!floatGemmAvailable() || p.groups != 1 || p.R != 3 || p.S != 3 || p.stride != 1 ||
        p.dilation != 1 || p.padding > 2)
        return false;
    if (p.dtype == DType::BF16)
        return suitsBf16(p);
    const std::int64_t narrow = std::min(p.C, p.K);
    const bool wide = cpuLevel() == CpuLevel::Avx2
                          ? narrow >= 48
                          : narrow >= 64 || (narrow == 32 && p.C % 32 == 0 && p.K % 32 == 0);
    return wide && std::min(p.outH(), p.outW()) >= 4 && forwardTiling<WinogradTwo>(p).count() >= 48;
}

WinogradConvolution::WinogradConvolution(const Conv2dParams& p)
    : p_(p), tasks_(std::max(1, omp_get_max_threads()))
{
}

std::size_t WinogradConvolution::windowBytes() const
{
    return withFilter(p_, [&](auto filter) {
        return std::size_t(filter.kPlaces) *
               std::max(packedBytes(p_.C, p_.K), packedBytes(p_.K, p_.C));
    });
}

std::size_t WinogradConvolution::packedWeightBytes() const
{
    return packsAhead() ? windowBytes() : std::size_t(p_.weightCount()) * sizeof(float);
}

WeightLayout WinogradConvolution::forwardLayout() const
{
    static const WeightLayout ahead = newWeightLayout(), copy = newWeightLayout();
    return packsAhead() ? ahead : copy;
}
WeightLayout WinogradConvolution::dataLayout() const
{
    static const WeightLayout ahead = newWeightLayout();
    return packsAhead() ? ahead : forwardLayout();
}

std::size_t WinogradConvolution::workspaceBytes() const
{
    return withFilter(p_, [&](auto filter) {
        using Filter = decltype(filter);
        Carver forward(nullptr), data(nullptr), weight(nullptr);
        (void)BlockScratch<Filter>(forward, p_.C, p_.K);
        (void)BlockScratch<Filter>(data, p_.K, p_.C);
        (void)GradientScratch<Filter>(weight, p_.C, p_.K, tasks_);
        const std::size_t blocks = std::size_t(tasks_) * std::max(forward.used(), data.used());
        // The gradient's sums are as large as what packWindows() needs.
        return std::max(blocks, weight.used()) + (packsAhead() ? 0 : windowBytes());
    });
}

void WinogradConvolution::windows(const float* w, bool forward, void* packed, void* workspace) const
{
    withFilter(p_, [&](auto filter) {
        const std::int64_t C = p_.C, K = p_.K;
        auto* const whole = static_cast<float*>(workspace);
        if (forward)
            packWindows<decltype(filter)>(
                C, K, packed, whole, [&](std::int64_t c, float* out, std::int64_t step) {
                    filter.transformWeight(w + c * 9, C * 9, false, K, out, step);
                });
        else
            packWindows<decltype(filter)>(
                K, C, packed, whole, [&](std::int64_t k, float* out, std::int64_t step) {
                    filter.transformWeight(w + k * C * 9, 9, true, C, out, step);
                });
    });
}

void WinogradConvolution::pack(const float* w, bool forward, void* packed, void* workspace) const
{
    if (packsAhead())
        return windows(w, forward, packed, workspace);
    std::memcpy(packed, w, packedWeightBytes());
}

void WinogradConvolution::packForward(const float* w, void* packed, void* workspace) const
{
    pack(w, true, packed, workspace);
}
void WinogradConvolution::packData(const float* w, void* packed, void* workspace) const
{
    pack(w, false, packed, workspace);
}

void WinogradConvolution::run(bool forward, const void* from, const void* packed, const float* bias,
                              void* to, void* workspace) const
{
    auto* scratch = static_cast<std::byte*>(workspace);
    if (!packsAhead()) {
        void* const made = scratch;
        scratch += windowBytes();
        windows(static_cast<const float*>(packed), forward, made, scratch);
        packed = made;
    }
    withFilter(p_, [&](auto filter) {
        using Filter = decltype(filter);
        if (forward)
            convolve<Filter>(forwardTiling<Filter>(p_), p_.C, p_.K, from, packed, bias, p_.relu, to,
                             tasks_, scratch);
        else
            convolve<Filter>(
                {p_.N, p_.outH(), p_.outW(), p_.H, p_.W, 2 - p_.padding, Filter::kTile}, p_.K, p_.C,
                from, packed, nullptr, false, to, tasks_, scratch);
    });
}

void WinogradConvolution::forward(const void* x, const void* packed, const float* bias, void* y,
                                  void* workspace) const
{
    run(true, x, packed, p_.bias ? bias : nullptr, y, workspace);
}

void WinogradConvolution::dataGradient(const void* dy, const void* packed, void* dx,
                                       void* workspace) const
{
    run(false, dy, packed, nullptr, dx, workspace);
}

void WinogradConvolution::weightGradient(const void* x, const void* dy, float* dw,
                                         void* workspace) const
{
    withFilter(p_, [&](auto filter) {
        using Filter = decltype(filter);
        sumWindows<Filter>(forwardTiling<Filter>(p_), p_.C, p_.K, x, dy, dw, tasks_, workspace);
    });
}

} // namespace scalebench::kernels::cpu
