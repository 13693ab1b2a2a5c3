// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the tiles of Winograd's convolution lie in their pictures.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/conv2d.h"

namespace scalebench::kernels::cpu {

/// Pictures [N,H,W,C] seen by tiles of a result of outH x outW pixels, with so much zero padding.
struct Tiling {
    std::int64_t N, H, W, outH, outW, padding, tile;

    std::int64_t down() const { return (outH + tile - 1) / tile; }
    std::int64_t across() const { return (outW + tile - 1) / tile; }
    std::int64_t count() const { return N * down() * across(); }
};

template <class Filter>
Tiling forwardTiling(const Conv2dParams& p)
{
    return {p.N, p.H, p.W, p.outH(), p.outW(), p.padding, Filter::kTile};
}
/// The data gradient is a convolution of dy with the windows turned round.
template <class Filter>
Tiling dataTiling(const Conv2dParams& p)
{
    return {p.N, p.outH(), p.outW(), p.H, p.W, 2 - p.padding, Filter::kTile};
}

/// Picture, row and column of a tile's first pixel in the result.
struct TilePlace {
    std::int64_t n, row, column;
};

inline TilePlace placeOf(const Tiling& t, std::int64_t tile)
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

/// Fetches pixels that are soon read, of so many bytes each.
template <class E, std::size_t Count>
void fetch(const E* const (&pixels)[Count], std::int64_t bytes)
{
    constexpr std::int64_t kLineBytes = 64;
    for (std::int64_t at = 0; at < bytes; at += kLineBytes)
        for (const E* pixel : pixels)
            __builtin_prefetch(reinterpret_cast<const char*>(pixel) + at);
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

/// Numbers from one place to the next: not a multiple of 4,096 bytes, as all places of a tile would
/// then lie in one set of the cache.
constexpr std::int64_t stepOf(std::int64_t numbers)
{
    return numbers + 16;
}

/// Fetches what a tile sees, or its pixels of the result, if there is such a tile.
template <class Filter, class E = typename Filter::Element>
void fetchSeen(const Tiling& t, std::int64_t tile, std::int64_t C, const E* x, const E* zeros)
{
    if (tile >= t.count())
        return;
    const E* pixels[Filter::kPlaces];
    seen<Filter>(t, placeOf(t, tile), C, x, zeros, pixels);
    fetch(pixels, C * std::int64_t(sizeof(E)));
}
template <class Filter, class E = typename Filter::Element>
void fetchResult(const Tiling& t, std::int64_t tile, std::int64_t K, const E* y, const E* zeros)
{
    if (tile >= t.count())
        return;
    const E* pixels[Filter::kPixels];
    ofResult<Filter>(t, placeOf(t, tile), K, y, zeros, pixels);
    fetch(pixels, K * std::int64_t(sizeof(E)));
}

} // namespace scalebench::kernels::cpu
