// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// MPI behind the Communicator interface. No MPI type appears here, so that callers need no header.

#include "engine/dist/communicator.h"

#include <cstddef>
#include <memory>
#include <string>

namespace scalebench::dist {

/// True when mpirun (or srun with PMIx) started this process.
bool startedByMpi();

/// MPI from construction to destruction; at most one per process. After an error that leaves other
/// ranks waiting use Communicator::abort instead of destroying this.
class MpiScope
{
public:
    /// MPI_Init_thread, asking for full thread support. Throws CommError.
    MpiScope();
    ~MpiScope();
    MpiScope(const MpiScope&) = delete;
    MpiScope& operator=(const MpiScope&) = delete;
    /// True when several threads may call MPI at once (needed for `overlap` across nodes).
    bool fullyThreaded() const { return fullyThreaded_; }

private:
    bool fullyThreaded_ = false;
};

struct CommOptions {
    /// > 0 pretends that nodes hold this many consecutive ranks (tests of the paths between nodes
    /// on one machine); 0 finds real nodes.
    int ranksPerNode = 0;
    /// As Communicator::setTimeout. The environment variable SCALEBENCH_COLLECTIVE_TIMEOUT_S
    /// replaces every value but 0.
    double timeoutS = 120;
    /// Messages to another node go in pieces of this many bytes at most: MPI counts in 31 bits.
    size_t mostPerMessage = size_t{1} << 28;
};

/// All workers of the job. Collective.
std::unique_ptr<Communicator> makeMpiCommunicator(const CommOptions& options = {});

/// "Open MPI 4.1.4", without starting MPI.
std::string mpiLibrary();

} // namespace scalebench::dist
