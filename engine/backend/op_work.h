// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the ops of a profile had to do, for holding their time against a processor's limits.

#include <map>
#include <string>

namespace scalebench {

class Backend;

struct OpWork {
    double flops = 0; ///< operations of its arithmetic, all calls; 0: not counted
    double bytes = 0; ///< operands and results once each, all calls; 0: not counted
};

/// By the names of Backend::profile(), since setProfiling(true). The CPU backend counts; others
/// give an empty map.
std::map<std::string, OpWork> profiledWork(const Backend& backend);

} // namespace scalebench
