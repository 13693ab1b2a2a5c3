// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the NVIDIA driver of this machine says, asked through libcuda.so.1 alone: the engine itself
// links nothing of CUDA. Once initialised the library stays loaded, as it starts threads and
// handlers of its own.

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench::device {

struct CudaDevice {
    int number = 0; ///< among those that CUDA_VISIBLE_DEVICES leaves
    std::string name;
    int major = 0, minor = 0; ///< compute capability
    std::int64_t memoryBytes = 0;
    std::string pciBus;      ///< "0000:1b:00.0"
    std::string uuid;        ///< 32 hexadecimal digits, of a slice its own; empty: not told
    bool exclusive = false;  ///< one process at a time (compute mode)
    bool prohibited = false; ///< no compute work at all (compute mode)
    bool mig = false;        ///< a multi-instance slice
};

struct CudaDriver {
    std::string reason; ///< why CUDA cannot be used, one sentence; empty when it can
    int version = 0;    ///< CUDA version of the driver, 13000 for 13.0; 0: no driver
    std::vector<CudaDevice> devices;
};

/// `toolkit`: CUDA version that our kernels were built with (0: not built). `architectures`: what
/// they were built for, as CMAKE_CUDA_ARCHITECTURES. Devices that no kernel was built for make the
/// reason, where all are such.
CudaDriver askCudaDriver(int toolkit, const std::string& architectures);

/// The oldest driver for Linux that a build with this toolkit (13000: CUDA 13.0) runs with.
const char* oldestDriver(int toolkit);

/// Whether kernels for `architectures` ("80-real;90;120-virtual") run on a device.
bool builtFor(const std::string& architectures, int major, int minor);

} // namespace scalebench::device
