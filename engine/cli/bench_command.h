// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `scalebench-engine bench BENCHMARK`: options, the workers of collectives, output files.

#include <functional>

namespace CLI {
class App;
}

namespace scalebench::cli {

/// Adds the subcommand. `argc` and `argv` go into the results. The returned function runs it after
/// parsing and gives the exit code: 0; 2 wrong usage; 3 failed or wrong results; 130 stopped.
std::function<int()> addBenchCommand(CLI::App& app, int argc, const char* const* argv);

} // namespace scalebench::cli
