// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ssd/ssd_workload.h"

#include "engine/data/hash_random.h"
#include "engine/data/parallel.h"
#include "engine/detection/default_boxes.h"
#include "engine/detection/open_annotated.h"
#include "engine/models/ssd/ssd.h"
#include "engine/workloads/ssd/detection_batches.h"
#include "engine/workloads/ssd/detection_evaluator.h"
#include "kernels/check.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace scalebench::workloads {
namespace {

using detection::AnnotatedObject;
using detection::AnnotatedPicture;
using detection::AnnotatedSet;

/// Pictures that are not there, with an object each: for throughput only.
AnnotatedSet syntheticSet(const SsdRecipe& recipe, int64_t pictures, uint64_t part)
{
    AnnotatedSet set;
    for (int c = 0; c < recipe.scenes.categories; ++c)
        set.categories.push_back({c + 1, "category " + std::to_string(c + 1)});
    const int edge = recipe.scenes.edge;
    for (int64_t i = 0; i < pictures; ++i) {
        data::HashRandom random({73, part, uint64_t(i)});
        AnnotatedPicture picture;
        picture.id = i + 1;
        picture.width = picture.height = edge;
        AnnotatedObject object;
        object.category = int32_t(random.below(uint32_t(recipe.scenes.categories)));
        const double size = random.uniform(0.2, 0.6) * edge;
        object.box = {random.uniform(0, edge - size), random.uniform(0, edge - size), size, size};
        object.area = object.box.area();
        picture.objects.push_back(object);
        set.pictures.push_back(std::move(picture));
    }
    return set;
}

/// Pictures to train on: those with an object, `most` of them (0: all).
std::vector<int64_t> trainable(const AnnotatedSet& set, int64_t most)
{
    std::vector<int64_t> chosen;
    for (size_t i = 0; i < set.pictures.size(); ++i)
        if (!std::ranges::all_of(set.pictures[i].objects, &AnnotatedObject::ignored))
            chosen.push_back(int64_t(i));
    if (most > 0 && most < int64_t(chosen.size()))
        chosen.resize(size_t(most));
    return chosen;
}

class SsdWorkload final : public Workload
{
public:
    SsdWorkload(const RunConfig& config, const SsdRecipe& recipe) : config_(config), recipe_(recipe)
    {
    }

    bool measureReadsData() const override { return true; }
    void prepareNode(int threads, const LoadProgress& progress) override
    {
        if (config_.data.source == DataSource::Generated)
            detection::ensureScenes(config_.data.path, recipe_.scenes, threads, progress);
    }
    DataSizes measure() override;
    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override
    {
        return std::make_unique<Ssd>(network(), backend, parsePrecision(config_.precision),
                                     uint64_t(config_.seed), arena);
    }
    void open(const OpenContext& context) override;
    int64_t bytesRead() const override { return parts_.train.bytesRead + parts_.eval.bytesRead; }
    int64_t examine(int threads, const std::function<void(const std::string&)>& damaged) override;
    std::vector<std::pair<std::string, std::string>> dataFacts() const override
    {
        return {{"format", parts_.format},
                {"categories", std::to_string(parts_.train.categories.size())},
                {"objects", std::to_string(parts_.train.objects())},
                {"test_objects", std::to_string(parts_.eval.objects())}};
    }
    std::vector<std::string> remarks() const override;
    const data::BatchSource& training() const override { return *training_; }
    const data::BatchSource& evaluation() const override { return *evaluation_; }
    std::unique_ptr<Evaluator> makeEvaluator() const override
    {
        return std::make_unique<DetectionEvaluator>(
            parts_.eval, DecodeOptions{recipe_.scoreThreshold, recipe_.nmsOverlap,
                                       recipe_.detections, recipe_.detections});
    }

private:
    SsdConfig network() const
    {
        return SsdConfig::byName(config_.model, int(parts_.train.categories.size()));
    }

    const RunConfig& config_;
    const SsdRecipe& recipe_;
    std::unique_ptr<data::GeneratedSetLock> lock_; ///< pictures are read while the run goes on
    detection::AnnotatedParts parts_;
    std::vector<int64_t> train_;
    std::vector<float> defaults_;
    std::unique_ptr<DetectionBatches> trainPictures_, evalPictures_;
    std::unique_ptr<data::BatchSource> training_, evaluation_;
};

DataSizes SsdWorkload::measure()
{
    if (config_.data.source == DataSource::Synthetic) {
        parts_ = {syntheticSet(recipe_, config_.data.trainSamples, 0),
                  syntheticSet(recipe_, config_.data.evalSamples, 1), "synthetic"};
    } else {
        if (config_.data.source == DataSource::Generated)
            lock_ = detection::ensureScenes(config_.data.path, recipe_.scenes, 1);
        parts_ = detection::openAnnotated(config_.data.path, {recipe_.evalPart, false});
    }
    const bool all = config_.data.source != DataSource::Files;
    train_ = trainable(parts_.train, all ? 0 : config_.data.trainSamples);
    if (!all && config_.data.evalSamples > 0 &&
        config_.data.evalSamples < int64_t(parts_.eval.pictures.size()))
        parts_.eval.pictures.resize(size_t(config_.data.evalSamples));
    if (int64_t(train_.size()) < config_.globalBatch)
        throw InvalidArgument("the " + std::to_string(train_.size()) +
                                  " training pictures with an object do not fill one global batch "
                                  "of " +
                                  std::to_string(config_.globalBatch) + "; choose a smaller batch",
                              "batch");
    return {int64_t(train_.size()), int64_t(parts_.eval.pictures.size())};
}

std::vector<std::string> SsdWorkload::remarks() const
{
    std::vector<std::string> all = parts_.train.remarks;
    all.insert(all.end(), parts_.eval.remarks.begin(), parts_.eval.remarks.end());
    const int64_t without =
        std::ranges::count_if(parts_.train.pictures, [](const AnnotatedPicture& p) {
            return std::ranges::all_of(p.objects, &AnnotatedObject::ignored);
        });
    if (without > 0)
        all.push_back(std::to_string(without) +
                      " training pictures have no object and are not trained on");
    if (parts_.train.categories.size() == 1)
        all.push_back("there is one category only: \"" + parts_.train.categories[0].name + "\"");
    return all;
}

int64_t SsdWorkload::examine(int threads, const std::function<void(const std::string&)>& damaged)
{
    std::atomic<int64_t> bytes{bytesRead()};
    std::mutex one;
    if (config_.data.source == DataSource::Synthetic)
        return bytes;
    for (const AnnotatedSet* set : {&parts_.train, &parts_.eval})
        data::parallelFor(int64_t(set->pictures.size()), threads, [&](int64_t i) {
            const AnnotatedPicture& picture = set->pictures[size_t(i)];
            try {
                detection::decodePicture(picture);
                bytes += picture.file.size;
            } catch (const InvalidArgument& error) {
                const std::lock_guard guard(one);
                damaged(error.what());
            }
        });
    return bytes;
}

void SsdWorkload::open(const OpenContext& context)
{
    const SsdConfig model = network();
    defaults_ = detection::makeDefaultBoxes(model.boxes);
    DetectionBatches::Options options;
    options.edge = model.boxes.imageSize;
    options.augment = recipe_.augment;
    options.decode = config_.data.source != DataSource::Synthetic;
    options.seed = uint64_t(config_.seed);
    trainPictures_ = std::make_unique<DetectionBatches>(parts_.train, train_, defaults_, options,
                                                        context.batchMemory);
    options.train = false;
    std::vector<int64_t> every(parts_.eval.pictures.size());
    for (size_t i = 0; i < every.size(); ++i)
        every[i] = int64_t(i);
    evalPictures_ = std::make_unique<DetectionBatches>(parts_.eval, std::move(every), defaults_,
                                                       options, context.batchMemory);
    training_ = std::make_unique<data::ShuffledSource>(
        data::TrainSampler(int64_t(train_.size()), config_.globalBatch, config_.options.gradAccum,
                           context.slice, uint64_t(config_.seed)),
        [this](const data::SampleList& list, Batch& batch) { trainPictures_->fill(list, batch); });
    evaluation_ = std::make_unique<data::OrderedSource>(
        int64_t(parts_.eval.pictures.size()), config_.evalBatchSize(), context.slice,
        [this](const data::SampleList& list, Batch& batch) { evalPictures_->fill(list, batch); });
}

} // namespace

std::shared_ptr<const Recipe> SsdRecipe::parse(const RunConfig& config, RecipeKeys& keys)
{
    requireSampleCounts(config.data);
    auto recipe = std::make_shared<SsdRecipe>();
    try {
        SsdConfig::byName(config.model, 1);
    } catch (const InvalidArgument& error) {
        refuseSetting(std::string("\"model.name\": ") + error.what());
    }
    keys.model.number("score_threshold", recipe->scoreThreshold, 0, 1);
    keys.model.number("nms_overlap", recipe->nmsOverlap, 0, 1);
    keys.model.integer("detections", recipe->detections, 1, 10000);
    keys.data.text("eval", recipe->evalPart);
    keys.data.integer("edge", recipe->scenes.edge, 32, 4096);
    keys.data.integer("categories", recipe->scenes.categories, 1, 10);
    keys.data.integer("most_objects", recipe->scenes.mostObjects, 1, 100);
    recipe->scenes.trainSamples = config.data.trainSamples;
    recipe->scenes.evalSamples = config.data.evalSamples;
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
