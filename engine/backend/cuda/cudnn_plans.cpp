// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cudnn_plans.h"

#include <algorithm>

#include "engine/backend/cuda/tuning.h"

namespace scalebench::cuda_backend {

CudnnPlans::CudnnPlans(CudaContext& context)
    : context_(context),
      memory_(PlanMemory::defaultPath(),
              planMachine(context, "cuDNN " + std::to_string(cudnnGetVersion())))
{
    const std::string what = "cuDNN on " + context.device().name;
    cudnnHandle_t handle = nullptr;
    checkCudnn(cudnnCreate(&handle), "cudnnCreate", what);
    handle_.reset(handle);
    checkCudnn(cudnnSetStream(handle, context.stream()), "cudnnSetStream", what);
}

std::optional<CudnnPlan> CudnnPlans::choose(const CudnnGraph& graph, bool exact,
                                            const CudnnOperands& operands)
{
    const CudnnConfigs configs(graph, {handle_.get(), nullptr});
    const std::vector<const CudnnConfig*> usable = configs.usable(exact);
    if (context_.autotune())
        if (const auto name = memory_.find(graph.what()))
            for (const CudnnConfig* c : usable)
                if (c->name == *name)
                    if (auto plan = configs.plan(*c))
                        return plan;

    const bool tune = mayTune(context_);
    std::vector<CudnnPlan> plans;
    std::optional<CudnnPlan> smallest; // of those above the limit
    for (const CudnnConfig* c : usable) {
        // The search does not trade repeatable results for speed.
        if (plans.size() == (tune ? kSearched : 1) || (!plans.empty() && !c->deterministic))
            break;
        auto plan = configs.plan(*c);
        if (plan && plan->workspaceBytes <= kWorkspaceLimit)
            plans.push_back(std::move(*plan));
        else if (plan && (!smallest || plan->workspaceBytes < smallest->workspaceBytes))
            smallest = std::move(plan);
    }
    if (plans.empty())
        return smallest;
    if (!tune)
        return std::move(plans.front());
    std::size_t bytes = 0;
    for (const CudnnPlan& p : plans)
        bytes = std::max(bytes, p.workspaceBytes);
    void* workspace = context_.workspace(bytes);
    const auto best = fastestOf(context_, plans.size(), [&](std::size_t i) {
        return issue(plans[i], operands, workspace, graph.what()) == CUDNN_STATUS_SUCCESS;
    });
    if (!best)
        return std::move(plans.front());
    memory_.remember(graph.what(), plans[*best].name);
    return std::move(plans[*best]);
}

cudnnStatus_t CudnnPlans::issue(const CudnnPlan& plan, const CudnnOperands& operands,
                                void* workspace, const std::string& what)
{
    std::vector<std::int64_t> ids;
    std::vector<const void*> pointers;
    for (const auto& [id, pointer] : operands) {
        ids.push_back(id);
        pointers.push_back(pointer);
    }
    CudnnDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, what);
    pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids);
    pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
             std::int64_t(pointers.size()), pointers.data());
    pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace);
    pack.finalize();
    return cudnnBackendExecute(handle_.get(), plan.descriptor.get(), pack.get());
}

void CudnnPlans::run(const CudnnPlan& plan, const CudnnOperands& operands, void* workspace,
                     const std::string& what)
{
    checkCudnn(issue(plan, operands, workspace, what), "cudnnBackendExecute",
               what + " (" + plan.name + ")");
}

} // namespace scalebench::cuda_backend
