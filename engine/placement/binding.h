// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A worker's threads bound to their place on the host.

#include "engine/dist/communicator.h"

#include <string>

namespace scalebench::placement {

/// Collective. Binds this thread and those that compute with it (placeOf() of all workers of this
/// host that may use the same processors). Processors that something else keeps busy are left out
/// where others do; where workers need all of them, nobody looks. `why`: not to do so; empty: to do
/// it, if this worker may. Returns what `switches` of the stream's `setup` tells: "on", or "off"
/// with the reason.
std::string bindWorker(dist::Communicator& communicator, int threads, const std::string& why);

/// Whether a batch job (Slurm) has all the processors that this process may use for itself.
bool jobOwnsProcessors();

/// Why threads are not to be bound whatever the run asks for: the environment has said where they
/// go, or a quota (cgroup) gives less time than there are processors, which others use as well.
/// Empty: nothing speaks against it.
std::string whyNotHere();

} // namespace scalebench::placement
