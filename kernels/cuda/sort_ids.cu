// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/sort_ids.h"

#include <algorithm>
#include <bit>

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/scan.h"
#include "kernels/cuda/vector.h"
#include "kernels/formula/order.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kBits = 8, kDigits = 1 << kBits;
constexpr int kThreads = kDigits, kWarps = kThreads / 32; // thread d also looks after digit d
constexpr int kRounds = 8, kTile = kThreads * kRounds;

// Where a pass takes its keys and positions from: the first one from what is to be sorted.

struct FromIds {
    const std::int32_t* ids;
    std::int32_t bound, skip;
    BadIndex bad;

    __device__ std::uint32_t key(std::int64_t i) const
    {
        const std::int32_t id = ids[i];
        return std::uint32_t(id >= 0 && id < bound && id != skip ? id : bound);
    }
    __device__ void look(std::int64_t i) const
    {
        if (ids[i] != skip)
            bad.check(i, ids[i], bound);
    }
    __device__ std::int32_t position(std::int64_t i) const { return std::int32_t(i); }
};

struct FromNumbers {
    const float* x;

    __device__ std::uint32_t key(std::int64_t i) const
    {
        const float v = x[i] == x[i] ? x[i] : -INFINITY;
        return ~std::uint32_t(formula::orderKey(v, 0) >> 32);
    }
    __device__ void look(std::int64_t) const {}
    __device__ std::int32_t position(std::int64_t i) const { return std::int32_t(i); }
};

struct FromPass {
    const std::uint32_t* keys;
    const std::int32_t* positions;

    __device__ std::uint32_t key(std::int64_t i) const { return keys[i]; }
    __device__ void look(std::int64_t) const {}
    __device__ std::int32_t position(std::int64_t i) const { return positions[i]; }
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
template <class Source>
__global__ void countKernel(Source source, std::int64_t n, int shift, std::int32_t* counts)
{
    __shared__ std::int32_t count[kDigits];
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int r = 0; r < kRounds; ++r) {
        const std::int64_t i = itemOf(r);
        if (i >= n)
            continue;
        source.look(i);
        atomicAdd(&count[source.key(i) >> shift & (kDigits - 1)], 1);
    }
    __syncthreads();
    counts[std::int64_t(threadIdx.x) * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

template <class Source>
__global__ void scatterKernel(Source source, std::int64_t n, int shift, const std::int32_t* starts,
                              std::uint32_t* keys, std::int32_t* positions)
{
    __shared__ std::int32_t count[kWarps][kDigits];
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
    for (int w = 0; w < kWarps; ++w)
        count[w][threadIdx.x] = 0;
    __syncthreads();
    std::int32_t rank[kRounds]; // among the equal digits of the warp
    std::uint32_t key[kRounds];
    SB_UNROLL
    for (int r = 0; r < kRounds; ++r) {
        const std::int64_t i = itemOf(r);
        key[r] = i < n ? source.key(i) : 0;
        const unsigned digit = key[r] >> shift & (kDigits - 1);
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
        const std::int32_t to = count[warp][key[r] >> shift & (kDigits - 1)] + rank[r];
        keys[to] = key[r];
        positions[to] = source.position(i);
    }
}

std::int64_t tilesOf(std::int64_t n)
{
    return (n + kTile - 1) / kTile;
}

struct Scratch {
    std::uint32_t* keys;
    std::int32_t *positions, *counts, *scan;
    Scratch(std::int64_t n, void* scratch)
        : keys(static_cast<std::uint32_t*>(scratch)),
          positions(static_cast<std::int32_t*>(scratch) + n),
          counts(positions + n),
          scan(counts + kDigits * tilesOf(n))
    {
    }
};

template <class Source>
void pass(const Source& source, std::int64_t n, int number, std::uint32_t* keys,
          std::int32_t* positions, const Scratch& s, cudaStream_t stream)
{
    const Grid grid{dim3(unsigned(tilesOf(n))), dim3(kThreads), 0};
    launch("sort count", stream, grid, countKernel<Source>, source, n, number * kBits, s.counts);
    exclusiveScan(kDigits * tilesOf(n), s.counts, nullptr, s.scan, stream);
    launch("sort scatter", stream, grid, scatterKernel<Source>, source, n, number * kBits,
           static_cast<const std::int32_t*>(s.counts), keys, positions);
}

/// Keys of `width` bits. The last pass ends in keys and positions.
template <class Source>
void sort(const Source& source, std::int64_t n, int width, std::uint32_t* keys,
          std::int32_t* positions, const Scratch& s, cudaStream_t stream)
{
    const int passes = std::max(1, (width + kBits - 1) / kBits);
    for (int i = 0; i < passes; ++i) {
        const bool toResult = (passes - 1 - i) % 2 == 0;
        std::uint32_t *const toKeys = toResult ? keys : s.keys, *const fromKeys =
                                                                    toResult ? s.keys : keys;
        std::int32_t *const toPositions = toResult ? positions : s.positions, *const fromPositions =
                                                                                  toResult
                                                                                      ? s.positions
                                                                                      : positions;
        if (i == 0)
            pass(source, n, i, toKeys, toPositions, s, stream);
        else
            pass(FromPass{fromKeys, fromPositions}, n, i, toKeys, toPositions, s, stream);
    }
}

} // namespace

std::size_t sortScratch(std::int64_t n)
{
    const std::int64_t counts = kDigits * tilesOf(n);
    return std::size_t(2 * n + counts) * sizeof(std::int32_t) + scanScratch(counts);
}

void sortIds(std::int64_t n, std::int64_t bound, const std::int32_t* ids, std::int32_t skip,
             BadIndex bad, std::int32_t* keys, std::int32_t* positions, void* scratch,
             cudaStream_t stream)
{
    if (n > 0)
        sort(FromIds{ids, std::int32_t(bound), skip, bad}, n,
             int(std::bit_width(std::uint64_t(bound))), reinterpret_cast<std::uint32_t*>(keys),
             positions, Scratch(n, scratch), stream);
}

void sortFalling(std::int64_t n, const float* x, std::uint32_t* keys, std::int32_t* positions,
                 void* scratch, cudaStream_t stream)
{
    if (n > 0)
        sort(FromNumbers{x}, n, 32, keys, positions, Scratch(n, scratch), stream);
}

} // namespace scalebench::kernels::cuda
