// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `scalebench-engine selftest`: proves the arithmetic of this machine with the cases of
// engine/selftest, the same that the project's tests run.

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace scalebench::cli {

struct SelftestOptions {
    std::string device = "cpu";
    std::string family;    ///< empty: all
    std::string precision; ///< "fp32", "bf16"; empty: both
    std::string jsonPath;
    int threads = 0;    ///< 0: all processors
    double seconds = 0; ///< no case is begun later, and slow ones come last; 0: no limit
    bool list = false;
};

/// Exit code: 0 all cases passed; 2 wrong usage; 3 a case failed or the device is not available.
/// `command` goes into the JSON file.
int selftestCommand(const SelftestOptions& options, int argc, const char* const* argv);

/// Adds the subcommand; the returned function runs it after parsing.
std::function<int()> addSelftestCommand(CLI::App& app, int argc, const char* const* argv);

} // namespace scalebench::cli
