// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/launch.h"

namespace scalebench::kernels::cuda {

void check(cudaError_t status, const char* what)
{
    if (status == cudaSuccess)
        return;
    const bool memory = status == cudaErrorMemoryAllocation;
    throw DeviceError(std::string(what) + ": CUDA error " + cudaGetErrorName(status) + ": " +
                          cudaGetErrorString(status),
                      memory ? "out_of_memory" : "device_error");
}

} // namespace scalebench::kernels::cuda
