// SPDX-License-Identifier: GPL-3.0-or-later
// The NCF workload as the training loop sees it: shares of workers, what is ranked, what is
// refused.

#include "engine/autograd/tape.h"
#include "engine/models/ncf/ncf.h"
#include "engine/train/trainer.h"
#include "engine/workloads/ncf/interaction_data.h"
#include "engine/workloads/ncf/ncf_workload.h"
#include "engine/workloads/ncf/ranking_evaluator.h"
#include "kernels/check.h"
#include "tests/engine/workloads/run_json.h"
#include "tests/engine/workloads/worker_runs.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>
#include <tuple>
#include <vector>

using namespace scalebench;
using namespace scalebench::tests;
using namespace scalebench::workloads;
using Json = nlohmann::json;

class NcfWorkloadTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Json example() const
    {
        Json json = Json::parse(R"({"format":"scalebench.run","version":1,"run_id":"r",
 "workload":"ncf","model":{"name":"neumf","factors":8,"layers":[16,8]},
 "data":{"source":"generated","users":151,"items":320,"ratings_per_user":12,"negatives":3},
 "workers":1,"global_batch":60,"optimizer":{"name":"adam"},
 "schedule":{"name":"constant","base_lr":0.01},"epochs":2})");
        json["data"]["path"] = m_folder.filePath(QStringLiteral("set")).toStdString();
        return json;
    }

private slots:
    /// Odd shares: every test user counts once, and the quality is the same to the last bit when
    /// the weights are.
    void anyNumberOfWorkersCountsEachUserOnce()
    {
        const RunConfig config = parsed(example());
        std::map<int, Evaluation> results;
        std::map<int, std::multiset<int64_t>> tests;
        for (const int workers : {1, 2, 3}) {
            const Measured measured = measuredBy(config, workers, [&](const Batch& batch) {
                const auto& real = std::any_cast<const std::vector<int64_t>&>(batch.notes);
                tests[workers].insert(real.begin(), real.end());
            });
            QCOMPARE(measured.evalSamples, 151);
            results[workers] = measured.result;
            QCOMPARE(tests[workers].size(), size_t(151));
            QCOMPARE(std::set<int64_t>(tests[workers].begin(), tests[workers].end()).size(),
                     size_t(151));
            for (size_t m = 0; m < 2; ++m)
                QCOMPARE(results[workers].metrics[m].value, results[1].metrics[m].value);
        }
        QCOMPARE(results[1].metrics[0].name, std::string("hit_rate"));
        QVERIFY(results[1].metrics[0].value > 0); // 10 of 100 by chance
    }

    /// Together the workers train on every positive and its drawn items, whatever their number.
    void workersShareTheSamplesOfAStep()
    {
        const RunConfig config = parsed(example());
        const auto rows = [](const Batch& batch) {
            std::vector<std::tuple<int32_t, int32_t, float>> all;
            for (size_t i = 0; i < size_t(batch.samples); ++i)
                all.emplace_back(batch.tensors[0].i32()[i], batch.tensors[1].i32()[i],
                                 batch.tensors[2].f32()[i]);
            return all;
        };
        const auto one = samplesBy(config, 1, 1, rows);
        QCOMPARE(one.front().size(), size_t(60));
        QVERIFY(samplesBy(config, 2, 1, rows) == one);
        QVERIFY(samplesBy(config, 3, 1, rows) == one);
    }

    void learns()
    {
        Json json = example();
        json["epochs"] = 6;
        json["target"] = {{"hit_rate", 0.3}, {"ndcg", 0.15}};
        const auto comm = dist::makeSelfCommunicator();
        const train::Outcome outcome = train::Trainer(parsed(json), *comm, nullptr).run();
        QCOMPARE(outcome.reason, std::string("target_reached"));
        QVERIFY(outcome.lastQuality > 0.3);
        json["target"] = {{"hit_rate", 0.3}, {"ndcg", 1.0}}; // both are needed
        QCOMPARE(train::Trainer(parsed(json), *comm, nullptr).run().reason,
                 std::string("target_not_reached"));
    }

    /// Full ranking against a slow count of the items that come before.
    void fullRankingLooksAtAllItems()
    {
        Json json = example();
        json["data"]["ranking"] = "full";
        const RunConfig config = parsed(json);
        const auto& recipe = dynamic_cast<const NcfRecipe&>(*config.recipe);
        CachingAllocator memory;
        const auto workload = openedBy(config, 0, 1, memory);
        const Interactions set = loadInteractions(config, recipe);
        const auto backend = makeCpuBackend();
        const auto network = workload->makeNetwork(*backend, {});
        const auto evaluator = workload->makeEvaluator();
        int64_t hits = 0;
        for (int64_t b = 0; b < workload->evaluation().batches(0); ++b) {
            Batch batch;
            workload->evaluation().fill(0, b, batch);
            QCOMPARE(batch.tensors[0].count(), batch.samples * set.items);
            evaluator->add(*backend, *network, batch);
            Tape tape(*backend, Tape::Mode::Inference);
            const Tensor scores = dynamic_cast<Ncf&>(*network)
                                      .forward(tape, batch.tensors[0], batch.tensors[1])
                                      .value();
            const float* score = scores.f32().data();
            for (const int64_t test : std::any_cast<const std::vector<int64_t>&>(batch.notes)) {
                const int32_t wanted = set.testItems[size_t(test)];
                int before = 0;
                for (int32_t item = 0; item < set.items; ++item)
                    before += item != wanted && score[item] >= score[wanted] &&
                              !set.isTrainPositive(set.testUsers[size_t(test)], item);
                hits += before < 10;
                score += set.items;
            }
        }
        const std::string all[] = {evaluator->partial()};
        QVERIFY(hits > 0);
        QCOMPARE(evaluator->merge(all).leading(), double(hits) / double(set.tests()));
    }

    void drawnTestItemsAreNewToTheUser()
    {
        Interactions set = syntheticInteractions([] {
            NcfRecipe recipe;
            recipe.users = 30;
            recipe.items = 60;
            recipe.ratingsPerUser = 9;
            return recipe;
        }());
        drawTestNegatives(set, 50, 1);
        for (int64_t test = 0; test < set.tests(); ++test) {
            std::set<int32_t> seen;
            for (const int32_t item : set.negativesOf(test)) {
                QVERIFY(seen.insert(item).second);
                QVERIFY(!set.isTrainPositive(set.testUsers[size_t(test)], item));
                QVERIFY(item != set.testItems[size_t(test)]);
            }
        }
        try {
            drawTestNegatives(set, 51, 1);
            QFAIL("there are 50 items left");
        } catch (const InvalidArgument& e) {
            QCOMPARE(e.code(), std::string("data_damaged"));
            QVERIFY2(QString::fromUtf8(e.what()).contains(QStringLiteral("asks for 51")), e.what());
        }
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
        row("other network", "/model/name", "\"resnet20\"", "neumf");
        row("odd first layer", "/model/layers", "[15, 8]", "even number");
        row("layers of text", "/model/layers", "[\"a\"]", "model.layers");
        row("no layers", "/model/layers", "[]", "even number");
        row("no negatives", "/data/negatives", "0", "data.negatives");
        row("ranking", "/data/ranking", "\"best\"", "sampled or full");
        row("too many", "/data/users", "268435456", "2^31");
        row("foreign key", "/data/augment", "{}", "data.augment");
        row("foreign metric", "/target", "{\"top1_accuracy\": 0.5}", "target.top1_accuracy");
    }
    void refusals()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, names);
        Json json = example();
        json["data"]["ratings_per_user"] = 12;
        json[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
        const QString said = QString::fromStdString(refusalOf(json));
        QVERIFY2(said.contains(names), qPrintable(said));
    }

    void aBatchLargerThanAnEpochIsRefused()
    {
        Json json = example();
        json["global_batch"] = 1000000;
        const RunConfig config = parsed(json);
        const auto workload = config.recipe->make(config);
        workload->prepareNode(1, {});
        QVERIFY_EXCEPTION_THROWN(workload->measure(), InvalidArgument);
    }
};

QTEST_GUILESS_MAIN(NcfWorkloadTest)
#include "ncf_workload_test.moc"
