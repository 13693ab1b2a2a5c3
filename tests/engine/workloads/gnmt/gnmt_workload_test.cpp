// SPDX-License-Identifier: GPL-3.0-or-later
// The GNMT workload as the training loop sees it: its batches, shares of workers, what it learns,
// what is refused, and one step of the published network.

#include "engine/autograd/tape.h"
#include "engine/core/checkpoint.h"
#include "engine/core/thread_count.h"
#include "engine/text/bleu.h"
#include "engine/train/trainer.h"
#include "engine/workloads/gnmt/gnmt_workload.h"
#include "engine/workloads/gnmt/time_major_batches.h"
#include "engine/workloads/translation/language_pair.h"
#include "kernels/check.h"
#include "support/campaign.h"
#include "support/thread_communicator.h"
#include "tests/engine/workloads/run_json.h"
#include "tests/engine/workloads/worker_runs.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::tests;
using namespace scalebench::workloads;
using Json = nlohmann::json;

namespace {

std::vector<int32_t> numbersOf(const Tensor& tensor)
{
    const auto values = tensor.i32();
    return {values.begin(), values.end()};
}

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(path));
}

double largestGap(const std::vector<float>& a, const std::vector<float>& b)
{
    if (a.empty() || a.size() != b.size())
        return 1e9;
    double gap = 0;
    for (size_t i = 0; i < a.size(); ++i)
        gap = std::max(gap, double(std::abs(a[i] - b[i])));
    return gap;
}

} // namespace

class GnmtWorkloadTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Json example() const
    {
        Json json = Json::parse(R"({"format":"scalebench.run","version":1,"run_id":"r",
 "workload":"gnmt","model":{"name":"gnmt_tiny","hidden":32,"dropout":0.0,"beam":2},
 "data":{"source":"generated","train_samples":400,"eval_samples":31,"merges":300},
 "workers":1,"global_batch":32,"optimizer":{"name":"adam","clip_norm":5.0},
 "schedule":{"name":"constant","base_lr":0.002},"epochs":1})");
        json["data"]["path"] = m_folder.filePath(QStringLiteral("set")).toStdString();
        return json;
    }

private slots:
    void initTestCase() { setComputeThreads(1); }

    void batchesAreTimeMajor()
    {
        const std::vector<int32_t> s0 = {5, 6, 7}, t0 = {8, 9}, s1 = {10}, t1 = {11, 12, 13, 14};
        CachingAllocator memory;
        Batch batch;
        layTimeMajor({{s0, t0}, {s1, t1}}, memory, batch);
        QCOMPARE(batch.tensors[0].shape(), (Shape{4, 2}));
        QCOMPARE(numbersOf(batch.tensors[0]), (std::vector<int32_t>{5, 10, 6, 0, 7, 0, 0, 0}));
        QCOMPARE(numbersOf(batch.tensors[1]), (std::vector<int32_t>{3, 1}));
        QCOMPARE(batch.tensors[2].shape(), (Shape{6, 2}));
        QCOMPARE(numbersOf(batch.tensors[2]),
                 (std::vector<int32_t>{1, 1, 8, 11, 9, 12, 0, 13, 0, 14, 0, 0}));
        QCOMPARE(numbersOf(batch.tensors[3]),
                 (std::vector<int32_t>{8, 11, 9, 12, 2, 13, -1, 14, -1, 2, -1, -1}));
    }

    /// A vocabulary of the same size with other pieces would give other numbers to the same text.
    void resumesWithItsVocabularyOnly()
    {
        const auto comm = dist::makeSelfCommunicator();
        train::TrainerOptions options;
        options.checkpointFolder = m_folder.filePath(QStringLiteral("kept")).toStdString();
        options.maxSteps = 2;
        const Json json = example();
        train::Trainer(parsed(json), *comm, nullptr, options).run();
        std::string note;
        Checkpoint checkpoint = newestCheckpoint(options.checkpointFolder, note);
        std::string encoding = checkpoint.header.at("run").at("encoding");
        QVERIFY2(encoding.starts_with("vocabulary "), encoding.c_str());
        options.resume = true;
        options.checkpoint = &checkpoint;
        options.maxSteps = 0;
        QCOMPARE(train::Trainer(parsed(json), *comm, nullptr, options).run().reason,
                 std::string("epochs_done"));
        encoding.back() = encoding.back() == '0' ? '1' : '0';
        checkpoint.header["run"]["encoding"] = encoding;
        const auto message = [&]() -> std::string {
            try {
                train::Trainer(parsed(json), *comm, nullptr, options).run();
            } catch (const Error& error) {
                return error.what();
            }
            return {};
        }();
        QVERIFY2(message.find("\"encoding\" is \"" + encoding) != std::string::npos,
                 message.c_str());
    }

    /// Without dropout two or three workers take the steps of one, and their BLEU is one's.
    void workersEqualOne()
    {
        const Json base = example();
        std::map<int, train::Outcome> outcomes;
        for (const int workers : {1, 2}) {
            Json json = base;
            json["workers"] = workers;
            const RunConfig config = parsed(json);
            std::mutex mutex;
            scalebench::test::runThreads(workers, [&](dist::Communicator& comm) {
                setComputeThreads(1);
                train::TrainerOptions options;
                options.keepParameters = true;
                const train::Outcome outcome = train::Trainer(config, comm, nullptr, options).run();
                const std::lock_guard lock(mutex);
                if (comm.rank() == 0)
                    outcomes[workers] = outcome;
            });
        }
        // Additions in another order, which Adam's division enlarges.
        const double gap = largestGap(outcomes[1].parameters, outcomes[2].parameters);
        QVERIFY2(gap < 2e-4, qPrintable(QString::number(gap)));
        QVERIFY(std::abs(outcomes[1].epochLoss[0] - outcomes[2].epochLoss[0]) < 1e-4);
    }

    /// With the same weights the merged counts are the same for any number of workers.
    void bleuIsMergedExactly()
    {
        Json json = example();
        json["workers"] = 1;
        const RunConfig config = parsed(json);
        std::map<int, text::BleuCounts> counts;
        std::map<int, double> bleu;
        for (const int workers : {1, 2, 3}) {
            const Measured measured = measuredBy(config, workers);
            QCOMPARE(measured.evalSamples, 31);
            for (const std::string& partial : measured.partials) {
                text::BleuCounts part;
                QCOMPARE(partial.size(), sizeof part);
                std::memcpy(&part, partial.data(), sizeof part);
                counts[workers].add(part);
            }
            bleu[workers] = measured.result.metrics[0].value;
        }
        QVERIFY(counts[1].hypothesisLength > 0 && counts[1].referenceLength > 100);
        for (const int workers : {2, 3}) {
            QVERIFY(counts[workers] == counts[1]);
            QCOMPARE(bleu[workers], bleu[1]);
        }
    }

    /// From files through training, beam search and the text it writes: what was learned by heart
    /// is said again.
    void learnsByHeart()
    {
        const QTemporaryDir folder;
        const LanguagePair pair(1);
        QByteArray source, target;
        for (int64_t i = 0; i < 12; ++i) {
            const TranslatedSentence sentence = pair.sentence(Part::Training, i);
            source.append(sentence.source + '\n');
            target.append(sentence.target + '\n');
        }
        for (const char* part : {"train", "eval"}) {
            write(folder.filePath(QString::fromLatin1(part) + QStringLiteral(".xa")), source);
            write(folder.filePath(QString::fromLatin1(part) + QStringLiteral(".xb")), target);
        }
        Json json = example();
        json["data"] = {{"source", "files"},       {"path", folder.path().toStdString()},
                        {"source_language", "xa"}, {"target_language", "xb"},
                        {"merges", 200},           {"max_tokens", 100}};
        json["model"]["hidden"] = 64;
        json["model"]["beam"] = 5;
        json["global_batch"] = 12;
        json["schedule"]["base_lr"] = 0.01;
        json["epochs"] = 400;
        json["eval_every"] = 100;
        json["target"] = 85;
        const auto comm = dist::makeSelfCommunicator();
        const train::Outcome outcome = train::Trainer(parsed(json), *comm, nullptr).run();
        qInfo("BLEU %.1f after %d epochs", outcome.lastQuality, outcome.epochs);
        QCOMPARE(outcome.reason, std::string("target_reached"));
    }

    void publishedDefaults()
    {
        Json json = example();
        json["model"] = {{"name", "gnmt"}};
        const RunConfig config = parsed(json);
        const auto& recipe = dynamic_cast<const GnmtRecipe&>(*config.recipe);
        QCOMPARE(recipe.beam, 5);
        QCOMPARE(recipe.lengthNorm, 0.6);
        QCOMPARE(recipe.coverage, 0.1);
        QCOMPARE(recipe.dropout, 0.2);
        QCOMPARE(recipe.maxTokens, 50);
    }

    /// The network of the benchmark, which is as large as published, on the generated text.
    /// A gradient of all its parameters is --full's: 1.3 GB that nothing else looks at.
    void thePublishedNetwork()
    {
        Json json = example();
        json["model"] = {{"name", "gnmt"}, {"vocabulary", 32320}};
        json["global_batch"] = 4;
        const RunConfig config = parsed(json);
        CachingAllocator memory;
        const auto workload = openedBy(config, 0, 1, memory);
        const auto backend = makeCpuBackend();
        const auto network = workload->makeNetwork(*backend, {});
        QCOMPARE(qint64(network->parameters().trainableCount()), qint64(160671297));
        Batch batch;
        workload->training().fill(0, 0, batch);
        Tape tape(*backend);
        const LossResult r =
            network->loss(tape, batch, {0.1f, float(workload->lossScale(4))}, true);
        if (scalebench::test::fullCampaign())
            tape.backward(r.loss);
        const auto sums = r.sums.get();
        // As good as chance before the first step.
        QVERIFY(std::abs(sums.lossSum / double(sums.counted) - std::log(32320.0)) < 0.5);
    }

    void refusals()
    {
        Json json = example();
        json["model"]["name"] = "gnmt_huge";
        QVERIFY(refusalOf(json).find("gnmt_tiny") != std::string::npos);
        json = example();
        json["model"]["layers"] = 1;
        QVERIFY(refusalOf(json).find("\"model.layers\"") != std::string::npos);
        json = example();
        json["model"]["heads"] = 4;
        QVERIFY(refusalOf(json).find("heads") != std::string::npos);
        json = example();
        json["global_batch"] = 512;
        const RunConfig config = parsed(json);
        const auto workload = config.recipe->make(config);
        workload->prepareNode(1, {});
        QVERIFY_EXCEPTION_THROWN(workload->measure(), InvalidArgument);
    }
};

QTEST_GUILESS_MAIN(GnmtWorkloadTest)
#include "gnmt_workload_test.moc"
