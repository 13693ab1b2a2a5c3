// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whether another process of this machine is alive.

#include <cstdint>

namespace scalebench::dist {

/// A process that no later one with the same number is taken for.
struct ProcessId {
    int32_t pid = 0;
    uint64_t startTicks = 0;
};

enum class ProcessState { Unknown, Alive, Stopped, Gone };

ProcessId thisProcess();
/// Gone: no such process, or a zombie. Unknown where /proc cannot be read.
ProcessState stateOf(const ProcessId& process);

} // namespace scalebench::dist
