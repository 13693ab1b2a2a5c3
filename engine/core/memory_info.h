// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How much memory this process may still take.

#include <cstddef>

namespace scalebench {

/// The kernel's estimate of what can be had without swapping (MemAvailable of /proc/meminfo), or
/// less where a control group (version 2) limits this process. 0: unknown.
std::size_t availableMemoryBytes();

} // namespace scalebench
