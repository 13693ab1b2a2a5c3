// SPDX-License-Identifier: GPL-3.0-or-later
// Backward on tensor cores, formulas as in attention_backward.cu. Two passes, each with a tile of
// 64 rows that stays and tiles of the other operands that walk by, the next ones being copied
// meanwhile. Both recompute S and dP; no sum crosses blocks.
#include "kernels/cuda/attention_mma.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kRows = 16 * kMmaWarps;

/// Queries of a step of the key pass: registers bound it for the larger head.
template <int D>
constexpr int kQueries = D == 64 ? 64 : 32;

constexpr std::size_t queryBytes(int D)
{
    return std::size_t(2 * kRows + 4 * kMmaColumns) * std::size_t(D + 8) * 2;
}
constexpr std::size_t keyBytes(int D, int queries)
{
    return std::size_t(2 * kRows + 4 * queries) * std::size_t(D + 8) * 2 +
           std::size_t(4 * queries) * sizeof(float) +
           std::size_t(2 * queries) * sizeof(std::uint64_t);
}

/// S, dP of one score become P z and dS.
__device__ __forceinline__ void scoreGradient(float& s, float& dP, float scale, float logSumExp2,
                                              float dots, float z)
{
    const float P = fastExp2(s * scale * kLog2E - logSumExp2);
    dP = P * (dP * z - dots) * scale;
    s = P * z;
}

// --- dQ: the rows are queries ---

template <class T, int D, bool Dropout>
__global__ void __launch_bounds__(kMmaThreads, D == 64 && Dropout ? 3 : 0)
    queryKernel(AttentionParams p, SegmentList list, AttentionBackward b, const float* dots,
                KeptBits kept)
{
    constexpr int N = kMmaColumns, kTile = N * kMmaPitch<D>;
    SB_DYNAMIC_SHARED(T, shared);
    T *const query = shared, *const gradOut = query + kRows * kMmaPitch<D>,
             *const keys = gradOut + kRows * kMmaPitch<D>, *const values = keys + 2 * kTile;
    const TileOfBlock t = tileOfBlock(list, (list.maxQueries + kRows - 1) / kRows, kRows);
    const AttentionSegment s = t.segment;
    if (t.begin >= s.queryCount)
        return;
    const std::int64_t row = s.queryBegin + t.begin, rows = s.queryCount - t.begin;
    const std::int64_t statistic = t.head * p.queryRows + row;
    const std::int64_t end = p.causal ? min(s.keyCount, t.begin + kRows) : s.keyCount;
    const int first = int(threadIdx.x) / 32 * 16;
    const auto copyStep = [&](std::int64_t k, int buffer) {
        copyTile<D, N>(headRow<T>(b.k, s.keyBegin + k, p.strideK, t.head, p), p.strideK,
                       s.keyCount - k, keys + buffer * kTile);
        copyTile<D, N>(headRow<T>(b.v, s.keyBegin + k, p.strideV, t.head, p), p.strideV,
                       s.keyCount - k, values + buffer * kTile);
    };
    copyTile<D, kRows>(headRow<T>(b.q, row, p.strideQ, t.head, p), p.strideQ, rows, query);
    copyTile<D, kRows>(headRow<T>(b.dO, row, p.strideO, t.head, p), p.strideO, rows, gradOut);
    if (end > 0)
        copyStep(0, 0);
    endCopyGroup();
    float lse[2], dot[2];
    SB_UNROLL
    for (int h = 0; h < 2; ++h) {
        const int at = first + laneRow(2 * h);
        lse[h] = at < rows ? b.logSumExp[statistic + at] * kLog2E : 0.0f;
        dot[h] = at < rows ? dots[statistic + at] : 0.0f;
    }
    waitForCopies<0>();
    __syncthreads();
    const auto rowOf = [&](int i) { return first + i; };
    const float dropScale = formula::dropoutScale(p.dropout);
    Accumulators<1, D> gradQuery = {};
    for (std::int64_t k = 0; k < end; k += N) {
        const int buffer = int(k / N % 2);
        if (k + N < end)
            copyStep(k + N, 1 - buffer);
        endCopyGroup();
        [[maybe_unused]] unsigned bits[2];
        if constexpr (Dropout)
            for (int h = 0; h < 2; ++h) {
                const int at = first + laneRow(2 * h);
                bits[h] = kept.mine(p, t.head, row + at, k, at < rows);
            }
        Accumulators<1, N> S, dP;
        rowProducts<1, N, D>(
            [&](int, int c, std::uint32_t(&a)[4]) { loadRows<D>(a, query, c, rowOf); },
            keys + buffer * kTile, S);
        rowProducts<1, N, D>(
            [&](int, int c, std::uint32_t(&a)[4]) { loadRows<D>(a, gradOut, c, rowOf); },
            values + buffer * kTile, dP);
        int seen[2];
        SB_UNROLL
        for (int h = 0; h < 2; ++h)
            seen[h] = keysSeen<N>(p, s, t.begin + first + laneRow(2 * h), k);
        const auto change = [&](int n, int e, float z) {
            scoreGradient(S[0][n][e], dP[0][n][e], p.scale, lse[e / 2], dot[e / 2], z);
            if (laneColumn(n, e) >= seen[e / 2])
                dP[0][n][e] = 0.0f;
        };
        SB_UNROLL
        for (int n = 0; n < N / 8; ++n)
            for (int e = 0; e < 4; ++e) {
                if constexpr (Dropout)
                    change(n, e, KeptBits::factor(bits[e / 2], n, e, dropScale));
                else
                    change(n, e, 1.0f);
            }
        addProducts<1, N, D>(dP, keys + buffer * kTile, gradQuery);
        waitForCopies<0>();
        __syncthreads();
    }
    storeRows<1, D>(gradQuery, query, [&](int, int i) { return first + i; });
    __syncthreads();
    writeTile<D, kRows>(query, rows, headRow<T>(b.dq, row, p.strideQ, t.head, p), p.strideQ);
}

// --- dK, dV: the rows are keys, scores are transposed ---

/// The key that row i of a warp stands for: four neighbours, and those 16, 32 and 48 behind. The
/// two of a thread, 32 apart, then have their bits 8 apart in one part of KeptBits.
__device__ __forceinline__ int keyOfRow(int i)
{
    return int(threadIdx.x) / 32 * 4 + i % 4 + i / 4 * 16;
}

template <class T, int D, bool Dropout>
__global__ void __launch_bounds__(kMmaThreads)
    keyKernel(AttentionParams p, SegmentList list, AttentionBackward b, const float* dots,
              KeptBits kept)
{
    constexpr int N = kQueries<D>, kTile = N * kMmaPitch<D>;
    SB_DYNAMIC_SHARED(T, shared);
    T *const key = shared, *const value = key + kRows * kMmaPitch<D>,
             *const queries = value + kRows * kMmaPitch<D>, *const gradOuts = queries + 2 * kTile;
    auto* const statistics = reinterpret_cast<float*>(gradOuts + 2 * kTile);  // [2][lse, dots][N]
    auto* const words = reinterpret_cast<std::uint64_t*>(statistics + 4 * N); // [2][N]
    const TileOfBlock t = tileOfBlock(list, (list.maxKeys + kRows - 1) / kRows, kRows);
    const AttentionSegment s = t.segment;
    if (t.begin >= s.keyCount)
        return;
    const std::int64_t row = s.keyBegin + t.begin, rows = s.keyCount - t.begin;
    const std::int64_t start = p.causal ? t.begin : 0; // the first query that sees one of the keys
    const auto copyStep = [&](std::int64_t q, int buffer) {
        const std::int64_t at = s.queryBegin + q, count = s.queryCount - q;
        copyTile<D, N>(headRow<T>(b.q, at, p.strideQ, t.head, p), p.strideQ, count,
                       queries + buffer * kTile);
        copyTile<D, N>(headRow<T>(b.dO, at, p.strideO, t.head, p), p.strideO, count,
                       gradOuts + buffer * kTile);
        const int i = int(threadIdx.x);
        if (i < N) {
            const std::int64_t from = t.head * p.queryRows + at + i;
            statistics[buffer * 2 * N + i] = i < count ? b.logSumExp[from] * kLog2E : 0.0f;
            statistics[buffer * 2 * N + N + i] = i < count ? dots[from] : 0.0f;
            if constexpr (Dropout)
                words[buffer * N + i] = i < count ? *kept.at(p, t.head, at + i, t.begin) : 0;
        }
    };
    copyTile<D, kRows>(headRow<T>(b.k, row, p.strideK, t.head, p), p.strideK, rows, key);
    copyTile<D, kRows>(headRow<T>(b.v, row, p.strideV, t.head, p), p.strideV, rows, value);
    if (start < s.queryCount)
        copyStep(start, 0);
    endCopyGroup();
    waitForCopies<0>();
    __syncthreads();
    const float dropScale = formula::dropoutScale(p.dropout);
    const int firstKey = keyOfRow(laneRow(0)), part = firstKey % 8 / 2,
              firstBit = firstKey / 8 * 2 + firstKey % 2;
    Accumulators<1, D> gradKey = {}, gradValue = {};
    int buffer = 0;
    for (std::int64_t q = start; q < s.queryCount; q += N, buffer = 1 - buffer) {
        if (q + N < s.queryCount)
            copyStep(q + N, 1 - buffer);
        endCopyGroup();
        const T *const query = queries + buffer * kTile, *const gradOut = gradOuts + buffer * kTile;
        const float* const lse = statistics + buffer * 2 * N;
        Accumulators<1, N> S, dP;
        rowProducts<1, N, D>(
            [&](int, int c, std::uint32_t(&a)[4]) { loadRows<D>(a, key, c, keyOfRow); }, query, S);
        rowProducts<1, N, D>(
            [&](int, int c, std::uint32_t(&a)[4]) { loadRows<D>(a, value, c, keyOfRow); }, gradOut,
            dP);
        // Queries of this step that see the keys of the lane: columns [begin, end).
        const int end = int(min(s.queryCount - q, std::int64_t(N)));
        int begin[2];
        SB_UNROLL
        for (int h = 0; h < 2; ++h) {
            const std::int64_t keyAt = t.begin + keyOfRow(laneRow(2 * h));
            begin[h] = keyAt >= s.keyCount ? N
                       : p.causal          ? int(max(keyAt - q, std::int64_t(0)))
                                           : 0;
        }
        const auto change = [&](int n, int e, float z) {
            const int column = laneColumn(n, e);
            scoreGradient(S[0][n][e], dP[0][n][e], p.scale, lse[column], lse[N + column], z);
            if (column < begin[e / 2] || column >= end)
                S[0][n][e] = dP[0][n][e] = 0.0f;
        };
        SB_UNROLL
        for (int n = 0; n < N / 8; ++n)
            for (int c = 0; c < 2; ++c) {
                if constexpr (!Dropout) {
                    change(n, c, 1.0f);
                    change(n, c + 2, 1.0f);
                } else {
                    const auto* const own =
                        reinterpret_cast<const std::uint16_t*>(words + buffer * N);
                    const unsigned bits = own[laneColumn(n, c) * 4 + part] >> firstBit;
                    change(n, c, (bits & 1u) != 0 ? dropScale : 0.0f);
                    change(n, c + 2, (bits & 0x100u) != 0 ? dropScale : 0.0f);
                }
            }
        addProducts<1, N, D>(S, gradOut, gradValue);
        addProducts<1, N, D>(dP, query, gradKey);
        waitForCopies<0>();
        __syncthreads();
    }
    storeRows<1, D>(gradKey, key, [](int, int i) { return keyOfRow(i); });
    storeRows<1, D>(gradValue, value, [](int, int i) { return keyOfRow(i); });
    __syncthreads();
    writeTile<D, kRows>(key, rows, headRow<T>(b.dk, row, p.strideK, t.head, p), p.strideK);
    writeTile<D, kRows>(value, rows, headRow<T>(b.dv, row, p.strideV, t.head, p), p.strideV);
}

} // namespace

void mmaAttentionBackward(const AttentionParams& p, const SegmentList& list,
                          const AttentionBackward& b, const float* dots, std::uint64_t* scratch,
                          cudaStream_t stream)
{
    const KeptBits bits = b.kept != nullptr ? KeptBits{static_cast<const std::uint64_t*>(b.kept),
                                                       KeptBits::wordsPerRow(list)}
                                            : drawKeptBits(p, list, scratch, stream);
    withMmaKernel(p, [&](auto tag, auto dim, auto dropout) {
        using T = typename decltype(tag)::Type;
        constexpr int D = dim.value;
        const Grid queries{tileGrid(list, list.maxQueries, kRows, p.heads), dim3(kMmaThreads),
                           queryBytes(D)};
        const Grid keys{tileGrid(list, list.maxKeys, kRows, p.heads), dim3(kMmaThreads),
                        keyBytes(D, kQueries<D>)};
        if (list.queries > 0)
            launch("attention backward dQ (tensor cores)", stream, queries,
                   queryKernel<T, D, dropout.value>, p, list, b, dots, bits);
        if (list.keys > 0)
            launch("attention backward dK dV (tensor cores)", stream, keys,
                   keyKernel<T, D, dropout.value>, p, list, b, dots, bits);
    });
}

} // namespace scalebench::kernels::cuda
