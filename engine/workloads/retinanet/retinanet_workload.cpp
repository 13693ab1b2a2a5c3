// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/retinanet/retinanet_workload.h"

#include "engine/detection/anchor_cache.h"
#include "engine/models/retinanet/retina_targets.h"
#include "engine/workloads/detection/detection_workload.h"
#include "kernels/check.h"

#include <string>
#include <vector>

namespace scalebench::workloads {
namespace {

class RetinaNetWorkload final : public DetectionWorkload
{
public:
    RetinaNetWorkload(const RunConfig& config, const RetinaNetRecipe& recipe)
        : DetectionWorkload(config, recipe, false),
          recipe_(recipe),
          anchors_(recipe.network.anchors)
    {
    }

    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override
    {
        auto made = networkOf(categories(), backend, arena);
        readWeights(*made, "backbone.");
        return made;
    }
    void open(const OpenContext& context) override
    {
        openPictures(context, recipe_.pictures, targetsIn(context.batchMemory));
    }
    std::unique_ptr<Network> warmUpNetwork(Backend& backend) override
    {
        return networkOf(kStandInCategories, backend, {});
    }
    Batch warmUpBatch(int64_t samples, Allocator& memory) override
    {
        return standInPictures(samples, recipe_.pictures, targetsIn(memory), memory);
    }

private:
    std::unique_ptr<Network> networkOf(int categories, Backend& backend,
                                       const ArenaAllocator& arena) const
    {
        RetinaNetConfig network = recipe_.network;
        network.categories = categories;
        return std::make_unique<RetinaNet>(network, backend, parsePrecision(config().precision),
                                           uint64_t(config().seed), arena);
    }
    PictureBatches::AddTargets targetsIn(Allocator& memory)
    {
        return [this, &memory](const Extent& extent, const std::vector<PictureNote>& notes,
                               Batch& batch) {
            retinaTargets(anchors_.config(), *anchors_.of(extent.height, extent.width),
                          extent.height, extent.width, notes, memory, batch);
        };
    }

    const RetinaNetRecipe& recipe_;
    detection::AnchorCache anchors_;
};

} // namespace

std::shared_ptr<const Recipe> RetinaNetRecipe::parse(const RunConfig& config, RecipeKeys& keys)
{
    auto recipe = std::make_shared<RetinaNetRecipe>();
    try {
        recipe->network = RetinaNetConfig::byName(config.model, 1);
    } catch (const InvalidArgument& error) {
        refuseSetting(std::string("\"model.name\": ") + error.what());
    }
    recipe->detect.detections = 300;
    recipe->parseShared(config, keys);
    parseSizing(keys, recipe->pictures.sizing);
    parseBackbone(keys, recipe->network.backbone);
    parseFlip(keys, recipe->pictures);
    return recipe;
}

std::unique_ptr<Workload> RetinaNetRecipe::make(const RunConfig& config) const
{
    return std::make_unique<RetinaNetWorkload>(config, *this);
}

} // namespace scalebench::workloads
