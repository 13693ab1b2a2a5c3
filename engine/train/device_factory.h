// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where a run computes: makes backends, and gradient arenas in their memory.

#include "engine/backend/backend.h"
#include "engine/backend/batch_uploads.h"
#include "engine/dist/communicator.h"
#include "engine/dist/device_group.h"

#include <functional>
#include <memory>
#include <string>

namespace scalebench::train {

using BackendFactory = std::function<std::unique_ptr<Backend>()>;

struct DeviceFactory {
    std::string deviceName; ///< of this rank, for the worker records
    /// One for training; another for evaluation in the background.
    BackendFactory makeBackend;
    /// Collective. An arena of `floats` in the memory of a backend that has its own (a device);
    /// null where tensors lie in host memory.
    std::function<std::unique_ptr<dist::ReductionArena>(
        Backend& backend, dist::Communicator& communicator, size_t floats)>
        makeArena;
    /// Collective. Other collectives on a backend's memory; null as makeArena.
    std::function<std::unique_ptr<dist::DeviceGroup>(Backend& backend,
                                                     dist::Communicator& communicator)>
        makeGroup = {};
    /// Brings batches to a backend made here beside what it computes; null where batches lie in
    /// the memory that computes.
    std::function<std::unique_ptr<BatchUploads>(Backend& backend)> makeUploads = {};
};

/// Processors.
DeviceFactory cpuDevices();

} // namespace scalebench::train
