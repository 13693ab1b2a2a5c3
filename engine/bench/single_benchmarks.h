// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The benchmarks that one process runs on the processors with its options alone.

#include "engine/bench/bench.h"
#include "engine/bench/report.h"

#include <string>

namespace scalebench::bench {

struct SingleBenchmark {
    const char* name;
    void (*run)(const Options& options, Report& report);
    /// Reads --sizes and --problem as run() will.
    void (*checkProblems)(const Options& options);
};

/// nullptr: there is none of that name.
const SingleBenchmark* findSingleBenchmark(const std::string& name);

/// Reads --sizes and --problem as any benchmark will, so that what is wrong with them is said
/// before anything is measured or started. InvalidArgument (`usage`, or what a shape is refused
/// with).
void checkProblems(const std::string& benchmark, const Options& options);

} // namespace scalebench::bench
