// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/resnet/resnet_workload.h"

#include "engine/data/sampled_source.h"
#include "engine/models/resnet/resnet.h"
#include "engine/models/resnet/resnet9.h"
#include "engine/workloads/counted_evaluator.h"
#include "engine/workloads/device_input.h"
#include "engine/workloads/resnet/picture_data.h"
#include "kernels/check.h"

namespace scalebench::workloads {
namespace {

class ResNetWorkload final : public Workload, public PictureInput, public WarmUpInput
{
public:
    ResNetWorkload(const RunConfig& config, const ResNetRecipe& recipe)
        : config_(config), recipe_(recipe)
    {
    }

    bool measureReadsData() const override { return config_.data.source == DataSource::Files; }
    DataSizes measure() override
    {
        plan_ = planPictures(config_, recipe_);
        return plan_.sizes;
    }
    Fingerprint fingerprint() const override
    {
        return plan_.files ? plan_.files->fingerprint() : Fingerprint();
    }
    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override
    {
        return networkOf(recipe_.classes == 0 ? plan_.classes : recipe_.classes, backend, arena);
    }
    void prepareNode(int threads, const LoadProgress& progress) override
    {
        drawPictures(config_, threads, progress);
    }
    void open(const OpenContext& context) override;
    void leavePicturesRaw() override { raw_ = true; }
    std::unique_ptr<Network> warmUpNetwork(Backend& backend) override
    {
        return networkOf(recipe_.classes == 0 ? kStandInClasses : recipe_.classes, backend, {});
    }
    Batch warmUpBatch(int64_t samples, Allocator& memory) override
    {
        const int64_t edge = recipe_.imageSize;
        return {{Tensor::zeros({samples, edge, edge, 3}, DType::F32, memory),
                 Tensor::zeros({samples}, DType::I32, memory)},
                samples};
    }
    int64_t bytesRead() const override { return data_.bytesRead; }
    const data::BatchSource& training() const override { return *training_; }
    const data::BatchSource& evaluation() const override { return *evaluation_; }
    std::unique_ptr<Evaluator> makeEvaluator() const override
    {
        return std::make_unique<CountedEvaluator>("top1_accuracy");
    }
    std::vector<std::string> remarks() const override { return plan_.remarks; }
    std::vector<std::pair<std::string, std::string>> dataFacts() const override
    {
        return {{"format", plan_.format}, {"classes", std::to_string(plan_.classes)}};
    }
    int64_t examine(int threads, const std::function<void(const std::string&)>& damaged) override
    {
        const int64_t read = plan_.files ? plan_.files->examine(threads, damaged) : 0;
        return plan_.files ? plan_.files->bytesRead() + read : 0;
    }
    std::string packingNote() const override { return "pictures have one size"; }

private:
    /// ImageNet's, while the data's are not known.
    static constexpr int kStandInClasses = 1000;
    std::unique_ptr<Network> networkOf(int classes, Backend& backend,
                                       const ArenaAllocator& arena) const
    {
        const Precision precision = parsePrecision(config_.precision);
        const uint64_t seed = uint64_t(config_.seed);
        if (config_.model == "resnet9")
            return std::make_unique<ResNet9>(classes, backend, precision, seed, arena);
        ResNetConfig model = ResNetConfig::byName(config_.model, classes);
        model.imageSize = recipe_.imageSize;
        if (config_.model == "resnet18")
            model.imageNetStem = recipe_.imageSize > data::kSmallImageEdge;
        return std::make_unique<ResNet>(model, backend, precision, seed, arena);
    }

    const RunConfig& config_;
    const ResNetRecipe& recipe_;
    bool raw_ = false; ///< a device makes the rest of the pictures
    PicturePlan plan_;
    PictureData data_;
    std::unique_ptr<data::ImagePipeline> trainPictures_, evalPictures_;
    std::unique_ptr<data::BatchSource> training_, evaluation_;
};

void ResNetWorkload::open(const OpenContext& context)
{
    data_ = openPictures(config_, recipe_, plan_, context.threads, context.progress);
    plan_.files.reset(); // what an unpacked tar holds goes where it was decoded
    const uint64_t seed = uint64_t(config_.seed);
    const auto pictures = [&](const data::ImageDataset& set, const data::AugmentOptions& augment) {
        return std::make_unique<data::ImagePipeline>(set, recipe_.imageSize, data_.statistics,
                                                     augment, seed, context.batchMemory);
    };
    trainPictures_ = pictures(*data_.train, recipe_.augment);
    data::AugmentOptions noChance;
    noChance.randomResizedCrop = recipe_.augment.randomResizedCrop;
    evalPictures_ = pictures(*data_.eval, noChance);
    training_ = std::make_unique<data::ShuffledSource>(
        data::TrainSampler(plan_.sizes.trainSamples, config_.globalBatch, config_.options.gradAccum,
                           context.slice, seed),
        [this](const data::SampleList& list, Batch& batch) {
            trainPictures_->fillTrain(list.samples, list.epoch, batch, raw_);
        });
    evaluation_ = std::make_unique<data::OrderedSource>(
        plan_.sizes.evalSamples, config_.evalBatchSize(), context.slice,
        [this](const data::SampleList& list, Batch& batch) {
            evalPictures_->fillEval(list.samples, list.real, batch, raw_);
        });
}

} // namespace

std::shared_ptr<const Recipe> ResNetRecipe::parse(const RunConfig& config, RecipeKeys& keys)
{
    requireSampleCounts(config.data);
    if (config.model != "resnet9") {
        try {
            ResNetConfig::byName(config.model, 2);
        } catch (const InvalidArgument& e) {
            refuseSetting("\"model.name\": " + std::string(e.what()) + ", or resnet9");
        }
    }
    auto recipe = std::make_shared<ResNetRecipe>();
    keys.model.integer("classes", recipe->classes, 0, 1 << 20);
    keys.model.integer("image_size", recipe->imageSize, 8, 4096);
    if (const auto* augment = keys.data.find("augment")) {
        SettingsReader in(*augment, "data.augment");
        in.integer("pad_crop", recipe->augment.padCrop, 0, 256);
        in.flag("flip", recipe->augment.flip);
        in.flag("random_resized_crop", recipe->augment.randomResizedCrop);
        in.integer("cutout", recipe->augment.cutout, 0, 4096);
        in.finish();
    }
    return recipe;
}

std::unique_ptr<Workload> ResNetRecipe::make(const RunConfig& config) const
{
    return std::make_unique<ResNetWorkload>(config, *this);
}

} // namespace scalebench::workloads
