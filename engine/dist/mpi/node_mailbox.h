// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Messages between the workers of a node through memory that they share: everyone writes what is
// for the others into its own part, all arrive, everyone reads what is for it. Private to
// engine/dist/mpi.

#include "engine/dist/mpi/arrival_gate.h"
#include "engine/dist/mpi/shared_block.h"
#include "engine/dist/mpi/topology.h"

#include <cstddef>
#include <memory>
#include <span>

namespace scalebench::dist {

/// The memory grows with the longest message, up to a limit (1 MiB a worker, twice); longer ones
/// go in slices. Parts are written in turns, so that one may be written while another is read: a
/// worker that has passed the gate of a turn knows that all have read the turn before.
class NodeMailbox
{
public:
    /// Collective over the node. `topology` must outlive it.
    explicit NodeMailbox(const Topology& topology);

    /// Bytes for each worker of the run, one after the other; those of other nodes are not looked
    /// at. Before the gate of the collective.
    void post(std::span<const std::byte> send, std::span<const size_t> sizes);
    /// Behind the gate, with what was posted: fills what comes from this node.
    void exchange(ArrivalGate::Visit& visit, std::span<const std::byte> send,
                  std::span<const size_t> sendSizes, std::span<std::byte> receive,
                  std::span<const size_t> receiveSizes);

private:
    size_t localSize() const { return size_t(topology_.localSize); }
    size_t headBytes() const;
    std::byte* half(size_t localRank) const;
    std::byte* slot(size_t from, size_t to) const;
    void write(std::span<const std::byte> send, std::span<const size_t> sizes, size_t begin) const;
    void read(std::span<std::byte> receive, std::span<const size_t> sizes, size_t begin) const;
    size_t longest() const;
    bool grow(size_t bytes);

    const Topology& topology_;
    size_t slotBytes_;
    std::unique_ptr<SharedBlock> block_;
    bool mayGrow_ = true;
    size_t turn_ = 0; ///< the same on all workers of the node
};

} // namespace scalebench::dist
