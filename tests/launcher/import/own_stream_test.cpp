// SPDX-License-Identifier: GPL-3.0-or-later
// Streams of our own engine read as logs, and logs that count samples in the place of epochs.
#include "analysis/speedup_table.h"
#include "import/import_files.h"
#include "import/import_store.h"
#include "library/library.h"
#include "run/study.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;
using namespace scalebench::imports;
using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray record(const char* space, int ms, const char* key, const QByteArray& value,
                  const QByteArray& metadata = "{}")
{
    return QByteArray(":::MLLOG {\"namespace\":\"") + space +
           "\",\"time_ms\":" + QByteArray::number(1'796'056'740'000 + ms) + ",\"key\":\"" + key +
           "\",\"value\":" + value + ",\"metadata\":" + metadata + "}\n";
}

/// Two epochs of NCF; `rate` is the learning rate.
QByteArray ownStream(int workers, int ms, const QByteArray& rate = "0.0003")
{
    const QByteArray count = QByteArray::number(workers);
    const QByteArray first = R"({"epoch_num":1,"samples_count":1802240,"metrics":)"
                             R"({"hit_rate":0.45,"ndcg":0.25}})";
    const QByteArray last = R"({"epoch_num":2,"samples_count":3604480,"metrics":)"
                            R"({"hit_rate":0.55,"ndcg":0.37}})";
    return record("scalebench", 0, "stream", R"({"version":1})") +
           record("", 0, "submission_benchmark", "\"ncf\"") +
           record("", 0, "submission_org", "\"Scalebench user (unverified)\"") +
           record("", 0, "submission_division", "\"open\"") +
           record("", 0, "submission_platform", "\"1x EPYC, " + count + " CPU workers\"") +
           record("scalebench", 1, "worker", R"({"rank":0,"device":"cpu","threads":3})") +
           record("", 2, "run_start", "null") + record("", 3, "global_batch_size", "2048") +
           record("", 3, "opt_name", "\"adam\"") + record("", 3, "opt_base_learning_rate", rate) +
           record("", 3, "train_samples", "1803775") +
           record("scalebench", 4, "setup",
                  R"({"model":"neumf","precision":"fp32","compute_precision":"fp32","target":null,)"
                  R"("metric":"hit_rate","epochs":2,"workers":)" +
                      count +
                      R"(,"nodes":1,"threads_per_worker":3,"oversubscribed":false,)"
                      R"("bucket_mb":4.0,"overlap":true,"sync_bn":false,"data":"generated"})") +
           record("", ms / 2, "eval_accuracy", "0.45", first) +
           record("", ms / 2, "tracked_stats", R"({"throughput":1000.5})") +
           record("", ms, "eval_accuracy", "0.55", last) +
           record("", ms, "tracked_stats", R"({"throughput":2000.5})") +
           record("", ms + 2, "run_stop", "null", R"({"status":"success"})");
}

/// BERT's log, which has the samples trained where others have the epoch.
QByteArray bertLog()
{
    return record("", 0, "submission_benchmark", "\"bert\"") +
           record("", 1, "global_batch_size", "448") + record("", 1, "train_samples", "3300000") +
           record("", 2, "run_start", "null") +
           record("", 3000, "eval_accuracy", "0.6", R"({"epoch_num":1650000})") +
           record("", 6000, "eval_accuracy", "0.73", R"({"epoch_num":3300000})") +
           record("", 6001, "run_stop", "null", R"({"status":"success"})");
}

QString put(const QTemporaryDir& dir, const QString& name, const QByteArray& bytes)
{
    QFile file(dir.filePath(name));
    if (file.open(QIODevice::WriteOnly))
        file.write(bytes);
    return file.fileName();
}

ImportedFile readLog(const QByteArray& bytes)
{
    const QTemporaryDir dir;
    return importFiles({put(dir, u"result_0.txt"_s, bytes)}).files.first();
}

Study imported(const QTemporaryDir& dir, const QStringList& files)
{
    const auto library = Library::open(dir.filePath(u"library"_s)).value();
    const auto stored = storeImports(*library, importFiles(files));
    return loadStudy(library->findStudyDir(stored.value().studies.value(0)).value()).value();
}

} // namespace

class OwnStreamTest : public QObject
{
    Q_OBJECT

private slots:
    void whatTheStreamSays()
    {
        const ImportedFile file = readLog(ownStream(2, 4000));
        QCOMPARE(file.kind, u"scalebench_log"_s);
        QCOMPARE(file.outcome, FileOutcome::Converged);
        const ImportedRun& run = file.runs.first();
        QCOMPARE(run.workers(), 2);
        QCOMPARE(run.threads, 3);
        QCOMPARE(run.nodes, 1);
        QCOMPARE(run.learningRate, 0.0003);
        QCOMPARE(run.throughput, 2000.5);
        QCOMPARE(run.model, u"neumf"_s);
        QCOMPARE(run.dataSource, u"generated"_s);
        QCOMPARE(run.accelerator, u"cpu"_s);
        QVERIFY(run.round.isEmpty());
        QVERIFY(!run.target);
        QCOMPARE(run.epochUnit, u"epochs"_s);
        QCOMPARE(*run.epochs, 2.0);
        QCOMPARE(run.evals[1].epoch, 2.0);
        QCOMPARE(run.evals[1].samples, 3604480);
        QCOMPARE(valueOf(run.evals[1].metrics, u"ndcg"_s).value(), 0.37);
    }

    /// The folder of a study is its numbers of workers, not two systems.
    void workersAreOneSeries()
    {
        const QTemporaryDir dir;
        const Study study = imported(dir, {put(dir, u"a.txt"_s, ownStream(1, 8000)),
                                           put(dir, u"b.txt"_s, ownStream(2, 4000)),
                                           put(dir, u"c.txt"_s, ownStream(2, 4000, "0.001"))});
        QCOMPARE(study.runs[0].origin, u"imported: Scalebench log"_s);
        QVERIFY(!study.spec.name.contains(u"MLPerf"_s));
        QCOMPARE(study.runs[0].config.epochs, 2);
        const auto rows = speedupTable(study.runs);
        QCOMPARE(rows.size(), 3); // another rate is another series
        QCOMPARE(rows[0].workers, 1);
        QCOMPARE(rows[1].workers, 2);
        QVERIFY(qAbs(rows[1].speedup - 2) < 0.01);
        QCOMPARE(rows[1].runs, 1);
        QCOMPARE(rows[1].meanEpochs, 2.0);
        QVERIFY(rows[1].group != rows[2].group);
        QVERIFY2(rows[2].group.contains(u"0.001"_s), qPrintable(rows[2].group));
    }

    /// BERT's train_samples are those of the run, so how many passes they are is not known.
    void samplesInThePlaceOfEpochs()
    {
        const QTemporaryDir dir;
        const Study study = imported(dir, {put(dir, u"result_0.txt"_s, bertLog())});
        QCOMPARE(study.runs[0].epochsToTarget(), 3.3);
        const auto rows = speedupTable(study.runs);
        QVERIFY2(rows[0].remark.contains(u"its epochs are millions of samples"_s),
                 qPrintable(rows[0].remark));
    }

    /// A number of an epoch that stays where it is tells less than the samples beside it.
    void standingEpochs()
    {
        const QByteArray log =
            record("", 0, "submission_benchmark", "\"llama2_70b_lora\"") +
            record("", 2, "run_start", "null") +
            record("", 3000, "eval_accuracy", "0.95", R"({"epoch_num":0,"samples_count":192})") +
            record("", 6000, "eval_accuracy", "0.92", R"({"epoch_num":0,"samples_count":3072})") +
            record("", 6001, "run_stop", "null", R"({"status":"success"})");
        const ImportedRun run = readLog(log).runs.first();
        QCOMPARE(run.epochUnit, u"samples"_s);
        QCOMPARE(*run.epochs, 3072.0);
    }
};

QTEST_GUILESS_MAIN(OwnStreamTest)
#include "own_stream_test.moc"
