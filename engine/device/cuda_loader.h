// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds, checks and loads libscalebench_cuda.so, and says precisely why not.

#include "engine/backend/cuda/plugin.h"
#include "engine/device/cuda_driver.h"

#include <string>

namespace scalebench::device {

/// Why `--device cuda` cannot be used here, one sentence without its full stop; empty when it can.
/// Asks the driver, then loads the plug-in; both are remembered.
const std::string& cudaUnavailableReason();

/// What this build's plug-in was built with, and so needs.
struct CudaBuild {
    int toolkit = 0;           ///< 13000: CUDA 13.0; 0: built without
    std::string oldestDriver;  ///< "580.65.06"
    std::string architectures; ///< "80;90"
};
CudaBuild cudaBuild();

/// What the driver says; see cuda_driver.h.
const CudaDriver& cudaDriver();

/// The plug-in. Unsupported (`device_unavailable`) with the reason.
const CudaPlugin& cudaPlugin();

} // namespace scalebench::device
