// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the attention kernels share: the tile of a block, dropout factors, and the products of fp32
// tiles in shared memory by 256 threads, 16 x 16, each of which owns rows ty + 16 i and columns
// tx + 16 j. Rows have 4 floats more than columns: eight threads with successive rows then read
// 16 bytes each from 32 different banks.

#include "kernels/cuda/attention.h"
#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/number.h"
#include "kernels/cuda/vector.h"
#include "kernels/formula/dropout.h"
#include "kernels/formula/math.h"

#include <string>

namespace scalebench::kernels::cuda {

constexpr int kSimtThreads = 256;

/// The part of a segment that a block works on.
struct TileOfBlock {
    AttentionSegment segment;
    std::int64_t head, begin; ///< first row of the tile in its segment
};

/// Blocks of a launch: tiles of all segments in x, heads in y. Late tiles come first: with a causal
/// mask those of queries are the long ones.
__device__ inline TileOfBlock tileOfBlock(const SegmentList& list, std::int64_t tiles, int edge)
{
    const std::int64_t x = blockIdx.x;
    return {list.segments[x / tiles], std::int64_t(blockIdx.y), (tiles - 1 - x % tiles) * edge};
}

/// Empty (no blocks) when there is nothing to do.
inline dim3 tileGrid(const SegmentList& list, std::int64_t longest, std::int64_t edge,
                     std::int64_t heads)
{
    return dim3(unsigned(list.count * ((longest + edge - 1) / edge)), unsigned(heads), 1);
}

/// The dropout of the probabilities, with constants at hand.
struct AttentionDropout {
    std::uint64_t seed, stream, offset, pitch;
    std::uint32_t threshold;
    float scale;

    __device__ explicit AttentionDropout(const AttentionParams& p)
        : seed(p.seed),
          stream(p.stream),
          offset(p.dropoutOffset),
          pitch(std::uint64_t((p.keyRows + 63) / 64 * 64)),
          threshold(formula::dropoutThreshold(p.dropout)),
          scale(formula::dropoutScale(p.dropout))
    {
    }
    /// `row`: head * queryRows + row of the query; `key`: in its segment.
    __device__ float factor(std::int64_t row, std::int64_t key) const
    {
        const std::uint64_t element = offset + std::uint64_t(row) * pitch + std::uint64_t(key);
        return formula::dropoutFactor(formula::dropoutWord(seed, stream, element), threshold,
                                      scale);
    }
};

/// Row `row` of head `head` of an operand.
template <class T>
__device__ const T* headRow(const void* x, std::int64_t row, std::int64_t stride, std::int64_t head,
                            const AttentionParams& p)
{
    return static_cast<const T*>(x) + row * stride + head * p.headDim;
}
template <class T>
__device__ T* headRow(void* x, std::int64_t row, std::int64_t stride, std::int64_t head,
                      const AttentionParams& p)
{
    return static_cast<T*>(x) + row * stride + head * p.headDim;
}

/// tile [E][D + 4] = rows of x in fp32, zero behind `rows` and `columns`. `packed`: rows begin on
/// boundaries of four elements and columns is a multiple of four.
template <class T, int D, int E>
__device__ void loadTile(const T* x, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                         bool packed, float* tile)
{
    using In = Pack<T, 4>;
    for (int i = int(threadIdx.x); i < E * (D / 4); i += kSimtThreads) {
        const int r = i / (D / 4), c = i % (D / 4) * 4;
        Pack<float, 4> out{};
        if (r < rows && c < columns) {
            const T* from = x + r * stride + c;
            if (packed) {
                const In in = *reinterpret_cast<const In*>(from);
                SB_UNROLL
                for (int k = 0; k < 4; ++k)
                    out.v[k] = toFloat(in.v[k]);
            } else {
                for (int k = 0; k < 4 && c + k < columns; ++k)
                    out.v[k] = toFloat(from[k]);
            }
        }
        *reinterpret_cast<Pack<float, 4>*>(tile + r * (D + 4) + c) = out;
    }
}

/// s[i][j] = row ty + 16 i of a times row tx + 16 j of b, both [16 R][D + 4], over `columns`.
template <int R, int D>
__device__ void rowProducts(const float* a, const float* b, int columns, float (&s)[R][R])
{
    const int tx = int(threadIdx.x) % 16, ty = int(threadIdx.x) / 16;
    SB_UNROLL
    for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j)
            s[i][j] = 0.0f;
    for (int d = 0; d < columns; d += 4) {
        Pack<float, 4> left[R], right[R];
        SB_UNROLL
        for (int i = 0; i < R; ++i) {
            left[i] = *reinterpret_cast<const Pack<float, 4>*>(a + (ty + 16 * i) * (D + 4) + d);
            right[i] = *reinterpret_cast<const Pack<float, 4>*>(b + (tx + 16 * i) * (D + 4) + d);
        }
        SB_UNROLL
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < R; ++j)
                for (int k = 0; k < 4; ++k)
                    s[i][j] += left[i].v[k] * right[j].v[k];
    }
}

/// Columns of a row of D that a thread owns: `kCount`, in packs of kPack.
template <int D>
struct Columns {
    static constexpr int kCount = D / 16, kPack = kCount < 4 ? kCount : 4;
    __device__ static int at(int c)
    {
        return int(threadIdx.x) % 16 * kPack + c / kPack * 16 * kPack + c % kPack;
    }
};

/// sum[i][c] += row ty + 16 i of w [16 R][16 R + 4] times column Columns::at(c) of x [16 R][D + 4].
template <int R, int D>
__device__ void addProducts(const float* w, const float* x, float (&sum)[R][D / 16])
{
    using Own = Columns<D>;
    constexpr int E = 16 * R, kPack = Own::kPack;
    const int ty = int(threadIdx.x) / 16;
    for (int j = 0; j < E; j += 4) {
        Pack<float, 4> weight[R];
        SB_UNROLL
        for (int i = 0; i < R; ++i)
            weight[i] = *reinterpret_cast<const Pack<float, 4>*>(w + (ty + 16 * i) * (E + 4) + j);
        SB_UNROLL
        for (int k = 0; k < 4; ++k)
            for (int c = 0; c < Own::kCount; c += kPack) {
                const auto value = *reinterpret_cast<const Pack<float, kPack>*>(
                    x + (j + k) * (D + 4) + Own::at(c));
                SB_UNROLL
                for (int i = 0; i < R; ++i)
                    for (int e = 0; e < kPack; ++e)
                        sum[i][c + e] += weight[i].v[k] * value.v[e];
            }
    }
}

/// Rows ty + 16 i < rows of sum, times factor[i], into the operand.
template <class T, int R, int D>
__device__ void storeTile(const float (&sum)[R][D / 16], const float (&factor)[R],
                          std::int64_t rows, std::int64_t columns, T* x, std::int64_t stride)
{
    const int ty = int(threadIdx.x) / 16;
    SB_UNROLL
    for (int i = 0; i < R; ++i) {
        if (ty + 16 * i >= rows)
            continue;
        SB_UNROLL
        for (int c = 0; c < D / 16; ++c)
            if (Columns<D>::at(c) < columns)
                x[(ty + 16 * i) * stride + Columns<D>::at(c)] = fromFloat<T>(sum[i][c] * factor[i]);
    }
}

/// Over the 16 threads that share rows.
template <class Op>
__device__ float reduceColumns(float v, Op op)
{
    for (int lanes = 8; lanes > 0; lanes /= 2)
        v = op(v, __shfl_xor_sync(kAllLanes, v, lanes));
    return v;
}

/// Whether all rows of all operands begin on a boundary of `elements` elements.
template <class... P>
bool rowsAligned(const AttentionParams& p, int elements, const P*... operands)
{
    const std::size_t bytes = std::size_t(elements) * dtypeBytes(p.dtype);
    bool aligned = p.headDim % elements == 0;
    for (const std::int64_t stride : {p.strideQ, p.strideK, p.strideV, p.strideO})
        aligned &= stride % elements == 0;
    return aligned && (... && (reinterpret_cast<std::uintptr_t>(operands) % bytes == 0));
}

/// "attention of 16 heads of 300 (bf16)".
std::string describe(const AttentionParams& p);
/// Unsupported for what no kernel here takes.
void requireLaunchable(const AttentionParams& p);
/// Zeroes the heads of all rows of an operand.
void clearRows(const AttentionParams& p, void* x, std::int64_t rows, std::int64_t stride,
               cudaStream_t stream);

// The implementations, on operands that suit them.
void simtAttentionForward(const AttentionParams& p, const SegmentList& list,
                          const AttentionForward& f, std::size_t sharedBytes, cudaStream_t stream);
/// dots [heads, queryRows]: sum over a row of dO o.
void simtAttentionBackward(const AttentionParams& p, const SegmentList& list,
                           const AttentionBackward& b, const float* dots, std::size_t sharedBytes,
                           cudaStream_t stream);

/// Head sizes that are compiled, and the edge of the tiles: the larger one where its shared memory
/// fits. Calls f(integral_constant<D>, integral_constant<E>).
template <class F>
void withHead(const AttentionParams& p, std::size_t (*bytes)(int D, int E), std::size_t sharedBytes,
              F&& f)
{
    const auto run = [&](auto dim, auto large, auto small) {
        constexpr int D = dim.value, E = large.value, S = small.value;
        if constexpr (E != S)
            if (bytes(D, E) <= sharedBytes)
                return f(std::integral_constant<int, D>(), std::integral_constant<int, E>());
        if (bytes(D, S) > sharedBytes)
            throw Unsupported(describe(p) + ": needs " + std::to_string(bytes(D, S)) +
                              " bytes of shared memory, the device has " +
                              std::to_string(sharedBytes));
        f(std::integral_constant<int, D>(), std::integral_constant<int, S>());
    };
    using E16 = std::integral_constant<int, 16>;
    using E32 = std::integral_constant<int, 32>;
    using E64 = std::integral_constant<int, 64>;
    if (p.headDim <= 32)
        run(std::integral_constant<int, 32>(), E64(), E32());
    else if (p.headDim <= 64)
        run(std::integral_constant<int, 64>(), E64(), E32());
    else if (p.headDim <= 128)
        run(std::integral_constant<int, 128>(), E32(), E16());
    else
        run(std::integral_constant<int, 256>(), E16(), E16());
}

} // namespace scalebench::kernels::cuda
