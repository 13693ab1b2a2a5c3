// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ssd/ssd_workload.h"

#include "engine/detection/default_boxes.h"
#include "engine/models/ssd/ssd.h"
#include "engine/workloads/detection/detection_workload.h"
#include "engine/workloads/ssd/detection_batches.h"
#include "kernels/check.h"

#include <string>
#include <utility>
#include <vector>

namespace scalebench::workloads {
namespace {

class SsdWorkload final : public DetectionWorkload
{
public:
    SsdWorkload(const RunConfig& config, const SsdRecipe& recipe)
        : DetectionWorkload(config, recipe, false), recipe_(recipe)
    {
    }

    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override
    {
        auto made = std::make_unique<Ssd>(network(categories()), backend,
                                          parsePrecision(config().precision),
                                          uint64_t(config().seed), arena);
        readWeights(*made, "");
        return made;
    }
    void open(const OpenContext& context) override;
    std::unique_ptr<Network> warmUpNetwork(Backend& backend) override
    {
        return std::make_unique<Ssd>(network(kStandInCategories), backend,
                                     parsePrecision(config().precision), uint64_t(config().seed));
    }
    Batch warmUpBatch(int64_t samples, Allocator& memory) override
    {
        const detection::DefaultBoxConfig boxes = network(kStandInCategories).boxes;
        const int64_t edge = boxes.imageSize, count = boxes.count();
        return {{Tensor::zeros({samples, edge, edge, 3}, DType::F32, memory),
                 Tensor::zeros({samples, count}, DType::I32, memory),
                 Tensor::zeros({samples, count, 4}, DType::F32, memory)},
                samples};
    }

private:
    SsdConfig network(int categories) const
    {
        return SsdConfig::byName(config().model, categories);
    }

    const SsdRecipe& recipe_;
    std::vector<float> defaults_;
    std::unique_ptr<DetectionBatches> trainPictures_, evalPictures_;
};

void SsdWorkload::open(const OpenContext& context)
{
    const SsdConfig model = network(categories());
    defaults_ = detection::makeDefaultBoxes(model.boxes);
    DetectionBatches::Options options;
    options.edge = model.boxes.imageSize;
    options.augment = recipe_.augment;
    options.decode = decodes();
    options.raw = leavesPicturesRaw();
    options.seed = uint64_t(config().seed);
    trainPictures_ = std::make_unique<DetectionBatches>(parts().train, trained(), defaults_,
                                                        options, context.batchMemory);
    options.train = false;
    std::vector<int64_t> every(parts().eval.pictures.size());
    for (size_t i = 0; i < every.size(); ++i)
        every[i] = int64_t(i);
    evalPictures_ = std::make_unique<DetectionBatches>(parts().eval, std::move(every), defaults_,
                                                       options, context.batchMemory);
    training_ = std::make_unique<data::ShuffledSource>(
        data::TrainSampler(int64_t(trained().size()), config().globalBatch,
                           config().options.gradAccum, context.slice, uint64_t(config().seed)),
        [this](const data::SampleList& list, Batch& batch) { trainPictures_->fill(list, batch); });
    evaluation_ = std::make_unique<data::OrderedSource>(
        int64_t(parts().eval.pictures.size()), config().evalBatchSize(), context.slice,
        [this](const data::SampleList& list, Batch& batch) { evalPictures_->fill(list, batch); });
}

} // namespace

std::shared_ptr<const Recipe> SsdRecipe::parse(const RunConfig& config, RecipeKeys& keys)
{
    auto recipe = std::make_shared<SsdRecipe>();
    try {
        SsdConfig::byName(config.model, 1);
    } catch (const InvalidArgument& error) {
        refuseSetting(std::string("\"model.name\": ") + error.what());
    }
    recipe->detect.detections = 200;
    recipe->parseShared(config, keys);
    recipe->detect.candidates = recipe->detect.detections;
    if (const auto* augment = keys.data.find("augment")) {
        SettingsReader in(*augment, "data.augment");
        in.flag("crop", recipe->augment.crop);
        in.flag("flip", recipe->augment.flip);
        in.flag("colour", recipe->augment.colour);
        in.finish();
    }
    return recipe;
}

std::unique_ptr<Workload> SsdRecipe::make(const RunConfig& config) const
{
    return std::make_unique<SsdWorkload>(config, *this);
}

} // namespace scalebench::workloads
