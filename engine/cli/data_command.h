// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `scalebench-engine data info|check|make`: what lies where a run would find its data, whether all
// of it can be read, and the generated set written into a folder.

#include <functional>

namespace CLI {
class App;
}

namespace scalebench::cli {

/// Adds the subcommand; the returned function runs it after parsing and gives the exit code: 0, or
/// 2 where data is missing or damaged.
std::function<int()> addDataCommand(CLI::App& app);

} // namespace scalebench::cli
