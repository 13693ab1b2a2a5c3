// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/node_window.h"

#include "kernels/formula/host_device.h"

#include <algorithm>
#include <cstring>

namespace scalebench::dist {
namespace {

constexpr size_t kFloatsPerLine = 16;
/// Blocks that stay in the first-level cache while every worker's part is added.
constexpr size_t kBlock = 4096;

/// The common case of two workers, in one pass over memory.
SB_TARGET_CLONES void sumPair(float* a, float* b, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        const float sum = a[i] + b[i];
        a[i] = sum;
        b[i] = sum;
    }
}

SB_TARGET_CLONES void sumTwo(float* sum, const float* a, const float* b, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        sum[i] = a[i] + b[i];
}

SB_TARGET_CLONES void addTo(float* sum, const float* a, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        sum[i] += a[i];
}

} // namespace

Slice sliceOf(size_t offset, size_t count, int index, int parts)
{
    const size_t lines = (count + kFloatsPerLine - 1) / kFloatsPerLine;
    const size_t first = lines * size_t(index) / size_t(parts) * kFloatsPerLine;
    const size_t last = lines * size_t(index + 1) / size_t(parts) * kFloatsPerLine;
    return {offset + std::min(first, count), offset + std::min(last, count)};
}

NodeWindow::NodeWindow(MPI_Comm node, size_t floatsPerRank)
    : block_(node, floatsPerRank * sizeof(float)), floats_(floatsPerRank)
{
    int size = 1;
    SB_CHECK_MPI(MPI_Comm_rank(node, &rank_));
    SB_CHECK_MPI(MPI_Comm_size(node, &size));
    for (int r = 0; r < size; ++r)
        segments_.push_back(reinterpret_cast<float*>(block_.part(r)));
}

void NodeWindow::sumToAll(Slice slice)
{
    if (size() < 2)
        return;
    if (size() == 2) {
        sumPair(segments_[0] + slice.first, segments_[1] + slice.first, slice.count());
        return;
    }
    alignas(64) float sum[kBlock];
    for (size_t at = slice.first; at < slice.last; at += kBlock) {
        const size_t n = std::min(kBlock, slice.last - at);
        sumTwo(sum, segments_[0] + at, segments_[1] + at, n);
        for (size_t r = 2; r < segments_.size(); ++r)
            addTo(sum, segments_[r] + at, n);
        for (float* segment : segments_)
            std::memcpy(segment + at, sum, n * sizeof(float));
    }
}

void NodeWindow::sumTo(int to, Slice slice)
{
    if (size() < 2)
        return;
    if (size() == 2) {
        addTo(segments_[size_t(to)] + slice.first, segments_[size_t(1 - to)] + slice.first,
              slice.count());
        return;
    }
    alignas(64) float sum[kBlock];
    for (size_t at = slice.first; at < slice.last; at += kBlock) {
        const size_t n = std::min(kBlock, slice.last - at);
        sumTwo(sum, segments_[0] + at, segments_[1] + at, n);
        for (size_t r = 2; r < segments_.size(); ++r)
            addTo(sum, segments_[r] + at, n);
        std::memcpy(segments_[size_t(to)] + at, sum, n * sizeof(float));
    }
}

void NodeWindow::copy(int from, int to, Slice slice)
{
    if (from != to && slice.count() > 0)
        std::memcpy(segments_[size_t(to)] + slice.first, segments_[size_t(from)] + slice.first,
                    slice.count() * sizeof(float));
}

void NodeWindow::put(const float* values, Slice slice)
{
    std::memcpy(segments_[size_t(rank_)] + slice.first, values, slice.count() * sizeof(float));
}

void NodeWindow::get(int from, Slice slice, float* values) const
{
    std::memcpy(values, segments_[size_t(from)] + slice.first, slice.count() * sizeof(float));
}

} // namespace scalebench::dist
