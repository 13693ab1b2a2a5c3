// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/bench/bench.h"

#include <string>

namespace scalebench::bench {

/// Reads --sizes and --problem as this benchmark will, so that what is wrong with them is said
/// before anything is measured or started. InvalidArgument (`usage`, or what a shape is refused
/// with).
void checkProblems(const std::string& benchmark, const Options& options);

} // namespace scalebench::bench
