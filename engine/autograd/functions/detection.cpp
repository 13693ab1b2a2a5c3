// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/detection.h"

#include <algorithm>

#include "kernels/check.h"

namespace scalebench::autograd {
namespace {

void requireLevels(Backend& backend, const std::vector<RoiLevel>& levels, const Tensor& rois,
                   const Tensor& levelOf)
{
    SB_REQUIRE(!levels.empty(), "roi align: no feature map");
    const Tensor& first = levels[0].features.value();
    for (const RoiLevel& level : levels) {
        const Tensor& x = level.features.value();
        SB_REQUIRE(x.shape().size() == 4 && x.dtype() == first.dtype() &&
                       x.shape().back() == first.shape().back(),
                   "roi align: the levels " + first.describe() + " and " + x.describe() +
                       " must agree in type and channels");
    }
    SB_REQUIRE(levels.size() == 1 || !levelOf.shape().empty(),
               "roi align: several levels need a level for every region of " + rois.describe());
    if (!levelOf.shape().empty())
        for (const Tensor host = backend.download(levelOf); std::int32_t level : host.i32())
            SB_REQUIRE(level >= 0 && std::size_t(level) < levels.size(),
                       "roi align: a region is of level " + std::to_string(level) +
                           ", but there are " + std::to_string(levels.size()));
}

RoiAlignArgs argsOf(RoiAlignArgs args, const RoiLevel& level, std::size_t number)
{
    args.spatialScale = level.spatialScale;
    args.level = std::int32_t(number);
    return args;
}

} // namespace

Variable roiAlign(Tape& tape, const RoiAlignArgs& args, const std::vector<RoiLevel>& levels,
                  const Tensor& rois, const Tensor& levelOf)
{
    Backend& backend = tape.backend();
    requireLevels(backend, levels, rois, levelOf);
    const Tensor& first = levels[0].features.value();
    SB_REQUIRE(rois.shape().size() == 2,
               "roi align: regions " + rois.describe() + " must be f32 [n,5]");
    Tensor y = Tensor::empty({rois.dim(0), args.outH, args.outW, first.shape().back()},
                             first.dtype(), backend.allocator());
    for (std::size_t i = 0; i < levels.size(); ++i)
        backend.detection().roiAlignForward(argsOf(args, levels[i], i), levels[i].features.value(),
                                            rois, levelOf, y);

    struct Target {
        RoiAlignArgs args;
        Shape shape;
        std::shared_ptr<GradientSlot> slot;
    };
    std::vector<Target> targets;
    for (std::size_t i = 0; i < levels.size(); ++i)
        if (levels[i].features.needsGradient())
            targets.push_back({argsOf(args, levels[i], i), levels[i].features.value().shape(),
                               levels[i].features.slot()});
    const bool needs = !targets.empty();
    return tape.record(
        "roi align", std::move(y), needs,
        [&backend, targets = std::move(targets), rois, levelOf](std::vector<Tensor> grads) {
            const Tensor dy = backend.elementwise().sum(std::move(grads));
            for (const Target& t : targets)
                Tape::addGradient(t.slot, backend.detection().roiAlignBackward(t.args, t.shape, dy,
                                                                               rois, levelOf));
        });
}

} // namespace scalebench::autograd
