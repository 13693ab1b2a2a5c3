// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory that the workers of one node share, and a barrier in it. Private to engine/dist/mpi.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

namespace scalebench::dist {

/// Throws CommError with MPI's text when `status` is not MPI_SUCCESS.
void checkMpi(int status, const char* expression, const char* file, int line);
#define SB_CHECK_MPI(call) ::scalebench::dist::checkMpi((call), #call, __FILE__, __LINE__)

/// A window of `floatsPerRank` floats per worker of `node`, plus a barrier of all of them.
/// Collective over `node`, also destruction.
class NodeWindow
{
public:
    NodeWindow(MPI_Comm node, size_t floatsPerRank);
    ~NodeWindow();
    NodeWindow(const NodeWindow&) = delete;
    NodeWindow& operator=(const NodeWindow&) = delete;

    int rank() const { return rank_; }
    int size() const { return static_cast<int>(segments_.size()); }
    float* segment(int rank) const { return segments_[size_t(rank)]; }
    size_t floats() const { return floats_; }

    /// Waits for all workers of the node; spins, yielding the core. Memory written before is
    /// visible to all afterwards.
    void barrier();
    /// Every segment's [offset, offset + count) becomes the sum over segments, added in order of
    /// rank. Collective over the node.
    void sumToAll(size_t offset, size_t count);
    /// As sumToAll, but only segment 0 gets the sum. Ends with a barrier.
    void sumToFirst(size_t offset, size_t count);
    /// Copies segment 0's range to this worker's. No barrier.
    void copyFromFirst(size_t offset, size_t count);

private:
    struct Shared {
        std::atomic<uint32_t> arrived;
        alignas(64) std::atomic<uint32_t> generation;
    };
    struct Slice {
        size_t first, last;
    };
    Slice mySlice(size_t offset, size_t count) const;

    MPI_Win window_ = MPI_WIN_NULL;
    int rank_ = 0;
    size_t floats_ = 0;
    Shared* shared_ = nullptr;
    std::vector<float*> segments_;
};

} // namespace scalebench::dist
