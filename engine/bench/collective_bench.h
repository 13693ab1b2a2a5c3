// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All-reduce and all-to-all, ours beside MPI's own, with the quantities of nccl-tests
// (github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md): algorithm bandwidth S/t, bus bandwidth, wrong
// elements counted after a call on known numbers, in place and out of place.

#include "engine/backend/backend.h"
#include "engine/bench/bench.h"
#include "engine/bench/report.h"
#include "engine/dist/communicator.h"
#include "engine/dist/device_group.h"

#include <span>

namespace scalebench::bench {

/// S/t in bytes per second; S: bytes of the array of one worker (all-to-all: that it sends).
constexpr double algorithmBandwidth(double bytes, double seconds)
{
    return bytes / seconds;
}
/// What each worker's link must carry: algorithm bandwidth times 2(n-1)/n or (n-1)/n.
constexpr double allReduceBusFactor(int workers)
{
    return 2.0 * (workers - 1) / workers;
}
constexpr double allToAllBusFactor(int workers)
{
    return double(workers - 1) / workers;
}

/// Whole numbers below 61: sums over 2^18 workers are exact in float, in any order.
float allReduceInput(int rank, std::int64_t index);
float allReduceExpected(int workers, std::int64_t index);
std::int64_t countWrongSums(std::span<const float> sums, int workers);

/// What `from` sends to `to`.
std::uint32_t allToAllInput(int from, int to, std::int64_t index);
/// `received`: equal parts from all workers, by rank.
std::int64_t countWrongReceived(std::span<const std::uint32_t> received, int rank, int workers);

/// Collective: all workers of a group of at least 2 call it with the same options; only worker 0's
/// report matters. --sizes takes bytes: "4K,1M".
void runAllReduceBench(const Options& options, dist::Communicator& communicator, Report& report);
/// The same on GPUs, in place, by any number of workers: nccl-tests' columns.
void runDeviceAllReduceBench(const Options& options, dist::Communicator& communicator,
                             Backend& backend, dist::DeviceGroup& group, Report& report);
void runAllToAllBench(const Options& options, dist::Communicator& communicator, Report& report);

} // namespace scalebench::bench
