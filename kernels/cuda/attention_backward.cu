// SPDX-License-Identifier: GPL-3.0-or-later
// Backward in fp32 arithmetic, for all types and heads (arXiv 2307.08691, algorithm 2, as two
// passes). With P = exp(scale S - logSumExp), z the dropout factors and dots = sum of dO o:
//   dP = dO V^T,  dS = scale P (z dP - dots),  dV = (P z)^T dO,  dK = dS^T Q,  dQ = dS K.
#include "kernels/cuda/attention_mma.h"
#include "kernels/cuda/attention_tile.h"
#include "kernels/cuda/pack.h"

#include <algorithm>
#include <bit>

namespace scalebench::kernels::cuda {
namespace {

std::size_t backwardBytes(int D, int E)
{
    return std::size_t(4 * E * (D + 4) + 2 * E * (E + 4) + 2 * E) * sizeof(float);
}

/// `lanes` threads, a power of two up to a warp, sum dO o over a row of a head, N columns at a
/// time.
template <class T, int N>
__global__ void dotsKernel(AttentionParams p, const void* o, const void* dO, int lanes, float* dots)
{
    const std::int64_t items = p.heads * p.queryRows;
    const std::int64_t threads = std::int64_t(gridDim.x) * blockDim.x;
    const int lane = int(threadIdx.x) % lanes;
    // By warps: all threads of one take part in its sums.
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
         i / 32 * 32 < items * lanes; i += threads) {
        const std::int64_t item = i / lanes, head = item % p.heads, row = item / p.heads;
        float sum = 0.0f;
        if (item < items) {
            const T *a = headRow<T>(o, row, p.strideO, head, p),
                    *b = headRow<T>(dO, row, p.strideO, head, p);
            for (std::int64_t c = lane * N; c < p.headDim; c += lanes * N) {
                const Pack<T, N> x = loadPack<N>(a + c), y = loadPack<N>(b + c);
                SB_UNROLL
                for (int e = 0; e < N; ++e)
                    sum += toFloat(x.v[e]) * toFloat(y.v[e]);
            }
        }
        for (int other = lanes / 2; other > 0; other /= 2)
            sum += __shfl_xor_sync(kAllLanes, sum, other);
        if (item < items && lane == 0)
            dots[head * p.queryRows + row] = sum;
    }
}

/// What a thread makes of one score: P z for dV and dS for dQ and dK.
struct ScoreGradient {
    float weight, score;
    __device__ ScoreGradient(const AttentionParams& p, const AttentionDropout& dropout, bool seen,
                             float s, float dP, float logSumExp, float dots, std::int64_t queryRow,
                             std::int64_t key)
    {
        const float P = seen ? formula::exp(p.scale * s - logSumExp) : 0.0f;
        const float z = p.dropout > 0.0f && seen ? dropout.factor(queryRow, key) : 1.0f;
        weight = P * z;
        score = seen ? P * (dP * z - dots) * p.scale : 0.0f;
    }
};

/// One block per tile of keys; it walks the tiles of queries. Scores are transposed, [key][query].
template <class T, int D, int E>
__global__ void __launch_bounds__(kSimtThreads)
    keyKernel(AttentionParams p, SegmentList list, AttentionBackward b, const float* dots,
              bool packed)
{
    constexpr int R = E / 16;
    SB_DYNAMIC_SHARED(float, shared);
    float *const key = shared, *const value = key + E * (D + 4), *const query = value + E * (D + 4),
                 *const gradOut = query + E * (D + 4), *const weights = gradOut + E * (D + 4),
                 *const scores = weights + E * (E + 4), *const lse = scores + E * (E + 4),
                 *const dot = lse + E;
    const int tx = int(threadIdx.x) % 16, ty = int(threadIdx.x) / 16;
    const TileOfBlock t = tileOfBlock(list, (list.maxKeys + E - 1) / E, E);
    const AttentionSegment s = t.segment;
    if (t.begin >= s.keyCount)
        return;
    const AttentionDropout dropout(p);
    const std::int64_t row = s.keyBegin + t.begin, rows = s.keyCount - t.begin;
    const int columns = int(p.headDim + 3) / 4 * 4;
    loadTile<T, D, E>(headRow<T>(b.k, row, p.strideK, t.head, p), p.strideK, rows, p.headDim,
                      packed, key);
    loadTile<T, D, E>(headRow<T>(b.v, row, p.strideV, t.head, p), p.strideV, rows, p.headDim,
                      packed, value);
    float gradKey[R][D / 16] = {}, gradValue[R][D / 16] = {};
    for (std::int64_t q = p.causal ? t.begin : 0; q < s.queryCount; q += E) {
        const std::int64_t first = s.queryBegin + q, count = s.queryCount - q;
        const std::int64_t statistic = t.head * p.queryRows + first;
        __syncthreads();
        loadTile<T, D, E>(headRow<T>(b.q, first, p.strideQ, t.head, p), p.strideQ, count, p.headDim,
                          packed, query);
        loadTile<T, D, E>(headRow<T>(b.dO, first, p.strideO, t.head, p), p.strideO, count,
                          p.headDim, packed, gradOut);
        if (int(threadIdx.x) < E) {
            const bool inside = int(threadIdx.x) < count;
            lse[threadIdx.x] = inside ? b.logSumExp[statistic + threadIdx.x] : 0.0f;
            dot[threadIdx.x] = inside ? dots[statistic + threadIdx.x] : 0.0f;
        }
        __syncthreads();
        float S[R][R], dP[R][R];
        rowProducts<R, D>(key, query, columns, S);
        rowProducts<R, D>(value, gradOut, columns, dP);
        SB_UNROLL
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < R; ++j) {
                const std::int64_t keyAt = t.begin + ty + 16 * i, queryAt = q + tx + 16 * j;
                const bool seen =
                    keyAt < s.keyCount && queryAt < s.queryCount && (!p.causal || keyAt <= queryAt);
                const ScoreGradient g(p, dropout, seen, S[i][j], dP[i][j], lse[tx + 16 * j],
                                      dot[tx + 16 * j], statistic + tx + 16 * j, keyAt);
                const int at = (ty + 16 * i) * (E + 4) + tx + 16 * j;
                weights[at] = g.weight;
                scores[at] = g.score;
            }
        __syncthreads();
        addProducts<R, D>(weights, gradOut, gradValue);
        addProducts<R, D>(scores, query, gradKey);
    }
    float one[R];
    SB_UNROLL
    for (int i = 0; i < R; ++i)
        one[i] = 1.0f;
    storeTile<T, R, D>(gradKey, one, rows, p.headDim, headRow<T>(b.dk, row, p.strideK, t.head, p),
                       p.strideK);
    storeTile<T, R, D>(gradValue, one, rows, p.headDim, headRow<T>(b.dv, row, p.strideV, t.head, p),
                       p.strideV);
}

/// One block per tile of queries; it walks the tiles of keys.
template <class T, int D, int E>
__global__ void __launch_bounds__(kSimtThreads)
    queryKernel(AttentionParams p, SegmentList list, AttentionBackward b, const float* dots,
                bool packed)
{
    constexpr int R = E / 16;
    SB_DYNAMIC_SHARED(float, shared);
    float *const query = shared, *const gradOut = query + E * (D + 4),
                 *const key = gradOut + E * (D + 4), *const value = key + E * (D + 4),
                 *const scores = value + E * (D + 4);
    const int tx = int(threadIdx.x) % 16, ty = int(threadIdx.x) / 16;
    const TileOfBlock t = tileOfBlock(list, (list.maxQueries + E - 1) / E, E);
    const AttentionSegment s = t.segment;
    if (t.begin >= s.queryCount)
        return;
    const AttentionDropout dropout(p);
    const std::int64_t row = s.queryBegin + t.begin, rows = s.queryCount - t.begin;
    const std::int64_t statistic = t.head * p.queryRows + row;
    const int columns = int(p.headDim + 3) / 4 * 4;
    loadTile<T, D, E>(headRow<T>(b.q, row, p.strideQ, t.head, p), p.strideQ, rows, p.headDim,
                      packed, query);
    loadTile<T, D, E>(headRow<T>(b.dO, row, p.strideO, t.head, p), p.strideO, rows, p.headDim,
                      packed, gradOut);
    float lse[R], dot[R], one[R], gradQuery[R][D / 16] = {};
    SB_UNROLL
    for (int i = 0; i < R; ++i) {
        const bool inside = ty + 16 * i < rows;
        lse[i] = inside ? b.logSumExp[statistic + ty + 16 * i] : 0.0f;
        dot[i] = inside ? dots[statistic + ty + 16 * i] : 0.0f;
        one[i] = 1.0f;
    }
    const std::int64_t end = p.causal ? min(s.keyCount, t.begin + E) : s.keyCount;
    for (std::int64_t k = 0; k < end; k += E) {
        __syncthreads();
        loadTile<T, D, E>(headRow<T>(b.k, s.keyBegin + k, p.strideK, t.head, p), p.strideK,
                          s.keyCount - k, p.headDim, packed, key);
        loadTile<T, D, E>(headRow<T>(b.v, s.keyBegin + k, p.strideV, t.head, p), p.strideV,
                          s.keyCount - k, p.headDim, packed, value);
        __syncthreads();
        float S[R][R], dP[R][R];
        rowProducts<R, D>(query, key, columns, S);
        rowProducts<R, D>(gradOut, value, columns, dP);
        SB_UNROLL
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < R; ++j) {
                const std::int64_t keyAt = k + tx + 16 * j, queryAt = t.begin + ty + 16 * i;
                const bool seen =
                    keyAt < s.keyCount && queryAt < s.queryCount && (!p.causal || keyAt <= queryAt);
                const ScoreGradient g(p, dropout, seen, S[i][j], dP[i][j], lse[i], dot[i],
                                      statistic + ty + 16 * i, keyAt);
                scores[(ty + 16 * i) * (E + 4) + tx + 16 * j] = g.score;
            }
        __syncthreads();
        addProducts<R, D>(scores, key, gradQuery);
    }
    storeTile<T, R, D>(gradQuery, one, rows, p.headDim, headRow<T>(b.dq, row, p.strideQ, t.head, p),
                       p.strideQ);
}

} // namespace

void simtAttentionBackward(const AttentionParams& p, const SegmentList& list,
                           const AttentionBackward& b, const float* dots, std::size_t sharedBytes,
                           cudaStream_t stream)
{
    const bool packed = rowsAligned(p, 4, b.q, b.k, b.v, b.dO);
    withActivationType(p.dtype, "attention", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        withHead(p, backwardBytes, sharedBytes, [&](auto dim, auto edge) {
            constexpr int D = dim.value, E = edge.value;
            const Grid queries{tileGrid(list, list.maxQueries, E, p.heads), dim3(kSimtThreads),
                               backwardBytes(D, E)};
            const Grid keys{tileGrid(list, list.maxKeys, E, p.heads), dim3(kSimtThreads),
                            backwardBytes(D, E)};
            if (list.queries > 0)
                launch("attention backward dQ", stream, queries, queryKernel<T, D, E>, p, list, b,
                       dots, packed);
            if (list.keys > 0)
                launch("attention backward dK dV", stream, keys, keyKernel<T, D, E>, p, list, b,
                       dots, packed);
        });
    });
}

namespace {

/// Of the sums over rows, which the bits of dropout lie behind.
std::size_t dotsBytes(const AttentionParams& p)
{
    return std::size_t(p.heads * p.queryRows + 3) / 4 * 4 * sizeof(float);
}

} // namespace

std::size_t attentionBackwardWorkspace(const AttentionParams& p, const SegmentList& list)
{
    return dotsBytes(p) + keptBytes(p, list);
}

void attentionBackward(const AttentionParams& p, const SegmentList& list,
                       const AttentionBackward& b, void* workspace, const AttentionDevice& device,
                       cudaStream_t stream)
{
    requireLaunchable(p);
    if (list.queries < p.queryRows)
        clearRows(p, b.dq, p.queryRows, p.strideQ, stream);
    if (list.keys < p.keyRows) {
        clearRows(p, b.dk, p.keyRows, p.strideK, stream);
        clearRows(p, b.dv, p.keyRows, p.strideV, stream);
    }
    if (p.heads == 0)
        return;
    auto* dots = static_cast<float*>(workspace);
    if (p.queryRows > 0)
        withActivationType(p.dtype, "attention", [&](auto tag) {
            using T = typename decltype(tag)::Type;
            const auto start = [&](auto columns) {
                constexpr int N = columns.value;
                const int lanes = int(std::bit_floor(std::uint64_t(
                    std::min<std::int64_t>(32, std::max<std::int64_t>(1, p.headDim / N)))));
                launch("attention backward dots", stream, gridFor(p.heads * p.queryRows * lanes),
                       dotsKernel<T, N>, p, b.o, b.dO, lanes, dots);
            };
            if (rowsAligned(p, kVector<T>, b.o, b.dO))
                start(std::integral_constant<int, kVector<T>>());
            else
                start(std::integral_constant<int, 1>());
        });
    if (mmaFits(p, device, b.q, b.k, b.v, b.dO, b.dq, b.dk, b.dv))
        mmaAttentionBackward(
            p, list, b, dots,
            reinterpret_cast<std::uint64_t*>(static_cast<std::byte*>(workspace) + dotsBytes(p)),
            stream);
    else
        simtAttentionBackward(p, list, b, dots, device.sharedBytes, stream);
}

} // namespace scalebench::kernels::cuda
