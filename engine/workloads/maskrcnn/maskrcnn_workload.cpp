// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/maskrcnn/maskrcnn_workload.h"

#include "engine/workloads/detection/detection_workload.h"
#include "kernels/check.h"

#include <string>

namespace scalebench::workloads {
namespace {

class MaskRcnnWorkload final : public DetectionWorkload
{
public:
    MaskRcnnWorkload(const RunConfig& config, const MaskRcnnRecipe& recipe)
        : DetectionWorkload(config, recipe, true), recipe_(recipe)
    {
    }

    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override
    {
        auto made = networkOf(categories(), backend, arena);
        readWeights(*made, "backbone.");
        return made;
    }
    /// What the network is to say depends on what it proposes: it works it out from the notes.
    void open(const OpenContext& context) override
    {
        openPictures(context, recipe_.pictures, PictureBatches::AddTargets());
    }
    std::unique_ptr<Network> warmUpNetwork(Backend& backend) override
    {
        return networkOf(kStandInCategories, backend, {});
    }
    Batch warmUpBatch(int64_t samples, Allocator& memory) override
    {
        return standInPictures(samples, recipe_.pictures, {}, memory);
    }

private:
    std::unique_ptr<Network> networkOf(int categories, Backend& backend,
                                       const ArenaAllocator& arena) const
    {
        MaskRcnnConfig network = recipe_.network;
        network.categories = categories;
        return std::make_unique<MaskRcnn>(network, backend, parsePrecision(config().precision),
                                          uint64_t(config().seed), arena);
    }

    const MaskRcnnRecipe& recipe_;
};

void parseCounts(RecipeKeys& keys, MaskRcnnConfig& network)
{
    const auto proposals = [&](const char* key, ProposalOptions& options) {
        int n = options.total;
        if (!keys.model.find(key))
            return;
        keys.model.integer(key, n, 1, 100000);
        options.perLevel = options.total = n;
    };
    proposals("train_proposals", network.proposals.training);
    proposals("test_proposals", network.proposals.evaluation);
    keys.model.integer("proposal_samples", network.proposals.samples, 2, 100000);
    keys.model.integer("region_samples", network.samples.count, 4, 100000);
}

} // namespace

std::shared_ptr<const Recipe> MaskRcnnRecipe::parse(const RunConfig& config, RecipeKeys& keys)
{
    auto recipe = std::make_shared<MaskRcnnRecipe>();
    try {
        recipe->network = MaskRcnnConfig::byName(config.model, 1);
    } catch (const InvalidArgument& error) {
        refuseSetting(std::string("\"model.name\": ") + error.what());
    }
    recipe->parseShared(config, keys);
    parseSizing(keys, recipe->pictures.sizing);
    parseBackbone(keys, recipe->network.backbone);
    parseCounts(keys, recipe->network);
    parseFlip(keys, recipe->pictures);
    return recipe;
}

std::unique_ptr<Workload> MaskRcnnRecipe::make(const RunConfig& config) const
{
    return std::make_unique<MaskRcnnWorkload>(config, *this);
}

} // namespace scalebench::workloads
