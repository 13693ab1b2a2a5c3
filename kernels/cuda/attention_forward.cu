// SPDX-License-Identifier: GPL-3.0-or-later
// Forward in fp32 arithmetic, for all types and heads: one block per tile of queries of one head,
// which walks the tiles of keys with a running softmax (arXiv 2307.08691, algorithm 1).
#include "kernels/cuda/attention_mma.h"
#include "kernels/cuda/attention_tile.h"

namespace scalebench::kernels::cuda {
namespace {

std::size_t forwardBytes(int D, int E)
{
    return std::size_t(3 * E * (D + 4) + E * (E + 4)) * sizeof(float);
}

/// The running softmax of the rows of a thread; sums over its own columns until the end.
template <int R>
struct RunningSoftmax {
    float top[R], sum[R];

    /// s becomes exp(scale s - maximum), 0 where hidden; rescale[i]: factor of what was summed.
    __device__ void add(float (&s)[R][R], const bool (&seen)[R][R], float scale,
                        float (&rescale)[R])
    {
        SB_UNROLL
        for (int i = 0; i < R; ++i) {
            float highest = -INFINITY;
            SB_UNROLL
            for (int j = 0; j < R; ++j) {
                s[i][j] *= scale;
                highest = seen[i][j] ? MaxOp()(highest, s[i][j]) : highest;
            }
            highest = MaxOp()(top[i], reduceColumns(highest, MaxOp()));
            // Nothing seen so far: any finite number will do.
            const float base = highest == -INFINITY ? 0.0f : highest;
            float total = 0.0f;
            SB_UNROLL
            for (int j = 0; j < R; ++j) {
                s[i][j] = seen[i][j] ? formula::exp(s[i][j] - base) : 0.0f;
                total += s[i][j];
            }
            rescale[i] = formula::exp(top[i] - base);
            sum[i] = sum[i] * rescale[i] + total;
            top[i] = highest;
        }
    }
};

template <class T, int D, int E>
__global__ void __launch_bounds__(kSimtThreads)
    forwardKernel(AttentionParams p, SegmentList list, AttentionForward f, bool packed)
{
    constexpr int R = E / 16;
    SB_DYNAMIC_SHARED(float, shared);
    float *const query = shared, *const key = query + E * (D + 4), *const value = key + E * (D + 4),
                 *const weights = value + E * (D + 4);
    const int tx = int(threadIdx.x) % 16, ty = int(threadIdx.x) / 16;
    const TileOfBlock t = tileOfBlock(list, (list.maxQueries + E - 1) / E, E);
    const AttentionSegment s = t.segment;
    if (t.begin >= s.queryCount)
        return;
    const AttentionDropout dropout(p);
    const std::int64_t row = s.queryBegin + t.begin, rows = s.queryCount - t.begin;
    const int columns = int(p.headDim + 3) / 4 * 4;
    loadTile<T, D, E>(headRow<T>(f.q, row, p.strideQ, t.head, p), p.strideQ, rows, p.headDim,
                      packed, query);
    RunningSoftmax<R> softmax;
    float out[R][D / 16] = {};
    SB_UNROLL
    for (int i = 0; i < R; ++i) {
        softmax.top[i] = -INFINITY;
        softmax.sum[i] = 0.0f;
    }
    const std::int64_t end = p.causal ? min(s.keyCount, t.begin + E) : s.keyCount;
    for (std::int64_t k = 0; k < end; k += E) {
        __syncthreads(); // the last tile has been used
        loadTile<T, D, E>(headRow<T>(f.k, s.keyBegin + k, p.strideK, t.head, p), p.strideK,
                          s.keyCount - k, p.headDim, packed, key);
        loadTile<T, D, E>(headRow<T>(f.v, s.keyBegin + k, p.strideV, t.head, p), p.strideV,
                          s.keyCount - k, p.headDim, packed, value);
        __syncthreads();
        float score[R][R], rescale[R];
        rowProducts<R, D>(query, key, columns, score);
        bool seen[R][R];
        SB_UNROLL
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < R; ++j) {
                const std::int64_t at = k + tx + 16 * j;
                seen[i][j] = at < s.keyCount && (!p.causal || at <= t.begin + ty + 16 * i);
            }
        softmax.add(score, seen, p.scale, rescale);
        SB_UNROLL
        for (int i = 0; i < R; ++i) {
            SB_UNROLL
            for (int c = 0; c < D / 16; ++c)
                out[i][c] *= rescale[i];
            SB_UNROLL
            for (int j = 0; j < R; ++j) {
                const std::int64_t queryRow = t.head * p.queryRows + row + ty + 16 * i;
                const float z = p.dropout > 0.0f && seen[i][j]
                                    ? dropout.factor(queryRow, k + tx + 16 * j)
                                    : 1.0f;
                weights[(ty + 16 * i) * (E + 4) + tx + 16 * j] = score[i][j] * z;
            }
        }
        __syncthreads();
        addProducts<R, D>(weights, value, out);
    }
    float inverse[R];
    SB_UNROLL
    for (int i = 0; i < R; ++i) {
        const float sum = reduceColumns(softmax.sum[i], SumOp());
        inverse[i] = sum == 0.0f ? 0.0f : 1.0f / sum;
        if (f.logSumExp && tx == 0 && ty + 16 * i < rows)
            f.logSumExp[t.head * p.queryRows + row + ty + 16 * i] = softmax.top[i] + logf(sum);
    }
    storeTile<T, R, D>(out, inverse, rows, p.headDim, headRow<T>(f.o, row, p.strideO, t.head, p),
                       p.strideO);
}

template <class T>
__global__ void clearRowsKernel(T* x, std::int64_t rows, std::int64_t columns, std::int64_t stride)
{
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * columns;
         i += step)
        x[i / columns * stride + i % columns] = fromFloat<T>(0.0f);
}

__global__ void fillKernel(float* x, std::int64_t n, float value)
{
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        x[i] = value;
}

} // namespace

std::string describe(const AttentionParams& p)
{
    return "attention of " + std::to_string(p.heads) + " heads of " + std::to_string(p.headDim) +
           " (" + dtypeName(p.dtype) + ")";
}

void requireLaunchable(const AttentionParams& p)
{
    if (p.headDim > kMaxHeadDim)
        throw Unsupported(describe(p) + ": the CUDA kernels take heads up to " +
                          std::to_string(kMaxHeadDim));
    if (p.heads > 65535)
        throw Unsupported(describe(p) + ": the CUDA kernels take up to 65535 heads");
}

void clearRows(const AttentionParams& p, void* x, std::int64_t rows, std::int64_t stride,
               cudaStream_t stream)
{
    const std::int64_t columns = p.heads * p.headDim;
    if (rows * columns == 0)
        return;
    withActivationType(p.dtype, "attention", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch("attention clear", stream, gridFor(rows * columns), clearRowsKernel<T>,
               static_cast<T*>(x), rows, columns, stride);
    });
}

void simtAttentionForward(const AttentionParams& p, const SegmentList& list,
                          const AttentionForward& f, std::size_t sharedBytes, cudaStream_t stream)
{
    const bool packed = rowsAligned(p, 4, f.q, f.k, f.v);
    withActivationType(p.dtype, "attention", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        withHead(p, forwardBytes, sharedBytes, [&](auto dim, auto edge) {
            constexpr int D = dim.value, E = edge.value;
            const Grid grid{tileGrid(list, list.maxQueries, E, p.heads), dim3(kSimtThreads),
                            forwardBytes(D, E)};
            launch("attention forward", stream, grid, forwardKernel<T, D, E>, p, list, f, packed);
        });
    });
}

std::size_t attentionKeptBytes(const AttentionParams& p, const SegmentList& list,
                               const AttentionForward& f, const AttentionDevice& device)
{
    return mmaFits(p, device, f.q, f.k, f.v, f.o) ? keptBytes(p, list) : 0;
}

std::size_t attentionForwardWorkspace(const AttentionParams& p, const SegmentList& list)
{
    return keptBytes(p, list);
}

void attentionForward(const AttentionParams& p, const SegmentList& list, const AttentionForward& f,
                      void* workspace, const AttentionDevice& device, cudaStream_t stream)
{
    requireLaunchable(p);
    if (list.queries < p.queryRows) {
        clearRows(p, f.o, p.queryRows, p.strideO, stream);
        if (f.logSumExp && p.heads * p.queryRows > 0)
            launch("attention clear", stream, gridFor(p.heads * p.queryRows), fillKernel,
                   f.logSumExp, p.heads * p.queryRows, -INFINITY);
    }
    if (list.queries == 0 || p.heads == 0)
        return;
    if (mmaFits(p, device, f.q, f.k, f.v, f.o))
        mmaAttentionForward(p, list, f,
                            static_cast<std::uint64_t*>(f.kept != nullptr ? f.kept : workspace),
                            stream);
    else
        simtAttentionForward(p, list, f, device.sharedBytes, stream);
}

} // namespace scalebench::kernels::cuda
