// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The cores of a host and what they have in common, as hwloc tells.

#include "engine/core/processors.h"

#include <vector>

typedef struct hwloc_topology* hwloc_topology_t;

namespace scalebench::placement {

struct Core {
    Processors processors; ///< that may be used; several with simultaneous multithreading
    /// Which it belongs to, each counted from 0. Cores with one last-level cache have one node of
    /// memory (NUMA) here, those with one such node one package.
    int cache = 0, memory = 0, package = 0;
    int speed = 0; ///< of its kind, on processors with fast and small cores; larger is faster
};

/// Those of a loaded topology that have a processor of `allowed`, neighbours side by side.
std::vector<Core> coresOf(hwloc_topology_t topology, const Processors& allowed);
/// Of this host; empty where it does not tell.
std::vector<Core> coresOfHost(const Processors& allowed);

/// Those of `allowed` that were busy for at least half of the time between two texts of /proc/stat.
Processors busyProcessors(const std::string& before, const std::string& after,
                          const Processors& allowed);

} // namespace scalebench::placement
