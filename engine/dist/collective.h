// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a collective is called in error texts and in the counters of a run.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace scalebench::dist {

enum class CollectiveKind : int32_t {
    Barrier,
    AllReduce,
    ReduceScatter,
    AllGather,
    AllToAll,
    Broadcast,
    GradientAllReduce,     ///< a bucket of the gradient arena
    GradientReduceScatter, ///< the same for sharded optimizers
    Setup                  ///< making or freeing shared memory and groups
};
inline constexpr size_t kCollectiveKinds = 9;

/// "all-reduce", "gradient all-reduce", ...
const char* collectiveName(CollectiveKind kind);

/// One collective as a worker enters it. All workers must agree on `kind` and `bytes`.
struct Collective {
    CollectiveKind kind = CollectiveKind::Barrier;
    int64_t bytes = 0; ///< that this worker contributes; for variable sizes what all agree on, or 0
    int64_t bucket = -1; ///< of the gradient arena; -1: none
    int64_t step = -1;   ///< of the training; -1: outside of steps
};

/// "gradient all-reduce of bucket 3 (4.0 MiB) in step 12".
std::string describe(const Collective& collective);

/// What one kind of collective cost a worker so far.
struct CollectiveCounter {
    int64_t calls = 0;
    int64_t bytes = 0; ///< contributed by this worker
    double waitMs = 0; ///< of `ms`, until the last worker had arrived: imbalance, not transfer
    double ms = 0;     ///< inside the calls
};

using CommStatistics = std::array<CollectiveCounter, kCollectiveKinds>;

} // namespace scalebench::dist
