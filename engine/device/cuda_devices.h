// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which GPU a rank of a run takes, and what a run on GPUs is made with.

#include "engine/config/run_config.h"
#include "engine/dist/communicator.h"
#include "engine/train/device_factory.h"

namespace scalebench::device {

/// Collective. The GPU of this rank is that of its local rank. Throws Unsupported
/// (`device_unavailable`) with the reason, or InvalidArgument (`usage`) where ranks would share a
/// GPU that they may not share: NCCL takes one rank per GPU, and so does a GPU in exclusive mode.
train::DeviceFactory cudaDevices(const RunConfig& config, dist::Communicator& communicator);

/// Number of the GPU of a local rank: `ranks` share `devices` in turn.
int deviceOfRank(int localRank, int devices);

} // namespace scalebench::device
