// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the time of a training step goes: every op of a workload's step against what this
// processor's arithmetic and memory, measured in the same run, would need for it.

#include "engine/bench/bench.h"
#include "engine/bench/report.h"
#include "engine/config/run_config.h"

namespace scalebench::bench {

/// Trains `config` (one worker, its own data, network, optimizer and precision) for some steps and
/// adds a row per op, one for what is outside of ops and one for the whole step. options.repeats
/// steps, fewer where options.maxSeconds are over; options.dtype and threads as in `config`.
void runStepBench(const Options& options, RunConfig config, Report& report);

} // namespace scalebench::bench
