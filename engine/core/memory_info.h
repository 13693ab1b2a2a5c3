// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How much memory this process may still take.

#include <cstddef>
#include <string>

namespace scalebench {

/// What the processes here may still take together: the kernel's estimate of what can be had
/// without swapping (MemAvailable of /proc/meminfo), or less where a control group (version 1 or 2:
/// containers, Slurm) limits them. 0: unknown. `root`: of another file system in tests.
std::size_t nodeMemoryBytes(const std::string& root = {});

/// What this process may still take: the same, or less where its address space is limited
/// (ulimit -v; batch systems set it). Libraries crash where that is at its end.
std::size_t availableMemoryBytes(const std::string& root = {});

} // namespace scalebench
