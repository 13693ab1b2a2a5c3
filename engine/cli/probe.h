// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What this engine can do on this machine, found out without MPI and without work on a device.

#include <string>

namespace scalebench::cli {

/// One JSON object: engine version, backends, devices, MPI library, CPU features, and under "cuda"
/// whether it is available and, if not, why.
std::string probeJson();

} // namespace scalebench::cli
