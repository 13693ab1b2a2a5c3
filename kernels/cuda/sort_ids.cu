// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/sort_ids.h"

#include <bit>

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/scan.h"
#include "kernels/cuda/vector.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kBits = 8, kDigits = 1 << kBits;
constexpr int kThreads = kDigits, kWarps = kThreads / 32; // thread d also looks after digit d
constexpr int kRounds = 8, kTile = kThreads * kRounds;

/// Where a pass takes its keys from.
struct Source {
    const std::int32_t *keys, *positions; ///< positions null: the first pass, keys are raw ids
    std::int32_t bound, skip;

    __device__ std::int32_t key(std::int64_t i) const
    {
        const std::int32_t key = keys[i];
        return positions || (key >= 0 && key < bound && key != skip) ? key : bound;
    }
    __device__ std::int32_t position(std::int64_t i) const
    {
        return positions ? positions[i] : std::int32_t(i);
    }
};

/// Item `round` of this thread: a warp has kTile / kWarps neighbours, 32 in each round.
__device__ std::int64_t itemOf(int round)
{
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    return std::int64_t(blockIdx.x) * kTile + warp * (32 * kRounds) + round * 32 + lane;
}

/// Lanes whose digit is the same.
__device__ unsigned peersOf(unsigned digit, bool valid)
{
    unsigned peers = __ballot_sync(kAllLanes, valid);
    SB_UNROLL
    for (int bit = 0; bit < kBits; ++bit) {
        const bool set = digit >> bit & 1u;
        const unsigned ballot = __ballot_sync(kAllLanes, set);
        peers &= set ? ballot : ~ballot;
    }
    return peers;
}

/// counts[digit * blocks + block], so that a scan gives every block its places of a digit.
__global__ void countKernel(Source source, std::int64_t n, int shift, BadIndex bad,
                            std::int32_t* counts)
{
    __shared__ std::int32_t count[kDigits];
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int r = 0; r < kRounds; ++r) {
        const std::int64_t i = itemOf(r);
        if (i >= n)
            continue;
        if (!source.positions && source.keys[i] != source.skip)
            bad.check(i, source.keys[i], source.bound);
        atomicAdd(&count[unsigned(source.key(i)) >> shift & (kDigits - 1)], 1);
    }
    __syncthreads();
    counts[std::int64_t(threadIdx.x) * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

__global__ void scatterKernel(Source source, std::int64_t n, int shift, const std::int32_t* starts,
                              std::int32_t* keys, std::int32_t* positions)
{
    __shared__ std::int32_t count[kWarps][kDigits];
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
    for (int w = 0; w < kWarps; ++w)
        count[w][threadIdx.x] = 0;
    __syncthreads();
    std::int32_t rank[kRounds], key[kRounds]; // rank: among the equal digits of the warp
    SB_UNROLL
    for (int r = 0; r < kRounds; ++r) {
        const std::int64_t i = itemOf(r);
        key[r] = i < n ? source.key(i) : 0;
        const unsigned digit = unsigned(key[r]) >> shift & (kDigits - 1);
        const unsigned peers = peersOf(digit, i < n);
        const std::int32_t before = i < n ? count[warp][digit] : 0;
        rank[r] = before + __popc(peers & ((1u << lane) - 1u));
        __syncwarp();
        if (i < n && __ffs(int(peers)) - 1 == lane)
            count[warp][digit] = before + __popc(peers);
        __syncwarp();
    }
    __syncthreads();
    std::int32_t start = starts[std::int64_t(threadIdx.x) * gridDim.x + blockIdx.x];
    for (int w = 0; w < kWarps; ++w) {
        const std::int32_t of = count[w][threadIdx.x];
        count[w][threadIdx.x] = start;
        start += of;
    }
    __syncthreads();
    SB_UNROLL
    for (int r = 0; r < kRounds; ++r) {
        const std::int64_t i = itemOf(r);
        if (i >= n)
            continue;
        const std::int32_t to = count[warp][unsigned(key[r]) >> shift & (kDigits - 1)] + rank[r];
        keys[to] = key[r];
        positions[to] = source.position(i);
    }
}

std::int64_t tilesOf(std::int64_t n)
{
    return (n + kTile - 1) / kTile;
}

} // namespace

std::size_t sortIdsScratch(std::int64_t n)
{
    const std::int64_t counts = kDigits * tilesOf(n);
    return std::size_t(2 * n + counts) * sizeof(std::int32_t) + scanScratch(counts);
}

void sortIds(std::int64_t n, std::int64_t bound, const std::int32_t* ids, std::int32_t skip,
             BadIndex bad, std::int32_t* keys, std::int32_t* positions, void* scratch,
             cudaStream_t stream)
{
    if (n == 0)
        return;
    const int width = int(std::bit_width(std::uint64_t(bound)));
    const int passes =
        (width + kBits - 1) / kBits; // bound 0: ids that are all bad keep their order
    const std::int64_t tiles = tilesOf(n);
    auto *otherKeys = static_cast<std::int32_t*>(scratch), *otherPositions = otherKeys + n,
         *counts = otherPositions + n, *scanRoom = counts + kDigits * tiles;
    const Grid grid{dim3(unsigned(tiles)), dim3(kThreads), 0};
    Source source{ids, nullptr, std::int32_t(bound), skip};
    for (int pass = 0; pass < (passes > 0 ? passes : 1); ++pass) {
        const bool toOther = (passes - 1 - pass) % 2 == 1; // the last pass ends in the result
        std::int32_t *const k = toOther ? otherKeys : keys, *const p = toOther ? otherPositions
                                                                               : positions;
        launch("sort ids count", stream, grid, countKernel, source, n, pass * kBits, bad, counts);
        exclusiveScan(kDigits * tiles, counts, nullptr, scanRoom, stream);
        launch("sort ids scatter", stream, grid, scatterKernel, source, n, pass * kBits,
               static_cast<const std::int32_t*>(counts), k, p);
        source.keys = k;
        source.positions = p;
    }
}

} // namespace scalebench::kernels::cuda
