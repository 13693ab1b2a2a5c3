// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/fused_attention.h"

#include "kernels/cuda/attention_tile.h"

namespace scalebench::kernels::cuda {
namespace {

__device__ std::int64_t firstOfGrid()
{
    return std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::int64_t threadsOfGrid()
{
    return std::int64_t(gridDim.x) * blockDim.x;
}

/// to [outer][inner][queries] = from [inner][outer][queries].
__global__ void statisticsKernel(std::int64_t outer, std::int64_t inner, std::int64_t queries,
                                 const float* from, float* to)
{
    const std::int64_t n = outer * inner * queries;
    for (std::int64_t i = firstOfGrid(); i < n; i += threadsOfGrid()) {
        const std::int64_t o = i / (inner * queries), at = i / queries % inner;
        to[i] = from[(at * outer + o) * queries + i % queries];
    }
}

__global__ void countsKernel(SegmentList list, std::int32_t* queries, std::int32_t* keys)
{
    for (std::int64_t i = firstOfGrid(); i < list.count; i += threadsOfGrid()) {
        queries[i] = std::int32_t(list.segments[i].queryCount);
        keys[i] = std::int32_t(list.segments[i].keyCount);
    }
}

/// Eight threads draw the words of 64 keys of a row, each those of two neighbouring counters: pairs
/// of keys 16 apart. Blocks: parts of a head's queries in x, heads in y, sentences in z.
template <class T>
__global__ void keptKernel(AttentionParams p, int queries, int keys, T* kept)
{
    const AttentionDropout dropout(p);
    const int pitch = int(keptPitch(keys)), groups = (keys + 63) / 64;
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x), lane = i % 8 * 2;
    const int query = i / 8 / groups, group = i / 8 % groups;
    if (query >= queries)
        return;
    const std::int64_t head = blockIdx.y, sentence = blockIdx.z;
    const std::uint64_t row =
        std::uint64_t(head * p.queryRows + sentence * queries + query) * dropout.pitch;
    const std::uint64_t words = (dropout.offset + row) / formula::kDropoutGroup + unsigned(group);
    formula::PhiloxWords drawn[2] = {formula::dropoutCounter(p.stream, words, unsigned(lane)),
                                     formula::dropoutCounter(p.stream, words, unsigned(lane + 1))};
    formula::philox4x32(drawn, std::uint32_t(p.seed), std::uint32_t(p.seed >> 32));
    T* const to = kept + ((sentence * p.heads + head) * queries + query) * pitch;
    SB_UNROLL
    for (int k = 0; k < 4; ++k) {
        const int key = group * 64 + k * 16 + lane;
        if (key < pitch)
            *reinterpret_cast<Pack<T, 2>*>(to + key) = {
                fromFloat<T>(formula::dropoutFactor(drawn[0].w[k], dropout.threshold, 1.0f)),
                fromFloat<T>(formula::dropoutFactor(drawn[1].w[k], dropout.threshold, 1.0f))};
    }
}

template <class T>
__global__ void differenceKernel(const T* a, const T* b, std::int64_t rows, std::int64_t columns,
                                 std::int64_t stride, float* out)
{
    float difference = 0.0f, square = 0.0f;
    for (std::int64_t i = firstOfGrid(); i < rows * columns; i += threadsOfGrid()) {
        const std::int64_t at = i / columns * stride + i % columns;
        const float x = toFloat(a[at]), y = toFloat(b[at]);
        difference += (x - y) * (x - y);
        square += y * y;
    }
    difference = blockSum(difference);
    square = blockSum(square);
    if (threadIdx.x == 0) {
        atomicAdd(out, difference);
        atomicAdd(out + 1, square);
    }
}

} // namespace

void statisticsBySentence(std::int64_t heads, std::int64_t sentences, std::int64_t queries,
                          const float* from, float* to, cudaStream_t stream)
{
    launch("attention statistics", stream, gridFor(heads * sentences * queries), statisticsKernel,
           sentences, heads, queries, from, to);
}

void statisticsByHead(std::int64_t heads, std::int64_t sentences, std::int64_t queries,
                      const float* from, float* to, cudaStream_t stream)
{
    launch("attention statistics", stream, gridFor(heads * sentences * queries), statisticsKernel,
           heads, sentences, queries, from, to);
}

void segmentCounts(const SegmentList& list, std::int32_t* queries, std::int32_t* keys,
                   cudaStream_t stream)
{
    launch("attention lengths", stream, gridFor(list.count), countsKernel, list, queries, keys);
}

void dropoutKept(const AttentionParams& p, std::int64_t sentences, std::int64_t keys, void* kept,
                 cudaStream_t stream)
{
    withActivationType(p.dtype, "attention", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const std::int64_t queries = p.queryRows / sentences;
        const std::int64_t threads = queries * ((keys + 63) / 64) * 8;
        const Grid grid{
            dim3(unsigned((threads + 255) / 256), unsigned(p.heads), unsigned(sentences)),
            dim3(256)};
        launch("attention dropout", stream, grid, keptKernel<T>, p, int(queries), int(keys),
               static_cast<T*>(kept));
    });
}

void addSquaredDifference(const AttentionParams& p, const void* a, const void* b, std::int64_t rows,
                          std::int64_t stride, float* out, cudaStream_t stream)
{
    withActivationType(p.dtype, "attention", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch("attention difference", stream, gridFor(rows * p.heads * p.headDim),
               differenceKernel<T>, static_cast<const T*>(a), static_cast<const T*>(b), rows,
               p.heads * p.headDim, stride, out);
    });
}

void clearHeads(const AttentionParams& p, void* x, std::int64_t rows, std::int64_t stride,
                cudaStream_t stream)
{
    clearRows(p, x, rows, stride, stream);
}

} // namespace scalebench::kernels::cuda
