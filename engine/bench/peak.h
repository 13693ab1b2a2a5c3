// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What this machine can do at best, measured in the same run as everything that is compared with
// it: multiply-adds in registers, and copying between arrays that no cache holds. No library is
// involved, so nothing is judged by itself.

#include "engine/bench/bench.h"
#include "engine/bench/report.h"

#include <string>

namespace scalebench::bench {

struct ComputePeak {
    double flops = 0;   ///< per second, all threads; 0: this processor has no such instructions
    std::string method; ///< "AVX-512 FMA", "AMX bf16", ...
    double clockHz = 0; ///< mean of the threads, measured beside it; 0: cannot be told
    /// Instructions of the method a cycle and thread. What processors have is 2, 1 or a half; of
    /// SSE's pairs also up to 1.5 (three units for two kinds), of AMX tiles 1/20 to 1/16 (their
    /// clock is lower): anything else says that the loop was not the limit, or disturbed.
    double perCycle = 0;
    int threads = 0; ///< that measured it
    bool plausible() const;
    bool ofTiles() const; ///< by AMX
};

/// Independent chains of multiply-adds in registers on `threads` threads, but no more than there
/// are processors: the best moments of threads that take turns add up to what no processor has.
/// Best of several tries of a few milliseconds. bf16: AMX tiles or AVX-512 bf16, products of bf16
/// summed in fp32.
ComputePeak measureComputePeak(DType dtype, int threads);

struct MemoryPeak {
    double copy = 0;  ///< bytes per second, read and written both counted (STREAM's way)
    double triad = 0; ///< a = b + s c
    std::int64_t arrayBytes = 0;
};

/// STREAM's copy and triad on arrays of 4x the last-level cache, or as much as a quarter of the
/// free memory or `mostBytes` allows.
MemoryPeak measureMemoryPeak(int threads, std::int64_t mostBytes);

/// Measures and notes the peak for `options.dtype`. For bf16 without bf16 instructions the fp32
/// peak counts, as the kernels then compute in fp32.
double addComputePeak(const Options& options, Report& report);

} // namespace scalebench::bench
