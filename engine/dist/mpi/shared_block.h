// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory that the workers of one node share. Private to engine/dist/mpi.
//
// Not an MPI window: what is asked for is reserved at once, so that a small /dev/shm (containers
// have 64 MiB unless told otherwise) is an error here and not a SIGBUS later; and freeing it waits
// for nobody.

#include <cstddef>

#include <mpi.h>

namespace scalebench::dist {

class SharedBlock
{
public:
    /// `bytesPerRank` (may differ) zeroed bytes per worker. Collective over `node`. Throws
    /// CommError on every worker of the node when one of them cannot have its part.
    SharedBlock(MPI_Comm node, size_t bytesPerRank);
    ~SharedBlock();
    SharedBlock(const SharedBlock&) = delete;
    SharedBlock& operator=(const SharedBlock&) = delete;

    /// Page-aligned memory of a worker of the node. Each part lies near its worker.
    std::byte* part(int rank) const;

private:
    std::byte* memory_ = nullptr;
    size_t partBytes_ = 0;
    size_t totalBytes_ = 0;
};

} // namespace scalebench::dist
