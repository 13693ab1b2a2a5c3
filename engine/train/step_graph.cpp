// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/step_graph.h"

#include <algorithm>
#include <utility>

namespace scalebench::train {
namespace {

std::string whyNot(Backend& backend, const Network& network, const RunConfig& config, int workers,
                   const std::string& method)
{
    if (!backend.allocator().onDevice())
        return "not on device " + config.device;
    if (!network.workFollowsShape())
        return "steps of this network look into their batch";
    if (!network.fixedWork() && workers > 1) // NCCL wants a call recorded on all workers or none
        return "steps of this network differ in shape, and between workers";
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
    const Shapes shapes = shapesOf(batch);
    if (!isKnown(shapes))
        return issue(batch);
    recordsOnly_ = true;
    if (constants != constants_)
        records_.clear(); // none of them will be replayed again
    constants_ = constants;
    Record& record = recordOf(shapes, batch, issue);
    record.work->replay();
    recordsOnly_ = false;
    return record.sums;
}

StepGraph::Shapes StepGraph::shapesOf(const Batch& batch)
{
    Shapes shapes;
    for (const Tensor& t : batch.tensors) {
        shapes.push_back(-1 - std::int64_t(t.dtype())); // no length of an axis
        shapes.insert(shapes.end(), t.shape().begin(), t.shape().end());
    }
    return shapes;
}

bool StepGraph::isKnown(const Shapes& shapes)
{
    constexpr std::size_t kMostCounted = 10'000; // where none comes again there are no records
    const auto found = eagerSteps_.find(shapes);
    if (found == eagerSteps_.end()) {
        if (eagerSteps_.size() < kMostCounted)
            eagerSteps_.emplace(shapes, 1);
        return false;
    }
    if (found->second >= kEagerSteps)
        return true;
    ++found->second;
    return false;
}

StepGraph::Record& StepGraph::recordOf(const Shapes& shapes, const Batch& batch, const Issue& issue)
{
    const auto found = std::ranges::find(records_, shapes, &Record::shapes);
    if (found != records_.end()) {
        records_.splice(records_.begin(), records_, found);
        for (std::size_t i = 0; i < batch.tensors.size(); ++i)
            backend_.copy(batch.tensors[i], found->inputs.tensors[i]);
        return *found;
    }
    if (records_.size() >= kMostRecords)
        records_.pop_back();
    Record made;
    made.shapes = shapes;
    record(made, batch, issue);
    return records_.emplace_front(std::move(made));
}

void StepGraph::record(Record& made, const Batch& batch, const Issue& issue)
{
    made.inputs = {{}, batch.samples};
    for (const Tensor& t : batch.tensors) { // memory of its own, which uploads do not overwrite
        made.inputs.tensors.push_back(backend_.zeros(t.shape(), t.dtype()));
        backend_.copy(t, made.inputs.tensors.back());
    }
    const RecordedWork* const beside = records_.empty() ? nullptr : records_.front().work.get();
    made.work = backend_.record([&] { made.sums = issue(made.inputs); }, beside);
}

} // namespace scalebench::train
