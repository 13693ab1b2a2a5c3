// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The yardstick of collectives inside a node: how fast workers copy out of each other's memory when
// nothing else has to be done.

#include "engine/dist/communicator.h"

#include <cstddef>
#include <string>

namespace scalebench::bench {

/// One part per worker in POSIX shared memory. Collective: construction and copyBandwidth().
class SharedCopy
{
public:
    /// usable() is false, on all workers, with several nodes or where shared memory is refused.
    SharedCopy(dist::Communicator& communicator, std::size_t bytesPerWorker);
    ~SharedCopy();
    SharedCopy(const SharedCopy&) = delete;
    SharedCopy& operator=(const SharedCopy&) = delete;

    bool usable() const { return memory_ != nullptr; }
    /// Bytes per second that a worker copies from its neighbour's part while all others do the
    /// same; the slowest worker's, best of several. Bytes are counted once, as bus bandwidth does.
    double copyBandwidth(std::size_t bytes);

private:
    dist::Communicator& communicator_;
    std::size_t part_;
    std::byte* memory_ = nullptr;
    std::size_t mapped_ = 0;
};

/// Element by element the largest of all workers' numbers. Collective.
std::vector<double> maxOverWorkers(dist::Communicator& communicator, std::vector<double> mine);

} // namespace scalebench::bench
