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

CudnnPlans::Usable CudnnPlans::usable(const CudnnConfigs& configs, bool exact, std::size_t count)
{
    Usable found;
    for (const CudnnConfig* c : configs.usable(exact)) {
        // The search does not trade repeatable results for speed.
        if (found.plans.size() == count || (!found.plans.empty() && !c->deterministic))
            break;
        auto plan = configs.plan(*c);
        if (!plan)
            continue;
        if (plan->workspaceBytes <= kWorkspaceLimit)
            found.plans.push_back(std::move(*plan));
        else if (!found.smallest || plan->workspaceBytes < found.smallest->workspaceBytes)
            found.smallest = std::move(plan);
    }
    return found;
}

CudnnPlans::Chosen CudnnPlans::choose(const CudnnGraph& graph, bool exact)
{
    const CudnnConfigs configs(graph, {handle_.get(), nullptr});
    Chosen chosen;
    if (context_.autotune())
        if (const auto name = memory_.find(graph.what()))
            for (const CudnnConfig* c : configs.usable(exact))
                if (c->name == *name && !chosen.plan)
                    chosen.plan = configs.plan(*c);
    if (chosen.plan) {
        chosen.search.settle();
        return chosen;
    }
    Usable found = usable(configs, exact, 1);
    chosen.plan = found.plans.empty() ? std::move(found.smallest)
                                      : std::optional(std::move(found.plans.front()));
    return chosen;
}

std::optional<CudnnPlan> CudnnPlans::repeatable(const CudnnGraph& graph)
{
    const CudnnConfigs configs(graph, {handle_.get(), nullptr});
    for (const CudnnConfig* c : configs.usable(false)) {
        if (!c->deterministic)
            break;
        if (auto plan = configs.plan(*c))
            return plan;
    }
    return {};
}

std::optional<CudnnPlan> CudnnPlans::search(const CudnnGraph& graph, bool exact,
                                            const CudnnOperands& operands)
{
    const CudnnConfigs configs(graph, {handle_.get(), nullptr});
    std::vector<CudnnPlan> plans = usable(configs, exact, kSearched).plans;
    std::size_t bytes = 1;
    for (const CudnnPlan& p : plans)
        bytes = std::max(bytes, p.workspaceBytes);
    void* workspace = context_.workspace(bytes);
    const auto best = fastestOf(context_, plans.size(), [&](std::size_t i) {
        return issue(plans[i], operands, workspace, graph.what()) == CUDNN_STATUS_SUCCESS;
    });
    if (!best)
        return {};
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
