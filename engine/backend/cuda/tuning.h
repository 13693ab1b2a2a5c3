// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The timed search over a vendor library's candidates for one problem.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "engine/backend/cuda/cuda_context.h"

namespace scalebench::cuda_backend {

/// What a choice of plan depends on besides the problem, for PlanMemory: device, driver and
/// `library` with its version.
std::string planMachine(const CudaContext& context, const std::string& library);

/// True where a search was asked for and may wait: not while the stream is captured.
bool mayTune(const CudaContext& context);

/// The fastest of `count` candidates; run(i) issues the i-th on the context's stream, false where
/// it cannot. Each runs once to get warm and then kTuneRuns times, of which the fastest counts.
/// None where all fail.
std::optional<std::size_t> fastestOf(const CudaContext& context, std::size_t count,
                                     const std::function<bool(std::size_t)>& run);

inline constexpr int kTuneRuns = 3;

} // namespace scalebench::cuda_backend
