// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/node_window.h"

#include "engine/dist/comm_error.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include <sched.h>

namespace scalebench::dist {
namespace {

constexpr size_t kHeaderBytes = 128;
constexpr size_t kFloatsPerLine = 16;
constexpr size_t kLineBytes = 64;

/// MPI promises no alignment. The window is mapped at page boundaries in every process, so that all
/// of them round to the same byte of it.
char* alignToLine(char* pointer)
{
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    return pointer + ((kLineBytes - address % kLineBytes) % kLineBytes);
}

size_t segmentBytes(size_t floats)
{
    return kLineBytes + kHeaderBytes +
           (floats + kFloatsPerLine - 1) / kFloatsPerLine * kFloatsPerLine * sizeof(float);
}

} // namespace

void checkMpi(int status, const char* expression, const char* file, int line)
{
    if (status == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(status, text, &length);
    throw CommError(std::string(expression) + " failed: " + text + " (" + file + ":" +
                    std::to_string(line) + ")");
}

NodeWindow::NodeWindow(MPI_Comm node, size_t floatsPerRank) : floats_(floatsPerRank)
{
    static_assert(sizeof(Shared) <= kHeaderBytes && std::atomic<uint32_t>::is_always_lock_free);
    int size = 1;
    SB_CHECK_MPI(MPI_Comm_rank(node, &rank_));
    SB_CHECK_MPI(MPI_Comm_size(node, &size));
    void* base = nullptr;
    MPI_Info info = MPI_INFO_NULL;
    SB_CHECK_MPI(MPI_Info_create(&info));
    // Segments need not follow each other: each lies near its worker.
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    const int status = MPI_Win_allocate_shared(MPI_Aint(segmentBytes(floatsPerRank)), 1, info, node,
                                               &base, &window_);
    MPI_Info_free(&info);
    SB_CHECK_MPI(status);
    for (int r = 0; r < size; ++r) {
        MPI_Aint bytes = 0;
        int unit = 0;
        char* segment = nullptr;
        SB_CHECK_MPI(MPI_Win_shared_query(window_, r, &bytes, &unit, &segment));
        segment = alignToLine(segment);
        segments_.push_back(reinterpret_cast<float*>(segment + kHeaderBytes));
        if (r == 0)
            shared_ = reinterpret_cast<Shared*>(segment);
    }
    if (rank_ == 0)
        new (shared_) Shared{};
    std::fill_n(segments_[size_t(rank_)], floatsPerRank, 0.0f);
    SB_CHECK_MPI(MPI_Barrier(node));
}

NodeWindow::~NodeWindow()
{
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (window_ != MPI_WIN_NULL && finalized == 0)
        MPI_Win_free(&window_);
}

void NodeWindow::barrier()
{
    const uint32_t generation = shared_->generation.load(std::memory_order_acquire);
    if (shared_->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == uint32_t(size())) {
        shared_->arrived.store(0, std::memory_order_relaxed);
        shared_->generation.store(generation + 1, std::memory_order_release);
        return;
    }
    // A short spin catches workers in step; beyond it the core may be needed by the late one.
    for (int spins = 0; shared_->generation.load(std::memory_order_acquire) == generation; ++spins)
        if (spins > 2000)
            ::sched_yield();
}

NodeWindow::Slice NodeWindow::mySlice(size_t offset, size_t count) const
{
    const size_t lines = (count + kFloatsPerLine - 1) / kFloatsPerLine;
    const size_t ranks = size_t(size());
    const size_t first = lines * size_t(rank_) / ranks * kFloatsPerLine;
    const size_t last = lines * size_t(rank_ + 1) / ranks * kFloatsPerLine;
    return {offset + std::min(first, count), offset + std::min(last, count)};
}

namespace {

/// Blocks that stay in the cache while every worker's part is added.
constexpr size_t kBlock = 4096;

} // namespace

void NodeWindow::sumToAll(size_t offset, size_t count)
{
    barrier();
    const Slice slice = mySlice(offset, count);
    alignas(64) float sum[kBlock];
    for (size_t at = slice.first; at < slice.last; at += kBlock) {
        const size_t n = std::min(kBlock, slice.last - at);
        std::memcpy(sum, segments_[0] + at, n * sizeof(float));
        for (size_t r = 1; r < segments_.size(); ++r) {
            const float* other = segments_[r] + at;
            for (size_t i = 0; i < n; ++i)
                sum[i] += other[i];
        }
        for (float* segment : segments_)
            std::memcpy(segment + at, sum, n * sizeof(float));
    }
    barrier();
}

void NodeWindow::sumToFirst(size_t offset, size_t count)
{
    barrier();
    const Slice slice = mySlice(offset, count);
    for (size_t r = 1; r < segments_.size(); ++r) {
        const float* other = segments_[r];
        for (size_t i = slice.first; i < slice.last; ++i)
            segments_[0][i] += other[i];
    }
    barrier();
}

void NodeWindow::copyFromFirst(size_t offset, size_t count)
{
    if (rank_ != 0 && count > 0)
        std::memcpy(segments_[size_t(rank_)] + offset, segments_[0] + offset,
                    count * sizeof(float));
}

} // namespace scalebench::dist
