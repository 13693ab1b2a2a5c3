// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Collectives of the workers of a run on device memory. They are ordered behind what was issued on
// the backend's stream, run on a stream of their own and may return before they are done; join()
// puts them before what the backend does next. Every worker calls the same ones in the same order.
// After a failure (a worker gone, a time-out) calls throw CollectiveError or CommError and the
// group is of no more use.

#include <cstddef>
#include <span>

#include "kernels/types.h"

namespace scalebench::dist {

class DeviceGroup
{
public:
    virtual ~DeviceGroup() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// "nccl" or "staged".
    virtual const char* method() const = 0;

    /// Sums `count` elements (F32, BF16, F16) over all workers, in place.
    virtual void allReduceSum(void* data, std::size_t count, DType dtype) = 0;
    /// In place: the sum arrives at `root` only; the others' elements are left undefined.
    virtual void reduceSum(void* data, std::size_t count, DType dtype, int root) = 0;
    /// input: size() * count elements; output: the sum of this worker's `count`.
    virtual void reduceScatterSum(const void* input, void* output, std::size_t count,
                                  DType dtype) = 0;
    /// all: size() * bytes, by rank; `mine` may be its own place in it.
    virtual void allGather(const void* mine, void* all, std::size_t bytes) = 0;
    /// Bytes for and from each worker, one after the other by rank, as Communicator::allToAll; null
    /// where nothing is sent, or received.
    virtual void allToAll(const void* send, std::span<const std::size_t> sendSizes, void* receive,
                          std::span<const std::size_t> receiveSizes) = 0;
    /// From `root` to all, in place.
    virtual void broadcast(void* data, std::size_t bytes, int root) = 0;
    /// Calls between the two go out as one operation, where the library can.
    virtual void begin() {}
    virtual void end() {}

    /// What the backend's stream gets from now on comes after all calls so far.
    virtual void join() = 0;
    /// Milliseconds that the backend's stream waited in join(), since the last call; of those joins
    /// that are over.
    virtual double takeExposedMs() = 0;
};

} // namespace scalebench::dist
