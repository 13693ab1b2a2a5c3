// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/resnet/picture_data.h"

#include "engine/data/open_dataset.h"
#include "engine/data/shapes_generator.h"
#include "engine/data/synthetic.h"
#include "engine/workloads/full_batch.h"
#include "kernels/check.h"

#include <algorithm>

namespace scalebench::workloads {
namespace {

std::unique_ptr<data::ImageDataset> limited(std::unique_ptr<data::ImageDataset> whole,
                                            int64_t samples)
{
    if (samples == 0 || samples >= whole->size())
        return whole;
    return std::make_unique<data::SubsetDataset>(std::move(whole), samples);
}

int64_t limit(int64_t have, int64_t wanted)
{
    return wanted == 0 ? have : std::min(have, wanted);
}

data::ShapesSpec shapesOf(const RunConfig& config)
{
    return {config.data.trainSamples, config.data.evalSamples, data::kShapesSeed};
}

std::vector<std::string> remarksOn(const data::DatasetSummary& summary, const ResNetRecipe& recipe)
{
    std::vector<std::string> remarks = summary.remarks;
    if (!summary.emptyClasses.empty()) {
        std::string names;
        for (size_t i = 0; i < std::min<size_t>(5, summary.emptyClasses.size()); ++i)
            names += (i == 0 ? "" : ", ") + summary.emptyClasses[i];
        remarks.push_back(std::to_string(summary.emptyClasses.size()) +
                          " class folders hold no picture and do not count (" + names +
                          "): " + std::to_string(summary.classes) + " classes are left.");
    }
    if (recipe.classes > summary.classes)
        remarks.push_back("The data has " + std::to_string(summary.classes) +
                          " classes, but the recipe's network tells " +
                          std::to_string(recipe.classes) + " apart (\"model.classes\").");
    return remarks;
}

void openSynthetic(const RunConfig& config, const ResNetRecipe& recipe, PictureData& pictures)
{
    const int classes = recipe.classes == 0 ? 10 : recipe.classes;
    pictures.train =
        data::makeSyntheticDataset(config.data.trainSamples, recipe.imageSize, classes, 1);
    pictures.eval =
        data::makeSyntheticDataset(config.data.evalSamples, recipe.imageSize, classes, 2);
}

} // namespace

PicturePlan planPictures(const RunConfig& config, const ResNetRecipe& recipe)
{
    PicturePlan plan{
        {config.data.trainSamples, config.data.evalSamples}, 10, "CIFAR-10 binary", {}, {}};
    if (config.data.source == DataSource::Synthetic && recipe.classes > 0)
        plan.classes = recipe.classes;
    if (config.data.source == DataSource::Files) {
        plan.files = std::make_shared<data::PictureFiles>(config.data.path);
        const data::DatasetSummary summary = plan.files->summary();
        plan.sizes = {limit(summary.trainSamples, config.data.trainSamples),
                      limit(summary.evalSamples, config.data.evalSamples)};
        plan.classes = summary.classes;
        plan.format = summary.format;
        plan.remarks = remarksOn(summary, recipe);
    }
    requireFullBatch(plan.sizes.trainSamples, "training samples", config.globalBatch);
    if (recipe.classes != 0 && recipe.classes < plan.classes)
        throw InvalidArgument("the data set has " + std::to_string(plan.classes) +
                                  " classes, but \"model.classes\" is " +
                                  std::to_string(recipe.classes) +
                                  "; use 0 to take as many as the data has",
                              "usage");
    return plan;
}

void drawPictures(const RunConfig& config, int threads, const LoadProgress& progress)
{
    if (config.data.source == DataSource::Generated)
        data::ensureShapes(config.data.path, shapesOf(config), threads, progress);
}

PictureData openPictures(const RunConfig& config, const ResNetRecipe& recipe,
                         const PicturePlan& plan, int threads, const LoadProgress& progress)
{
    PictureData pictures;
    if (config.data.source == DataSource::Synthetic) {
        openSynthetic(config, recipe, pictures);
    } else {
        std::unique_ptr<data::GeneratedSetLock> lock;
        if (config.data.source == DataSource::Generated)
            lock = data::ensureShapes(config.data.path, shapesOf(config), threads, progress);
        data::OpenOptions options;
        options.imageSize = recipe.imageSize;
        options.decodeThreads = threads;
        options.progress = progress;
        options.photoCrops = recipe.augment.randomResizedCrop;
        const auto files =
            plan.files ? plan.files : std::make_shared<data::PictureFiles>(config.data.path);
        data::DatasetPair pair = files->open(options);
        pictures.bytesRead = files->bytesRead() + pair.bytesRead;
        const bool all = config.data.source == DataSource::Generated;
        pictures.train = limited(std::move(pair.train), all ? 0 : config.data.trainSamples);
        pictures.eval = limited(std::move(pair.eval), all ? 0 : config.data.evalSamples);
    }
    pictures.statistics = data::measureChannels(*pictures.train);
    return pictures;
}

} // namespace scalebench::workloads
