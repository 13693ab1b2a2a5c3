// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a kernel shares out channels-last rows [rows,C], and sums over rows per channel.
//
// A block has a tile of neighbouring channels (up to 128 bytes of a row, so that every access fills
// whole sectors) and a slice of the rows. A thread keeps its V channels for all its rows: what
// belongs to a channel is read once, into registers.
//
// channelSums() adds two numbers per channel: in fp32 over the rows of a thread, in double from
// there on. Blocks leave their sums in memory; whichever block of a tile is the last one adds them
// up, in the order of the slices, so that results repeat bit for bit and no second launch is needed
// (the pattern of threadFenceReduction in NVIDIA's CUDA samples).

#include "kernels/cuda/pack.h"

#include <algorithm>
#include <cstdint>

namespace scalebench::kernels::cuda {

/// Threads of a block that sums; of one that does not.
inline constexpr int kSumThreads = 512, kRowThreads = 256;

struct ChannelGrid {
    int lanes = 1; ///< threads side by side in a row; a power of two
    int slices = 1;
    std::int64_t tiles = 1;
    std::int64_t sliceRows = 1;

    dim3 blocks() const { return dim3(unsigned(tiles), unsigned(slices)); }
};

/// `blocks`: as many as are worth having on a full device. `rowsPerThread`: fewer do not pay.
inline ChannelGrid channelGrid(std::int64_t rows, std::int64_t C, int V, int threads,
                               std::int64_t blocks, std::int64_t rowsPerThread)
{
    const std::int64_t packs = (C + V - 1) / V;
    ChannelGrid g;
    while (g.lanes < packs && g.lanes < (V > 1 ? 8 : 32))
        g.lanes *= 2;
    g.tiles = std::max<std::int64_t>(1, (packs + g.lanes - 1) / g.lanes);
    const std::int64_t least = threads / g.lanes * rowsPerThread;
    const std::int64_t slices = std::clamp<std::int64_t>(
        (rows + least - 1) / least, 1, std::max<std::int64_t>(1, blocks / g.tiles));
    g.sliceRows = std::max<std::int64_t>(1, (rows + slices - 1) / slices);
    g.slices = int(std::max<std::int64_t>(1, (rows + g.sliceRows - 1) / g.sliceRows));
    return g;
}

/// What the running thread has of a grid.
template <int V>
struct ChannelPlace {
    std::int64_t c;                ///< first channel; may lie outside
    std::int64_t begin, end, step; ///< rows

    __device__ ChannelPlace(const ChannelGrid& g, std::int64_t rows)
    {
        const int lane = int(threadIdx.x) & (g.lanes - 1);
        c = (std::int64_t(blockIdx.x) * g.lanes + lane) * V;
        const std::int64_t slice = std::int64_t(blockIdx.y) * g.sliceRows;
        begin = slice + int(threadIdx.x) / g.lanes;
        end = min(slice + g.sliceRows, rows);
        step = int(blockDim.x) / g.lanes;
    }
};

/// Memory of channelSums().
struct ChannelScratch {
    double* partials = nullptr;  ///< [slices][2][C]
    unsigned* arrived = nullptr; ///< [tiles]; zero before, zero afterwards
};

/// partials of the grid that channelSums() gets, in bytes.
inline std::size_t channelScratchBytes(const ChannelGrid& g, std::int64_t C)
{
    return g.slices > 1 ? std::size_t(g.slices) * 2 * std::size_t(C) * sizeof(double) : 0;
}

/// True in the one block of its tile that came last: it then sees what the others wrote.
__device__ inline bool lastOfTile(const ChannelGrid& g, unsigned* arrived)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(arrived + blockIdx.x, 1u) == unsigned(g.slices) - 1u;
        if (last)
            arrived[blockIdx.x] = 0; // for the next launch
    }
    __syncthreads();
    __threadfence();
    return last;
}

/// Blocks of kSumThreads. A Body brings
///   Row                               what it reads of V channels of one row
///   kUnroll                           rows to have in flight
///   begin(c, sliceBegin)              before the rows; c is inside
///   load(at, row number) -> Row       at: element
///   add(Row, at, first, second)       to float first[V], second[V]
///   total(c, sliceBegin, rows, first, second)  makes of the sums of a block (double&) what is
///   added up
/// finish(c, first, second) is called once for every channel with the sums over all rows.
template <int V, class Body, class Finish>
__device__ void channelSums(const ChannelGrid& g, std::int64_t rows, std::int64_t C, Body body,
                            const ChannelScratch& scratch, const Finish& finish)
{
    constexpr int kPad = 8; // threads of a warp that add columns touch different banks
    __shared__ float own[2 * V][kSumThreads + kPad];
    __shared__ double parts[kSumThreads];
    const ChannelPlace<V> place(g, rows);
    const int thread = int(threadIdx.x);
    const std::int64_t slice = std::int64_t(blockIdx.y) * g.sliceRows;

    float first[V] = {}, second[V] = {};
    if (place.c < C) {
        body.begin(place.c, slice);
        constexpr int U = Body::kUnroll;
        for (std::int64_t r = place.begin; r < place.end; r += U * place.step) {
            typename Body::Row row[U];
            for (int u = 0; u < U; ++u)
                if (r + u * place.step < place.end)
                    row[u] = body.load((r + u * place.step) * C + place.c, r + u * place.step);
            for (int u = 0; u < U; ++u)
                if (r + u * place.step < place.end)
                    body.add(row[u], (r + u * place.step) * C + place.c, first, second);
        }
    }
    for (int i = 0; i < V; ++i) {
        own[i][thread] = first[i];
        own[V + i][thread] = second[i];
    }
    __syncthreads();

    // Columns: 2 V sums of each lane. Every thread adds 2 V rows of one of them.
    const int columns = 2 * V * g.lanes, partCount = kSumThreads / columns;
    const int column = thread % columns, part = thread / columns;
    double sum = 0.0;
    for (int r = part * 2 * V; r < (part + 1) * 2 * V; ++r)
        sum += double(own[column / g.lanes][r * g.lanes + column % g.lanes]);
    parts[thread] = sum;
    __syncthreads();

    // The thread's channel from here on, where it has one.
    const int channels = V * g.lanes;
    const std::int64_t c = std::int64_t(blockIdx.x) * channels + thread;
    const bool mine = thread < channels && c < C;
    const int at = thread % V * g.lanes + thread / V; // its column
    double a = 0.0, b = 0.0;
    if (mine) {
        for (int p = 0; p < partCount; ++p) {
            a += parts[p * columns + at];
            b += parts[p * columns + channels + at];
        }
        body.total(c, slice, place.end - slice, a, b);
    }
    if (g.slices == 1) {
        if (mine)
            finish(c, a, b);
        return;
    }
    double* const mineInMemory = scratch.partials + std::int64_t(blockIdx.y) * 2 * C + c;
    if (mine) {
        mineInMemory[0] = a;
        mineInMemory[C] = b;
    }
    if (!lastOfTile(g, scratch.arrived))
        return;

    const std::int64_t column0 = std::int64_t(blockIdx.x) * channels + column % channels;
    sum = 0.0;
    if (column0 < C)
        for (int s = part; s < g.slices; s += partCount)
            sum += scratch.partials[(std::int64_t(s) * 2 + column / channels) * C + column0];
    parts[thread] = sum;
    __syncthreads();
    if (!mine)
        return;
    a = b = 0.0;
    for (int p = 0; p < partCount; ++p) {
        a += parts[p * columns + thread];
        b += parts[p * columns + channels + thread];
    }
    finish(c, a, b);
}

} // namespace scalebench::kernels::cuda
