// SPDX-License-Identifier: GPL-3.0-or-later
// Forward on tensor cores: a block has 64 M queries of one head, which stay in registers, and walks
// the keys 64 at a time, the next ones being copied meanwhile. The softmax is kept in powers of
// two.
#include "kernels/cuda/attention_mma.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int N = kMmaColumns;

constexpr std::size_t forwardBytes(int D, int M)
{
    return std::size_t(16 * kMmaWarps * M + 4 * N) * std::size_t(D + 8) * 2;
}

/// Running softmax of the rows of a lane: [m][half].
template <int M>
struct MmaSoftmax {
    float top[M][2], sum[M][2];

    __device__ MmaSoftmax()
    {
        for (int m = 0; m < M; ++m)
            for (int h = 0; h < 2; ++h) {
                top[m][h] = -INFINITY;
                sum[m][h] = 0.0f;
            }
    }
    /// Scores, hidden ones -infinity, become powers; sums of this lane only.
    template <int D>
    __device__ void add(Accumulators<M, N>& s, float scale, Accumulators<M, D>& out)
    {
        SB_UNROLL
        for (int m = 0; m < M; ++m)
            for (int h = 0; h < 2; ++h) {
                float highest = -INFINITY;
                for (int n = 0; n < N / 8; ++n)
                    highest = fmaxf(highest, fmaxf(s[m][n][2 * h], s[m][n][2 * h + 1]));
                highest = fmaxf(highest, __shfl_xor_sync(kAllLanes, highest, 1));
                highest = fmaxf(highest, __shfl_xor_sync(kAllLanes, highest, 2));
                highest = fmaxf(top[m][h], highest * scale);
                // Nothing seen so far: any finite number will do.
                const float base = highest == -INFINITY ? 0.0f : highest;
                const float rescale = fastExp2(top[m][h] - base);
                float total = 0.0f;
                for (int n = 0; n < N / 8; ++n)
                    for (int e = 2 * h; e < 2 * h + 2; ++e) {
                        s[m][n][e] = fastExp2(s[m][n][e] * scale - base);
                        total += s[m][n][e];
                    }
                sum[m][h] = sum[m][h] * rescale + total;
                top[m][h] = highest;
                for (int n = 0; n < D / 8; ++n) {
                    out[m][n][2 * h] *= rescale;
                    out[m][n][2 * h + 1] *= rescale;
                }
            }
    }
    /// Sums over the lanes of a row.
    __device__ void finish()
    {
        for (int m = 0; m < M; ++m)
            for (int h = 0; h < 2; ++h) {
                sum[m][h] += __shfl_xor_sync(kAllLanes, sum[m][h], 1);
                sum[m][h] += __shfl_xor_sync(kAllLanes, sum[m][h], 2);
            }
    }
};

template <class T, int D, int M, bool Dropout>
__global__ void __launch_bounds__(kMmaThreads)
    forwardKernel(AttentionParams p, SegmentList list, AttentionForward f, KeptBits kept)
{
    constexpr int kRows = 16 * kMmaWarps * M, kTile = N * kMmaPitch<D>;
    SB_DYNAMIC_SHARED(T, shared);
    T *const query = shared, *const keys = query + kRows * kMmaPitch<D>,
             *const values = keys + 2 * kTile;
    const TileOfBlock t = tileOfBlock(list, (list.maxQueries + kRows - 1) / kRows, kRows);
    const AttentionSegment s = t.segment;
    if (t.begin >= s.queryCount)
        return;
    const std::int64_t row = s.queryBegin + t.begin, rows = s.queryCount - t.begin;
    const std::int64_t end = p.causal ? min(s.keyCount, t.begin + kRows) : s.keyCount;
    const int first = int(threadIdx.x) / 32 * 16 * M; // row of the warp in the tile
    const auto copyStep = [&](std::int64_t k, int buffer) {
        copyTile<D, N>(headRow<T>(f.k, s.keyBegin + k, p.strideK, t.head, p), p.strideK,
                       s.keyCount - k, keys + buffer * kTile);
        copyTile<D, N>(headRow<T>(f.v, s.keyBegin + k, p.strideV, t.head, p), p.strideV,
                       s.keyCount - k, values + buffer * kTile);
    };
    copyTile<D, kRows>(headRow<T>(f.q, row, p.strideQ, t.head, p), p.strideQ, rows, query);
    if (end > 0)
        copyStep(0, 0);
    endCopyGroup();
    waitForCopies<0>();
    __syncthreads();
    std::uint32_t fragments[M][D / 16][4];
    SB_UNROLL
    for (int m = 0; m < M; ++m)
        for (int k = 0; k < D / 16; ++k)
            loadRows<D>(fragments[m][k], query, k, [&](int i) { return first + m * 16 + i; });
    const auto fragment = [&](int m, int k, std::uint32_t(&a)[4]) {
        SB_UNROLL
        for (int i = 0; i < 4; ++i)
            a[i] = fragments[m][k][i];
    };
    const float dropScale = formula::dropoutScale(p.dropout);
    MmaSoftmax<M> softmax;
    Accumulators<M, D> out = {};
    for (std::int64_t k = 0; k < end; k += N) {
        const int buffer = int(k / N % 2);
        if (k + N < end)
            copyStep(k + N, 1 - buffer);
        endCopyGroup();
        [[maybe_unused]] unsigned bits[M][2];
        if constexpr (Dropout) { // on their way while the scores are computed
            SB_UNROLL
            for (int m = 0; m < M; ++m)
                for (int h = 0; h < 2; ++h) {
                    const int at = first + m * 16 + laneRow(2 * h);
                    bits[m][h] = kept.mine(p, t.head, row + at, k, at < rows);
                }
        }
        Accumulators<M, N> score;
        rowProducts<M, N, D>(fragment, keys + buffer * kTile, score);
        if (k + N > s.keyCount || (p.causal && k + N > t.begin + 1)) {
            SB_UNROLL
            for (int m = 0; m < M; ++m)
                for (int h = 0; h < 2; ++h) {
                    const int seen =
                        keysSeen<N>(p, s, t.begin + first + m * 16 + laneRow(2 * h), k);
                    for (int n = 0; n < N / 8; ++n)
                        for (int e = 2 * h; e < 2 * h + 2; ++e)
                            score[m][n][e] = laneColumn(n, e) < seen ? score[m][n][e] : -INFINITY;
                }
        }
        softmax.template add<D>(score, p.scale * kLog2E, out);
        if constexpr (Dropout) {
            SB_UNROLL
            for (int m = 0; m < M; ++m)
                for (int n = 0; n < N / 8; ++n)
                    for (int e = 0; e < 4; ++e)
                        score[m][n][e] *= KeptBits::factor(bits[m][e / 2], n, e, dropScale);
        }
        addProducts<M, N, D>(score, values + buffer * kTile, out);
        waitForCopies<0>();
        __syncthreads();
    }
    softmax.finish();
    SB_UNROLL
    for (int m = 0; m < M; ++m)
        for (int h = 0; h < 2; ++h) {
            const float sum = softmax.sum[m][h], inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
            for (int n = 0; n < D / 8; ++n) {
                out[m][n][2 * h] *= inverse;
                out[m][n][2 * h + 1] *= inverse;
            }
            const int at = first + m * 16 + laneRow(2 * h);
            if (f.logSumExp && threadIdx.x % 4 == 0 && at < rows)
                f.logSumExp[t.head * p.queryRows + row + at] = softmax.top[m][h] * kLn2 + logf(sum);
        }
    // A warp has read its own rows of queries only, and long ago.
    storeRows<M, D>(out, query, [&](int m, int i) { return first + m * 16 + i; });
    __syncthreads();
    writeTile<D, kRows>(query, rows, headRow<T>(f.o, row, p.strideO, t.head, p), p.strideO);
}

template <class T, int D, int M, bool Dropout>
void launchForward(const AttentionParams& p, const SegmentList& list, const AttentionForward& f,
                   const KeptBits& kept, cudaStream_t stream)
{
    const Grid grid{tileGrid(list, list.maxQueries, 16 * kMmaWarps * M, p.heads), dim3(kMmaThreads),
                    forwardBytes(D, M)};
    launch("attention forward (tensor cores)", stream, grid, forwardKernel<T, D, M, Dropout>, p,
           list, f, kept);
}

} // namespace

void mmaAttentionForward(const AttentionParams& p, const SegmentList& list,
                         const AttentionForward& f, std::uint64_t* kept, cudaStream_t stream)
{
    const KeptBits bits = drawKeptBits(p, list, kept, stream);
    withMmaKernel(p, [&](auto tag, auto dim, auto dropout) {
        using T = typename decltype(tag)::Type;
        constexpr int D = dim.value;
        // Two tiles of rows a warp halve the reads of shared memory, but need queries to fill them.
        if (D == 64 && list.maxQueries > 64)
            launchForward<T, 64, 2, dropout.value>(p, list, f, bits, stream);
        else
            launchForward<T, D, 1, dropout.value>(p, list, f, bits, stream);
    });
}

} // namespace scalebench::kernels::cuda
