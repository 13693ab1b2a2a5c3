// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the engine sees of libscalebench_cuda.so: one C function that gives a table of functions.
// Both come from one build; the version changes with every change of the table or of the interfaces
// behind it (Backend, Communicator, ReductionArena, DeviceGroup, Error), so that a plug-in left
// over from another build is refused.

#include <cstddef>
#include <memory>
#include <string>

#include "engine/backend/backend.h"
#include "engine/backend/batch_uploads.h"
#include "engine/dist/communicator.h"
#include "engine/dist/device_group.h"

namespace scalebench {

inline constexpr int kCudaPluginVersion = 4;
inline constexpr const char* kCudaPluginEntry = "scalebench_cuda_plugin";

struct CudaPlugin {
    int version = kCudaPluginVersion;
    const char* engineVersion = ""; ///< SB_VERSION
    /// JSON object: versions of the toolkit, cuBLASLt, cuDNN, NCCL and the driver, "devices".
    std::string (*describe)() = nullptr;
    /// Device `number` among those that the process sees. DeviceError where it cannot be used.
    std::unique_ptr<Backend> (*makeBackend)(int number, bool autotune) = nullptr;
    /// Collective. Gradients in the memory of a backend made here, summed by NCCL or, with
    /// AllReduceKind::Staged, through host memory by `communicator`.
    std::unique_ptr<dist::ReductionArena> (*makeArena)(Backend& backend,
                                                       dist::Communicator& communicator,
                                                       std::size_t floats,
                                                       dist::AllReduceKind kind) = nullptr;
    /// Collective: any collectives on a backend's memory.
    std::unique_ptr<dist::DeviceGroup> (*makeGroup)(Backend& backend,
                                                    dist::Communicator& communicator,
                                                    dist::AllReduceKind kind) = nullptr;
    /// Batches for a backend made here, which outlives them.
    std::unique_ptr<BatchUploads> (*makeUploads)(Backend& backend) = nullptr;
};

using CudaPluginEntry = const CudaPlugin* (*)(int version);

} // namespace scalebench
