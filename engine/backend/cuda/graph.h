// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// CUDA graphs: work captured from the streams once and launched as a whole (CUDA C++ programming
// guide, "CUDA Graphs"). The memory of a graph comes from a pool of its own, because a replay
// writes to the addresses of the capture.

#include <functional>
#include <memory>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/cuda_context.h"

namespace scalebench::cuda_backend {

/// See Backend::record().
std::unique_ptr<RecordedWork> recordGraph(CudaContext& context, const std::function<void()>& work,
                                          const RecordedWork* beside);

} // namespace scalebench::cuda_backend
