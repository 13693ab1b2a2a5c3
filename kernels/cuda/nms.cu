// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/block.h"
#include "kernels/cuda/boxes.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/sort_ids.h"
#include "kernels/formula/box.h"

namespace scalebench::kernels::cuda {
namespace {

using formula::Box;
using Word = unsigned long long;

constexpr int kWordBits = 64, kWords = 8;
constexpr int kChunk = kWords * kWordBits; ///< boxes that one warp decides on together

/// Boxes by falling score and what is known of them. Counters in device memory.
struct Sorted {
    Box* box;
    Word* mask; ///< [kChunk][kWords]: bit j of row i: box i of the chunk drops box j > i
    std::int32_t *number, *group, *dropped;
    std::int32_t* chunkKept; ///< [kChunk] kept ones of the running chunk, their places
    std::int32_t* chunkCount;
    std::uint32_t* keys;
    void* sortRoom;

    Sorted(std::int64_t n, void* scratch)
        : box(static_cast<Box*>(scratch)),
          mask(reinterpret_cast<Word*>(box + n)),
          number(reinterpret_cast<std::int32_t*>(mask + kChunk * kWords)),
          group(number + n),
          dropped(group + n),
          chunkKept(dropped + n),
          chunkCount(chunkKept + kChunk),
          keys(reinterpret_cast<std::uint32_t*>(chunkCount + 1)),
          sortRoom(keys + n)
    {
    }
    __device__ bool drops(float threshold, const Box& better, std::int32_t betterGroup,
                          std::int64_t i) const
    {
        return group[i] == betterGroup && formula::boxIou(better, box[i]) > threshold;
    }
};

__global__ void gatherKernel(Sorted s, std::int64_t n, const Box* boxes, const std::int32_t* groups)
{
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        const std::int32_t from = s.number[i];
        s.box[i] = boxes[from];
        s.group[i] = groups ? groups[from] : 0;
        s.dropped[i] = 0;
    }
}

/// Block: kWordBits boxes (x) against the kWordBits boxes of one word (y).
__global__ void maskKernel(Sorted s, float threshold, std::int64_t first, int count)
{
    const int i = int(blockIdx.x) * kWordBits + int(threadIdx.x);
    if (i >= count)
        return;
    const Box mine = s.box[first + i];
    const std::int32_t group = s.group[first + i];
    Word bits = 0;
    const int begin = int(blockIdx.y) * kWordBits, end = min(begin + kWordBits, count);
    for (int j = max(begin, i + 1); j < end; ++j)
        if (s.drops(threshold, mine, group, first + j))
            bits |= Word(1) << (j - begin);
    s.mask[i * kWords + int(blockIdx.y)] = bits;
}

/// One warp: lane w holds the word w of the boxes that are gone.
__global__ void decideKernel(Sorted s, std::int64_t maxKept, std::int64_t first, int count,
                             std::int32_t* keep, std::int32_t* kept)
{
    const int lane = int(threadIdx.x);
    std::int32_t total = *kept, here = 0;
    Word gone = 0;
    for (int bit = 0; lane < kWords && bit < kWordBits; ++bit) {
        const int i = lane * kWordBits + bit;
        if (i >= count || s.dropped[first + i])
            gone |= Word(1) << bit;
    }
    for (int i = 0; i < count && total != maxKept; ++i) {
        const Word word = __shfl_sync(kAllLanes, gone, i / kWordBits);
        if (word >> (i % kWordBits) & 1)
            continue;
        if (lane == 0) {
            keep[total] = s.number[first + i];
            s.chunkKept[here] = std::int32_t(first) + i;
        }
        ++total, ++here;
        if (lane < kWords)
            gone |= s.mask[i * kWords + lane];
    }
    if (lane == 0) {
        *kept = total;
        *s.chunkCount = here;
    }
}

/// Drops boxes from `begin` on that overlap one kept in the chunk.
__global__ void dropKernel(Sorted s, float threshold, std::int64_t begin, std::int64_t n)
{
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    const std::int32_t count = *s.chunkCount;
    for (std::int64_t i = begin + std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += step) {
        bool gone = s.dropped[i] != 0;
        for (std::int32_t k = 0; k < count && !gone; ++k) {
            const std::int32_t better = s.chunkKept[k];
            gone = s.drops(threshold, s.box[better], s.group[better], i);
        }
        s.dropped[i] = gone;
    }
}

} // namespace

std::size_t nmsScratch(std::int64_t n)
{
    return std::size_t(n) * (sizeof(Box) + 4 * sizeof(std::int32_t)) +
           kChunk * (kWords * sizeof(Word) + sizeof(std::int32_t)) + sizeof(std::int32_t) +
           sortScratch(n);
}

void nms(const NmsParams& p, std::int64_t n, const float* boxes, const float* scores,
         const std::int32_t* groups, std::int32_t* keep, std::int32_t* kept, void* scratch,
         cudaStream_t stream)
{
    check(cudaMemsetAsync(kept, 0, sizeof *kept, stream), "nms");
    if (n == 0)
        return;
    const Sorted s(n, scratch);
    sortFalling(n, scores, s.keys, s.number, s.sortRoom, stream);
    launch("nms gather", stream, gridFor(n), gatherKernel, s, n,
           reinterpret_cast<const Box*>(boxes), groups);
    for (std::int64_t first = 0; first < n; first += kChunk) {
        const int count = int(std::min<std::int64_t>(kChunk, n - first));
        const auto words = unsigned((count + kWordBits - 1) / kWordBits);
        // Words that hold no box stay as they are: nothing reads their bits.
        launch("nms mask", stream, {dim3(words, words), dim3(kWordBits), 0}, maskKernel, s,
               p.threshold, first, count);
        launch("nms decide", stream, {dim3(1), dim3(32), 0}, decideKernel, s, p.maxKept, first,
               count, keep, kept);
        if (first + count < n)
            launch("nms drop", stream, gridFor(n - first - count), dropKernel, s, p.threshold,
                   first + count, n);
    }
}

} // namespace scalebench::kernels::cuda
