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

/// When a plan is searched for: at the first use where shapes repeat. Elsewhere (sentences of any
/// length) at the kSearchAfter-th, when the uses so far have cost about what a search costs, so
/// that one in vain no more than doubles the time; before, the library's heuristic serves.
class SearchTime
{
public:
    /// At a use of the plan: whether to search now. True once.
    bool now(const CudaContext& context)
    {
        if (settled_ || !context.autotune())
            return false;
        if (++uses_ < kSearchAfter && !context.shapesRepeat())
            return false;
        return settled_ = mayTune(context);
    }
    /// The choice is known from an earlier run.
    void settle() { settled_ = true; }

    static constexpr int kSearchAfter = 64;

private:
    int uses_ = 0;
    bool settled_ = false;
};

/// The fastest of `count` candidates; run(i) issues the i-th on the context's stream, false where
/// it cannot. Each runs once to get warm and then kTuneRuns times, of which the fastest counts.
/// None where all fail.
std::optional<std::size_t> fastestOf(const CudaContext& context, std::size_t count,
                                     const std::function<bool(std::size_t)>& run);

inline constexpr int kTuneRuns = 3;

} // namespace scalebench::cuda_backend
