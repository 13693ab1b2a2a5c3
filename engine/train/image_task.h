// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Image classification with a residual network.

#include "engine/train/run_data.h"
#include "engine/train/task.h"

namespace scalebench::train {

class ImageTask final : public Task
{
public:
    explicit ImageTask(const RunConfig& config) : config_(config) {}

    TaskSizes measure() override;
    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override;
    void open(dist::Communicator& communicator, const LoadProgress& progress) override;
    int64_t bytesRead() const override { return data_.bytesRead; }
    void fillTrain(std::span<const int64_t> samples, int64_t epoch,
                   data::Batch& batch) const override;
    void fillEval(std::span<const int64_t> samples, int64_t real,
                  data::Batch& batch) const override;
    scalebench::Batch tensors(const data::Batch& batch) const override;
    double lossScale(int64_t globalBatch) const override { return 1.0 / double(globalBatch); }
    const char* metric() const override { return "top1_accuracy"; }
    std::string packingNote() const override { return "pictures have one size"; }

private:
    const RunConfig& config_;
    DataPlan plan_;
    RunData data_;
    std::unique_ptr<data::ImagePipeline> trainPipeline_, evalPipeline_;
};

} // namespace scalebench::train
