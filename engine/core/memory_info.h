// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How much memory this process may still take.

#include <cstddef>
#include <string>

namespace scalebench {

/// The kernel's estimate of what can be had without swapping (MemAvailable of /proc/meminfo), or
/// less where a control group (version 1 or 2: containers, Slurm) limits this process. 0: unknown.
/// `root`: of another file system in tests.
std::size_t availableMemoryBytes(const std::string& root = {});

} // namespace scalebench
