// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/winograd_narrow.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/cpu/float_level.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu/winograd_filters.h"
#include "kernels/cpu/winograd_two.h"
#include "kernels/cpu_level.h"

namespace scalebench::kernels::cpu::narrow {
namespace {

constexpr std::int64_t kPlaces = WinogradTwo::kPlaces, kSeen = WinogradTwo::kSeen,
                       kTile = WinogradTwo::kTile;
/// Channels of what is multiplied: the innermost loop is compiled for each.
using Depths = std::integer_sequence<int, 16, 32, 48, 64, 96, 128>;
constexpr std::int64_t kMost = 128, kMostSummed = 64;
constexpr std::int64_t kTiles = 48; ///< of a block, a multiple of any level's height
constexpr std::int64_t kParts = 8;  ///< of all tiles, whose weight gradients are summed apart

/// Scratch of one task: a block at all places, of the input and of the result, and a tile that
/// hangs over the edge of its picture.
struct Scratch {
    float *seen, *sums, *patch;

    Scratch(Carver& c, std::int64_t C, std::int64_t K)
        : seen(c.take<float>(kPlaces * stepOf(kTiles * C))),
          sums(c.take<float>(kPlaces * stepOf(kTiles * K))),
          patch(c.take<float>(kPlaces * kMost))
    {
    }
    static std::int64_t bytes(std::int64_t C, std::int64_t K)
    {
        Carver measure(nullptr);
        (void)Scratch(measure, C, K);
        return std::int64_t(measure.used());
    }
};

struct Forward {
    const Tiling& t;
    std::int64_t C, K;
    const float *x, *packed;
    std::int64_t packedStep;
    const float* bias;
    bool relu;
    float* y;
};
struct Gradient {
    const Tiling& t;
    std::int64_t C, K;
    const float *x, *dy;
    float* sums;
};

/// One instruction set.
struct Level {
    /// Tiles [first, end).
    void (*convolve)(const Forward& f, std::int64_t first, std::int64_t end,
                     const Scratch& s) = nullptr;
    /// Adds them to the sums.
    void (*sum)(const Gradient& g, std::int64_t first, std::int64_t end,
                const Scratch& s) = nullptr;
};

#if defined(__x86_64__)

/// size x size pixels from (row, column) on of pictures [N,H,W,C]; those that are outside are zeros
/// in a copy.
template <class V>
SB_HOST_DEVICE two::InPicture<const float>
pixelsOf(const float* x, std::int64_t H, std::int64_t W, std::int64_t C, std::int64_t n,
         std::int64_t row, std::int64_t column, std::int64_t size, float* patch)
{
    const float* const at = x + ((n * H + row) * W + column) * C;
    if (row >= 0 && column >= 0 && row + size <= H && column + size <= W)
        return {at, W * C, C};
    float* to = patch;
    for (std::int64_t r = 0; r < size; ++r)
        for (std::int64_t s = 0; s < size; ++s, to += C) {
            const bool inside = row + r >= 0 && row + r < H && column + s >= 0 && column + s < W;
            for (std::int64_t c = 0; c < C; c += two::kLanes<V>)
                two::store(to + c, inside ? two::load<V>(at + (r * W + s) * C + c) : V{});
        }
    return {patch, size * C, C};
}

template <class V>
SB_HOST_DEVICE void transformSeen(const Tiling& t, std::int64_t C, const float* x,
                                  std::int64_t first, std::int64_t count, const Scratch& s)
{
    const std::int64_t step = stepOf(kTiles * C);
    TileCursor cursor{t, placeOf(t, first)};
    for (std::int64_t i = 0; i < count; ++i, cursor.next())
        two::transformInput<V>(pixelsOf<V>(x, t.H, t.W, C, cursor.at.n, cursor.at.row - t.padding,
                                           cursor.at.column - t.padding, kSeen, s.patch),
                               0, C, s.seen + i * C, step);
}

/// c = the sum of `count` products of Height numbers, Apart from one another, and Vecs vectors;
/// `nextA` and `nextB` numbers on is what the next product multiplies.
template <int Apart, class V, int Height, int Vecs>
SB_HOST_DEVICE void multiply(std::int64_t count, const float* A, std::int64_t nextA, const float* B,
                             std::int64_t nextB, V (&c)[Height][Vecs])
{
#pragma GCC unroll 1
    for (std::int64_t i = 0; i < count; ++i, A += nextA, B += nextB) {
        V b[Vecs];
#pragma GCC unroll 2
        for (int v = 0; v < Vecs; ++v)
            b[v] = two::load<V>(B + v * two::kLanes<V>);
#pragma GCC unroll 16
        for (int m = 0; m < Height; ++m)
#pragma GCC unroll 2
            for (int v = 0; v < Vecs; ++v)
                c[m][v] += A[m * Apart] * b[v];
    }
}

/// Height rows of C = A B, of Vecs vectors each. A: rows of Depth numbers side by side; B: rows
/// 2 vectors apart.
template <class V, int Height, int Vecs, int Depth>
SB_HOST_DEVICE void multiplyTile(const float* A, const float* B, float* C, std::int64_t ldc)
{
    constexpr std::int64_t kLanes = two::kLanes<V>;
    V c[Height][Vecs] = {};
    multiply<Depth>(Depth, A, 1, B, 2 * kLanes, c);
#pragma GCC unroll 16
    for (int m = 0; m < Height; ++m)
#pragma GCC unroll 2
        for (int v = 0; v < Vecs; ++v)
            two::store(C + m * ldc + v * kLanes, c[m][v]);
}

template <class V, int Height, int Depth>
SB_HOST_DEVICE void convolveTiles(const Forward& f, std::int64_t first, std::int64_t end,
                                  const Scratch& s)
{
    constexpr std::int64_t kWidth = 2 * two::kLanes<V>;
    const Tiling& t = f.t;
    const std::int64_t C = Depth, K = f.K, stepC = stepOf(kTiles * C), stepK = stepOf(kTiles * K);
    alignas(64) float noBias[kMost] = {};
    const float* const bias = f.bias ? f.bias : noBias;
    for (; first < end; first += kTiles) {
        const std::int64_t count = std::min(kTiles, end - first);
        transformSeen<V>(t, C, f.x, first, count, s);
        const std::int64_t rows = (count + Height - 1) / Height * Height;
        for (std::int64_t place = 0; place < kPlaces; ++place) {
            float* const A = s.seen + place * stepC;
            std::memset(A + count * C, 0, std::size_t((rows - count) * C) * sizeof(float));
            float* const sums = s.sums + place * stepK;
            for (std::int64_t n = 0; n < K; n += kWidth) {
                const float* const B = f.packed + place * f.packedStep + n * Depth;
                const bool whole = K - n >= kWidth;
                for (std::int64_t m = 0; m < rows; m += Height)
                    if (whole)
                        multiplyTile<V, Height, 2, Depth>(A + m * Depth, B, sums + m * K + n, K);
                    else
                        multiplyTile<V, Height, 1, Depth>(A + m * Depth, B, sums + m * K + n, K);
            }
        }
        TileCursor cursor{t, placeOf(t, first)};
        for (std::int64_t i = 0; i < count; ++i, cursor.next()) {
            const TilePlace at = cursor.at;
            float* const y = f.y + ((at.n * t.outH + at.row) * t.outW + at.column) * K;
            const float* const m = s.sums + i * K;
            if (at.row + kTile <= t.outH && at.column + kTile <= t.outW) {
                two::transformOutput<V>(m, stepK, 0, K, bias, f.relu,
                                        two::InPicture<float>{y, t.outW * K, K});
                continue;
            }
            two::transformOutput<V>(m, stepK, 0, K, bias, f.relu,
                                    two::InPicture<float>{s.patch, kTile * K, K});
            for (std::int64_t r = 0; r < std::min(kTile, t.outH - at.row); ++r)
                std::memcpy(y + r * t.outW * K, s.patch + r * kTile * K,
                            std::size_t(std::min(kTile, t.outW - at.column) * K) * sizeof(float));
        }
    }
}

template <class V, int Height, int Depth, int... More>
SB_HOST_DEVICE void convolveOf(std::integer_sequence<int, Depth, More...>, const Forward& f,
                               std::int64_t first, std::int64_t end, const Scratch& s)
{
    if (f.C == Depth)
        return convolveTiles<V, Height, Depth>(f, first, end, s);
    if constexpr (sizeof...(More) > 0)
        convolveOf<V, Height>(std::integer_sequence<int, More...>{}, f, first, end, s);
}

/// Height rows (numbers of G) x Vecs vectors (of S) of the sums over `count` tiles, added to `out`.
template <class V, int Height, int Vecs>
SB_HOST_DEVICE void sumTile(std::int64_t count, const float* G, std::int64_t K, const float* S,
                            std::int64_t C, float* out)
{
    constexpr std::int64_t kLanes = two::kLanes<V>;
    V c[Height][Vecs] = {};
    multiply<1>(count, G, K, S, C, c);
#pragma GCC unroll 16
    for (int m = 0; m < Height; ++m)
#pragma GCC unroll 2
        for (int v = 0; v < Vecs; ++v) {
            float* const to = out + m * C + v * kLanes;
            two::store(to, two::load<V>(to) + c[m][v]);
        }
}

/// sumTile() for a height that is known at run time.
template <class V, int Height, int Least, int Vecs>
SB_HOST_DEVICE void sumTileOf(std::int64_t height, std::int64_t count, const float* G,
                              std::int64_t K, const float* S, std::int64_t C, float* out)
{
    if (Height == Least || height == Height)
        return sumTile<V, Height, Vecs>(count, G, K, S, C, out);
    if constexpr (Height > Least)
        sumTileOf<V, Height - 1, Least, Vecs>(height, count, G, K, S, C, out);
}

template <class V, int Height>
SB_HOST_DEVICE void sumTiles(const Gradient& g, std::int64_t first, std::int64_t end,
                             const Scratch& s)
{
    constexpr std::int64_t kWidth = 2 * two::kLanes<V>;
    constexpr int kLeast = Height * 2 / 3; // of 16 rows and more, shared evenly
    const Tiling& t = g.t;
    const std::int64_t C = g.C, K = g.K, stepC = stepOf(kTiles * C), stepK = stepOf(kTiles * K);
    const std::int64_t blocks = (K + Height - 1) / Height;
    for (; first < end; first += kTiles) {
        const std::int64_t count = std::min(kTiles, end - first);
        transformSeen<V>(t, C, g.x, first, count, s);
        TileCursor cursor{t, placeOf(t, first)};
        for (std::int64_t i = 0; i < count; ++i, cursor.next())
            two::transformGradient<V>(pixelsOf<V>(g.dy, t.outH, t.outW, K, cursor.at.n,
                                                  cursor.at.row, cursor.at.column, kTile, s.patch),
                                      0, K, s.sums + i * K, stepK);
        for (std::int64_t place = 0; place < kPlaces; ++place)
            for (std::int64_t n = 0; n < C; n += kWidth)
                for (std::int64_t i = 0; i < blocks; ++i) {
                    const std::int64_t m = floats::panelBegin(K, blocks, i),
                                       height = floats::panelBegin(K, blocks, i + 1) - m;
                    const float *const G = s.sums + place * stepK + m, *const S = s.seen +
                                                                                  place * stepC + n;
                    float* const out = g.sums + (place * K + m) * C + n;
                    if (C - n >= kWidth)
                        sumTileOf<V, Height, kLeast, 2>(height, count, G, K, S, C, out);
                    else
                        sumTileOf<V, Height, kLeast, 1>(height, count, G, K, S, C, out);
                }
    }
}

#define SB_NARROW_LEVEL(name, isa, bytes, height)                                                  \
    using name##Vector [[gnu::vector_size(bytes)]] = float;                                        \
    [[gnu::target(isa)]] void convolve##name(const Forward& f, std::int64_t first,                 \
                                             std::int64_t end, const Scratch& s)                   \
    {                                                                                              \
        convolveOf<name##Vector, height>(Depths{}, f, first, end, s);                              \
    }                                                                                              \
    [[gnu::target(isa)]] void sum##name(const Gradient& g, std::int64_t first, std::int64_t end,   \
                                        const Scratch& s)                                          \
    {                                                                                              \
        sumTiles<name##Vector, height>(g, first, end, s);                                          \
    }                                                                                              \
    constexpr Level k##name{convolve##name, sum##name};

SB_NARROW_LEVEL(Avx2, "arch=x86-64-v3", 32, 6)
SB_NARROW_LEVEL(Avx512, "arch=x86-64-v4", 64, 12)
#undef SB_NARROW_LEVEL

#endif

const Level& level()
{
    static const Level none;
#if defined(__x86_64__)
    static const Level& chosen = cpuLevel() == CpuLevel::Avx512 ? kAvx512
                                 : cpuLevel() == CpuLevel::Avx2 ? kAvx2
                                                                : none;
    return chosen;
#else
    return none;
#endif
}

template <int... Depth>
bool isDepth(std::int64_t channels, std::integer_sequence<int, Depth...>)
{
    return ((channels == Depth) || ...);
}

/// What the weight gradient is summed in, by the number of tiles alone.
std::int64_t partsOf(const Tiling& t)
{
    return std::clamp<std::int64_t>(t.count() / (2 * kTiles), 1, kParts);
}

} // namespace

// ms of one Zen 5 core (274 GFLOP/s; 137 with AVX2 alone), forward, data and weight gradient, this
// and before it; "d" where that was oneDNN's direct convolution (2.6.3), else conv_winograd.cpp's
// loops:
//
//   batch, picture, channels             AVX2                              AVX-512
//   128, 32x32, 16 to 16      4.5 4.5 5.5    7.8 5.0 5.8 d      3.1 3.1 4.1   3.4 2.7 3.3 d
//   64, 32x32, 16 to 32       3.4 3.5 3.9    5.0 7.8 6.3 d      2.2 2.6 2.7   2.7 3.1 3.0 d
//   128, 16x16, 32 to 32      3.1 3.2 3.7    4.6 4.5 5.4        2.1 2.1 2.5   3.2 3.2 3.7
//   64, 32x32, 32 to 48       8.2 8.4 9.1    15.7 22.4 19.8 d   5.1 5.4 5.8   7.5 8.9 10.4 d
//   4, 56x56, 48 to 48        2.3 2.3 2.4    2.9 2.9 3.3        1.4 1.4 1.4   2.1 2.4 2.5 d
//   8, 56x56, 64 to 64        7.8 7.8 8.6    9.3 9.2 10.8       4.8 4.8 5.7   6.0 6.0 7.1
//   8, 28x28, 128 to 128      7.2 7.2 8.5    7.5 7.5 8.7        3.9 3.9 6.2   4.3 4.3 5.0
//
// The last one's weight gradient and its like stay with those loops. The number of tiles of a block
// makes little difference (24 to 192). On a Zen 4 core (118 GFLOP/s) 128, 32x32, 16 to 16
// takes 5.9, 5.9 and 7.0, oneDNN's direct convolution 7.7, 6.5 and 6.8.
bool suits(std::int64_t C, std::int64_t K)
{
    return level().convolve && isDepth(C, Depths{}) && isDepth(K, Depths{});
}

bool sumSuits(std::int64_t C, std::int64_t K)
{
    return suits(C, K) && std::max(C, K) <= kMostSummed;
}

std::size_t convolveWorkspace(std::int64_t C, std::int64_t K, int tasks)
{
    return std::size_t(tasks * Scratch::bytes(C, K));
}

void convolve(const Tiling& t, std::int64_t C, std::int64_t K, const float* x, const float* packed,
              std::int64_t packedStep, const float* bias, bool relu, float* y, int tasks,
              void* workspace)
{
    const Forward f{t, C, K, x, packed, packedStep, bias, relu, y};
    const std::int64_t blocks = (t.count() + kTiles - 1) / kTiles;
    const std::int64_t pieces = piecesOf(tasks, blocks);
    parallelWorkers(tasks, pieces, [&](std::int64_t piece, int worker) {
        Carver carver(static_cast<std::byte*>(workspace) + worker * Scratch::bytes(C, K));
        level().convolve(f, blocks * piece / pieces * kTiles,
                         std::min(t.count(), blocks * (piece + 1) / pieces * kTiles),
                         Scratch(carver, C, K));
    });
}

std::size_t sumWorkspace(std::int64_t C, std::int64_t K, int tasks)
{
    return convolveWorkspace(C, K, tasks) + std::size_t(kParts * kPlaces * C * K) * sizeof(float);
}

void sumWindows(const Tiling& t, std::int64_t C, std::int64_t K, const float* x, const float* dy,
                float* sums, int tasks, void* workspace)
{
    const std::int64_t parts = partsOf(t), numbers = kPlaces * C * K,
                       blocks = (t.count() + kTiles - 1) / kTiles;
    float* const partial = static_cast<float*>(workspace);
    std::byte* const scratch = reinterpret_cast<std::byte*>(partial + parts * numbers);
    parallelWorkers(tasks, parts, [&](std::int64_t part, int worker) {
        Carver carver(scratch + worker * Scratch::bytes(C, K));
        float* const to = partial + part * numbers;
        std::fill_n(to, numbers, 0.0f);
        level().sum({t, C, K, x, dy, to}, blocks * part / parts * kTiles,
                    std::min(t.count(), blocks * (part + 1) / parts * kTiles),
                    Scratch(carver, C, K));
    });
    parallelRanges(numbers, 4096, [&](std::int64_t begin, std::int64_t end) {
        std::copy(partial + begin, partial + end, sums + begin);
        for (std::int64_t part = 1; part < parts; ++part)
            for (std::int64_t i = begin; i < end; ++i)
                sums[i] += partial[part * numbers + i];
    });
}

} // namespace scalebench::kernels::cpu::narrow
