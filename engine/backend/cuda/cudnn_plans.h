// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The cuDNN handle of a context, and how one of a graph's configurations is chosen and run.
//
// What may be chosen: in f32 only engines that compute in f32 (no TF32); deterministic ones, others
// only where there is no such; workspace up to a limit, above it only what needs least. Of these
// the first in the order of the library's heuristics (mode A, then fallback), or with autotune the
// fastest of the first kSearched, remembered by the name of its engine and settings.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/backend/cuda/cuda_context.h"
#include "engine/backend/cuda/cudnn_graph.h"
#include "engine/backend/cuda/plan_memory.h"
#include "engine/backend/cuda/tuning.h"

namespace scalebench::cuda_backend {

/// Tensors of a graph and their memory.
using CudnnOperands = std::vector<std::pair<CudnnGraph::Id, const void*>>;

class CudnnPlans
{
public:
    explicit CudnnPlans(CudaContext& context);

    /// A plan as it is used.
    struct Chosen {
        std::optional<CudnnPlan> plan; ///< none: no engine supports the graph
        SearchTime search;
    };
    /// By memory or heuristics. `exact`: fp32 in all steps.
    Chosen choose(const CudnnGraph& graph, bool exact);
    /// The first by heuristics that gives the same bits every run.
    std::optional<CudnnPlan> repeatable(const CudnnGraph& graph);
    /// The fastest: the candidates run on `operands`, whose outputs are overwritten, and the
    /// context's workspace is used. None where none runs.
    std::optional<CudnnPlan> search(const CudnnGraph& graph, bool exact,
                                    const CudnnOperands& operands);
    /// On the context's stream; workspace: plan.workspaceBytes, 256-byte aligned. DeviceError.
    void run(const CudnnPlan& plan, const CudnnOperands& operands, void* workspace,
             const std::string& what);

    static constexpr std::size_t kSearched = 12;
    static constexpr std::size_t kWorkspaceLimit = std::size_t(1) << 30;

private:
    struct DestroyHandle {
        void operator()(cudnnHandle_t h) const { (void)cudnnDestroy(h); }
    };

    struct Usable {
        std::vector<CudnnPlan> plans;      ///< within the limit of workspace
        std::optional<CudnnPlan> smallest; ///< of those above it
    };
    static Usable usable(const CudnnConfigs& configs, bool exact, std::size_t count);
    cudnnStatus_t issue(const CudnnPlan& plan, const CudnnOperands& operands, void* workspace,
                        const std::string& what);

    CudaContext& context_;
    std::unique_ptr<std::remove_pointer_t<cudnnHandle_t>, DestroyHandle> handle_;
    PlanMemory memory_;
};

} // namespace scalebench::cuda_backend
