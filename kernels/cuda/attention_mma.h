// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the tensor-core kernels of attention share: blocks of four warps, each of which owns M tiles
// of 16 rows; the other operand of every product is a tile in shared memory. Rows there have eight
// elements more than columns, so that eight rows begin in different banks.

#include "kernels/cuda/async_copy.h"
#include "kernels/cuda/attention_tile.h"
#include "kernels/cuda/mma.h"

namespace scalebench::kernels::cuda {

constexpr int kMmaWarps = 4, kMmaThreads = 32 * kMmaWarps;
constexpr int kMmaColumns = 64; ///< keys of a step, forward and for dQ: one group of dropout words

constexpr float kLog2E = 1.4426950408889634f, kLn2 = 0.6931471805599453f;

/// Elements from a row of a tile to the next.
template <int D>
constexpr int kMmaPitch = D + 8;

/// Accumulators of M x N / 8 tiles: [m][n][element], see mma.h.
template <int M, int N>
using Accumulators = float[M][N / 8][4];

/// Place of element e of tile n in a row or column of tiles.
__device__ __forceinline__ int laneRow(int e)
{
    return int(threadIdx.x) % 32 / 4 + e / 2 * 8;
}
__device__ __forceinline__ int laneColumn(int n, int e)
{
    return n * 8 + int(threadIdx.x) % 4 * 2 + e % 2;
}

/// Begins copying `Rows` rows of an operand into a tile; zeros from `rows` on.
template <int D, int Rows, class T>
__device__ __forceinline__ void copyTile(const T* x, std::int64_t stride, std::int64_t rows,
                                         T* tile)
{
    for (int i = int(threadIdx.x); i < Rows * (D / 8); i += kMmaThreads) {
        const int r = i / (D / 8), c = i % (D / 8) * 8;
        const bool inside = r < rows;
        copyAsync16(tile + r * kMmaPitch<D> + c, inside ? x + r * stride + c : x, inside);
    }
}

/// The A fragment of columns [16 k, +16) of 16 rows; rowOf(i): row i of them in the tile.
template <int D, class T, class RowOf>
__device__ __forceinline__ void loadRows(std::uint32_t (&a)[4], const T* tile, int k, RowOf rowOf)
{
    const int lane = int(threadIdx.x) % 32;
    loadMatrices<false>(a, tile + rowOf(lane % 16) * kMmaPitch<D> + k * 16 + lane / 16 * 8);
}

/// s = a b^T: a: A fragments by fragment(m, k, registers), b: tile of N rows, sums over D columns.
template <int M, int N, int D, class T, class Fragment>
__device__ __forceinline__ void rowProducts(Fragment fragment, const T* b, Accumulators<M, N>& s)
{
    const int lane = int(threadIdx.x) % 32;
    SB_UNROLL
    for (int m = 0; m < M; ++m)
        for (int n = 0; n < N / 8; ++n)
            for (int e = 0; e < 4; ++e)
                s[m][n][e] = 0.0f;
    const T* const row = b + (lane % 8 + lane / 16 * 8) * kMmaPitch<D> + lane / 8 % 2 * 8;
    SB_UNROLL
    for (int k = 0; k < D / 16; ++k) {
        std::uint32_t a[M][4];
        SB_UNROLL
        for (int m = 0; m < M; ++m)
            fragment(m, k, a[m]);
        SB_UNROLL
        for (int n = 0; n < N / 8; n += 2) {
            std::uint32_t columns[4];
            loadMatrices<false>(columns, row + n * 8 * kMmaPitch<D> + k * 16);
            SB_UNROLL
            for (int m = 0; m < M; ++m) {
                multiplyAdd<T>(s[m][n], a[m], columns[0], columns[1]);
                multiplyAdd<T>(s[m][n + 1], a[m], columns[2], columns[3]);
            }
        }
    }
}

/// sum += w x, w rounded to T; x: tile of N rows.
template <int M, int N, int D, class T>
__device__ __forceinline__ void addProducts(const Accumulators<M, N>& w, const T* x,
                                            Accumulators<M, D>& sum)
{
    const int lane = int(threadIdx.x) % 32;
    const T* const row = x + lane % 16 * kMmaPitch<D> + lane / 16 * 8;
    SB_UNROLL
    for (int k = 0; k < N / 16; ++k) {
        std::uint32_t a[M][4];
        SB_UNROLL
        for (int m = 0; m < M; ++m)
            for (int i = 0; i < 4; ++i)
                a[m][i] =
                    packPair<T>(w[m][2 * k + i / 2][i % 2 * 2], w[m][2 * k + i / 2][i % 2 * 2 + 1]);
        SB_UNROLL
        for (int n = 0; n < D / 8; n += 2) {
            std::uint32_t columns[4];
            loadMatrices<true>(columns, row + k * 16 * kMmaPitch<D> + n * 8);
            SB_UNROLL
            for (int m = 0; m < M; ++m) {
                multiplyAdd<T>(sum[m][n], a[m], columns[0], columns[1]);
                multiplyAdd<T>(sum[m][n + 1], a[m], columns[2], columns[3]);
            }
        }
    }
}

/// Rows of accumulators, rounded, into the tile they belong to: rowOf(m, i) as in loadRows().
template <int M, int D, class T, class RowOf>
__device__ __forceinline__ void storeRows(const Accumulators<M, D>& x, T* tile, RowOf rowOf)
{
    SB_UNROLL
    for (int m = 0; m < M; ++m)
        for (int n = 0; n < D / 8; ++n)
            for (int half = 0; half < 2; ++half)
                *reinterpret_cast<std::uint32_t*>(
                    tile + rowOf(m, laneRow(2 * half)) * kMmaPitch<D> + laneColumn(n, 0)) =
                    packPair<T>(x[m][n][2 * half], x[m][n][2 * half + 1]);
}

/// A whole tile into an operand: its first `rows` rows, 16 bytes at a time. All threads, behind a
/// barrier.
template <int D, int Rows, class T>
__device__ __forceinline__ void writeTile(const T* tile, std::int64_t rows, T* x,
                                          std::int64_t stride)
{
    using Vector = Pack<T, 8>;
    for (int i = int(threadIdx.x); i < Rows * (D / 8); i += kMmaThreads) {
        const int r = i / (D / 8), c = i % (D / 8) * 8;
        if (r < rows)
            *reinterpret_cast<Vector*>(x + r * stride + c) =
                *reinterpret_cast<const Vector*>(tile + r * kMmaPitch<D> + c);
    }
}

/// Which elements dropout kept, one bit each, drawn by a kernel of its own: there are too few warps
/// beside the products to hide how long a draw takes. 64 keys of a query
/// are a word, of which thread t of four owns 16 bits, bit 2 n + b being that of key 8 n + 2 t + b.
/// [heads][words of the longest segment][queryRows].
struct KeptBits {
    const std::uint64_t* words = nullptr;
    std::int64_t perRow = 0;

    static std::int64_t wordsPerRow(const SegmentList& list)
    {
        return (list.maxKeys + kMmaColumns - 1) / kMmaColumns;
    }
    /// Of the first key of a group of 64 in its segment; `row` of the operand.
    __device__ const std::uint64_t* at(const AttentionParams& p, std::int64_t head,
                                       std::int64_t row, std::int64_t key) const
    {
        return words + (head * perRow + key / kMmaColumns) * p.queryRows + row;
    }
    /// The part of the running thread, of 64 keys from `key` on; nothing where the row is not
    /// there.
    __device__ unsigned mine(const AttentionParams& p, std::int64_t head, std::int64_t row,
                             std::int64_t key, bool there) const
    {
        return there
                   ? reinterpret_cast<const std::uint16_t*>(at(p, head, row, key))[threadIdx.x % 4]
                   : 0;
    }
    /// 0 or `scale` for element e of tile n.
    __device__ static float factor(unsigned mine, int n, int e, float scale)
    {
        return (mine >> (2 * n + e % 2) & 1u) != 0 ? scale : 0.0f;
    }
};

/// Draws all of them, into `words`.
KeptBits drawKeptBits(const AttentionParams& p, const SegmentList& list, std::uint64_t* words,
                      cudaStream_t stream);

/// How many of the N keys from `key` on the query sees; both in the segment.
template <int N>
__device__ __forceinline__ int keysSeen(const AttentionParams& p, const AttentionSegment& s,
                                        std::int64_t query, std::int64_t key)
{
    const std::int64_t end = p.causal ? min(s.keyCount, query + 1) : s.keyCount;
    return query < s.queryCount ? int(min(max(end - key, std::int64_t(0)), std::int64_t(N))) : 0;
}

/// Whether the tensor-core kernels take these operands.
template <class... P>
bool mmaFits(const AttentionParams& p, const AttentionDevice& device, const P*... operands)
{
    return device.major >= 8 && (p.dtype == DType::BF16 || p.dtype == DType::F16) &&
           (p.headDim == 64 || p.headDim == 128) && p.dropoutOffset % formula::kDropoutGroup == 0 &&
           rowsAligned(p, 8, operands...);
}

/// kept: of keptBytes().
void mmaAttentionForward(const AttentionParams& p, const SegmentList& list,
                         const AttentionForward& f, std::uint64_t* kept, cudaStream_t stream);
/// For the bits of dropout: nothing without.
inline std::size_t keptBytes(const AttentionParams& p, const SegmentList& list)
{
    return p.dropout > 0.0f ? std::size_t(p.heads * KeptBits::wordsPerRow(list) * p.queryRows) *
                                  sizeof(std::uint64_t)
                            : 0;
}
/// scratch: of keptBytes(), for bits that the forward did not leave.
void mmaAttentionBackward(const AttentionParams& p, const SegmentList& list,
                          const AttentionBackward& b, const float* dots, std::uint64_t* scratch,
                          cudaStream_t stream);

/// Calls f(TypeTag<T>, integral_constant<headDim>, bool_constant<dropout>).
template <class F>
void withMmaKernel(const AttentionParams& p, F&& f)
{
    const auto withDropout = [&](auto tag, auto dim) {
        if (p.dropout > 0.0f)
            f(tag, dim, std::true_type());
        else
            f(tag, dim, std::false_type());
    };
    const auto withDim = [&](auto tag) {
        if (p.headDim == 64)
            withDropout(tag, std::integral_constant<int, 64>());
        else
            withDropout(tag, std::integral_constant<int, 128>());
    };
    if (p.dtype == DType::BF16)
        withDim(TypeTag<BFloat16>());
    else
        withDim(TypeTag<Float16>());
}

} // namespace scalebench::kernels::cuda
