// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ncf/ncf_workload.h"

#include "engine/models/ncf/ncf.h"
#include "engine/workloads/device_input.h"
#include "engine/workloads/full_batch.h"
#include "engine/workloads/ncf/interaction_data.h"
#include "engine/workloads/ncf/ranking_evaluator.h"
#include "engine/workloads/ncf/train_batches.h"
#include "kernels/check.h"

#include <algorithm>

namespace scalebench::workloads {
namespace {

/// Candidates that one evaluation batch holds about, unless the run says how many users.
constexpr int64_t kEvalCandidates = 16384;
/// Users and items to warm up with, before the data is read.
constexpr int64_t kStandIns = 1024;

class NcfWorkload final : public Workload, public WarmUpInput
{
public:
    NcfWorkload(const RunConfig& config, const NcfRecipe& recipe) : config_(config), recipe_(recipe)
    {
    }

    bool measureReadsData() const override { return true; }
    void prepareNode(int, const LoadProgress& progress) override
    {
        writeInteractions(config_, recipe_, progress);
    }
    DataSizes measure() override;
    Fingerprint fingerprint() const override
    {
        Fingerprint print;
        for (const auto* numbers : {&set_.trainUsers, &set_.trainItems, &set_.testItems})
            print.add(std::span<const int32_t>(*numbers));
        return print;
    }
    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override
    {
        return networkOf(set_.users, set_.items, backend, arena);
    }
    std::unique_ptr<Network> warmUpNetwork(Backend& backend) override
    {
        return networkOf(kStandIns, kStandIns, backend, {});
    }
    Batch warmUpBatch(int64_t samples, Allocator& memory) override
    {
        return {{Tensor::zeros({samples}, DType::I32, memory),
                 Tensor::zeros({samples}, DType::I32, memory),
                 Tensor::zeros({samples}, DType::F32, memory)},
                samples};
    }
    void open(const OpenContext& context) override;
    int64_t bytesRead() const override { return set_.bytesRead; }
    std::vector<std::pair<std::string, std::string>> dataFacts() const override
    {
        return {{"format", set_.format},
                {"users", std::to_string(set_.users)},
                {"items", std::to_string(set_.items)},
                {"positives", std::to_string(set_.positives())},
                {"test_negatives", std::to_string(set_.negativesPerTest)}};
    }
    std::vector<std::string> remarks() const override { return set_.remarks; }
    const data::BatchSource& training() const override { return *training_; }
    const data::BatchSource& evaluation() const override { return *evaluation_; }
    std::unique_ptr<Evaluator> makeEvaluator() const override
    {
        return std::make_unique<RankingEvaluator>(set_, recipe_.fullRanking, recipe_.top);
    }

private:
    std::unique_ptr<Network> networkOf(int64_t users, int64_t items, Backend& backend,
                                       const ArenaAllocator& arena) const;

    const RunConfig& config_;
    const NcfRecipe& recipe_;
    Interactions set_;
    std::unique_ptr<data::BatchSource> training_, evaluation_;
};

DataSizes NcfWorkload::measure()
{
    set_ = loadInteractions(config_, recipe_);
    const int64_t samples = set_.positives() * (1 + recipe_.negatives);
    requireFullBatch(samples, "training samples of an epoch", config_.globalBatch);
    return {samples, set_.tests()};
}

std::unique_ptr<Network> NcfWorkload::networkOf(int64_t users, int64_t items, Backend& backend,
                                                const ArenaAllocator& arena) const
{
    NcfConfig model;
    model.users = users;
    model.items = items;
    model.factors = recipe_.factors;
    model.layers = recipe_.layers;
    model.sparseGradients = recipe_.sparseGradients;
    return std::make_unique<Ncf>(model, backend, parsePrecision(config_.precision),
                                 uint64_t(config_.seed), arena);
}

void NcfWorkload::open(const OpenContext& context)
{
    training_ = std::make_unique<TrainBatches>(set_, recipe_, config_, context);
    auto candidates =
        std::make_shared<CandidateBatches>(set_, recipe_.fullRanking, context.batchMemory);
    const int64_t users = config_.evalBatch > 0
                              ? config_.evalBatch
                              : std::max<int64_t>(1, kEvalCandidates / candidates->candidates());
    evaluation_ = std::make_unique<data::OrderedSource>(
        set_.tests(), users, context.slice,
        [candidates](const data::SampleList& list, Batch& batch) {
            candidates->fill(list, batch);
        });
}

} // namespace

std::shared_ptr<const Recipe> NcfRecipe::parse(const RunConfig& config, RecipeKeys& keys)
{
    auto recipe = std::make_shared<NcfRecipe>();
    if (config.model != "neumf")
        refuseSetting("\"model.name\" is \"" + config.model + "\", expected neumf");
    keys.model.integer("factors", recipe->factors, 1, 1 << 16);
    keys.model.integers("layers", recipe->layers, 1, 1 << 16);
    if (recipe->layers.empty() || recipe->layers.front() % 2 != 0)
        refuseSetting("\"model.layers\" must begin with an even number: half of it is the user's "
                      "vector, half the item's");
    keys.model.flag("sparse_gradients", recipe->sparseGradients);
    keys.data.integer("negatives", recipe->negatives, 1, 1000);
    keys.data.integer("top", recipe->top, 1, 1 << 16);
    std::string ranking = "sampled";
    keys.data.text("ranking", ranking);
    if (ranking != "sampled" && ranking != "full")
        refuseSetting("\"data.ranking\" is \"" + ranking + "\", expected sampled or full");
    recipe->fullRanking = ranking == "full";
    keys.data.integer("test_negatives", recipe->testNegatives, 1, 1 << 20);
    keys.data.integer("minimum_ratings", recipe->minimumRatings, 2, 1 << 20);
    keys.data.integer("users", recipe->users, 2, 1 << 28);
    keys.data.integer("items", recipe->items, 2, 1 << 28);
    keys.data.integer("ratings_per_user", recipe->ratingsPerUser, 2, 1 << 20);
    if (recipe->users * recipe->ratingsPerUser > int64_t{1} << 31)
        refuseSetting("\"data.users\" times \"data.ratings_per_user\" is above 2^31");
    return recipe;
}

std::unique_ptr<Workload> NcfRecipe::make(const RunConfig& config) const
{
    return std::make_unique<NcfWorkload>(config, *this);
}

} // namespace scalebench::workloads
