// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// MPI behind the Communicator interface. No MPI type appears here, so that callers need no header.

#include "engine/dist/communicator.h"

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

/// All workers of the job. Collective. `ranksPerNode` > 0 pretends that nodes hold this many
/// consecutive ranks (tests of the paths between nodes on one machine); 0 finds real nodes.
std::unique_ptr<Communicator> makeMpiCommunicator(int ranksPerNode = 0);

/// "Open MPI 4.1.4", without starting MPI.
std::string mpiLibrary();

} // namespace scalebench::dist
