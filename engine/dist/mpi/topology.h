// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which worker is where, and the MPI groups that follow from it. Private to engine/dist/mpi.

#include "engine/dist/mpi/mpi_check.h"

#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

namespace scalebench::dist {

/// Owns a communicator made by splitting or duplicating. Freeing it is collective.
class OwnedComm
{
public:
    OwnedComm() = default;
    explicit OwnedComm(MPI_Comm comm) : comm_(comm) {}
    OwnedComm(OwnedComm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
    OwnedComm& operator=(OwnedComm&& other) noexcept
    {
        std::swap(comm_, other.comm_);
        return *this;
    }
    ~OwnedComm();
    MPI_Comm get() const { return comm_; }
    /// Never frees it: for when the other members do not come any more.
    void abandon() { comm_ = MPI_COMM_NULL; }
    /// One with the same members, for another thread; null for a null one. Collective.
    OwnedComm duplicate() const;

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

struct Topology {
    int rank = 0, size = 1;
    int localRank = 0, localSize = 1;
    int node = 0, nodes = 1;
    int leastLocal = 1;             ///< workers of the node that has fewest
    std::vector<std::string> hosts; ///< by rank
    std::vector<int> nodeOf;        ///< by rank
    std::vector<int> localRankOf;   ///< by rank
    std::vector<int> ranksHere;     ///< of this node, by local rank
    std::vector<int> leaders;       ///< rank of local rank 0 of each node
    bool leads() const { return localRank == 0; }
    void abandon();

    OwnedComm world;   ///< all workers
    OwnedComm local;   ///< the workers of this node
    OwnedComm leading; ///< local rank 0 of each node, by node; null elsewhere
    OwnedComm peers;   ///< the workers with this local rank, by node; null where a node lacks one
};

/// Collective over all workers of the job. `ranksPerNode` as in CommOptions.
Topology findTopology(int ranksPerNode);

} // namespace scalebench::dist
