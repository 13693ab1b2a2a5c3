// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The CUDA backend: see engine/backend/backend.h for the interface, plugin.h for how a program that
// is not linked with CUDA gets one.

#include <memory>

#include "engine/backend/backend.h"

namespace scalebench::cuda_backend {

class CudaContext;

/// On the device of this number among those the process sees. DeviceError where it cannot be used.
std::unique_ptr<Backend> makeCudaBackend(int device, bool autotune);

/// The context of a backend made here; for what shares its stream and memory.
CudaContext& contextOf(Backend& backend);

} // namespace scalebench::cuda_backend
