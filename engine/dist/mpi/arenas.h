// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The gradient arenas of the MPI communicator. Private to engine/dist/mpi.

#include "engine/dist/communicator.h"
#include "engine/dist/mpi/arrival_gate.h"
#include "engine/dist/mpi/watchdog.h"

#include <cstddef>
#include <functional>
#include <memory>

namespace scalebench::dist {

/// Elements of one call: MPI counts are int.
inline constexpr size_t kMostPerCall = size_t{1} << 28;

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

/// Auto: where a node lacks the shared memory, MPI for everything; method() tells. Collective.
/// CommError for SharedMemory where it is lacking.
std::unique_ptr<ReductionArena> makeMpiArena(ArenaContext context, size_t floats,
                                             AllReduceKind kind);

} // namespace scalebench::dist
