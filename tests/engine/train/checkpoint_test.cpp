// SPDX-License-Identifier: GPL-3.0-or-later
// The checkpoint file: round trip, damage, foreign files, a full disk; and runs that are
// interrupted and resumed end bit for bit as those that are not.

#include <QTemporaryDir>
#include <QTest>

#include "engine/core/checkpoint.h"
#include "engine/dist/communicator.h"
#include "engine/train/align_batch.h"
#include "engine/train/trainer.h"
#include "engine/workloads/resnet/resnet_workload.h"
#include "kernels/check.h"

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace scalebench;
using namespace scalebench::train;

namespace {

std::string readAll(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void writeAll(const std::string& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

/// The message of the refusal, or empty.
std::string refusal(const std::string& path)
{
    try {
        readCheckpoint(path);
    } catch (const InvalidArgument& e) {
        return e.code() == "checkpoint" ? e.what() : "wrong code " + e.code();
    }
    return {};
}

RunConfig smallRun(const std::string& optimizer, bool asyncEval)
{
    RunConfig config;
    config.runId = "check";
    auto recipe = std::make_shared<workloads::ResNetRecipe>();
    recipe->classes = 10;
    recipe->imageSize = 16;
    recipe->augment.flip = true;
    config.model = "resnet8";
    config.recipe = recipe;
    config.data.source = DataSource::Synthetic;
    config.data.trainSamples = 64;
    config.data.evalSamples = 24;
    config.globalBatch = 16;
    config.optimizer = optimizerDefaults(parseOptimizerKind(optimizer));
    config.schedule.baseLearningRate = 0.02;
    config.epochs = 3;
    config.options.asyncEval = asyncEval;
    config.options.checkpointEvery = 1;
    return config;
}

Outcome runOnce(const RunConfig& config, const std::string& folder, int64_t maxSteps,
                const Checkpoint* resume)
{
    const auto comm = dist::makeSelfCommunicator();
    TrainerOptions options;
    options.keepParameters = true;
    options.checkpointFolder = folder;
    options.maxSteps = maxSteps;
    options.resume = resume != nullptr;
    options.checkpoint = resume;
    return Trainer(config, *comm, nullptr, options).run();
}

} // namespace

class CheckpointTest : public QObject
{
    Q_OBJECT

private slots:
    void whatIsNoFileIsCalledSo()
    {
        std::string note;
        QVERIFY(std::filesystem::create_directory(latest()));
        QVERIFY(!useNewestCheckpoint(
            path(), [](Checkpoint&&) {}, note));
        QVERIFY2(note.find("it is no ordinary file") != std::string::npos, note.c_str());
        // A run goes on all the same, and removes nothing.
        QVERIFY(std::filesystem::create_directories(path() + "/previous.sbckpt/something"));
        writeCheckpoint(path(), {{"step", 1}}, {});
        writeCheckpoint(path(), {{"step", 2}}, {});
        QCOMPARE(newestCheckpoint(path(), note).header.at("step").get<int>(), 2);
        QCOMPARE(readCheckpoint(path() + "/previous.sbckpt").header.at("step").get<int>(), 1);
        QVERIFY(std::filesystem::exists(path() + "/previous.sbckpt.unusable/something"));
    }

    /// Somebody moves the library while a run goes on: nothing is begun in the old place.
    void aRunFolderThatWasMovedAway()
    {
        const std::string moved = path() + "/moved";
        try {
            writeCheckpoint(moved + "/run/checkpoint", {{"step", 1}}, {});
            QFAIL("it was written");
        } catch (const Error& e) {
            QVERIFY2(std::strstr(e.what(), "Was the folder of the run moved"), e.what());
        }
        QVERIFY(!std::filesystem::exists(moved));
    }

    void roundTrip()
    {
        const std::vector<float> a{1.5f, -2.0f, 3e-30f}, none;
        writeCheckpoint(path(), {{"step", 7}}, {{"a", a}, {"none", none}});
        const Checkpoint c = readCheckpoint(latest());
        QCOMPARE(c.header.at("step").get<int>(), 7);
        const auto read = c.array("a", 3);
        QVERIFY(std::equal(read.begin(), read.end(), a.begin()));
        QCOMPARE(c.array("none", 0).size(), size_t(0));
        QVERIFY_EXCEPTION_THROWN(c.array("a", 2), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(c.array("b", 3), InvalidArgument);
        QVERIFY(!std::filesystem::exists(path() + "/writing.sbckpt"));
    }

    void damageIsFoundEverywhere()
    {
        const std::vector<float> a(100, 0.5f);
        writeCheckpoint(path(), {{"step", 1}}, {{"a", a}});
        const std::string whole = readAll(latest());
        for (size_t at = 0; at < whole.size(); at += 7) {
            std::string damaged = whole;
            damaged[at] = char(damaged[at] ^ 0x10);
            writeAll(latest(), damaged);
            QVERIFY2(!refusal(latest()).empty(), std::to_string(at).c_str());
        }
        for (size_t length : {size_t(0), size_t(5), size_t(20), whole.size() - 1}) {
            writeAll(latest(), whole.substr(0, length));
            QVERIFY2(!refusal(latest()).empty(), std::to_string(length).c_str());
        }
        writeAll(latest(), "PK\x03\x04 something else altogether");
        QVERIFY(refusal(latest()).find("not a checkpoint of Scalebench") != std::string::npos);
    }

    void aDamagedOneFallsBackToTheOneBefore()
    {
        const std::vector<float> a{1.0f};
        writeCheckpoint(path(), {{"step", 1}}, {{"a", a}});
        writeCheckpoint(path(), {{"step", 2}}, {{"a", a}});
        std::string note;
        QCOMPARE(newestCheckpoint(path(), note).header.at("step").get<int>(), 2);
        QVERIFY(note.empty());
        writeAll(latest(), "broken");
        QCOMPARE(newestCheckpoint(path(), note).header.at("step").get<int>(), 1);
        QVERIFY(note.find("going on from the one before") != std::string::npos);
    }

    void theOneBeforeIsTriedWhenTheLastIsRefused()
    {
        const std::vector<float> a{1.0f};
        writeCheckpoint(path(), {{"step", 1}}, {{"a", a}});
        writeCheckpoint(path(), {{"step", 2}}, {{"a", a}});
        int taken = 0;
        const auto take = [&taken](int refused) {
            return [&taken, refused](Checkpoint&& checkpoint) {
                const int step = checkpoint.header.at("step");
                if (step >= refused)
                    throw InvalidArgument("it does not fit", "checkpoint");
                taken = step;
            };
        };
        std::string note;
        QVERIFY(useNewestCheckpoint(path(), take(2), note));
        QCOMPARE(taken, 1);
        QVERIFY(note.find("latest.sbckpt: it does not fit; going on from the one before") !=
                std::string::npos);
        QVERIFY(!useNewestCheckpoint(path(), take(1), note));
        QVERIFY(note.find("previous.sbckpt: it does not fit") != std::string::npos);
        writeAll(latest(), "");
        writeAll(path() + "/previous.sbckpt", "SBCKPT1");
        QVERIFY(!useNewestCheckpoint(path(), take(3), note));
        for (const char* name : {"latest.sbckpt: ", "previous.sbckpt: "})
            QVERIFY2(note.find(name) != std::string::npos, note.c_str());
        setCheckpointsAside(path());
        QVERIFY(!std::filesystem::exists(latest()));
        QVERIFY(std::filesystem::exists(latest() + ".unusable"));
    }

    void aFailedWriteKeepsTheOldOne()
    {
        const std::vector<float> a{1.0f};
        writeCheckpoint(path(), {{"step", 1}}, {{"a", a}});
        // A folder in the way of the temporary file: nothing can be written, not even by root.
        std::filesystem::create_directory(path() + "/writing.sbckpt");
        QVERIFY_EXCEPTION_THROWN(writeCheckpoint(path(), {{"step", 2}}, {{"a", a}}), Error);
        std::string note;
        QCOMPARE(newestCheckpoint(path(), note).header.at("step").get<int>(), 1);
    }

    void resumedRunsEndAlike_data()
    {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<bool>("asyncEval");
        QTest::addColumn<int>("stopAfter");
        QTest::addColumn<int>("evalSteps"); ///< 0: after every epoch
        for (const char* optimizer : {"sgd", "adamw", "lamb"})
            // Inside an epoch, in its last step, in the last epoch, in the last step of all.
            for (int stop : {3, 4, 9, 12})
                QTest::addRow(
                    "%s", (std::string(optimizer) + ", stopped after step " + std::to_string(stop))
                              .c_str())
                    << QString::fromLatin1(optimizer) << false << stop << 0;
        for (int stop : {6, 8, 12})
            QTest::addRow("background evaluation, stopped after step %d", stop)
                << QStringLiteral("sgd") << true << stop << 0;
        // Evaluations inside epochs: at steps 3, 6, 9, 12 of 4 an epoch.
        for (int stop : {2, 3, 8, 12})
            QTest::addRow("evaluated every three steps, stopped after step %d", stop)
                << QStringLiteral("sgd") << false << stop << 3;
    }

    void resumedRunsEndAlike()
    {
        QFETCH(QString, optimizer);
        QFETCH(bool, asyncEval);
        QFETCH(int, stopAfter);
        QFETCH(int, evalSteps);
        RunConfig config = smallRun(optimizer.toStdString(), asyncEval);
        if (evalSteps > 0)
            config.evaluation = {EvalUnit::Steps, evalSteps, evalSteps};
        const Outcome whole = runOnce(config, {}, 0, nullptr);
        const Outcome part = runOnce(config, path(), stopAfter, nullptr);
        QCOMPARE(part.reason, std::string("stopped"));
        std::string note;
        const Checkpoint checkpoint = newestCheckpoint(path(), note);
        const Outcome rest = runOnce(config, path(), 0, &checkpoint);
        QCOMPARE(part.parameters == whole.parameters, stopAfter == 12);
        QCOMPARE(rest.parameters, whole.parameters);
        QCOMPARE(rest.lastQuality, whole.lastQuality);
        QCOMPARE(rest.epochs, whole.epochs);
        if (!rest.epochLoss.empty())
            QCOMPARE(rest.epochLoss.back(), whole.epochLoss.back());
        QCOMPARE(whole.epochQuality.size(), size_t(evalSteps > 0 ? 4 : 3));
        // Each evaluation that was due took place, in one part or the other.
        std::vector<double> both = part.epochQuality;
        both.insert(both.end(), rest.epochQuality.begin(), rest.epochQuality.end());
        QCOMPARE(both, whole.epochQuality);
        QCOMPARE(rest.reason, whole.reason);
    }

    void foreignCheckpointsAreRefused()
    {
        RunConfig config = smallRun("sgd", false);
        runOnce(config, path(), 2, nullptr);
        std::string note;
        const Checkpoint checkpoint = newestCheckpoint(path(), note);
        config.globalBatch = 32;
        try {
            runOnce(config, path(), 0, &checkpoint);
            QFAIL("a checkpoint of another batch was taken");
        } catch (const Error& e) {
            QCOMPARE(e.code(), std::string("checkpoint"));
            QVERIFY2(std::string(e.what()).find("\"global_batch\" is 16 there and 32 here") !=
                         std::string::npos,
                     e.what());
        }
    }

    void alignedBatches()
    {
        QCOMPARE(alignedBatch(50000, 128, 1), int64_t(125));
        QCOMPARE(alignedBatch(50000, 128, 4), int64_t(100)); // 125 is no multiple of 4
        QCOMPARE(alignedBatch(6400, 128, 2), int64_t(128));
        QCOMPARE(alignedBatch(10, 8, 1), int64_t(10));
    }

private:
    std::string path() const { return folder_->path().toStdString(); }
    std::string latest() const { return path() + "/latest.sbckpt"; }
    std::unique_ptr<QTemporaryDir> folder_;

private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }
};

QTEST_GUILESS_MAIN(CheckpointTest)
#include "checkpoint_test.moc"
