// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/embedding.h"

#include <algorithm>

#include "kernels/cuda/launch.h"
#include "kernels/cuda/number.h"
#include "kernels/cuda/scan.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kPiece = 32; ///< sorted ids of a block

struct LookupTables {
    LookupTable of[kLookupTables];
};

/// blockIdx.y: the table. W neighbouring columns at a time.
template <class T, int W>
__global__ void lookupKernel(LookupTables tables, std::int64_t n, std::int64_t stride, BadIndex bad,
                             T* y)
{
    const LookupTable t = tables.of[blockIdx.y];
    const std::int64_t packs = t.dim / W, step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n * packs;
         i += step) {
        const std::int64_t row = i / packs, c = i % packs * W;
        const std::int32_t id = t.ids[row];
        Pack<float, W> in{};
        if (bad.check(row, id, t.rows))
            in = *reinterpret_cast<const Pack<float, W>*>(t.table + id * t.dim + c);
        Pack<T, W> out;
        for (int k = 0; k < W; ++k)
            out.v[k] = fromFloat<T>(in.v[k]);
        *reinterpret_cast<Pack<T, W>*>(y + row * stride + t.column + c) = out;
    }
}

// --- bags ---

struct BagRange {
    std::int64_t begin, end; ///< within the ids, whatever the offsets are
};

__device__ BagRange bagRange(const EmbeddingBagParams& p, const std::int32_t* offsets,
                             std::int64_t bag, BadIndex bad)
{
    const std::int64_t n = p.ids.n, begin = offsets[bag];
    const std::int64_t end = bag + 1 < p.bags ? std::int64_t(offsets[bag + 1]) : n;
    const bool possible = begin >= 0 && begin <= end && end <= n && (bag > 0 || begin == 0);
    if (threadIdx.x == 0)
        bad.check(bag, possible ? begin : -1, n + 1);
    return possible ? BagRange{begin, end} : BagRange{0, 0};
}

/// Factor of a bag's rows: 1, or 1 / number of ids that count.
__device__ float bagWeight(const EmbeddingBagParams& p, const std::int32_t* ids, BagRange r)
{
    if (!p.mean)
        return 1.0f;
    std::int64_t counted = 0;
    for (std::int64_t i = r.begin; i < r.end; ++i)
        counted += ids[i] != p.ids.padding;
    return counted > 0 ? 1.0f / float(counted) : 1.0f;
}

template <class T>
__global__ void bagKernel(EmbeddingBagParams p, const float* table, const std::int32_t* ids,
                          const std::int32_t* offsets, BadIndex badId, BadIndex badOffset, T* y)
{
    for (std::int64_t bag = blockIdx.x; bag < p.bags; bag += gridDim.x) {
        const BagRange r = bagRange(p, offsets, bag, badOffset);
        const float weight = bagWeight(p, ids, r);
        for (std::int64_t c = threadIdx.x; c < p.ids.dim; c += blockDim.x) {
            float sum = 0.0f;
            for (std::int64_t i = r.begin; i < r.end; ++i)
                if (ids[i] != p.ids.padding && badId.check(i, ids[i], p.ids.rows))
                    sum += table[ids[i] * p.ids.dim + c];
            y[bag * p.ids.dim + c] = fromFloat<T>(weight * sum);
        }
    }
}

__global__ void bagSourcesKernel(EmbeddingBagParams p, const std::int32_t* ids,
                                 const std::int32_t* offsets, BadIndex badOffset,
                                 std::int32_t* source, float* weight)
{
    for (std::int64_t bag = blockIdx.x; bag < p.bags; bag += gridDim.x) {
        const BagRange r = bagRange(p, offsets, bag, badOffset);
        if (threadIdx.x == 0)
            weight[bag] = bagWeight(p, ids, r);
        for (std::int64_t i = r.begin + threadIdx.x; i < r.end; i += blockDim.x)
            source[i] = std::int32_t(bag);
    }
}

// --- groups and sums ---

__device__ bool isHead(const std::int32_t* keys, std::int64_t i, std::int64_t bound)
{
    return keys[i] < bound && (i == 0 || keys[i] != keys[i - 1]);
}

__global__ void headsKernel(std::int64_t n, std::int64_t bound, const std::int32_t* keys,
                            std::int32_t* group)
{
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        group[i] = isHead(keys, i, bound);
}

/// group holds the heads before each id; becomes the number of its group.
__global__ void groupsKernel(std::int64_t n, std::int64_t bound, const std::int32_t* keys,
                             std::int32_t* group, std::int32_t* rows)
{
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        if (isHead(keys, i, bound))
            rows[group[i]] = keys[i];
        else
            group[i] -= 1;
    }
}

struct SumOperands {
    EmbeddingParams p;
    EmbeddingOrder order;
    const std::int32_t* source;
    const float* weight;
    float* out;
    float* part; ///< [pieces,dim]: what a piece adds to the row that the piece before it began
    bool accumulate;

    __device__ float* row(std::int64_t i) const
    {
        return out + std::int64_t(order.group ? order.group[i] : order.keys[i]) * p.dim;
    }
    __device__ void put(float* to, float v) const { *to = accumulate ? *to + v : v; }
};

/// One block per piece of the sorted ids and columns: writes the rows that begin here, as far as
/// the piece goes.
template <class T>
__global__ void pieceKernel(SumOperands s, const T* dy)
{
    __shared__ std::int32_t keys[kPiece + 1];
    __shared__ std::int64_t from[kPiece];
    __shared__ float weights[kPiece];
    const std::int64_t first = std::int64_t(blockIdx.x) * kPiece;
    const int count = int(min(std::int64_t(kPiece), s.p.n - first));
    for (int i = int(threadIdx.x); i <= count; i += int(blockDim.x)) {
        keys[i] = first + i > 0 ? s.order.keys[first + i - 1] : -1;
        if (i == count)
            continue;
        const std::int64_t position = s.order.positions[first + i];
        const std::int64_t j = s.source ? std::int64_t(s.source[position]) : position;
        from[i] = j * s.p.stride;
        weights[i] = s.weight ? s.weight[j] : 1.0f;
    }
    __syncthreads();
    const std::int64_t c = std::int64_t(blockIdx.y) * blockDim.x + threadIdx.x;
    if (c >= s.p.dim)
        return;
    float sum = 0.0f;
    int began = 0; // first id of the current row in this piece
    for (int i = 0; i < count && keys[i + 1] < s.p.rows; ++i) {
        sum += weights[i] * toFloat(dy[from[i] + c]);
        const bool last = i + 1 == count || keys[i + 2] != keys[i + 1];
        if (!last)
            continue;
        if (began == 0 && keys[0] == keys[1])
            s.part[std::int64_t(blockIdx.x) * s.p.dim + c] = sum;
        else
            s.put(s.row(first + i) + c, sum);
        sum = 0.0f;
        began = i + 1;
    }
}

/// Adds what later pieces have for a row to what the piece in which it began has written.
__global__ void joinKernel(SumOperands s)
{
    const std::int64_t n = s.p.n, piece = blockIdx.x, end = min((piece + 1) * kPiece, n);
    const std::int64_t c = std::int64_t(blockIdx.y) * blockDim.x + threadIdx.x;
    const std::int32_t key = s.order.keys[end - 1];
    const bool goesOn = end < n && key < s.p.rows && s.order.keys[end] == key;
    const bool beganBefore = piece > 0 && s.order.keys[piece * kPiece - 1] == key;
    if (c >= s.p.dim || !goesOn || beganBefore)
        return;
    float* const to = s.row(end - 1) + c;
    float sum = *to;
    for (std::int64_t next = piece + 1; next * kPiece < n && s.order.keys[next * kPiece] == key;
         ++next)
        sum += s.part[next * s.p.dim + c];
    *to = sum;
}

Grid columnsGrid(std::int64_t blocks, std::int64_t columns)
{
    const auto threads = unsigned(std::clamp<std::int64_t>((columns + 31) / 32 * 32, 32, 256));
    return {dim3(unsigned(blocks), unsigned((columns + threads - 1) / threads)), dim3(threads), 0};
}

Grid bagsGrid(std::int64_t bags, std::int64_t columns)
{
    return {dim3(unsigned(std::min<std::int64_t>(bags, 1 << 20))), columnsGrid(1, columns).threads,
            0};
}

std::int64_t piecesOf(std::int64_t n)
{
    return (n + kPiece - 1) / kPiece;
}

template <class T>
bool inPacks(const LookupTable* tables, int count, std::int64_t stride, const T* y)
{
    const auto aligned = [](const void* p, std::size_t bytes) {
        return reinterpret_cast<std::uintptr_t>(p) % bytes == 0;
    };
    bool packs = stride % 4 == 0 && aligned(y, 4 * sizeof(T));
    for (int i = 0; i < count; ++i)
        packs &=
            tables[i].dim % 4 == 0 && tables[i].column % 4 == 0 && aligned(tables[i].table, 16);
    return packs;
}

} // namespace

void embeddingForward(std::int64_t n, const LookupTable* tables, int count, DType dtype,
                      std::int64_t stride, BadIndex bad, void* y, cudaStream_t stream)
{
    LookupTables all;
    std::int64_t widest = 0;
    for (int i = 0; i < count; ++i) {
        all.of[i] = tables[i];
        widest = std::max(widest, tables[i].dim);
    }
    if (n * widest == 0)
        return;
    withActivationType(dtype, "embedding", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        auto* out = static_cast<T*>(y);
        const bool packs = inPacks(tables, count, stride, out);
        Grid grid = gridFor(n * widest, 256, packs ? 4 : 1);
        grid.blocks.y = unsigned(count);
        launch("embedding", stream, grid, packs ? lookupKernel<T, 4> : lookupKernel<T, 1>, all, n,
               stride, bad, out);
    });
}

void embeddingBagForward(const EmbeddingBagParams& p, const float* table, const std::int32_t* ids,
                         const std::int32_t* offsets, BadIndex badId, BadIndex badOffset, void* y,
                         cudaStream_t stream)
{
    if (p.bags * p.ids.dim == 0)
        return;
    withActivationType(p.ids.dtype, "bag embedding", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch("bag embedding", stream, bagsGrid(p.bags, p.ids.dim), bagKernel<T>, p, table, ids,
               offsets, badId, badOffset, static_cast<T*>(y));
    });
}

void embeddingBagSources(const EmbeddingBagParams& p, const std::int32_t* ids,
                         const std::int32_t* offsets, BadIndex badOffset, std::int32_t* source,
                         float* weight, cudaStream_t stream)
{
    if (p.bags == 0)
        return;
    // Offsets that cannot be leave gaps, which must not point anywhere.
    if (p.ids.n > 0)
        check(cudaMemsetAsync(source, 0, std::size_t(p.ids.n) * sizeof(std::int32_t), stream),
              "bag embedding");
    launch("bag embedding sources", stream, bagsGrid(p.bags, 32), bagSourcesKernel, p, ids, offsets,
           badOffset, source, weight);
}

void embeddingGroups(std::int64_t n, std::int64_t bound, const std::int32_t* keys,
                     std::int32_t* group, std::int32_t* rows, std::int32_t* count, void* scratch,
                     cudaStream_t stream)
{
    if (n == 0)
        return;
    launch("embedding heads", stream, gridFor(n), headsKernel, n, bound, keys, group);
    exclusiveScan(n, group, count, scratch, stream);
    launch("embedding groups", stream, gridFor(n), groupsKernel, n, bound, keys, group, rows);
}

std::size_t embeddingSumScratch(const EmbeddingParams& p)
{
    return std::size_t(piecesOf(p.n) * p.dim) * sizeof(float);
}

void embeddingSum(const EmbeddingParams& p, const EmbeddingOrder& order, const void* dy,
                  const std::int32_t* source, const float* weight, float* out, bool accumulate,
                  void* scratch, cudaStream_t stream)
{
    if (p.n * p.dim == 0)
        return;
    SumOperands s{p, order, source, weight, out, static_cast<float*>(scratch), accumulate};
    s.p.stride = p.rowStride();
    const Grid grid = columnsGrid(piecesOf(p.n), p.dim);
    withActivationType(p.dtype, "embedding gradient", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch("embedding gradient", stream, grid, pieceKernel<T>, s, static_cast<const T*>(dy));
    });
    if (p.n > kPiece)
        launch("embedding gradient join", stream, grid, joinKernel, s);
}

} // namespace scalebench::kernels::cuda
