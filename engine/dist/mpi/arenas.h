// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The gradient arenas of the MPI communicator. Private to engine/dist/mpi.

#include "engine/dist/communicator.h"
#include "engine/dist/mpi/arrival_gate.h"
#include "engine/dist/mpi/watchdog.h"

#include <functional>
#include <memory>

namespace scalebench::dist {

/// What an arena needs of its communicator, which outlives it.
struct ArenaContext {
    Communicator& communicator;
    const Topology& topology;
    Watchdog& watchdog;
    ArrivalGate& gate; ///< of its own channel
    int channel;
    std::function<void()> release; ///< gives the channel back
    std::function<bool()> broken;  ///< after a failure, when nothing collective works any more
};

/// Shared memory inside the node. Between nodes each worker of a node sums its slice with those of
/// the same local rank elsewhere.
std::unique_ptr<ReductionArena> makeSharedArena(ArenaContext context, size_t floats);
/// MPI for everything.
std::unique_ptr<ReductionArena> makePlainArena(ArenaContext context, size_t floats);

} // namespace scalebench::dist
