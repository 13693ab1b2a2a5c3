// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/step_graph.h"

#include <algorithm>
#include <utility>

namespace scalebench::train {
namespace {

/// Steps before the record: plans are made and algorithms chosen in the first.
constexpr int kEagerSteps = 2;

std::string whyNot(Backend& backend, const Network& network, const RunConfig& config, int workers,
                   const std::string& method)
{
    if (!backend.allocator().onDevice())
        return "not on device " + config.device;
    if (!network.fixedWork())
        return "steps of this network differ in shape or look into their batch";
    if (config.options.gradAccum > 1)
        return "not with accumulation steps";
    if (config.options.syncBn && workers > 1)
        return "synchronised batch norm waits for the host";
    if (method == "staged" && workers > 1)
        return "the staged exchange waits for the host";
    return {};
}

} // namespace

StepGraph::StepGraph(Backend& backend, const Network& network, const RunConfig& config, int workers,
                     const std::string& method)
    : backend_(backend), note_("off")
{
    if (!config.options.cudaGraphs)
        return;
    const std::string reason = whyNot(backend, network, config, workers, method);
    on_ = reason.empty();
    note_ = on_ ? "on" : "off: " + reason;
}

LossSums StepGraph::run(const Batch& batch, const Constants& constants, const Issue& issue)
{
    if (!on_)
        return issue(batch);
    if (eagerSteps_ < kEagerSteps) {
        ++eagerSteps_;
        return issue(batch);
    }
    recordsOnly_ = true;
    if (!matches(batch, constants))
        record(batch, constants, issue);
    else
        for (std::size_t i = 0; i < batch.tensors.size(); ++i)
            backend_.copy(batch.tensors[i], inputs_.tensors[i]);
    recorded_->replay();
    recordsOnly_ = false;
    return sums_;
}

bool StepGraph::matches(const Batch& batch, const Constants& constants) const
{
    return recorded_ && constants == constants_ &&
           std::ranges::equal(batch.tensors, inputs_.tensors, [](const Tensor& a, const Tensor& b) {
               return a.shape() == b.shape() && a.dtype() == b.dtype();
           });
}

void StepGraph::record(const Batch& batch, const Constants& constants, const Issue& issue)
{
    recorded_.reset(); // its memory first
    sums_ = {};
    inputs_ = {{}, batch.samples};
    for (const Tensor& t : batch.tensors) { // memory of its own, which uploads do not overwrite
        inputs_.tensors.push_back(backend_.zeros(t.shape(), t.dtype()));
        backend_.copy(t, inputs_.tensors.back());
    }
    constants_ = constants;
    recorded_ = backend_.record([&] { sums_ = issue(inputs_); });
}

} // namespace scalebench::train
