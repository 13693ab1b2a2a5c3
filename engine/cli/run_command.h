// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `scalebench-engine --run FOLDER` on one rank: sets up MPI, streams and signals, runs the trainer
// and turns failures into the closing records and the exit code.

#include <string>

namespace scalebench::cli {

/// Returns the process's exit code (0, 2 or 3); ends all ranks at once when they cannot agree.
/// resume: goes on from the newest checkpoint in FOLDER/checkpoint.
int runCommand(const std::string& folder, bool resume);

} // namespace scalebench::cli
