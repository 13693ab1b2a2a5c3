// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which processors of its host a worker computes on. Left to itself the system moves threads to
// where a core is idle: on a host with several last-level caches or packages away from what they
// have in the caches and in their own memory, on one with fast and small cores now to one, now to
// the other. Within one cache it has the choice, and evens out what other programs take.

#include "engine/placement/cores.h"

#include <vector>

namespace scalebench::placement {

/// Workers of one host that compute at the same time.
struct Crew {
    int workers = 1;
    int threads = 1; ///< of each
};

/// The processors of worker 0 to crew.workers - 1, rising, enough for all who share them. The same
/// for each that asks. Empty: the host has fewer than the crew has threads.
///
/// - One processor of each core, where that is enough: two threads that multiply on one core gain
///   nothing and share its caches.
/// - Where fast cores do for all, the others are left out; else each worker gets as many of both,
///   for itself.
/// - Threads of a worker share a last-level cache if that has room for them, else a node of memory,
///   else a package. Workers spread over packages, then over nodes of memory, then over caches, as
///   those are what each then has more of (hwloc_distrib() does the same). Workers in one cache
///   (node, package) share all of it.
Processors placeOf(int worker, const Crew& crew, const std::vector<Core>& cores);

/// `cores` without those of which a processor is busy, if enough are left for the crew.
std::vector<Core> withoutBusy(const std::vector<Core>& cores, const Processors& busy,
                              const Crew& crew);

} // namespace scalebench::placement
