// SPDX-License-Identifier: GPL-3.0-or-later
// What a device gets warm with before the clock: the shapes of training, without its data, and no
// trace in the run.

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "engine/report/results_writer.h"
#include "engine/train/load_run_config.h"
#include "engine/train/rehearsal.h"
#include "engine/train/trainer.h"
#include "recipe_runs.h"
#include "support/thread_communicator.h"

#include <algorithm>
#include <cmath>

using namespace scalebench;
using namespace scalebench::tests;
using Json = nlohmann::json;

namespace {

/// Little data, of which desk recipes are made in an instant.
const char* const kSmall = R"({
 "resnet": {"train_samples": 256, "eval_samples": 32},
 "transformer": {"train_samples": 600, "eval_samples": 20, "merges": 300},
 "gnmt": {"train_samples": 600, "eval_samples": 20, "merges": 300},
 "bert": {"documents": 60, "eval_documents": 10, "train_samples": 200, "eval_samples": 20},
 "ncf": {"users": 300, "items": 300, "ratings_per_user": 20},
 "dlrm": {"train_samples": 5000, "eval_samples": 500},
 "ssd": {"train_samples": 12, "eval_samples": 2},
 "retinanet": {"train_samples": 12, "eval_samples": 2},
 "maskrcnn": {"train_samples": 12, "eval_samples": 2}
})";

RunConfig configOf(const RecipeRun& recipe, const QTemporaryDir& folder)
{
    Json run = recipe.run;
    run["data"].update(Json::parse(kSmall)[recipe.workload]);
    run["data"]["path"] = folder.filePath(QString::fromStdString(recipe.workload)).toStdString();
    run.erase("target");
    return train::parseRunConfig(run.dump());
}

QList<RecipeRun> desks()
{
    QList<RecipeRun> runs = runsOfAllRecipes();
    runs.removeIf([](const RecipeRun& run) { return !run.name.endsWith("/desk"); });
    return runs;
}

} // namespace

class RehearsalTest : public QObject
{
    Q_OBJECT

private slots:
    void shapesAreThoseOfTraining_data()
    {
        QTest::addColumn<int>("run");
        QCOMPARE(desks().size(), 9);
        for (int i = 0; i < desks().size(); ++i)
            QTest::newRow(desks()[i].name) << i;
    }

    void shapesAreThoseOfTraining()
    {
        QFETCH(int, run);
        const RunConfig config = configOf(desks()[run], m_folder);
        const auto workload = config.recipe->make(config);
        auto* const input = dynamic_cast<workloads::WarmUpInput*>(workload.get());
        QVERIFY(input != nullptr);
        CachingAllocator memory;
        const auto backend = makeCpuBackend();
        train::rehearse(*backend, config, *input, config.microBatch(), memory); // without data

        workload->prepareNode(1, {});
        workload->measure();
        workload->open({{0, 1}, memory, 1, {}});
        Batch batch;
        workload->training().fill(1, 0, batch);
        const Batch warm = input->warmUpBatch(config.microBatch(), memory);
        QCOMPARE(warm.tensors.size(), batch.tensors.size());
        for (size_t i = 0; i < batch.tensors.size(); ++i) {
            QCOMPARE(warm.tensors[i].shape().size(), batch.tensors[i].shape().size());
            QVERIFY(warm.tensors[i].dtype() == batch.tensors[i].dtype());
        }
        if (config.workload != "transformer" && config.workload != "gnmt") // by tokens, as it fits
            QCOMPARE(warm.samples, batch.samples);
        // A run that is resumed has its network before the clock, and warms that.
        const auto network = workload->makeNetwork(*backend, {});
        const auto stand = input->warmUpNetwork(*backend);
        for (Network* one : {network.get(), stand.get()}) {
            Tape tape(*backend);
            QVERIFY(std::isfinite(one->loss(tape, warm, {0, 1e-3f}, true).sums.get().lossSum));
        }
        QVERIFY(stand->parameters().parameters().size() <=
                network->parameters().parameters().size());
    }

    /// The run goes on with the backend of the rehearsal, and as if there had been none.
    void leavesNoTrace_data()
    {
        QTest::addColumn<QString>("workload");
        for (const char* name : {"ncf", "transformer"})
            QTest::newRow(name) << name;
    }

    void leavesNoTrace()
    {
        QFETCH(QString, workload);
        const QList<RecipeRun> all = desks();
        const auto recipe = std::ranges::find(all, workload.toStdString(), &RecipeRun::workload);
        std::vector<float> parameters[2];
        for (const bool rehearsed : {false, true}) {
            RunConfig config = configOf(*recipe, m_folder);
            config.device = rehearsed ? "pretended" : "cpu"; // is the processors under another name
            int made = 0;
            bool started = false, inTime = false;
            train::TrainerOptions options;
            options.keepParameters = true;
            options.maxSteps = 3;
            options.devices.makeBackend = [&] {
                inTime = ++made == 1 && !started;
                return makeCpuBackend();
            };
            test::runThreads(1, [&](dist::Communicator& comm) {
                const QString path = m_folder.filePath("stream");
                report::ResultsWriter writer(path.toStdString());
                const auto seen = options.devices.makeBackend;
                options.devices.makeBackend = [&, seen] {
                    QFile stream(path);
                    started =
                        stream.open(QIODevice::ReadOnly) && stream.readAll().contains("run_start");
                    return seen();
                };
                parameters[rehearsed] =
                    train::Trainer(config, comm, &writer, options).run().parameters;
            });
            QCOMPARE(made, 1);
            QCOMPARE(inTime, rehearsed);
        }
        QVERIFY(!parameters[0].empty());
        QVERIFY(parameters[0] == parameters[1]);
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(RehearsalTest)
#include "rehearsal_test.moc"
