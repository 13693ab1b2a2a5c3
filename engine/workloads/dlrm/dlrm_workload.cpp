// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/dlrm/dlrm_workload.h"

#include "engine/data/hash_random.h"
#include "engine/models/dlrm/dlrm.h"
#include "engine/workloads/device_input.h"
#include "engine/workloads/dlrm/auc_evaluator.h"
#include "engine/workloads/dlrm/click_batches.h"
#include "engine/workloads/dlrm/clicks_generator.h"
#include "engine/workloads/dlrm/frequent_rows.h"
#include "engine/workloads/dlrm/table_placement.h"
#include "engine/workloads/full_batch.h"
#include "kernels/check.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace scalebench::workloads {
namespace {

/// Rows that one evaluation batch holds, unless the run says how many.
constexpr int64_t kEvalRows = 4096;
/// Rows looked at together where a log is gone through.
constexpr int64_t kLookRows = 1024;
/// Of each table, to warm up.
constexpr int64_t kStandInRows = 1024;

/// Rows drawn by their number, for runs that measure speed alone.
class SyntheticClicks final : public ClickLog
{
public:
    SyntheticClicks(int64_t rows, const std::vector<int64_t>& tableRows)
        : rows_(rows), tableRows_(tableRows)
    {
    }
    int64_t rows() const override { return rows_; }
    bool hashed() const override { return false; }
    std::string describe(int64_t row) const override
    {
        return "synthetic row " + std::to_string(row);
    }
    int64_t read(int64_t first, std::span<Click> out) const override
    {
        for (Click& click : out) {
            data::HashRandom random({85, uint64_t(first++)});
            click.label = int32_t(random.below(2));
            for (int32_t& count : click.counts)
                count = int32_t(random.below(1000));
            for (size_t t = 0; t < kClickCategories; ++t)
                click.categories[t] = random.below(uint32_t(tableRows_[t]));
        }
        return 0;
    }

private:
    int64_t rows_;
    const std::vector<int64_t>& tableRows_;
};

class DlrmWorkload final : public Workload, public WarmUpInput
{
public:
    DlrmWorkload(const RunConfig& config, const DlrmRecipe& recipe)
        : config_(config), recipe_(recipe), sizes_{recipe.tableRows, recipe.maxRows}
    {
        if (recipe.maxRows > 0)
            for (int64_t& rows : sizes_.rows)
                rows = std::min(rows, recipe.maxRows);
    }

    bool measureReadsData() const override { return true; }
    void join(data::WorkerSlice slice) override { slice_ = slice; }
    void prepareNode(int, const LoadProgress& progress) override
    {
        if (config_.data.source == DataSource::Generated)
            ensureClicks(config_.data.path, spec(), tickOf(progress));
    }
    DataSizes measure() override;
    Fingerprint fingerprint() const override;
    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override;
    std::unique_ptr<Network> warmUpNetwork(Backend& backend) override;
    Batch warmUpBatch(int64_t samples, Allocator& memory) override
    {
        return {{Tensor::zeros({samples, kClickCounts}, DType::F32, memory),
                 Tensor::zeros({int64_t(kClickCategories), samples}, DType::I32, memory),
                 Tensor::zeros({samples}, DType::F32, memory)},
                samples};
    }
    void open(const OpenContext& context) override;
    int64_t bytesRead() const override
    {
        return data_.training->bytesRead() + data_.evaluation->bytesRead();
    }
    std::vector<std::pair<std::string, std::string>> dataFacts() const override;
    int64_t examine(int threads, const std::function<void(const std::string&)>& damaged) override;
    const data::BatchSource& training() const override { return *training_; }
    const data::BatchSource& evaluation() const override { return *evaluation_; }
    std::unique_ptr<Evaluator> makeEvaluator() const override
    {
        return std::make_unique<AucEvaluator>();
    }

private:
    ClicksSpec spec() const
    {
        return {sizes_.rows, config_.data.trainSamples, config_.data.evalSamples, kClicksSeed};
    }
    DlrmConfig modelOf(const std::vector<int64_t>& tableRows) const;
    DataSizes used() const;
    void requireBothLabels() const;
    int64_t rowBytes() const;
    autograd::TablePlaces places(int64_t mostRows) const;
    void requireMemory(int64_t rows, size_t limit) const;

    const RunConfig& config_;
    const DlrmRecipe& recipe_;
    data::WorkerSlice slice_;
    TableSizes sizes_;
    std::unique_ptr<data::GeneratedSetLock> lock_;
    ClickData data_;
    std::unique_ptr<data::BatchSource> training_, evaluation_;
};

DataSizes DlrmWorkload::measure()
{
    if (config_.data.source == DataSource::Synthetic) {
        data_ = {std::make_unique<SyntheticClicks>(config_.data.trainSamples, sizes_.rows),
                 std::make_unique<SyntheticClicks>(config_.data.evalSamples, sizes_.rows),
                 "synthetic"};
    } else {
        if (config_.data.source == DataSource::Generated)
            lock_ = ensureClicks(config_.data.path, spec());
        data_ = openClicks(config_.data.path);
    }
    requireBothLabels();
    const DataSizes sizes = used();
    requireFullBatch(sizes.trainSamples, "training rows", config_.globalBatch);
    return sizes;
}

Fingerprint DlrmWorkload::fingerprint() const
{
    Fingerprint print;
    for (const ClickLog* log : {data_.training.get(), data_.evaluation.get()})
        print.addSome(
            log->rows(),
            [&](int64_t row) {
                Click click;
                log->read(row, {&click, 1});
                print.add(uint64_t(click.label));
                print.add(std::span<const int32_t>(click.counts));
                print.add(std::span<const uint32_t>(click.categories));
            },
            256);
    return print;
}

/// Of a log one may take the beginning.
DataSizes DlrmWorkload::used() const
{
    const auto wanted = [](int64_t rows, int64_t asked) {
        return asked > 0 ? std::min(rows, asked) : rows;
    };
    return {wanted(data_.training->rows(), config_.data.trainSamples),
            wanted(data_.evaluation->rows(), config_.data.evalSamples)};
}

/// Better now than after a part of an epoch. Mostly the first rows tell.
void DlrmWorkload::requireBothLabels() const
{
    std::vector<Click> clicks;
    std::array<bool, 2> seen{};
    const ClickLog& log = *data_.evaluation;
    for (int64_t row = 0; row < log.rows() && !(seen[0] && seen[1]); row += kLookRows) {
        clicks.resize(size_t(std::min(kLookRows, log.rows() - row)));
        log.read(row, clicks);
        for (const Click& click : clicks)
            seen[size_t(click.label)] = true;
    }
    if (!seen[0] || !seen[1])
        throw InvalidArgument(
            "all " + std::to_string(log.rows()) + " rows of the evaluation data have the label " +
                (seen[1] ? "1" : "0") + ": the area under the ROC curve needs both",
            "data_damaged");
}

std::vector<std::pair<std::string, std::string>> DlrmWorkload::dataFacts() const
{
    int64_t rows = 0;
    for (const int64_t table : sizes_.rows)
        rows += table;
    return {{"format", data_.format}, {"table_rows", std::to_string(rows)}};
}

int64_t DlrmWorkload::examine(int, const std::function<void(const std::string&)>& damaged)
{
    CachingAllocator memory;
    int64_t bytes = 0;
    for (const ClickLog* log : {data_.training.get(), data_.evaluation.get()}) {
        const ClickFiller filler(*log, sizes_, memory);
        std::vector<int64_t> rows;
        for (int64_t row = 0; row < log->rows(); row += kLookRows) {
            rows.clear();
            for (int64_t r = row; r < std::min(row + kLookRows, log->rows()); ++r)
                rows.push_back(r);
            try {
                Batch batch;
                filler.fill(rows, batch);
                bytes += batch.bytesRead;
            } catch (const InvalidArgument& e) {
                damaged(e.what()); // one sentence a part is enough
                break;
            }
        }
    }
    return bytes;
}

/// Bytes of a row with what is kept for it.
int64_t DlrmWorkload::rowBytes() const
{
    const bool adam = config_.optimizer.kind == OptimizerKind::Adam ||
                      config_.optimizer.kind == OptimizerKind::AdamW;
    return recipe_.dim * int64_t(sizeof(float)) *
           (1 + (recipe_.sparseGradients ? 0 : 1) + (adam ? 2 : 0));
}

/// Tables lie outside of what the allocator counts, and a run without room for them should end
/// before anything is made.
void DlrmWorkload::requireMemory(int64_t rows, size_t limit) const
{
    const auto mebibytes = [](int64_t bytes) {
        return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
    };
    const int64_t needed = rows * rowBytes();
    if (limit == 0 || needed <= int64_t(limit))
        return;
    const int64_t most = int64_t(limit) / rowBytes();
    const int enough = recipe_.ownedTables ? workersThatHold(sizes_.rows, slice_.workers, most) : 0;
    std::string way;
    if (!recipe_.ownedTables)
        way = "Let each worker own some of them (\"model.tables\" \"owned\").";
    else if (enough > 0)
        way = "With as much for each, " + std::to_string(enough) + " workers would hold them.";
    else
        way = "That is less than one block of " + std::to_string(kRowBlock) +
              " rows, below which tables are not shared out (" + mebibytes(kRowBlock * rowBytes()) +
              "): allow more (\"options.memory_limit_mb\") or make rows shorter "
              "(\"model.dim\").";
    const std::string holder = slice_.workers == 1
                                   ? "the only worker"
                                   : "one of " + std::to_string(slice_.workers) + " workers";
    throw Error("out_of_memory", "The tables that " + holder + " holds take " + mebibytes(needed) +
                                     " with what the optimizer keeps for them; it may use " +
                                     mebibytes(int64_t(limit)) + ". " + way);
}

autograd::TablePlaces DlrmWorkload::places(int64_t mostRows) const
{
    autograd::TablePlaces places;
    places.rank = slice_.rank;
    places.workers = slice_.workers;
    places.blocks = placeTables(sizes_.rows, slice_.workers, mostRows);
    if (config_.options.hotRows == 0 || slice_.workers == 1)
        return places;
    std::vector<autograd::HotRows::Row> hot =
        frequentRows(*data_.training, used().trainSamples, sizes_, config_.options.hotRows);
    if (!hot.empty())
        places.hot = std::make_shared<autograd::HotRows>(std::move(hot));
    return places;
}

DlrmConfig DlrmWorkload::modelOf(const std::vector<int64_t>& tableRows) const
{
    DlrmConfig model;
    model.counts = kClickCounts;
    model.tableRows = tableRows;
    model.dim = recipe_.dim;
    model.bottom = recipe_.bottom;
    model.top = recipe_.top;
    model.sparseGradients = recipe_.sparseGradients;
    return model;
}

/// All of its tables are here.
std::unique_ptr<Network> DlrmWorkload::warmUpNetwork(Backend& backend)
{
    const std::vector<int64_t> rows(kClickCategories, kStandInRows);
    return std::make_unique<Dlrm>(modelOf(rows), backend, parsePrecision(config_.precision),
                                  uint64_t(config_.seed));
}

std::unique_ptr<Network> DlrmWorkload::makeNetwork(Backend& backend, const ArenaAllocator& arena)
{
    DlrmConfig model = modelOf(sizes_.rows);
    // The limit is the same on every worker, and so are the places.
    const size_t limit = backend.allocator().limit();
    int64_t held = std::accumulate(sizes_.rows.begin(), sizes_.rows.end(), int64_t{0});
    if (recipe_.ownedTables) {
        model.places = places(int64_t(limit) / rowBytes());
        held = mostRowsHeld(model.places.blocks, slice_.workers);
        if (model.places.hot)
            held += int64_t(model.places.hot->rows().size());
    }
    requireMemory(held, limit);
    return std::make_unique<Dlrm>(model, backend, parsePrecision(config_.precision),
                                  uint64_t(config_.seed), arena);
}

void DlrmWorkload::open(const OpenContext& context)
{
    const DataSizes sizes = used();
    training_ = std::make_unique<ClickBatches>(
        ClickFiller(*data_.training, sizes_, context.batchMemory),
        ClickBatches::Sizes{sizes.trainSamples, recipe_.shuffleBlock, config_.globalBatch,
                            config_.options.gradAccum, uint64_t(config_.seed)},
        context.slice);
    int64_t batch = config_.evalBatch > 0 ? config_.evalBatch : kEvalRows;
    if (config_.evalBatch == 0 && config_.options.memoryLimitMb > 0) // what training fits into
        batch = std::min(batch, config_.microBatch());
    evaluation_ = std::make_unique<ClickEvaluation>(
        ClickFiller(*data_.evaluation, sizes_, context.batchMemory), sizes.evalSamples, batch,
        context.slice);
}

} // namespace

std::shared_ptr<const Recipe> DlrmRecipe::parse(const RunConfig& config, RecipeKeys& keys)
{
    auto recipe = std::make_shared<DlrmRecipe>();
    if (config.model != "dlrm")
        refuseSetting("\"model.name\" is \"" + config.model + "\", expected dlrm");
    keys.model.integer("dim", recipe->dim, 1, 1 << 16);
    keys.model.integers("bottom", recipe->bottom, 1, 1 << 16);
    keys.model.integers("top", recipe->top, 1, 1 << 16);
    keys.model.flag("sparse_gradients", recipe->sparseGradients);
    std::string tables = "owned";
    keys.model.text("tables", tables);
    if (tables != "owned" && tables != "replicated")
        refuseSetting("\"model.tables\" is \"" + tables + "\", expected owned or replicated");
    recipe->ownedTables = tables == "owned";
    if (recipe->ownedTables && config.workers > 1 && config.options.asyncEval)
        refuseSetting("\"options.async_eval\" is not possible where each worker owns a part of the "
                      "tables, as every evaluation needs all workers: leave it off, or set "
                      "\"model.tables\" to \"replicated\"");
    if (recipe->ownedTables && !recipe->sparseGradients)
        refuseSetting("\"model.sparse_gradients\" false needs \"model.tables\" \"replicated\"");
    constexpr int64_t kMostRows = std::numeric_limits<int32_t>::max();
    keys.data.integers("table_rows", recipe->tableRows, 1, kMostRows);
    if (recipe->tableRows.size() == 1)
        recipe->tableRows.resize(kClickCategories, recipe->tableRows.front());
    if (recipe->tableRows.size() != kClickCategories)
        refuseSetting("\"data.table_rows\" has " + std::to_string(recipe->tableRows.size()) +
                      " numbers, expected the rows of 26 tables, or one number for all");
    keys.data.integer("max_rows", recipe->maxRows, 0, kMostRows);
    keys.data.integer("shuffle_block", recipe->shuffleBlock, 1, 1 << 24);
    requireSampleCounts(config.data);
    if (config.data.source == DataSource::Generated &&
        config.data.trainSamples + config.data.evalSamples > 10'000'000)
        refuseSetting("\"data.train_samples\" and \"data.eval_samples\" together are above "
                      "10,000,000, the most clicks that are generated");
    return recipe;
}

std::unique_ptr<Workload> DlrmRecipe::make(const RunConfig& config) const
{
    return std::make_unique<DlrmWorkload>(config, *this);
}

} // namespace scalebench::workloads
