// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/scan.h"

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/vector.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256, kItems = 8, kTile = kThreads * kItems;

/// The sum of v over the threads before this one; `total`: over all.
__device__ std::int32_t scanThreads(std::int32_t v, std::int32_t& total)
{
    __shared__ std::int32_t sums[kThreads / 32];
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
    std::int32_t upTo = v;
    for (int step = 1; step < 32; step *= 2) {
        const std::int32_t other = __shfl_up_sync(kAllLanes, upTo, unsigned(step));
        upTo += lane >= step ? other : 0;
    }
    __syncthreads(); // sums may still be read by an earlier call
    if (lane == 31)
        sums[warp] = upTo;
    __syncthreads();
    std::int32_t before = 0;
    total = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        before += w < warp ? sums[w] : 0;
        total += sums[w];
    }
    return before + upTo - v;
}

/// Scans one tile in place, starting from `start`; returns the tile's sum.
__device__ std::int32_t scanTile(std::int64_t n, std::int32_t* x, std::int64_t tile,
                                 std::int32_t start)
{
    const std::int64_t first = tile * kTile + std::int64_t(threadIdx.x) * kItems;
    std::int32_t v[kItems], sum = 0;
    SB_UNROLL
    for (int i = 0; i < kItems; ++i) {
        v[i] = first + i < n ? x[first + i] : 0;
        sum += v[i];
    }
    std::int32_t total;
    std::int32_t before = start + scanThreads(sum, total);
    SB_UNROLL
    for (int i = 0; i < kItems; ++i)
        if (first + i < n) {
            x[first + i] = before;
            before += v[i];
        }
    return total;
}

__global__ void tilesKernel(std::int64_t n, std::int32_t* x, std::int32_t* sums)
{
    const std::int32_t total = scanTile(n, x, blockIdx.x, 0);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

/// One block, tile after tile.
__global__ void sumsKernel(std::int64_t tiles, std::int32_t* sums, std::int32_t* total)
{
    std::int32_t sum = 0;
    for (std::int64_t tile = 0; tile * kTile < tiles; ++tile)
        sum += scanTile(tiles, sums, tile, sum);
    if (total && threadIdx.x == 0)
        *total = sum;
}

__global__ void addKernel(std::int64_t n, std::int32_t* x, const std::int32_t* sums)
{
    for (int i = 0; i < kItems; ++i) {
        const std::int64_t at = std::int64_t(blockIdx.x) * kTile + i * kThreads + threadIdx.x;
        if (at < n)
            x[at] += sums[blockIdx.x];
    }
}

std::int64_t tilesOf(std::int64_t n)
{
    return (n + kTile - 1) / kTile;
}

} // namespace

std::size_t scanScratch(std::int64_t n)
{
    return std::size_t(tilesOf(n)) * sizeof(std::int32_t);
}

void exclusiveScan(std::int64_t n, std::int32_t* x, std::int32_t* total, void* scratch,
                   cudaStream_t stream)
{
    const Grid one{dim3(1), dim3(kThreads), 0};
    if (n <= kTile) {
        launch("scan", stream, one, sumsKernel, n, x, total);
        return;
    }
    const std::int64_t tiles = tilesOf(n);
    const Grid grid{dim3(unsigned(tiles)), dim3(kThreads), 0};
    auto* sums = static_cast<std::int32_t*>(scratch);
    launch("scan tiles", stream, grid, tilesKernel, n, x, sums);
    launch("scan sums", stream, one, sumsKernel, tiles, sums, total);
    launch("scan add", stream, grid, addKernel, n, x, static_cast<const std::int32_t*>(sums));
}

} // namespace scalebench::kernels::cuda
