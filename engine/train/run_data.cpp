// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_data.h"

#include "engine/data/open_dataset.h"
#include "engine/data/shapes_generator.h"
#include "engine/data/synthetic.h"
#include "engine/report/system_info.h"
#include "engine/train/agreement.h"
#include "kernels/check.h"

#include <algorithm>

namespace scalebench::train {
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

void openSynthetic(const RunConfig& config, RunData& run)
{
    const int classes = config.model.classes == 0 ? 10 : config.model.classes;
    run.train =
        data::makeSyntheticDataset(config.data.trainSamples, config.model.imageSize, classes, 1);
    run.eval =
        data::makeSyntheticDataset(config.data.evalSamples, config.model.imageSize, classes, 2);
}

} // namespace

DataPlan planData(const RunConfig& config)
{
    DataPlan plan{config.data.trainSamples, config.data.evalSamples, 10};
    if (config.data.source == DataSource::Synthetic && config.model.classes > 0)
        plan.classes = config.model.classes;
    if (config.data.source == DataSource::Files) {
        const data::DatasetSummary summary = data::summarizeImageDatasets(config.data.path);
        plan = {limit(summary.trainSamples, config.data.trainSamples),
                limit(summary.evalSamples, config.data.evalSamples), summary.classes};
    }
    if (plan.trainSamples < config.globalBatch)
        throw InvalidArgument("the " + std::to_string(plan.trainSamples) +
                                  " training samples do not fill one global batch of " +
                                  std::to_string(config.globalBatch) + "; choose a smaller batch",
                              "batch");
    if (config.model.classes != 0 && config.model.classes < plan.classes)
        throw InvalidArgument("the data set has " + std::to_string(plan.classes) +
                                  " classes, but \"model.classes\" is " +
                                  std::to_string(config.model.classes) +
                                  "; use 0 to take as many as the data has",
                              "usage");
    return plan;
}

RunData loadData(const RunConfig& config, dist::Communicator& communicator,
                 const std::function<void(int64_t done, int64_t total)>& progress)
{
    RunData run;
    data::OpenOptions options;
    options.imageSize = config.model.imageSize;
    options.decodeThreads = std::max(
        config.threadsPerWorker, report::allowedCpuCount() / std::max(1, communicator.localSize()));
    options.progress = progress;
    const data::ShapesSpec spec{config.data.trainSamples, config.data.evalSamples,
                                data::kShapesSeed};
    if (config.data.source == DataSource::Generated)
        doTogether(communicator, [&] {
            if (communicator.localRank() == 0)
                data::ensureShapes(config.data.path, spec, report::allowedCpuCount(), progress);
        });
    doTogether(communicator, [&] {
        std::unique_ptr<data::GeneratedSetLock> lock;
        if (config.data.source == DataSource::Generated)
            lock = data::ensureShapes(config.data.path, spec, options.decodeThreads, progress);
        if (config.data.source == DataSource::Synthetic) {
            openSynthetic(config, run);
        } else {
            data::DatasetPair pair = data::openImageDatasets(config.data.path, options);
            run.bytesRead = pair.bytesRead;
            const bool all = config.data.source == DataSource::Generated;
            run.train = limited(std::move(pair.train), all ? 0 : config.data.trainSamples);
            run.eval = limited(std::move(pair.eval), all ? 0 : config.data.evalSamples);
        }
        run.statistics = data::measureChannels(*run.train);
    });
    return run;
}

} // namespace scalebench::train
