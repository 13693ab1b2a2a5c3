// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The same problems through a backend, as training issues them: for GPUs, against the peak that the
// device reached in the same run.

#include "engine/backend/backend.h"
#include "engine/bench/bench.h"
#include "engine/bench/report.h"

#include <string>

namespace scalebench::bench {

/// "gemm", "conv", "attention" or "memory", problems and --sizes as on the processors;
/// InvalidArgument
/// (`usage`) for another. Times are of calls issued one behind the other and waited for together.
/// Products and copies are checked; the self-test checks the rest.
void runDeviceBench(const std::string& benchmark, const Options& options, Backend& backend,
                    Report& report);

} // namespace scalebench::bench
