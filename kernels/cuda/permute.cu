// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/permute.h"

#include "kernels/cuda/launch.h"
#include "kernels/cuda/vector.h"
#include "kernels/cuda/words.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kMaxAxes = PermuteParams::kMaxAxes;
constexpr int kThreads = 256;

/// Rows that x holds together stay together: whole words are moved.
template <class Word, class I>
__global__ void __launch_bounds__(kThreads)
    moveWordsKernel(I words, const Strides<I, 1, kMaxAxes> from, const Word* x, Word* y)
{
    for (I i = I(blockIdx.x) * kThreads + threadIdx.x; i < words; i += I(gridDim.x) * kThreads) {
        I at;
        from.places(i, &at);
        y[i] = x[at];
    }
}

/// Rows of 128 bytes on both sides for elements of 2 bytes and more.
template <class T>
constexpr int kTile = sizeof(T) == 4 ? 32 : 64;
constexpr int kTileThreadsX = 32, kTileThreadsY = 8;

struct Tiles {
    std::int64_t rows, columns; ///< along the axis that x holds together; the last of y
    std::int64_t columnStride,
        rowStride; ///< elements: of x to the next column, of y to the next row
};

/// y[r * rowStride + c] = x[r + c * columnStride] in tiles through shared memory, so that both
/// sides are walked along their rows. One block per tile; `from` and `to` place the other axes.
template <class T, class I>
__global__ void __launch_bounds__(kTileThreadsX* kTileThreadsY)
    transposeKernel(Tiles t, Divider<I> rowTiles, Divider<I> columnTiles,
                    const Strides<I, 2, kMaxAxes> outer, const T* x, T* y)
{
    constexpr int kSize = kTile<T>;
    __shared__ T tile[kSize][kSize + 4 / sizeof(T)]; // one more bank: columns do not collide
    const I rest = rowTiles.quotient(I(blockIdx.x));
    const std::int64_t row0 = std::int64_t(I(blockIdx.x) - rest * rowTiles.divisor) * kSize;
    const I other = columnTiles.quotient(rest);
    const std::int64_t column0 = std::int64_t(rest - other * columnTiles.divisor) * kSize;
    I at[2];
    outer.places(other, at);
    const int tx = int(threadIdx.x), ty = int(threadIdx.y);
    SB_UNROLL
    for (int c = ty; c < kSize; c += kTileThreadsY)
        SB_UNROLL
    for (int r = tx; r < kSize; r += kTileThreadsX)
        if (row0 + r < t.rows && column0 + c < t.columns)
            tile[c][r] = x[std::int64_t(at[0]) + row0 + r + (column0 + c) * t.columnStride];
    __syncthreads();
    SB_UNROLL
    for (int r = ty; r < kSize; r += kTileThreadsY)
        SB_UNROLL
    for (int c = tx; c < kSize; c += kTileThreadsX)
        if (row0 + r < t.rows && column0 + c < t.columns)
            y[std::int64_t(at[1]) + (row0 + r) * t.rowStride + column0 + c] = tile[c][r];
}

std::int64_t countOf(const PermuteParams& p)
{
    std::int64_t n = 1;
    for (int a = 0; a < p.axes; ++a)
        n *= p.size[std::size_t(a)];
    return n;
}

void moveWords(const PermuteParams& p, const void* x, void* y, cudaStream_t stream)
{
    const auto last = std::size_t(p.axes - 1);
    std::uintptr_t strides = std::uintptr_t(p.size[last]);
    for (std::size_t a = 0; a < last; ++a)
        strides |= std::uintptr_t(p.stride[a]);
    const std::size_t bytes = wordBytes({strides * p.elementBytes}, {x, y});
    const std::int64_t run = std::int64_t(bytes / p.elementBytes); // elements of a word
    const std::int64_t words = countOf(p) / run;
    withWord(bytes, [&](auto tag) {
        using Word = typename decltype(tag)::Type;
        withIndex(words, [&](auto index) {
            using I = typename decltype(index)::Type;
            Strides<I, 1, kMaxAxes> from;
            for (std::size_t a = last + 1; a-- > 0;) {
                const std::int64_t stride = a == last ? 1 : p.stride[a] / run;
                from.add(a == last ? p.size[a] / run : p.size[a], &stride);
            }
            launch("permute", stream, gridFor(words, kThreads), moveWordsKernel<Word, I>, I(words),
                   from, static_cast<const Word*>(x), static_cast<Word*>(y));
        });
    });
}

/// together: the axis of y whose entries x holds side by side; not the last.
template <class T>
void transpose(const PermuteParams& p, int together, const void* x, void* y, cudaStream_t stream)
{
    const int last = p.axes - 1;
    withIndex(countOf(p), [&](auto index) {
        using I = typename decltype(index)::Type;
        Strides<I, 2, kMaxAxes> outer;
        Tiles t{p.size[std::size_t(together)], p.size[std::size_t(last)],
                p.stride[std::size_t(last)], 0};
        std::int64_t step = t.columns, others = 1;
        for (int a = last - 1; a >= 0; --a) {
            const std::int64_t size = p.size[std::size_t(a)];
            if (a == together) {
                t.rowStride = step;
            } else {
                const std::int64_t strides[2] = {p.stride[std::size_t(a)], step};
                outer.add(size, strides);
                others *= size;
            }
            step *= size;
        }
        const std::int64_t rowTiles = (t.rows + kTile<T> - 1) / kTile<T>;
        const std::int64_t columnTiles = (t.columns + kTile<T> - 1) / kTile<T>;
        launch("permute", stream,
               Grid{dim3(unsigned(rowTiles * columnTiles * others)),
                    dim3(kTileThreadsX, kTileThreadsY)},
               transposeKernel<T, I>, t, Divider<I>(rowTiles), Divider<I>(columnTiles), outer,
               static_cast<const T*>(x), static_cast<T*>(y));
    });
}

} // namespace

void permute(const PermuteParams& p, const void* x, void* y, cudaStream_t stream)
{
    if (countOf(p) == 0)
        return;
    int together = p.axes - 1;
    for (int a = 0; a < p.axes; ++a)
        if (p.stride[std::size_t(a)] == 1)
            together = a;
    if (together == p.axes - 1)
        moveWords(p, x, y, stream);
    else if (p.elementBytes == 4)
        transpose<std::uint32_t>(p, together, x, y, stream);
    else if (p.elementBytes == 2)
        transpose<std::uint16_t>(p, together, x, y, stream);
    else
        transpose<std::uint8_t>(p, together, x, y, stream);
}

} // namespace scalebench::kernels::cuda
