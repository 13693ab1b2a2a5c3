// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Device collectives through host memory, by the communicator of the processes: for several workers
// on one GPU, which NCCL refuses, and for tests. Each call waits for the device.

#include <memory>

#include "engine/backend/backend.h"
#include "engine/dist/communicator.h"
#include "engine/dist/device_group.h"

namespace scalebench::dist {

std::unique_ptr<DeviceGroup> makeStagedGroup(Backend& backend, Communicator& communicator);

} // namespace scalebench::dist
