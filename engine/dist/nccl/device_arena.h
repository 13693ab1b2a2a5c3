// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Groups and gradient arenas in the memory of a CUDA backend; part of the CUDA plug-in.

#include <memory>

#include "engine/backend/backend.h"
#include "engine/dist/communicator.h"
#include "engine/dist/device_group.h"

namespace scalebench::dist {

/// Collective. By NCCL (kind Auto or Nccl), which takes one worker per GPU, or through host memory
/// by the communicator (Staged), for GPUs that several workers share. `backend` is a CUDA backend;
/// both outlive the group. CommError with NCCL's own text.
std::unique_ptr<DeviceGroup> makeDeviceGroup(Backend& backend, Communicator& communicator,
                                             AllReduceKind kind);

/// Collective. A group's arena of `floats`; for one worker without a group (method "self").
std::unique_ptr<ReductionArena> makeDeviceArena(Backend& backend, Communicator& communicator,
                                                std::size_t floats, AllReduceKind kind);

} // namespace scalebench::dist
