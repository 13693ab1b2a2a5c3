// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the tiles of Winograd's convolution lie in their pictures.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/conv2d.h"
#include "kernels/formula/host_device.h"

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

/// Goes through tiles in their order.
struct TileCursor {
    const Tiling& t;
    TilePlace at;

    SB_HOST_DEVICE void next()
    {
        at.column += t.tile;
        if (at.column < t.outW)
            return;
        at.column = 0, at.row += t.tile;
        if (at.row >= t.outH)
            at.row = 0, ++at.n;
    }
};

/// Size x Size pixels from (row, column) on of pictures [N,H,W,C]; `outside` where there is none.
template <std::int64_t Size, class E>
void pixelsFrom(std::int64_t n, std::int64_t row, std::int64_t column, std::int64_t H,
                std::int64_t W, std::int64_t C, E* x, E* outside, E* (&pixels)[Size * Size])
{
    E* const at = x + ((n * H + row) * W + column) * C;
    for (std::int64_t r = 0; r < Size; ++r)
        for (std::int64_t s = 0; s < Size; ++s) {
            E* const pixel = at + (r * W + s) * C;
            const bool inside = row + r >= 0 && row + r < H && column + s >= 0 && column + s < W;
            pixels[r * Size + s] = inside ? pixel : outside;
        }
}

/// The pixels that a tile sees; `zeros` where there is none.
template <class Filter, class E = typename Filter::Element>
void seen(const Tiling& t, TilePlace at, std::int64_t C, const E* x, const E* zeros,
          const E* (&pixels)[Filter::kPlaces])
{
    pixelsFrom<Filter::kSeen>(at.n, at.row - t.padding, at.column - t.padding, t.H, t.W, C, x,
                              zeros, pixels);
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
    pixelsFrom<Filter::kTile>(at.n, at.row, at.column, t.outH, t.outW, K, y, outside, pixels);
}

/// Numbers from one place to the next: not a multiple of 4,096 bytes, as all places of a tile would
/// then lie in one set of the cache.
constexpr std::int64_t stepOf(std::int64_t numbers)
{
    return numbers + 16;
}

/// Pixels of tiles in their order, those of the next tile fetched meanwhile. Find(place, pixels)
/// gives a tile's pixels.
template <class E, std::int64_t Count, class Find>
class PixelsInOrder
{
public:
    /// From tile `first` on; `bytes` of each pixel are fetched.
    PixelsInOrder(const Tiling& t, std::int64_t first, std::int64_t bytes, Find find)
        : cursor_{t, placeOf(t, first)}, bytes_(bytes), find_(find)
    {
        find_(cursor_.at, pixels_[0]);
    }
    const E* const* next()
    {
        const E* const* const now = pixels_[next_];
        next_ = 1 - next_;
        cursor_.next();
        if (cursor_.at.n < cursor_.t.N) {
            find_(cursor_.at, pixels_[next_]);
            fetch(pixels_[next_], bytes_);
        }
        return now;
    }

private:
    TileCursor cursor_;
    std::int64_t bytes_;
    Find find_;
    const E* pixels_[2][Count];
    int next_ = 0;
};

/// What tiles see of x [N,H,W,C], and their pixels of a result y [N,outH,outW,K].
template <class Filter, class E = typename Filter::Element>
auto seenInOrder(const Tiling& t, std::int64_t first, std::int64_t C, const E* x, const E* zeros)
{
    constexpr std::int64_t kCount = Filter::kPlaces;
    const auto find = [&t, C, x, zeros](TilePlace at, const E*(&pixels)[kCount]) {
        seen<Filter>(t, at, C, x, zeros, pixels);
    };
    return PixelsInOrder<E, kCount, decltype(find)>(t, first, C * std::int64_t(sizeof(E)), find);
}
template <class Filter, class E = typename Filter::Element>
auto resultInOrder(const Tiling& t, std::int64_t first, std::int64_t K, const E* y, const E* zeros)
{
    constexpr std::int64_t kCount = Filter::kPixels;
    const auto find = [&t, K, y, zeros](TilePlace at, const E*(&pixels)[kCount]) {
        ofResult<Filter>(t, at, K, y, zeros, pixels);
    };
    return PixelsInOrder<E, kCount, decltype(find)>(t, first, K * std::int64_t(sizeof(E)), find);
}

} // namespace scalebench::kernels::cpu
