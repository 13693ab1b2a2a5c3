// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/image_task.h"

#include "engine/models/resnet/resnet.h"

#include <algorithm>

namespace scalebench::train {

TaskSizes ImageTask::measure()
{
    plan_ = planData(config_);
    return {plan_.trainSamples, plan_.evalSamples};
}

std::unique_ptr<Network> ImageTask::makeNetwork(Backend& backend, const ArenaAllocator& arena)
{
    ResNetConfig model = ResNetConfig::byName(
        config_.model.name, config_.model.classes == 0 ? plan_.classes : config_.model.classes);
    model.imageSize = config_.model.imageSize;
    return std::make_unique<ResNet>(model, backend, parsePrecision(config_.precision),
                                    uint64_t(config_.seed), arena);
}

void ImageTask::open(dist::Communicator& communicator, const LoadProgress& progress)
{
    data_ = loadData(config_, communicator, progress);
    const data::AugmentOptions augment{config_.data.padCrop, config_.data.flip,
                                       config_.data.randomResizedCrop};
    const uint64_t seed = uint64_t(config_.seed);
    trainPipeline_ = std::make_unique<data::ImagePipeline>(*data_.train, config_.model.imageSize,
                                                           data_.statistics, augment, seed);
    evalPipeline_ = std::make_unique<data::ImagePipeline>(
        *data_.eval, config_.model.imageSize, data_.statistics, data::AugmentOptions{}, seed);
}

void ImageTask::fillTrain(std::span<const int64_t> samples, int64_t epoch, data::Batch& batch) const
{
    trainPipeline_->fillTrain(samples, epoch, batch);
}

void ImageTask::fillEval(std::span<const int64_t> samples, int64_t real, data::Batch& batch) const
{
    evalPipeline_->fillEval(samples, batch);
    std::fill(batch.labels.begin() + std::ptrdiff_t(real), batch.labels.end(), -1);
}

scalebench::Batch ImageTask::tensors(const data::Batch& batch) const
{
    const int64_t edge = config_.model.imageSize;
    return {{Tensor::view(const_cast<float*>(batch.images.data()), {batch.count, edge, edge, 3},
                          DType::F32),
             Tensor::view(const_cast<int32_t*>(batch.labels.data()), {batch.count}, DType::I32)},
            batch.count};
}

} // namespace scalebench::train
