// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/detection/detection_workload.h"

#include "engine/data/hash_random.h"
#include "engine/data/parallel.h"
#include "engine/detection/object_checks.h"
#include "engine/models/detector/load_backbone.h"
#include "engine/workloads/detection/detection_evaluator.h"
#include "engine/workloads/detection/picture_sources.h"
#include "engine/workloads/full_batch.h"
#include "kernels/check.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

namespace scalebench::workloads {
namespace {

using detection::AnnotatedObject;
using detection::AnnotatedPicture;
using detection::AnnotatedSet;

/// Pictures that are not there, with an object each: for throughput only.
AnnotatedSet syntheticSet(const detection::ScenesSpec& scenes, int64_t pictures, uint64_t part,
                          bool masks)
{
    AnnotatedSet set;
    for (int c = 0; c < scenes.categories; ++c)
        set.categories.push_back({c + 1, "category " + std::to_string(c + 1)});
    const int edge = scenes.edge;
    for (int64_t i = 0; i < pictures; ++i) {
        data::HashRandom random({73, part, uint64_t(i)});
        AnnotatedPicture picture;
        picture.id = i + 1;
        picture.width = picture.height = edge;
        AnnotatedObject object;
        object.category = int32_t(random.below(uint32_t(scenes.categories)));
        const double size = random.uniform(0.2, 0.6) * edge;
        object.box = {random.uniform(0, edge - size), random.uniform(0, edge - size), size, size};
        object.area = object.box.area();
        if (masks) {
            const detection::Box& b = object.box;
            const double outline[] = {b.x,        b.y,        b.x + size, b.y,
                                      b.x + size, b.y + size, b.x,        b.y + size};
            object.mask = detection::fillPolygon(outline, edge, edge);
        }
        picture.objects.push_back(std::move(object));
        set.pictures.push_back(std::move(picture));
    }
    return set;
}

/// InvalidArgument (`data_damaged`) that names the first object without one.
void requireMasks(const AnnotatedSet& set, const detection::ProblemSink& problem)
{
    const auto require = [](const AnnotatedPicture& picture) {
        for (size_t i = 0; i < picture.objects.size(); ++i)
            if (picture.objects[i].mask.empty())
                throw InvalidArgument("object " + std::to_string(i + 1) + " of picture " +
                                          std::to_string(picture.id) +
                                          " has a box but no mask (\"segmentation\")",
                                      "data_damaged");
    };
    for (const AnnotatedPicture& picture : set.pictures)
        detection::orTell(problem, [&] { require(picture); });
}

bool withoutObject(const AnnotatedPicture& picture)
{
    return std::ranges::all_of(picture.objects, &AnnotatedObject::ignored);
}

/// Pictures to train on: those with an object, `most` of them (0: all).
std::vector<int64_t> trainable(const AnnotatedSet& set, int64_t most)
{
    std::vector<int64_t> chosen;
    for (size_t i = 0; i < set.pictures.size(); ++i)
        if (!withoutObject(set.pictures[i]))
            chosen.push_back(int64_t(i));
    if (most > 0 && most < int64_t(chosen.size()))
        chosen.resize(size_t(most));
    return chosen;
}

} // namespace

void DetectionWorkload::prepareNode(int threads, const LoadProgress& progress)
{
    if (config_.data.source == DataSource::Generated)
        detection::ensureScenes(config_.data.path, recipe_.scenes, threads, progress);
}

DataSizes DetectionWorkload::measure()
{
    if (config_.data.source == DataSource::Synthetic) {
        parts_ = {syntheticSet(recipe_.scenes, config_.data.trainSamples, 0, masks_),
                  syntheticSet(recipe_.scenes, config_.data.evalSamples, 1, masks_), "synthetic"};
    } else {
        if (config_.data.source == DataSource::Generated)
            lock_ = detection::ensureScenes(config_.data.path, recipe_.scenes, 1);
        parts_ = detection::openAnnotated(config_.data.path, {recipe_.evalPart, masks_, problem_});
    }
    if (masks_) {
        requireMasks(parts_.train, problem_);
        requireMasks(parts_.eval, problem_);
    }
    const bool all = config_.data.source != DataSource::Files;
    train_ = trainable(parts_.train, all ? 0 : config_.data.trainSamples);
    if (!all && config_.data.evalSamples > 0 &&
        config_.data.evalSamples < int64_t(parts_.eval.pictures.size()))
        parts_.eval.pictures.resize(size_t(config_.data.evalSamples));
    if (train_.empty())
        throw InvalidArgument("no picture of the " + std::to_string(parts_.train.pictures.size()) +
                                  " in the training part has an object to learn from",
                              "data_missing");
    // COCO's metric is undefined then, which is not the same as 0.
    if (std::ranges::all_of(parts_.eval.pictures, withoutObject))
        throw InvalidArgument("no picture of the " + std::to_string(parts_.eval.pictures.size()) +
                                  " to evaluate with has an object that counts (crowds and "
                                  "difficult ones do not): there is nothing to measure. Choose "
                                  "another part (\"data.eval\") or more pictures "
                                  "(\"data.eval_samples\")",
                              "data_missing");
    requireFullBatch(int64_t(train_.size()), "training pictures with an object",
                     config_.globalBatch);
    return {int64_t(train_.size()), int64_t(parts_.eval.pictures.size())};
}

Fingerprint DetectionWorkload::fingerprint() const
{
    Fingerprint print;
    for (const AnnotatedSet* set : {&parts_.train, &parts_.eval}) {
        for (const detection::Category& category : set->categories)
            print.add(category.name);
        for (const AnnotatedPicture& picture : set->pictures) {
            print.add(picture.file.name);
            print.add(uint64_t(picture.file.size));
            for (const AnnotatedObject& object : picture.objects) {
                print.add(uint64_t(object.category));
                for (const double edge :
                     {object.box.x, object.box.y, object.box.width, object.box.height})
                    print.add(uint64_t(std::llround(edge)));
            }
        }
    }
    return print;
}

std::vector<std::pair<std::string, std::string>> DetectionWorkload::dataFacts() const
{
    std::vector<std::pair<std::string, std::string>> facts = {
        {"format", parts_.format},
        {"categories", std::to_string(parts_.train.categories.size())},
        {"objects", std::to_string(parts_.train.objects())},
        {"test_objects", std::to_string(parts_.eval.objects())}};
    if (!weights_.empty())
        facts.emplace_back("weights", weights_);
    return facts;
}

void DetectionWorkload::readWeights(Network& network, const std::string& prefix)
{
    if (!recipe_.weights.empty())
        weights_ =
            loadBackbone(network.parameters(), recipe_.weights, prefix).describe(recipe_.weights);
}

std::vector<std::string> DetectionWorkload::remarks() const
{
    std::vector<std::string> all = parts_.train.remarks;
    all.insert(all.end(), parts_.eval.remarks.begin(), parts_.eval.remarks.end());
    if (const auto without = std::ranges::count_if(parts_.train.pictures, withoutObject);
        without > 0)
        all.push_back(std::to_string(without) +
                      (without == 1 ? " training picture has no object and is not trained on"
                                    : " training pictures have no object and are not trained on"));
    if (parts_.train.categories.size() == 1)
        all.push_back("there is one category only: \"" + parts_.train.categories[0].name + "\"");
    return all;
}

int64_t DetectionWorkload::examine(int threads,
                                   const std::function<void(const std::string&)>& damaged)
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
                bytes += picture.file.storedBytes();
            } catch (const InvalidArgument& error) {
                const std::lock_guard guard(one);
                damaged(error.what());
            }
        });
    return bytes;
}

Batch DetectionWorkload::standInPictures(int64_t samples, const PictureBatches::Options& options,
                                         const PictureBatches::AddTargets& addTargets,
                                         Allocator& memory)
{
    standIns_ = syntheticSet(recipe_.scenes, samples, 0, masks_);
    PictureBatches::Options undecoded = options;
    undecoded.decode = undecoded.raw = false;
    const PictureBatches pictures(standIns_, undecoded, addTargets, memory);
    std::vector<int64_t> all(static_cast<size_t>(samples));
    std::iota(all.begin(), all.end(), 0);
    const int edge = recipe_.scenes.edge;
    Batch batch;
    pictures.fill({all, samples, 1}, options.sizing.padded(options.sizing.scaled(edge, edge)),
                  batch);
    batch.samples = samples;
    return batch;
}

std::unique_ptr<Evaluator> DetectionWorkload::makeEvaluator() const
{
    return std::make_unique<DetectionEvaluator>(parts_.eval, recipe_.detect, masks_);
}

void DetectionWorkload::openPictures(const OpenContext& context,
                                     const PictureBatches::Options& options,
                                     const PictureBatches::AddTargets& addTargets)
{
    PictureBatches::Options shared = options;
    shared.decode = decodes();
    shared.raw = raw_;
    shared.seed = uint64_t(config_.seed);
    trainPictures_ =
        std::make_unique<PictureBatches>(parts_.train, shared, addTargets, context.batchMemory);
    shared.train = false;
    evalPictures_ = std::make_unique<PictureBatches>(
        parts_.eval, shared, PictureBatches::AddTargets(), context.batchMemory);
    training_ = std::make_unique<GroupedTraining>(
        parts_.train, train_, *trainPictures_,
        GroupedTraining::Options{config_.globalBatch, config_.options.gradAccum, context.slice,
                                 uint64_t(config_.seed)});
    evaluation_ = std::make_unique<GroupedEvaluation>(parts_.eval, *evalPictures_,
                                                      config_.evalBatchSize(), context.slice);
}

} // namespace scalebench::workloads
