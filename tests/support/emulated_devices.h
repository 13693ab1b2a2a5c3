// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The emulated GPU as a run's device.

#include "engine/backend/cuda/batch_uploads.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/dist/nccl/device_arena.h"
#include "engine/train/device_factory.h"

namespace scalebench::test {

inline train::DeviceFactory emulatedDevices(dist::AllReduceKind kind)
{
    return {"emulated device", [] { return cuda_backend::makeCudaBackend(0, false); },
            [kind](Backend& backend, dist::Communicator& communicator, size_t floats) {
                return dist::makeDeviceArena(backend, communicator, floats, kind);
            },
            [kind](Backend& backend, dist::Communicator& communicator) {
                return dist::makeDeviceGroup(backend, communicator, kind);
            },
            cuda_backend::makeBatchUploads};
}

} // namespace scalebench::test
