// SPDX-License-Identifier: GPL-3.0-or-later
// BERT as the training loop sees it: shares of workers, packing, learning, what is refused; and
// the sample of Wikipedia, where it is at hand.

#include "engine/models/bert/bert.h"
#include "engine/train/trainer.h"
#include "engine/workloads/bert/bert_data.h"
#include "kernels/check.h"
#include "tests/engine/workloads/run_json.h"
#include "tests/engine/workloads/worker_runs.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace scalebench;
using namespace scalebench::tests;
using namespace scalebench::workloads;
using Json = nlohmann::json;

class BertWorkloadTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Json example() const
    {
        Json json = Json::parse(R"({"format":"scalebench.run","version":1,"run_id":"r",
 "workload":"bert","model":{"name":"bert_tiny","max_length":32,"dropout":0},
 "data":{"source":"generated","documents":40,"eval_documents":7,"max_predictions":5},
 "workers":1,"global_batch":24,"optimizer":{"name":"adamw"},
 "schedule":{"name":"constant","base_lr":0.002},"epochs":1})");
        json["data"]["path"] = m_folder.filePath(QStringLiteral("set")).toStdString();
        return json;
    }
    void write(const char* name, const QByteArray& bytes) const
    {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
    }
    Json files(const char* folder) const
    {
        Json json = example();
        json["data"] = {{"source", "files"},
                        {"path", m_folder.filePath(QString::fromLatin1(folder)).toStdString()}};
        return json;
    }

    struct Step : StepOf {
        int64_t tokens = 0;
    };
    /// Global batch 1 of epoch 0, over `workers` workers.
    static Step step(const Json& json, int workers)
    {
        Step sum;
        const auto count = [&](const Batch& batch) { sum.tokens += batch.tensors[0].count(); };
        static_cast<StepOf&>(sum) = stepBy(parsed(json), workers, 0, 1, count);
        return sum;
    }
    static double apart(const Step& a, const Step& b)
    {
        return relativeGap(b.gradient, a.gradient);
    }

private slots:
    void anyNumberOfWorkersCountsEachSequenceOnce()
    {
        const RunConfig config = parsed(example());
        std::map<int, Evaluation> results;
        for (const int workers : {1, 2, 3}) {
            int64_t sequences = 0;
            const Measured measured = measuredBy(config, workers, [&](const Batch& batch) {
                sequences += std::ranges::count_if(batch.tensors[4].i32(),
                                                   [](int32_t label) { return label >= 0; });
            });
            results[workers] = measured.result;
            if (workers == 1)
                QCOMPARE(sequences, measured.evalSamples);
            QVERIFY(sequences > 40);
            QCOMPARE(results[workers].metrics.size(), size_t(2));
            QCOMPARE(results[workers].counts->total, results[1].counts->total);
            for (size_t m = 0; m < 2; ++m)
                QCOMPARE(results[workers].metrics[m].value, results[1].metrics[m].value);
        }
        QCOMPARE(results[1].metrics[0].name, std::string("masked_lm_accuracy"));
        QCOMPARE(results[1].metrics[1].name, std::string("nsp_accuracy"));
    }

    /// The mean over all masked words and sequences, however they are shared out.
    void gradientsOfWorkersAddUp()
    {
        const Step one = step(example(), 1);
        for (const int workers : {2, 3}) {
            const Step shared = step(example(), workers);
            QVERIFY(std::abs(shared.loss - one.loss) < 1e-5 * one.loss);
            QVERIFY2(apart(one, shared) < 1e-5, std::to_string(apart(one, shared)).c_str());
        }
        // Fresh weights know nothing: ln(496) and ln(2).
        QVERIFY(std::abs(one.loss - std::log(496.0) - std::log(2.0)) < 0.3);
    }

    void packingChangesNothingButTheWork()
    {
        Json padded = example();
        padded["data"]["short_share"] = 0.5;
        padded["model"]["max_length"] = 64;
        Json packed = padded;
        packed["options"] = {{"pack_sequences", true}};
        const Step a = step(padded, 1), b = step(packed, 1);
        QVERIFY(std::abs(a.loss - b.loss) < 1e-5 * a.loss);
        QVERIFY2(apart(a, b) < 1e-5, std::to_string(apart(a, b)).c_str());
        QVERIFY(b.tokens < a.tokens);
        const RunConfig config = parsed(packed);
        QCOMPARE(config.recipe->make(config)->packingNote(), std::string());
    }

    void learns()
    {
        Json json = example();
        json["data"]["documents"] = 400;
        json["data"]["path"] = m_folder.filePath(QStringLiteral("larger")).toStdString();
        json["epochs"] = 4;
        json["target"] = 0.2; // one word in ten by frequency alone
        const auto comm = dist::makeSelfCommunicator();
        const train::Outcome outcome = train::Trainer(parsed(json), *comm, nullptr).run();
        QVERIFY2(outcome.reason == "target_reached", std::to_string(outcome.lastQuality).c_str());
    }

    void syntheticText()
    {
        Json json = example();
        json["data"] = {{"source", "synthetic"}, {"train_samples", 60}, {"eval_samples", 9}};
        json["model"]["vocabulary"] = 300;
        const RunConfig config = parsed(json);
        const auto workload = config.recipe->make(config);
        const DataSizes sizes = workload->measure();
        QCOMPARE(sizes.trainSamples, 60);
        QCOMPARE(sizes.evalSamples, 9);
        QVERIFY(std::isfinite(step(json, 2).loss));
    }

    void refused()
    {
        const auto says = [](const std::string& message, const char* part) {
            return QTest::qVerify(message.find(part) != std::string::npos, part, message.c_str(),
                                  __FILE__, __LINE__);
        };
        Json json = example();
        json["global_batch"] = 100000;
        says(refusalOf(json), "do not fill one global batch");
        json = example();
        json["model"]["max_length"] = 600;
        says(refusalOf(json), "max_length");
        json = example();
        json["model"]["name"] = "bert_huge";
        says(refusalOf(json), "bert_huge");
        json = example();
        json["model"]["vocabulary"] = 20;
        says(refusalOf(json), "has 496 word pieces");
        json = example();
        json["data"]["words"] = 2;
        says(refusalOf(json), "data.words");

        says(refusalOf(files("nothing")), "no folder");
        const QByteArray vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n.\n";
        write("few/vocab.txt", vocabulary);
        write("few/text.txt", "a b.\na.\n");
        says(refusalOf(files("few")), "1 documents");
        write("foreign/vocab.txt", vocabulary);
        write("foreign/text.txt", "gut so\n\nes ist\n\nja ja\n\nnein\n\nund\n");
        says(refusalOf(files("foreign")), "of 100 words of the text are not in");
        write("bad/vocab.txt", "a\nb\n");
        write("bad/text.txt", "a b.\n");
        says(refusalOf(files("bad")), "[PAD]");
    }

    void preparedIsWhatTheTextSays_data()
    {
        QTest::addColumn<bool>("heldOut");
        QTest::newRow("documents to evaluate in a file") << false;
        QTest::newRow("documents held out") << true;
    }
    /// Read from a prepared set everything is as it was read from the text, or it is refused.
    void preparedIsWhatTheTextSays()
    {
        QFETCH(bool, heldOut);
        Json json = example();
        if (heldOut) {
            const RunConfig made = parsed(json);
            writeProse(made, dynamic_cast<const BertRecipe&>(*made.recipe));
            const QDir set(m_folder.filePath(QStringLiteral("set")));
            QDir(m_folder.path()).mkpath(QStringLiteral("held"));
            for (const QString& name : set.entryList(QDir::Files))
                if (!name.startsWith(QLatin1String("eval")))
                    QFile::copy(set.filePath(name),
                                m_folder.filePath(QStringLiteral("held/") + name));
            json = files("held");
            json["data"]["eval_share"] = 0.3;
        }
        const RunConfig config = parsed(json);
        const auto& recipe = dynamic_cast<const BertRecipe&>(*config.recipe);
        writeProse(config, recipe);
        const BertData text = loadBertData(config, recipe);
        const QString name = QStringLiteral("kept %1").arg(heldOut);
        const QString kept = m_folder.filePath(name);
        qputenv("SCALEBENCH_PREPARED_DIR", kept.toLocal8Bit());
        prepareBertData(config, recipe, 2);
        const BertData set = loadBertData(config, recipe);
        QVERIFY(set.prepared && !text.prepared);
        QCOMPARE(set.encoding, text.encoding);
        QCOMPARE(set.repeated, text.repeated);
        for (const auto& [a, b] : {std::pair(&set.training, &text.training),
                                   std::pair(&set.evaluation, &text.evaluation)}) {
            QCOMPARE(a->size(), b->size());
            for (int64_t i = 0; i < a->size(); ++i)
                QCOMPARE(a->tokens(i), b->tokens(i));
        }
        QVERIFY(text.pairsPath.empty() && !set.pairsPath.empty());
        const QStringList sets = QDir(kept).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(sets.size(), 2); // the text, and its sequences
        for (const char* file :
             {"train.tokens", "eval.sentences", "train.documents", "train.pairs", "eval.pairs"}) {
            const bool first =
                QFile::exists(kept + QStringLiteral("/%1/%2").arg(sets[0], QLatin1String(file)));
            const QString path =
                name + QStringLiteral("/%1/%2").arg(sets[first ? 0 : 1], QLatin1String(file));
            QFile whole(m_folder.filePath(path));
            QVERIFY(whole.open(QIODevice::ReadOnly));
            const QByteArray bytes = whole.readAll();
            write(path.toLocal8Bit().constData(), QByteArray(bytes.size(), '\x7f'));
            QVERIFY_THROWS_EXCEPTION(InvalidArgument, loadBertData(config, recipe));
            write(path.toLocal8Bit().constData(), bytes);
        }
        QVERIFY(loadBertData(config, recipe).prepared);
        qputenv("SCALEBENCH_PREPARED_DIR", "off");
    }

    /// A length is a set of sequences only: the text is not cut again.
    void sequencesAreASetOfTheirOwn()
    {
        Json json = example();
        const QString kept = m_folder.filePath(QStringLiteral("lengths"));
        qputenv("SCALEBENCH_PREPARED_DIR", kept.toLocal8Bit());
        int64_t sequences[2];
        for (const int length : {64, 32}) {
            json["model"]["max_length"] = length;
            const RunConfig config = parsed(json);
            const auto& recipe = dynamic_cast<const BertRecipe&>(*config.recipe);
            writeProse(config, recipe);
            prepareBertData(config, recipe, 2);
            const BertData data = loadBertData(config, recipe);
            QVERIFY(data.prepared && !data.pairsPath.empty());
            sequences[length == 32] = data.training.size();
        }
        QVERIFY(sequences[1] > sequences[0]);
        QCOMPARE(QDir(kept).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 3);
        qputenv("SCALEBENCH_PREPARED_DIR", "off");
    }

    /// At whatever point: what is left is a whole set or none.
    void preparingCanBeStopped()
    {
        const RunConfig config = parsed(example());
        const auto& recipe = dynamic_cast<const BertRecipe&>(*config.recipe);
        writeProse(config, recipe);
        const QString kept = m_folder.filePath(QStringLiteral("stopped"));
        qputenv("SCALEBENCH_PREPARED_DIR", kept.toLocal8Bit());
        int stops = 0;
        for (bool stopped = true; stopped; ++stops) {
            QVERIFY(stops < 1000);
            stopped = false;
            int told = 0;
            try {
                prepareBertData(config, recipe, 2, [&](int64_t, int64_t) {
                    if (++told > stops)
                        throw Error("stopped", "enough");
                });
            } catch (const Error& e) {
                QCOMPARE(e.code(), std::string("stopped"));
                stopped = true;
                for (const QString& name : QDir(kept).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
                    QVERIFY2(QFile::exists(kept + QStringLiteral("/%1/GENERATED.txt").arg(name)),
                             qPrintable(name));
            }
        }
        QVERIFY(stops > 5);
        QVERIFY(!loadBertData(config, recipe).pairsPath.empty());
        qputenv("SCALEBENCH_PREPARED_DIR", "off");
    }

    /// Six digits told them apart at first.
    void anotherShareIsAnotherSet()
    {
        write("share/vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n.\n");
        write("share/text.txt", "a b. a.\n\nb a.\n\na.\n\nb.\n\nb b.\n\na a.\n");
        qputenv("SCALEBENCH_PREPARED_DIR",
                m_folder.filePath(QStringLiteral("shares")).toLocal8Bit());
        const auto isPrepared = [&](double share, bool prepare) {
            Json json = files("share");
            json["data"]["eval_share"] = share;
            const RunConfig config = parsed(json);
            const auto& recipe = dynamic_cast<const BertRecipe&>(*config.recipe);
            if (prepare)
                prepareBertData(config, recipe, 1);
            return loadBertData(config, recipe).prepared;
        };
        QVERIFY(isPrepared(0.4, true));
        QVERIFY(!isPrepared(0.4000000001, false));
        QVERIFY(isPrepared(0.4, false));
        qputenv("SCALEBENCH_PREPARED_DIR", "off");
    }

    void wikipedia()
    {
        const QString folder =
            qEnvironmentVariable("SB_SHARED_DATA",
                                 QStringLiteral(SB_SOURCE_DIR "/../shared/data")) +
            QStringLiteral("/bert_wiki");
        if (!QDir(folder).exists())
            QSKIP("the sample of Wikipedia is not here (../shared/data/bert_wiki)");
        Json json = files("");
        json["data"]["path"] = folder.toStdString();
        json["model"]["max_length"] = 128;
        const RunConfig config = parsed(json);
        const BertData data = loadBertData(config, dynamic_cast<const BertRecipe&>(*config.recipe));
        // 153 articles, one of which is a title only.
        QCOMPARE(data.training.corpus.documentCount() + data.evaluation.corpus.documentCount(),
                 152);
        QCOMPARE(data.evaluation.corpus.documentCount(), 8);
        const size_t tokens =
            data.training.corpus.tokens.size() + data.evaluation.corpus.tokens.size();
        // 867,691 pieces with the titles, which are left out.
        QVERIFY2(tokens > 860000 && tokens < 867691, std::to_string(tokens).c_str());
        QVERIFY(data.unknownShare < 1e-4);
        QCOMPARE(data.pieces(), 30522);
        QVERIFY(data.training.size() > 6000);
    }
};

QTEST_GUILESS_MAIN(BertWorkloadTest)
#include "bert_workload_test.moc"
