// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/winograd_fixed.h"

#include <algorithm>

#include "kernels/cpu/fixed_gemm.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu/tile_gemm.h"
#include "kernels/cpu/winograd_filters.h"
#include "kernels/cpu/winograd_sums.h"
#include "kernels/cpu/winograd_tiles.h"

namespace scalebench::kernels::cpu {
namespace {

using Four = WinogradFour;
using fixed::inPanels;
using fixed::pairsOf;
constexpr std::int64_t kPlaces = Four::kPlaces;

/// Transformed windows, `depth` x `columns` of them at each place, and the scales of their columns.
struct FixedWindows {
    std::int64_t depth, columns;
    std::uint32_t* panels;
    float* scale;

    FixedWindows(Carver& c, std::int64_t rows, std::int64_t width)
        : depth(rows),
          columns(width),
          panels(c.take<std::uint32_t>(kPlaces * words())),
          scale(c.take<float>(kPlaces * inPanels(width)))
    {
    }
    std::int64_t words() const { return pairsOf(depth) * inPanels(columns); }
    std::uint32_t* panelsOf(std::int64_t place) const { return panels + place * words(); }
    float* scaleOf(std::int64_t place) const { return scale + place * inPanels(columns); }
};

/// Scratch of one task that makes windows, a panel of columns at a time: in fp32, all places.
struct WindowScratch {
    float *taps, *strip, *inverse;
    std::int64_t step;

    WindowScratch(Carver& c, std::int64_t depth) : step(stepOf(depth * fixed::kPanel))
    {
        taps = c.take<float>(depth * 9 * fixed::kPanel);
        strip = c.take<float>(kPlaces * step);
        inverse = c.take<float>(fixed::kPanel);
    }
    static std::size_t bytes(std::int64_t depth)
    {
        Carver measure(nullptr);
        (void)WindowScratch(measure, depth);
        return measure.used();
    }
};

/// load(first column, how many, taps): the windows of these columns, 9 x kPanel numbers of each
/// row.
template <class Load>
void makeWindows(const FixedWindows& windows, bool turned, int tasks, void* workspace,
                 const Load& load)
{
    constexpr std::int64_t kWide = fixed::kPanel;
    static_assert(kWide == Four::kWindows);
    const std::int64_t strips = inPanels(windows.columns) / kWide, depth = windows.depth;
    parallelWorkers(tasks, strips, [&](std::int64_t strip, int worker) {
        Carver own(static_cast<std::byte*>(workspace) +
                   std::size_t(worker) * WindowScratch::bytes(depth));
        const WindowScratch scratch(own, depth);
        const std::int64_t first = strip * kWide, count = std::min(kWide, windows.columns - first);
        load(first, count, scratch.taps);
        for (std::int64_t row = 0; row < depth; ++row)
            Four::transformWindows(scratch.taps + row * 9 * kWide, turned,
                                   scratch.strip + row * kWide, scratch.step);
        for (std::int64_t place = 0; place < kPlaces; ++place) {
            const float* const x = scratch.strip + place * scratch.step;
            fixed::columnScales(x, kWide, depth, count, scratch.inverse,
                                windows.scaleOf(place) + first);
            fixed::pack(x, kWide, depth, count, scratch.inverse,
                        windows.panelsOf(place) + first * pairsOf(depth));
        }
    });
}

/// taps[j * kPanel + i] = w[i * stride + j] for j < n; zeros from i = count on.
void sideBySide(const float* w, std::int64_t stride, std::int64_t count, std::int64_t n,
                float* taps)
{
    constexpr std::int64_t kWide = fixed::kPanel;
    if (count == kWide && n % kWide == 0)
        return tile::transposeToB(w, stride, kWide, n, kWide, taps);
    for (std::int64_t i = 0; i < kWide; ++i)
        for (std::int64_t j = 0; j < n; ++j)
            taps[j * kWide + i] = i < count ? w[i * stride + j] : 0.0f;
}

/// Tiles of a block, in pieces of `piece`, whose numbers stay in `bytes` of cache.
std::int64_t fixedTiles(std::int64_t bytesOfPlace, std::int64_t bytes, std::int64_t least,
                        std::int64_t piece)
{
    return std::clamp<std::int64_t>(bytes / (kPlaces * bytesOfPlace) / piece * piece, least, 1008);
}

/// Blocks of equal size, in whole eights.
struct Blocks {
    std::int64_t tiles; ///< of each but the last

    Blocks(std::int64_t all, std::int64_t most)
    {
        const std::int64_t least = std::max<std::int64_t>(1, (all + most - 1) / most);
        tiles = ((all + least - 1) / least + fixed::kRows - 1) / fixed::kRows * fixed::kRows;
    }
};

std::int64_t tilesForwardFixed(std::int64_t C, std::int64_t K)
{
    return fixedTiles(2 * C + 4 * K, 3 << 19, 48, fixed::kRows);
}
std::int64_t tilesBackwardFixed(std::int64_t C, std::int64_t K)
{
    return fixedTiles(4 * (C + K), 4 << 20, 128, fixed::kRows);
}

/// Scratch of one task that goes through blocks of tiles by itself.
struct FixedBlock {
    bf16_t *zeros, *outside;
    float *noBias, *half, *rowScale, *sums;
    std::int16_t* rows;

    FixedBlock(Carver& c, std::int64_t C, std::int64_t K)
        : zeros(c.take<bf16_t>(C)), outside(c.take<bf16_t>(K)), noBias(c.take<float>(K))
    {
        const std::int64_t tiles = tilesForwardFixed(C, K);
        half = c.take<float>(kPlaces * stepOf(C));
        rowScale = c.take<float>(kPlaces * tiles);
        sums = c.take<float>(kPlaces * stepOf(tiles * inPanels(K)));
        rows = c.take<std::int16_t>(kPlaces * stepOf(tiles * inPanels(C)));
    }
};

/// y [N,outH,outW,K] of x [N,H,W,C].
void convolveFixed(const Tiling& t, const bf16_t* x, const FixedWindows& windows, const float* bias,
                   bool relu, bf16_t* y, int tasks, void* workspace)
{
    const std::int64_t C = windows.depth, K = windows.columns;
    const std::int64_t lda = inPanels(C), ldc = inPanels(K);
    const std::int64_t eights = (t.count() + fixed::kRows - 1) / fixed::kRows;
    Carver measure(nullptr);
    (void)FixedBlock(measure, C, K);
    const std::int64_t pieces = piecesOf(tasks, t.count() / tilesForwardFixed(C, K));
    parallelWorkers(tasks, pieces, [&](std::int64_t piece, int worker) {
        Carver carver(static_cast<std::byte*>(workspace) + std::size_t(worker) * measure.used());
        const FixedBlock scratch(carver, C, K);
        std::fill_n(scratch.zeros, C, bf16_t(0));
        std::fill_n(scratch.noBias, K, 0.0f);
        // A tile's result is its own, so blocks may be cut anywhere.
        const std::int64_t begin = eights * piece / pieces * fixed::kRows,
                           end = std::min(eights * (piece + 1) / pieces * fixed::kRows, t.count());
        const Blocks blocks(end - begin, tilesForwardFixed(C, K));
        const std::int64_t stepA = stepOf(blocks.tiles * lda), stepC = stepOf(blocks.tiles * ldc);
        for (std::int64_t first = begin; first < end; first += blocks.tiles) {
            const std::int64_t count = std::min(blocks.tiles, end - first);
            auto inputs = seenInOrder<Four>(t, first, C, x, scratch.zeros);
            for (std::int64_t i = 0; i < count; ++i) {
                Four::transformInput(inputs.next(), C, scratch.half, stepOf(C));
                fixed::quantise(scratch.half, stepOf(C), kPlaces, C, scratch.rows + i * lda, stepA,
                                scratch.rowScale + i, blocks.tiles);
            }
            for (std::int64_t place = 0; place < kPlaces; ++place)
                fixed::multiply((count + fixed::kRows - 1) / fixed::kRows * fixed::kRows, ldc,
                                pairsOf(C), fixed::Rows{scratch.rows + place * stepA, lda},
                                windows.panelsOf(place),
                                {scratch.rowScale + place * blocks.tiles, windows.scaleOf(place)},
                                scratch.sums + place * stepC, ldc, false);
            for (std::int64_t i = 0; i < count; ++i) {
                bf16_t* pixels[Four::kPixels];
                ofResult<Four>(t, placeOf(t, first + i), K, y, scratch.outside, pixels);
                Four::transformOutput(scratch.sums + i * ldc, stepC, K,
                                      bias ? bias : scratch.noBias, relu, pixels);
            }
        }
    });
}

/// A matrix of a product over tiles, packed.
struct FixedSide {
    std::uint32_t* panels;
    float *inverse, *scale;

    FixedSide(Carver& c, std::int64_t tiles, std::int64_t channels)
        : panels(c.take<std::uint32_t>(pairsOf(tiles) * inPanels(channels))),
          inverse(c.take<float>(inPanels(channels))),
          scale(c.take<float>(inPanels(channels)))
    {
    }
    void pack(const float* x, std::int64_t tiles, std::int64_t channels) const
    {
        fixed::columnScales(x, channels, tiles, channels, inverse, scale);
        fixed::pack(x, channels, tiles, channels, inverse, panels);
    }
};

/// Both matrices of a place.
struct FixedSides {
    FixedSide gradients, seen;

    FixedSides(Carver& c, std::int64_t tiles, std::int64_t C, std::int64_t K)
        : gradients(c, tiles, K), seen(c, tiles, C)
    {
    }
    static std::size_t bytes(std::int64_t tiles, std::int64_t C, std::int64_t K)
    {
        Carver measure(nullptr);
        (void)FixedSides(measure, tiles, C, K);
        return measure.used();
    }
};

/// Scratch of the weight gradient. Each block of tiles adds to the sums of all windows, four times
/// what the gradient has. Where that is more than a last-level cache holds (512 channels) and one
/// block has all tiles, the operands of all places are packed first and a few windows are summed at
/// a time: 3.4 to 2.9 ms for 8 pictures of 7x7 (Zen 5), with two threads 2.3 to 1.5; 256 channels
/// of 14x14 would take 5 % longer so.
struct FixedGradient {
    static constexpr std::int64_t kMostSums = std::int64_t{1} << 22; ///< 16 MB
    /// Windows at a time, down and across: 1.2 MB of sums.
    static constexpr std::int64_t kDown = 2 * fixed::kPanel, kAcross = 16 * fixed::kPanel;

    bool byParts;
    std::int64_t tiles; ///< of a block
    bf16_t* zeros;
    float *seen, *gradients, *sums;
    std::byte* sides;

    FixedGradient(Carver& c, const Conv2dParams& p, int tasks)
    {
        const std::int64_t C = p.C, K = p.K, all = forwardTiling<Four>(p).count();
        tiles = Blocks(all, tilesBackwardFixed(C, K)).tiles;
        const std::int64_t whole = kPlaces * inPanels(C) * inPanels(K);
        byParts = all <= tiles && whole > kMostSums;
        zeros = c.take<bf16_t>(std::max(C, K));
        seen = c.take<float>(kPlaces * stepOf(tiles * C));
        gradients = c.take<float>(kPlaces * stepOf(tiles * K));
        sums = c.take<float>(byParts ? kPlaces * tasks * stepOf(kDown * kAcross) : whole);
        sides = c.take<std::byte>((byParts ? kPlaces : tasks) *
                                  std::int64_t(FixedSides::bytes(tiles, C, K)));
    }
    FixedSides sidesOf(std::int64_t i, std::int64_t C, std::int64_t K) const
    {
        Carver own(sides + std::size_t(i) * FixedSides::bytes(tiles, C, K));
        return {own, tiles, C, K};
    }
};

} // namespace

std::size_t FixedWinograd::workspaceBytes() const
{
    Carver forward(nullptr), data(nullptr), weight(nullptr), block(nullptr), back(nullptr);
    (void)FixedWindows(forward, p.C, p.K);
    (void)FixedWindows(data, p.K, p.C);
    (void)FixedBlock(block, p.C, p.K);
    (void)FixedBlock(back, p.K, p.C);
    (void)FixedGradient(weight, p, tasks);
    const std::size_t task =
        std::max({block.used(), back.used(), WindowScratch::bytes(p.C), WindowScratch::bytes(p.K)});
    return std::max(std::max(forward.used(), data.used()) + std::size_t(tasks) * task,
                    weight.used());
}

void FixedWinograd::forward(const bf16_t* x, const float* w, const float* bias, bf16_t* y,
                            void* workspace) const
{
    Carver carver(workspace);
    const FixedWindows windows(carver, p.C, p.K);
    void* const scratch = static_cast<std::byte*>(workspace) + carver.used();
    makeWindows(windows, false, tasks, scratch,
                [&](std::int64_t k, std::int64_t count, float* taps) {
                    sideBySide(w + k * p.C * 9, p.C * 9, count, p.C * 9, taps);
                });
    convolveFixed(forwardTiling<Four>(p), x, windows, bias, p.relu, y, tasks, scratch);
}

void FixedWinograd::dataGradient(const bf16_t* dy, const float* w, bf16_t* dx,
                                 void* workspace) const
{
    Carver carver(workspace);
    const FixedWindows windows(carver, p.K, p.C);
    void* const scratch = static_cast<std::byte*>(workspace) + carver.used();
    makeWindows(
        windows, true, tasks, scratch, [&](std::int64_t c, std::int64_t count, float* taps) {
            constexpr std::int64_t kAhead = 8, kInLine = 16;
            for (std::int64_t k = 0; k < p.K; ++k) {
                for (std::int64_t i = 0; i < 9 * count; i += kInLine)
                    __builtin_prefetch(w + (std::min(k + kAhead, p.K - 1) * p.C + c) * 9 + i);
                sideBySide(w + (k * p.C + c) * 9, 9, count, 9, taps + k * 9 * fixed::kPanel);
            }
        });
    convolveFixed(dataTiling<Four>(p), dy, windows, nullptr, false, dx, tasks, scratch);
}

namespace {

/// From operands packed for all places to dw, as many windows at a time as the second-level cache
/// holds sums of.
void windowsByParts(const FixedGradient& scratch, const Conv2dParams& p, int tasks, float* dw)
{
    const std::int64_t C = p.C, K = p.K, pairs = pairsOf(forwardTiling<Four>(p).count());
    const std::int64_t down = (K + scratch.kDown - 1) / scratch.kDown,
                       across = (C + scratch.kAcross - 1) / scratch.kAcross, parts = down * across;
    parallelWorkers(tasks, parts, [&](std::int64_t part, int worker) {
        float* const sums =
            scratch.sums + worker * kPlaces * stepOf(scratch.kDown * scratch.kAcross);
        const std::int64_t k = part % down * scratch.kDown, c = part / down * scratch.kAcross;
        const std::int64_t rows = std::min(scratch.kDown, K - k),
                           columns = std::min(scratch.kAcross, C - c), ldc = inPanels(columns),
                           place1 = stepOf(inPanels(rows) * ldc);
        for (std::int64_t place = 0; place < kPlaces; ++place) {
            const FixedSides sides = scratch.sidesOf(place, C, K);
            fixed::multiply(
                inPanels(rows), ldc, pairs, fixed::Panels{sides.gradients.panels + k * pairs},
                sides.seen.panels + c * pairs, {sides.gradients.scale + k, sides.seen.scale + c},
                sums + place * place1, ldc, false);
        }
        for (std::int64_t i = 0; i < rows; ++i)
            Four::transformSums(sums + i * ldc, place1, columns, dw + ((k + i) * C + c) * 9);
    });
}

} // namespace

void FixedWinograd::weightGradient(const bf16_t* x, const bf16_t* dy, float* dw,
                                   void* workspace) const
{
    const std::int64_t C = p.C, K = p.K, ldc = inPanels(C), place1 = ldc * inPanels(K);
    const Tiling t = forwardTiling<Four>(p);
    Carver carver(workspace);
    const FixedGradient scratch(carver, p, tasks);
    std::fill_n(scratch.zeros, std::max(C, K), bf16_t(0));
    const std::int64_t stepC = stepOf(scratch.tiles * C), stepK = stepOf(scratch.tiles * K);
    sumInBlocks(
        t.count(), scratch.tiles, kPlaces, tasks,
        [&](TileBlock block, std::int64_t begin, std::int64_t end, WinogradRows rows) {
            auto inputs = seenInOrder<Four>(t, block.first + begin, C, x, scratch.zeros);
            auto gradients = resultInOrder<Four>(t, block.first + begin, K, dy, scratch.zeros);
            for (std::int64_t i = begin; i < end; ++i) {
                Four::transformInput(inputs.next(), C, scratch.seen + i * C, stepC, rows);
                Four::transformGradient(gradients.next(), K, scratch.gradients + i * K, stepK,
                                        rows);
            }
        },
        [&](TileBlock block, std::int64_t place, int worker) {
            const FixedSides sides = scratch.sidesOf(scratch.byParts ? place : worker, C, K);
            sides.gradients.pack(scratch.gradients + place * stepK, block.count, K);
            sides.seen.pack(scratch.seen + place * stepC, block.count, C);
            if (!scratch.byParts)
                fixed::multiply(inPanels(K), ldc, pairsOf(block.count),
                                fixed::Panels{sides.gradients.panels}, sides.seen.panels,
                                {sides.gradients.scale, sides.seen.scale},
                                scratch.sums + place * place1, ldc, block.first > 0);
        });
    if (scratch.byParts)
        return windowsByParts(scratch, p, tasks, dw);
    parallelRanges(K, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k)
            Four::transformSums(scratch.sums + k * ldc, place1, C, dw + k * C * 9);
    });
}

} // namespace scalebench::kernels::cpu
