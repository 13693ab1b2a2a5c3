// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which GPU a rank of a run takes, and what a run on GPUs is made with.

#include "engine/config/run_config.h"
#include "engine/device/cuda_driver.h"
#include "engine/dist/communicator.h"
#include "engine/train/device_factory.h"

#include <vector>

namespace scalebench::device {

/// The GPU of a rank, among those that it sees.
struct GpuChoice {
    int number = 0;
    int nodeGpus = 1;    ///< of this rank's node, as its ranks see them together
    int mostSharers = 1; ///< ranks on the GPU of this node that has most of them
};

/// Collective; in the order of their ranks the workers of a node take the GPU that fewest have
/// taken, the first they see of several. What they see may differ: a queue or a wrapper may give
/// each its own. GPUs are told apart by PCI address, slices of one (MIG) by their own numbers.
GpuChoice chooseGpu(dist::Communicator& communicator, const std::vector<CudaDevice>& visible);

/// What a run on that GPU is made with. Throws Unsupported (`device_unavailable`) with the reason,
/// or InvalidArgument (`usage`) where ranks would share a GPU that they may not share: NCCL takes
/// one rank per GPU, and so does a GPU in exclusive mode.
train::DeviceFactory cudaDevices(const RunConfig& config, const dist::Communicator& communicator,
                                 const GpuChoice& choice);

} // namespace scalebench::device
