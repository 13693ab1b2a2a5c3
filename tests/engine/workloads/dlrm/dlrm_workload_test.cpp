// SPDX-License-Identifier: GPL-3.0-or-later
// The DLRM workload as the training loop sees it: shares of workers, what is measured, what is
// refused.

#include "engine/core/checkpoint.h"
#include "engine/train/load_run_config.h"
#include "engine/train/trainer.h"
#include "engine/workloads/dlrm/auc_evaluator.h"
#include "engine/workloads/dlrm/dlrm_workload.h"
#include "engine/workloads/dlrm/table_placement.h"
#include "kernels/check.h"
#include "support/thread_communicator.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>

using namespace scalebench;
using namespace scalebench::workloads;
using Json = nlohmann::json;

class DlrmWorkloadTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Json example() const
    {
        Json json = Json::parse(R"({"format":"scalebench.run","version":1,"run_id":"r",
 "workload":"dlrm","model":{"name":"dlrm","dim":8,"bottom":[16],"top":[32]},
 "data":{"source":"generated","train_samples":6000,"eval_samples":1001,"table_rows":[20]},
 "workers":1,"global_batch":120,"optimizer":{"name":"adam"},
 "schedule":{"name":"constant","base_lr":0.01},"epochs":2})");
        json["data"]["path"] = m_folder.filePath(QStringLiteral("set")).toStdString();
        return json;
    }
    static RunConfig parsed(const Json& json) { return train::parseRunConfig(json.dump()); }
    static std::string refusal(const Json& json)
    {
        try {
            const RunConfig config = parsed(json);
            config.recipe->make(config)->measure();
        } catch (const InvalidArgument& e) {
            return e.what();
        }
        return {};
    }

    struct Trained {
        double quality = 0;
        std::vector<float> parameters; ///< dense, then the tables in the order of declaration
    };
    struct Part {
        std::string checkpoints; ///< folder
        int64_t maxSteps = 0;    ///< then the run is stopped
        bool resume = false;
    };
    static Trained trained(const Json& json, int workers) { return trained(json, workers, Part()); }
    static Trained trained(Json json, int workers, const Part& part)
    {
        json["workers"] = workers;
        const RunConfig config = parsed(json);
        const auto& recipe = dynamic_cast<const DlrmRecipe&>(*config.recipe);
        const auto width = size_t(recipe.dim);
        std::vector<int> owners(26, 0);
        if (recipe.ownedTables)
            owners = placeTables(recipe.tableRows, workers);
        std::vector<std::vector<float>> tables(26);
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
            // Tables lie at the end of the values, the last declared one first.
            size_t end = outcome.parameters.size();
            for (size_t t = 0; t < 26; ++t) {
                if (owners[t] != comm.rank())
                    continue;
                const size_t count = size_t(recipe.tableRows[t]) * width;
                const size_t padded = (count + 15) / 16 * 16;
                tables[t].assign(outcome.parameters.begin() + std::ptrdiff_t(end - padded),
                                 outcome.parameters.begin() + std::ptrdiff_t(end - padded + count));
                end -= padded;
            }
            if (comm.rank() != 0)
                return;
            result.quality = outcome.lastQuality;
            result.parameters.assign(outcome.parameters.begin(),
                                     outcome.parameters.begin() + std::ptrdiff_t(end));
        });
        for (const std::vector<float>& table : tables)
            result.parameters.insert(result.parameters.end(), table.begin(), table.end());
        return result;
    }

private slots:
    /// Odd shares: every row counts once, and the area is the same to the last bit when the weights
    /// are.
    void anyNumberOfWorkersMeasuresTheSame()
    {
        const RunConfig config = parsed(example());
        std::map<int, double> areas;
        for (const int workers : {1, 2, 3}) {
            std::mutex mutex;
            int64_t rows = 0;
            scalebench::test::runThreads(workers, [&](dist::Communicator& comm) {
                const auto workload = config.recipe->make(config);
                workload->prepareNode(1, {});
                QCOMPARE(workload->measure().evalSamples, 1001);
                CachingAllocator memory;
                workload->open({{comm.rank(), workers}, memory, 1, {}});
                const auto backend = makeCpuBackend();
                const auto network = workload->makeNetwork(*backend, {});
                const auto evaluator = workload->makeEvaluator();
                const data::BatchSource& source = workload->evaluation();
                for (int64_t b = 0; b < source.batches(0); ++b) {
                    Batch batch;
                    source.fill(0, b, batch);
                    evaluator->add(*backend, *network, batch);
                    const std::lock_guard lock(mutex);
                    rows += std::any_cast<int64_t>(batch.notes);
                }
                const Evaluation all = evaluator->merge(comm.allGather(evaluator->partial()));
                const std::lock_guard lock(mutex);
                areas[workers] = all.leading();
                QCOMPARE(all.metrics[0].name, std::string("auc"));
            });
            QCOMPARE(rows, int64_t(1001));
            QCOMPARE(areas[workers], areas[1]);
        }
        QVERIFY(areas[1] > 0.3 && areas[1] < 0.7); // it has learned nothing yet
    }

    void workersShareTheRowsOfAStep()
    {
        Json json = example();
        json["data"]["shuffle_block"] = 7;
        const RunConfig config = parsed(json);
        using Row = std::vector<float>;
        std::map<int, std::vector<std::multiset<Row>>> steps;
        for (const int workers : {1, 2, 3}) {
            for (int rank = 0; rank < workers; ++rank) {
                const auto workload = config.recipe->make(config);
                workload->prepareNode(1, {});
                workload->measure();
                CachingAllocator memory;
                workload->open({{rank, workers}, memory, 1, {}});
                steps[workers].resize(size_t(workload->training().batches(1)));
                for (int64_t b = 0; b < workload->training().batches(1); ++b) {
                    Batch batch;
                    workload->training().fill(1, b, batch);
                    for (size_t i = 0; i < size_t(batch.samples); ++i) {
                        const auto counts = batch.tensors[0].f32().subspan(i * 13, 13);
                        Row row(counts.begin(), counts.end());
                        for (size_t t = 0; t < 26; ++t)
                            row.push_back(
                                float(batch.tensors[1].i32()[t * size_t(batch.samples) + i]));
                        row.push_back(batch.tensors[2].f32()[i]);
                        steps[workers][size_t(b)].insert(row);
                    }
                }
            }
        }
        QCOMPARE(steps[1].size(), size_t(50));
        QCOMPARE(steps[1].front().size(), size_t(120));
        QVERIFY(steps[2] == steps[1]);
        QVERIFY(steps[3] == steps[1]);
    }

    void learns()
    {
        Json json = example();
        json["data"]["train_samples"] = 30000;
        json["data"]["path"] = m_folder.filePath(QStringLiteral("larger")).toStdString();
        json["target"] = 0.75;
        json["epochs"] = 3;
        const auto comm = dist::makeSelfCommunicator();
        const train::Outcome outcome = train::Trainer(parsed(json), *comm, nullptr).run();
        QVERIFY2(outcome.lastQuality > 0.75, std::to_string(outcome.lastQuality).c_str());
        QCOMPARE(outcome.reason, std::string("target_reached"));
    }

    void ownedTablesTrainAsOnesOfEveryWorker_data()
    {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<int>("accumulate");
        QTest::newRow("sgd") << QStringLiteral(R"({"name":"sgd","momentum":0})") << 1;
        QTest::newRow("adam") << QStringLiteral(R"({"name":"adam"})") << 1;
        QTest::newRow("clipped") << QStringLiteral(R"({"name":"adam","clip_norm":0.05})") << 1;
        QTest::newRow("accumulated") << QStringLiteral(R"({"name":"sgd","momentum":0})") << 2;
    }

    /// Ten steps end with the same parameters on 1, 2 and 4 workers, whoever has the tables.
    void ownedTablesTrainAsOnesOfEveryWorker()
    {
        QFETCH(QString, optimizer);
        QFETCH(int, accumulate);
        Json json = example();
        json["optimizer"] = Json::parse(optimizer.toStdString());
        json["options"] = {{"grad_accum", accumulate}};
        json["data"]["train_samples"] = 1200;
        json["data"]["path"] = m_folder.filePath(QStringLiteral("ten")).toStdString();
        json["epochs"] = 1;
        std::vector<int64_t> rows;
        for (int64_t t = 0; t < 26; ++t)
            rows.push_back(3 + 7 * t);
        json["data"]["table_rows"] = rows;
        const Trained wanted = trained(json, 1);
        QVERIFY(wanted.quality > 0);
        for (const int workers : {2, 4})
            for (const char* tables : {"owned", "replicated"}) {
                json["model"]["tables"] = tables;
                const Trained got = trained(json, workers);
                QVERIFY2(std::abs(got.quality - wanted.quality) < 1e-4, tables);
                QCOMPARE(got.parameters.size(), wanted.parameters.size());
                double worst = 0;
                for (size_t i = 0; i < got.parameters.size(); ++i)
                    worst =
                        std::max(worst, double(std::abs(got.parameters[i] - wanted.parameters[i])));
                // Sums over workers are rounded in another order; Adam divides by their roots.
                QVERIFY2(worst < 2e-4, std::to_string(worst).c_str());
            }
    }

    /// A run that was stopped goes on from parts that each owner gave, on any number of workers.
    void checkpointsHoldTheTablesOfAllOwners()
    {
        Json json = example();
        json["data"]["train_samples"] = 2400;
        json["data"]["path"] = m_folder.filePath(QStringLiteral("stopped")).toStdString();
        json["epochs"] = 1;
        const Trained wanted = trained(json, 1);
        const std::string folder = m_folder.filePath(QStringLiteral("kept")).toStdString();
        for (const int before : {1, 2, 3}) {
            trained(json, before, {folder, 9, false});
            const Checkpoint kept = train::readCheckpoint(folder + "/latest.sbckpt");
            QCOMPARE(kept.array("table/table3.weight", 20 * 8).size(), size_t(160));
            QCOMPARE(kept.array("optimizer/table_moment2/table26.weight", 20 * 8).size(),
                     size_t(160));
            for (const int after : {1, 2, 4}) {
                const std::string copy = folder + std::to_string(after);
                std::filesystem::remove_all(copy);
                std::filesystem::copy(folder, copy);
                const Trained got = trained(json, after, {copy, 0, true});
                QVERIFY(std::abs(got.quality - wanted.quality) < 1e-4);
                double worst = 0;
                for (size_t i = 0; i < got.parameters.size(); ++i)
                    worst =
                        std::max(worst, double(std::abs(got.parameters[i] - wanted.parameters[i])));
                QVERIFY2(worst < 1e-3, std::to_string(worst).c_str());
            }
        }
        // A folder that cannot be made: the sentence of the worker that writes, and nobody waits.
        try {
            trained(json, 3, {"/proc/no/such", 5, false});
            QFAIL("nothing can be written there");
        } catch (const Error& e) {
            QCOMPARE(e.code(), std::string("not_writable"));
        }
    }

    /// What one worker may not hold, two may.
    void tablesThatDoNotFitAreRefusedWithTheWorkersThatWould()
    {
        Json json = example();
        json["data"]["table_rows"] = {4000};
        json["data"]["path"] = m_folder.filePath(QStringLiteral("memory")).toStdString();
        json["model"]["dim"] = 64;
        json["epochs"] = 1;
        json["options"] = {{"memory_limit_mb", 50}}; // all take 26 * 4000 * 64 * 4 * 3: 76 MiB
        const auto comm = dist::makeSelfCommunicator();
        const train::Outcome outcome = [&] {
            try {
                return train::Trainer(parsed(json), *comm, nullptr).run();
            } catch (const Error& e) {
                train::Outcome failed;
                failed.reason = e.what();
                return failed;
            }
        }();
        QVERIFY2(outcome.reason.find("2 workers would hold them") != std::string::npos,
                 outcome.reason.c_str());
        QVERIFY(trained(json, 2).quality > 0.4);
    }

    void tablesAreSharedOut()
    {
        // The terabyte's.
        const std::vector<int64_t> rows{
            39884406, 39043,    17289,    7420,     20263,  3,     7120, 1543, 63,
            38532951, 2953546,  403346,   10,       2208,   11938, 155,  4,    976,
            14,       39979771, 25641295, 39664984, 585935, 12972, 108,  36};
        for (const int workers : {1, 2, 4, 5}) {
            const std::vector<int> owners = placeTables(rows, workers);
            std::vector<int64_t> held(size_t(workers), 0), tables(size_t(workers), 0);
            for (size_t t = 0; t < rows.size(); ++t) {
                held.at(size_t(owners[t])) += rows[t];
                ++tables[size_t(owners[t])];
            }
            QVERIFY(std::ranges::max(held) < 187767399 / workers + 25641295);
            QVERIFY(std::ranges::min(tables) >= 1);
        }
        const std::vector<int> even = placeTables(std::vector<int64_t>(26, 100), 4);
        for (int worker = 0; worker < 4; ++worker)
            QVERIFY(std::ranges::count(even, worker) >= 6);
        QVERIFY(std::ranges::max(placeTables({5, 5}, 7)) < 7);
    }

    void rowsThatNobodyMadeTrainToo()
    {
        Json json = example();
        json["data"] = {{"source", "synthetic"},
                        {"train_samples", 600},
                        {"eval_samples", 100},
                        {"table_rows", {5}}};
        json["epochs"] = 1;
        const auto comm = dist::makeSelfCommunicator();
        QCOMPARE(train::Trainer(parsed(json), *comm, nullptr).run().reason,
                 std::string("epochs_done"));
    }

    void evaluationOfOneLabelIsRefused()
    {
        QDir(m_folder.path()).mkdir(QStringLiteral("one"));
        for (const char* name : {"one/train.txt", "one/test.txt"}) {
            QFile file(m_folder.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            for (int i = 0; i < 200; ++i)
                file.write((name[5] == 'r' && i % 2 ? "1" : "0") + QByteArray(39, '\t') + '\n');
        }
        Json json = example();
        json["data"] = {{"source", "files"},
                        {"table_rows", {100}},
                        {"path", m_folder.filePath(QStringLiteral("one")).toStdString()}};
        const std::string said = refusal(json);
        QVERIFY2(said.find("all 200 rows of the evaluation data have the label 0") !=
                     std::string::npos,
                 said.c_str());
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, AucEvaluator().merge(std::vector<std::string>{
                                                      ClickScores{{1.0f, 2.0f}, {}}.bytes()}));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("names");
        const auto row = [](const char* name, const char* pointer, const char* value,
                            const char* names) {
            QTest::newRow(name) << QString::fromLatin1(pointer) << QString::fromLatin1(value)
                                << QString::fromLatin1(names);
        };
        row("other network", "/model/name", "\"neumf\"", "expected dlrm");
        row("25 tables", "/data/table_rows", "[1,2,3]", "has 3 numbers, expected the rows of 26");
        row("no tables", "/data/table_rows", "[]", "data.table_rows");
        row("empty table", "/data/table_rows", "[0]", "data.table_rows");
        row("no rows", "/data/train_samples", "0", "must be above 0");
        row("too many", "/data/train_samples", "20000000", "above 10,000,000");
        row("large batch", "/global_batch", "7000", "do not fill one global batch");
        row("tables", "/model/tables", "\"shared\"", "expected owned or replicated");
        row("dense gradients", "/model/sparse_gradients", "false", "needs \"model.tables\"");
        row("block", "/data/shuffle_block", "0", "data.shuffle_block");
        row("foreign key", "/data/negatives", "4", "data.negatives");
    }
    void refusals()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, names);
        Json json = example();
        json[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
        const QString said = QString::fromStdString(refusal(json));
        QVERIFY2(said.contains(names), qPrintable(said));
    }
};

QTEST_GUILESS_MAIN(DlrmWorkloadTest)
#include "dlrm_workload_test.moc"
