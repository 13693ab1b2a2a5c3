// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What this node is made of, as far as an unprivileged process can read it, for system.json.

#include "engine/report/results_writer.h"

#include <string>
#include <vector>

namespace scalebench::report {

/// This node: host, OS, kernel, CPU, caches, memory, load, clocks. Unreadable values are left out.
Json describeNode();
/// "AMD EPYC 7763"; "unknown CPU" where /proc/cpuinfo names none.
std::string cpuModel();
int cpuSockets();

/// Writes {"format":"scalebench.system","version":1,...} to a temporary name, then renames.
/// `nodes`: one describeNode() per node; `software`: versions. Throws Error (`not_writable`,
/// `disk_full`).
void writeSystemJson(const std::string& path, const Json& software, const std::vector<Json>& nodes);

} // namespace scalebench::report
