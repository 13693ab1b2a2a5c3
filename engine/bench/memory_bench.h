// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// STREAM's four loops (McCalpin, "Memory bandwidth and machine balance in current high performance
// computers", 1995) on arrays of many sizes, from the first-level cache to main memory.

#include "engine/bench/bench.h"
#include "engine/bench/report.h"

namespace scalebench::bench {

enum class StreamKernel { Copy, Scale, Add, Triad };

/// Bytes that a loop moves per byte of array length: what STREAM counts, without the reads that
/// caches add before writing.
constexpr int streamArrays(StreamKernel kernel)
{
    return kernel == StreamKernel::Copy || kernel == StreamKernel::Scale ? 2 : 3;
}

/// Three float arrays of `bytes` each, filled by the threads that will use them.
class StreamArrays
{
public:
    StreamArrays(std::int64_t bytes, int threads);
    /// Copy: c = a; Scale: b = s c; Add: c = a + b; Triad: a = b + s c.
    void run(StreamKernel kernel);
    /// Elements that are not what the loops, run in this order once, should have left.
    std::int64_t countWrong();

private:
    void fill();

    std::int64_t count_;
    int threads_;
    Buffer a_, b_, c_;
};

void runMemoryBench(const Options& options, Report& report);

} // namespace scalebench::bench
