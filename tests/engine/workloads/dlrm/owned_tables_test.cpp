// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of DLRM that lie on several workers, whole or by rows: the same training as with all on
// one, checkpoints for any number of workers, what does not fit.

#include "engine/core/checkpoint.h"
#include "engine/train/trainer.h"
#include "engine/workloads/dlrm/dlrm_workload.h"
#include "engine/workloads/dlrm/frequent_rows.h"
#include "engine/workloads/dlrm/table_placement.h"
#include "kernels/check.h"
#include "support/thread_communicator.h"
#include "tests/engine/workloads/run_json.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <optional>

using namespace scalebench;
using namespace scalebench::tests;
using namespace scalebench::workloads;
using Json = nlohmann::json;
using autograd::TableBlock;

namespace {

struct Trained {
    double quality = 0;
    std::vector<float> parameters; ///< dense, then the tables in the order of declaration
};

struct Part {
    std::string checkpoints; ///< folder
    int64_t maxSteps = 0;    ///< then the run is stopped
    bool resume = false;
};

/// Rows that one worker may hold, by the run's limit.
int64_t mostRows(const RunConfig& config)
{
    const auto& recipe = dynamic_cast<const DlrmRecipe&>(*config.recipe);
    const int64_t rowBytes =
        recipe.dim * 4 * (config.optimizer.kind == OptimizerKind::Adam ? 3 : 1);
    return (int64_t{config.options.memoryLimitMb} << 20) / rowBytes;
}

std::vector<TableBlock> blocksOf(const RunConfig& config)
{
    const auto& recipe = dynamic_cast<const DlrmRecipe&>(*config.recipe);
    if (recipe.ownedTables)
        return placeTables(recipe.tableRows, config.workers, mostRows(config));
    std::vector<TableBlock> blocks;
    for (size_t t = 0; t < recipe.tableRows.size(); ++t)
        blocks.push_back({t, 0, recipe.tableRows[t], 0});
    return blocks;
}

/// Takes the tables of one worker out of its values, at whose end they lie, the last declared one
/// first. Returns how many values are before them.
size_t takeTables(const std::vector<float>& values, const std::vector<TableBlock>& blocks, int rank,
                  size_t width, size_t hotRows, std::vector<std::vector<float>>& tables)
{
    const auto padded = [](size_t count) { return (count + 15) / 16 * 16; };
    size_t end = values.size();
    for (const bool begins : {true, false})
        for (const TableBlock& block : blocks) {
            if (block.owner != rank || (block.first == 0) != begins)
                continue;
            const size_t count = size_t(block.rows) * width;
            end -= padded(count);
            std::copy_n(values.begin() + std::ptrdiff_t(end), count,
                        tables[block.table].begin() + block.first * std::ptrdiff_t(width));
        }
    return end - padded(hotRows * width);
}

Trained trained(Json json, int workers, const Part& part = {})
{
    json["workers"] = workers;
    const RunConfig config = parsed(json);
    const auto& recipe = dynamic_cast<const DlrmRecipe&>(*config.recipe);
    const std::vector<TableBlock> blocks = blocksOf(config);
    std::vector<std::vector<float>> tables;
    for (const int64_t rows : recipe.tableRows)
        tables.emplace_back(size_t(rows * recipe.dim), 1e9f);
    Trained result;
    std::mutex mutex;
    scalebench::test::runThreads(workers, [&](dist::Communicator& comm) {
        train::TrainerOptions options;
        options.keepParameters = true;
        options.checkpointFolder = part.checkpoints;
        options.maxSteps = part.maxSteps;
        options.resume = part.resume;
        std::optional<Checkpoint> checkpoint;
        std::string note;
        if (part.resume && comm.rank() == 0)
            checkpoint = newestCheckpoint(part.checkpoints, note);
        options.checkpoint = checkpoint ? &*checkpoint : nullptr;
        const train::Outcome outcome = train::Trainer(config, comm, nullptr, options).run();
        const std::lock_guard lock(mutex);
        const size_t dense = takeTables(outcome.parameters, blocks, comm.rank(), size_t(recipe.dim),
                                        workers > 1 ? size_t(config.options.hotRows) : 0, tables);
        if (comm.rank() != 0)
            return;
        result.quality = outcome.lastQuality;
        result.parameters.assign(outcome.parameters.begin(),
                                 outcome.parameters.begin() + std::ptrdiff_t(dense));
    });
    for (const std::vector<float>& table : tables)
        result.parameters.insert(result.parameters.end(), table.begin(), table.end());
    return result;
}

/// Infinite where they have not even the same length.
double largestGap(const Trained& a, const Trained& b)
{
    if (a.parameters.size() != b.parameters.size())
        return INFINITY;
    double worst = 0;
    for (size_t i = 0; i < a.parameters.size(); ++i)
        worst = std::max(worst, double(std::abs(a.parameters[i] - b.parameters[i])));
    return worst;
}

std::string failureOf(const Json& json)
{
    try {
        const auto comm = dist::makeSelfCommunicator();
        train::Trainer(parsed(json), *comm, nullptr).run();
    } catch (const Error& e) {
        return e.what();
    }
    return {};
}

/// The terabyte's.
const std::vector<int64_t> kTerabyte{
    39884406, 39043,    17289,    7420,     20263,  3,     7120, 1543, 63,
    38532951, 2953546,  403346,   10,       2208,   11938, 155,  4,    976,
    14,       39979771, 25641295, 39664984, 585935, 12972, 108,  36};

} // namespace

class DlrmOwnedTablesTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Steps of 120 clicks on made data of a name, which has its tables.
    Json example(const char* name, int64_t steps) const
    {
        Json json = Json::parse(R"({"format":"scalebench.run","version":1,"run_id":"r",
 "workload":"dlrm","model":{"name":"dlrm","dim":8,"bottom":[16],"top":[32]},
 "data":{"source":"generated","eval_samples":1001,"table_rows":[20]},
 "workers":1,"global_batch":120,"optimizer":{"name":"adam"},
 "schedule":{"name":"constant","base_lr":0.01},"epochs":1})");
        json["data"]["path"] = m_folder.filePath(QString::fromLatin1(name)).toStdString();
        json["data"]["train_samples"] = steps * 120;
        return json;
    }
    /// One table of 120,000 rows and 25 of 300, of which a worker may hold 87,381.
    Json largeTable(int64_t steps) const
    {
        Json json = example(steps > 10 ? "large" : "large ten", steps);
        std::vector<int64_t> rows(26, 300);
        rows[4] = 120'000;
        json["data"]["table_rows"] = rows;
        json["options"] = {{"memory_limit_mb", 8}};
        return json;
    }

private slots:
    void ownedTablesTrainAsOnesOfEveryWorker_data()
    {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<int>("accumulate");
        QTest::newRow("sgd") << QStringLiteral(R"({"name":"sgd","momentum":0})") << 1;
        QTest::newRow("adam") << QStringLiteral(R"({"name":"adam"})") << 1;
        QTest::newRow("clipped") << QStringLiteral(R"({"name":"adam","clip_norm":0.05})") << 1;
        QTest::newRow("accumulated") << QStringLiteral(R"({"name":"sgd","momentum":0})") << 2;
    }

    /// Ten steps end with the same parameters on 1, 2 and 4 workers, whoever has the tables,
    /// whichever rows have copies, and whether rows travel while the network computes.
    void ownedTablesTrainAsOnesOfEveryWorker()
    {
        QFETCH(QString, optimizer);
        QFETCH(int, accumulate);
        Json json = example("ten", 10);
        json["optimizer"] = Json::parse(optimizer.toStdString());
        std::vector<int64_t> rows;
        for (int64_t t = 0; t < 26; ++t)
            rows.push_back(3 + 7 * t);
        json["data"]["table_rows"] = rows;
        const Json plain = {{"grad_accum", accumulate}};
        json["options"] = plain;
        const Trained wanted = trained(json, 1);
        QVERIFY(wanted.quality > 0);
        const std::vector<std::pair<const char*, Json>> ways = {
            {"owned", Json::object()},
            {"owned", {{"overlap", true}}},
            {"owned", {{"hot_rows", 50}}},
            {"owned", {{"hot_rows", 200}, {"overlap", true}}},
            {"replicated", Json::object()}};
        for (const int workers : {2, 4})
            for (const auto& [tables, options] : ways) {
                json["model"]["tables"] = tables;
                json["options"] = plain;
                json["options"].update(options);
                const Trained got = trained(json, workers);
                const std::string what = tables + options.dump();
                QVERIFY2(std::abs(got.quality - wanted.quality) < 1e-4, what.c_str());
                // Sums over workers are rounded in another order; Adam divides by their roots.
                QVERIFY2(largestGap(got, wanted) < 2e-4,
                         (what + std::to_string(largestGap(got, wanted))).c_str());
            }
    }

    /// A table larger than what one worker may hold, on two and more.
    void rowsOfALargeTableTrainAsTheWholeTable()
    {
        Json json = largeTable(10);
        const std::string said = failureOf(json);
        QVERIFY2(said.find("2 workers would hold them") != std::string::npos, said.c_str());
        Json unlimited = json;
        unlimited["options"] = Json::object();
        const Trained wanted = trained(unlimited, 1);
        for (const int workers : {2, 4})
            for (const int hot : {0, 100}) {
                json["options"]["hot_rows"] = hot;
                json["workers"] = workers;
                const RunConfig config = parsed(json);
                const std::vector<TableBlock> blocks = blocksOf(config);
                QVERIFY(blocks.size() > 26); // it is cut
                QVERIFY(mostRowsHeld(blocks, workers) <= mostRows(config));
                const Trained got = trained(json, workers);
                QVERIFY(std::abs(got.quality - wanted.quality) < 1e-4);
                QVERIFY2(largestGap(got, wanted) < 2e-4,
                         std::to_string(largestGap(got, wanted)).c_str());
            }
    }

    /// A run that was stopped goes on from parts that each owner gave, on any number of workers.
    void checkpointsHoldTheTablesOfAllOwners()
    {
        const Json json = example("stopped", 20);
        const Trained wanted = trained(json, 1);
        const std::string folder = m_folder.filePath(QStringLiteral("kept")).toStdString();
        for (const int before : {1, 2, 3}) {
            trained(json, before, {folder, 9, false});
            const Checkpoint kept = readCheckpoint(folder + "/latest.sbckpt");
            QCOMPARE(kept.array("table/table3.weight", 20 * 8).size(), size_t(160));
            QCOMPARE(kept.array("optimizer/table_moment2/table26.weight", 20 * 8).size(),
                     size_t(160));
            for (const int after : {1, 2, 4})
                QVERIFY(resumes(json, after, folder, wanted));
        }
        // A folder that cannot be made: the sentence of the worker that writes, and nobody waits.
        try {
            trained(json, 3, {"/proc/no/such", 5, false});
            QFAIL("nothing can be written there");
        } catch (const Error& e) {
            QCOMPARE(e.code(), std::string("not_writable"));
        }
    }

    /// Also where rows of a table are on several workers, or on all of them.
    void checkpointsHoldCutTablesAndHotRows()
    {
        Json cut = largeTable(20), whole = cut;
        whole["options"] = Json::object();
        Json hot = cut;
        hot["options"]["hot_rows"] = 64;
        const Trained wanted = trained(whole, 1);
        const std::string folder = m_folder.filePath(QStringLiteral("cut")).toStdString();
        for (const auto& [before, workers] : {std::pair(cut, 2), std::pair(hot, 3)}) {
            trained(before, workers, {folder, 9, false});
            const Checkpoint kept = readCheckpoint(folder + "/latest.sbckpt");
            QCOMPARE(kept.array("table/table5.weight", 120'000 * 8).size(), size_t(960'000));
            QVERIFY(resumes(whole, 1, folder, wanted));
            QVERIFY(resumes(cut, 3, folder, wanted));
            QVERIFY(resumes(hot, 2, folder, wanted));
        }
    }

    void tablesThatDoNotFitAreRefusedWithTheWorkersThatWould()
    {
        Json json = example("memory", 20);
        json["data"]["table_rows"] = {4000};
        json["model"]["dim"] = 64;
        json["options"] = {{"memory_limit_mb", 50}}; // all take 26 * 4000 * 64 * 4 * 3: 76 MiB
        const std::string said = failureOf(json);
        QVERIFY2(said.find("2 workers would hold them") != std::string::npos, said.c_str());
        QVERIFY(trained(json, 2).quality > 0.4);
        // A block of 256 rows of 1,024 numbers and as many of Adam's two moments: 3 MiB.
        json["model"]["dim"] = 1024;
        json["options"] = {{"memory_limit_mb", 1}};
        const std::string small = failureOf(json);
        QVERIFY2(small.find("less than one block of 256 rows") != std::string::npos &&
                     small.find("(3 MiB)") != std::string::npos,
                 small.c_str());
    }

    void tablesAreSharedOut()
    {
        for (const int workers : {1, 2, 4, 5}) {
            const std::vector<TableBlock> blocks = placeTables(kTerabyte, workers);
            QCOMPARE(blocks.size(), size_t(26));
            std::vector<int> tables(size_t(workers), 0);
            for (const TableBlock& block : blocks)
                ++tables[size_t(block.owner)];
            QVERIFY(mostRowsHeld(blocks, workers) < 187767399 / workers + 25641295);
            QVERIFY(std::ranges::min(tables) >= 1);
        }
        const std::vector<TableBlock> even = placeTables(std::vector<int64_t>(26, 100), 4);
        for (int worker = 0; worker < 4; ++worker)
            QVERIFY(std::ranges::count(even, worker, &TableBlock::owner) >= 6);
        for (const TableBlock& block : placeTables({5, 5}, 7))
            QVERIFY(block.owner < 7);
    }

    void tablesAreCutWhereWholeOnesAreTooLarge()
    {
        for (const int workers : {2, 8, 16, 64}) {
            const int64_t most = 187767399 / workers + 2 * kRowBlock;
            const std::vector<TableBlock> blocks = placeTables(kTerabyte, workers, most);
            QVERIFY(mostRowsHeld(blocks, workers) <= most);
            QVERIFY(std::ranges::is_sorted(
                blocks, {}, [](const TableBlock& b) { return std::pair(b.table, b.first); }));
            std::vector<int64_t> covered(26, 0);
            for (const TableBlock& block : blocks) {
                QCOMPARE(block.first, covered[block.table]); // nothing twice, nothing left out
                covered[block.table] += block.rows;
                QVERIFY(block.rows > 0 && block.owner < workers);
                QVERIFY(block.first % kRowBlock == 0);
            }
            QCOMPARE(covered, kTerabyte);
        }
        QCOMPARE(workersThatHold(kTerabyte, 1, 187767399), 1);
        const int enough = workersThatHold(kTerabyte, 1, 10'000'000);
        QVERIFY(enough >= 19 && enough <= 20);
        QCOMPARE(workersThatHold(kTerabyte, 4, kRowBlock - 1), 0);
        QCOMPARE(workersThatHold({5, 5}, 1, 5), 2);
    }

    void rowsThatComeMostAreFound()
    {
        const Json json = example("frequent", 50);
        const RunConfig config = parsed(json);
        const auto workload = config.recipe->make(config);
        workload->prepareNode(1, {});
        workload->measure();
        const ClickData data = openClicks(config.data.path);
        const TableSizes sizes{std::vector<int64_t>(26, 20), 0};
        std::vector<int64_t> times(26 * 20, 0);
        std::vector<Click> clicks(6000);
        data.training->read(0, clicks);
        for (const Click& click : clicks)
            for (size_t t = 0; t < 26; ++t)
                ++times[t * 20 + click.categories[t]];
        const auto hot = frequentRows(*data.training, 6000, sizes, 30);
        QCOMPARE(hot.size(), size_t(30));
        const auto timesOf = [&](const autograd::HotRows::Row& row) {
            return times[row.table * 20 + size_t(row.row)];
        };
        QVERIFY(std::ranges::is_sorted(hot, std::ranges::greater{}, timesOf));
        const int64_t least = timesOf(hot.back());
        std::ranges::sort(times, std::ranges::greater{});
        QCOMPARE(least, times[29]);
        const autograd::HotRows found(hot);
        for (size_t i = 0; i < hot.size(); ++i)
            QCOMPARE(found.find(hot[i].table, hot[i].row), int32_t(i));
        QCOMPARE(found.find(27, 3), -1);
    }

private:
    /// Whether the run that a checkpoint is of ends with the parameters of one never stopped.
    static bool resumes(const Json& json, int workers, const std::string& folder,
                        const Trained& wanted)
    {
        const std::string copy = folder + " again";
        std::filesystem::remove_all(copy);
        std::filesystem::copy(folder, copy);
        const Trained got = trained(json, workers, {copy, 0, true});
        if (std::abs(got.quality - wanted.quality) < 1e-4 && largestGap(got, wanted) < 1e-3)
            return true;
        qWarning("%d workers: quality %f instead of %f, gap %f", workers, got.quality,
                 wanted.quality, largestGap(got, wanted));
        return false;
    }
};

QTEST_GUILESS_MAIN(DlrmOwnedTablesTest)
#include "owned_tables_test.moc"
