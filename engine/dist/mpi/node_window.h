// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Arrays that the workers of one node share, and sums over them. Private to engine/dist/mpi.

#include "engine/dist/communicator.h"
#include "engine/dist/mpi/shared_block.h"
#include "engine/dist/mpi/topology.h"

#include <cstddef>
#include <vector>

#include <mpi.h>

namespace scalebench::dist {

/// A part [first, last) of the arrays.
struct Slice {
    size_t first = 0, last = 0;
    size_t count() const { return last - first; }
};

/// Part `index` of `parts` of [offset, offset + count), cut at multiples of 16 elements from
/// `offset`.
Slice sliceOf(size_t offset, size_t count, int index, int parts);

/// `floatsPerRank` floats per worker of `node`, zero at first. Construction is collective over
/// `node` and throws as SharedBlock; nothing else here waits for others: callers put barriers
/// between.
class NodeWindow
{
public:
    NodeWindow(MPI_Comm node, size_t floatsPerRank);

    int rank() const { return rank_; }
    int size() const { return static_cast<int>(segments_.size()); }
    float* segment(int rank) const { return segments_[size_t(rank)]; }
    size_t floats() const { return floats_; }

    /// All segments get the sum of all segments in the slice, added in order of rank.
    void sumToAll(Slice slice);
    /// Segment `to` alone gets it; the same bits.
    void sumTo(int to, Slice slice);
    /// Copies the slice from one segment to another.
    void copy(int from, int to, Slice slice);
    /// As many floats into this worker's segment, and out of another's.
    void put(const float* values, Slice slice);
    void get(int from, Slice slice, float* values) const;

private:
    SharedBlock block_;
    int rank_ = 0;
    size_t floats_ = 0;
    std::vector<float*> segments_;
};

} // namespace scalebench::dist
