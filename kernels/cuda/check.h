// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The runtime's errors as exceptions, for kernels' launchers and host code alike.

#include <cuda_runtime_api.h>

namespace scalebench::kernels::cuda {

/// Throws DeviceError with CUDA's own name and text of the error; code "out_of_memory" or
/// "device_error". `what`: the call or op.
void check(cudaError_t status, const char* what);

} // namespace scalebench::kernels::cuda
