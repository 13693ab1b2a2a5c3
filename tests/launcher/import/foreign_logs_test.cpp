// SPDX-License-Identifier: GPL-3.0-or-later
// What submitters write other than MLPerf's library does: each found in a public log, and read as
// MLPerf's own tools read it.
#include "import/import_files.h"
#include "run/run_metrics.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;
using namespace scalebench::imports;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString kFixtures = QStringLiteral(SB_SOURCE_DIR "/tests/launcher/import/fixtures/");

ImportedFile readOne(const QString& path)
{
    const ImportReport report = importFiles({path});
    return report.files.isEmpty() ? ImportedFile() : report.files.first();
}

void written(const QString& path, const QByteArray& bytes)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

} // namespace

class ForeignLogsTest : public QObject
{
    Q_OBJECT

private slots:
    void lateEvaluation_data()
    {
        QTest::addColumn<QByteArray>("behind"); // run_stop at 50 s
        QTest::addColumn<double>("last");
        QTest::addColumn<double>("epochs");
        QTest::addColumn<bool>("converged");
        const auto eval = [](double seconds, double value, int epoch) {
            return u":::MLL %1 eval_accuracy: {\"value\": %2, \"metadata\": {\"epoch_num\": %3}}\n"_s
                .arg(seconds)
                .arg(value)
                .arg(epoch)
                .toLatin1();
        };
        const QByteArray stop = ":::MLL 50 run_stop: {\"value\": null, \"metadata\": "
                                "{\"status\": \"success\"}}\n";
        const QByteArray aborted = QByteArray(stop).replace("success", "aborted");
        QTest::newRow("none") << eval(50, 0.24, 49) + stop << 0.24 << 49.0 << true;
        QTest::newRow("of a later checkpoint")
            << eval(50, 0.24, 49) + stop + eval(60, 0.25, 59) << 0.24 << 49.0 << true;
        QTest::newRow("written late, with its own time")
            << stop + eval(49, 0.24, 49) << 0.24 << 49.0 << true;
        QTest::newRow("the one that tells") << stop + eval(51, 0.24, 49) << 0.24 << 49.0 << true;
        QTest::newRow("aborted before it reached the target")
            << aborted + eval(60, 0.24, 49) << 0.1 << 32.0 << false;
        QTest::newRow("aborted although it had reached the target")
            << eval(40, 0.24, 49) + aborted << 0.24 << 49.0 << false;
    }
    /// The epochs are those of the last evaluation before run_stop, as in MLPerf's own check.
    void lateEvaluation()
    {
        QFETCH(QByteArray, behind);
        const QTemporaryDir dir;
        const QString log = dir.filePath(u"result_0.txt"_s);
        written(log,
                ":::MLL 0.0 submission_benchmark: {\"value\": \"ssd\"}\n"
                ":::MLL 10 run_start: {\"value\": null}\n"
                ":::MLL 30 eval_accuracy: {\"value\": 0.1, \"metadata\": {\"epoch_num\": 32}}\n" +
                    behind);
        const ImportedFile file = readOne(log);
        QCOMPARE(file.runs.size(), 1);
        const ImportedRun& run = file.runs.first();
        QVERIFY(file.defects.isEmpty());
        QTEST(*run.lastQuality(), "last");
        QTEST(*run.epochs, "epochs");
        QTEST(run.converged, "converged");
        QCOMPARE(*run.minutes(), 40.0 / 60);
    }

    void successAsText_data()
    {
        QTest::addColumn<bool>("converged");
        QTest::newRow("true") << true;
        QTest::newRow("\"true\"") << true;
        QTest::newRow("\"True\"") << true;
        QTest::newRow("false") << false;
        QTest::newRow("\"false\"") << false;
    }
    void successAsText()
    {
        const QTemporaryDir dir;
        const QString log = dir.filePath(u"result_0.txt"_s);
        written(log, ":::MLPv0.5.0 ncf 10 (a.py:1) run_start\n"
                     ":::MLPv0.5.0 ncf 20 (a.py:1) eval_accuracy: {\"epoch\": 0, \"value\": 0.64}\n"
                     ":::MLPv0.5.0 ncf 30 (a.py:1) run_stop: {\"success\": " +
                         QByteArray(QTest::currentDataTag()) + "}\n");
        const ImportedFile file = readOne(log);
        QCOMPARE(file.runs.size(), 1);
        QTEST(file.runs.first().converged, "converged");
    }

    /// Logs of code that was taken over name the one who wrote it.
    void submitterIsWhoDescribesTheSystem()
    {
        const QTemporaryDir dir;
        written(
            dir.filePath(u"v2.1/Folder/systems/box.json"_s),
            R"({"submitter": "Example", "number_of_nodes": "1", "accelerators_per_node": "8"})");
        const QString log = dir.filePath(u"v2.1/Folder/results/box/transformer/result_0.txt"_s);
        const auto read = [&](const QByteArray& org, const QByteArray& batch) {
            written(log, ":::MLLOG {\"key\":\"submission_org\",\"time_ms\":0,\"value\":\"" + org +
                             "\"}\n:::MLLOG {\"key\":\"run_start\",\"time_ms\":1000}\n"
                             ":::MLLOG {\"key\":\"global_batch_size\",\"time_ms\":1000,\"value\":" +
                             batch + "}\n");
            return readOne(log).runs.first();
        };
        const ImportedRun other = read("reference_implementation", "512");
        QCOMPARE(other.submitter, u"Example"_s);
        QVERIFY(other.remarks.join(u' ').contains(u"reference_implementation"_s));
        QCOMPARE(other.batchUnit, u"samples"_s); // sentences
        const ImportedRun same = read("EXAMPLE", "81920");
        QCOMPARE(same.submitter, u"Example"_s);
        QVERIFY(same.remarks.isEmpty());
        QCOMPARE(same.batchUnit, u"tokens"_s);
    }

    /// v0.6: box and mask without their names.
    void twoMetricsAsList()
    {
        const QTemporaryDir dir;
        const auto read = [&](const QByteArray& value) {
            const QString log = dir.filePath(u"result_0.txt"_s);
            written(log, ":::MLL 0.0 submission_benchmark: {\"value\": \"mask\"}\n"
                         ":::MLL 10 run_start: {\"value\": null}\n:::MLL 20 eval_accuracy: "
                         "{\"value\": " +
                             value +
                             ", \"metadata\": {\"epoch_num\": 14}}\n"
                             ":::MLL 30 run_stop: {\"value\": null, \"metadata\": "
                             "{\"status\": \"success\"}}\n");
            return readOne(log).runs.first();
        };
        const ImportedRun run = read("[0.3783, 0.3422]");
        QVERIFY(run.converged);
        QCOMPARE(*run.lastQuality(), 0.3783);
        QCOMPARE(valueOf(run.evals.last().metrics, u"mask_map"_s), std::optional(0.3422));
        QVERIFY(!read("[0.3783, 0.3322]").converged); // the mask's target is 0.339
        QVERIFY(read("[0.3783, \"x\"]").evals.isEmpty());
    }

    /// DLRM: 1 + the fraction of the pass, or the number of the evaluation, 20 in a pass.
    void passesOfDlrm()
    {
        const QTemporaryDir dir;
        const auto passes = [&](const QByteArray& first, const QByteArray& last) {
            const auto eval = [](const QByteArray& epoch) {
                return ":::MLLOG {\"key\":\"eval_accuracy\",\"time_ms\":2000,\"value\":0.8,"
                       "\"metadata\":{\"epoch_num\":" +
                       epoch + "}}\n";
            };
            const QString log = dir.filePath(u"result_0.txt"_s);
            written(log, ":::MLLOG {\"key\":\"submission_benchmark\",\"time_ms\":0,\"value\":"
                         "\"dlrm\"}\n:::MLLOG {\"key\":\"run_start\",\"time_ms\":1000}\n" +
                             eval(first) + eval(last));
            const ImportedRun run = readOne(log).runs.first();
            QList<double> list;
            for (const EvalPoint& p : run.evals)
                list << p.epoch;
            return list << *run.epochs;
        };
        QCOMPARE(passes("1.25", "1.75"), (QList<double>{0.25, 0.75, 1.75}));
        QCOMPARE(passes("1", "15"), (QList<double>{0.05, 0.75, 15}));
    }

    /// Submitters of one benchmark have no folder for it.
    void resultsWithoutFolderOfTheBenchmark()
    {
        const QTemporaryDir dir;
        const QByteArray log = ":::MLLOG {\"key\":\"run_start\",\"time_ms\":1000}\n";
        written(
            dir.filePath(u"v0.7/Example/systems/box.json"_s),
            R"({"submitter": "Example", "number_of_nodes": "2", "accelerators_per_node": "8"})");
        for (const char* submitter : {"Example", "nobody"}) {
            const QString path =
                dir.filePath(u"v0.7/%1/results/box/result_1.txt"_s.arg(QLatin1String(submitter)));
            written(path, log);
            const ImportedRun run = readOne(path).runs.first();
            const bool described = qstrcmp(submitter, "Example") == 0;
            QCOMPARE(run.submitter, described ? u"Example"_s : QString()); // any folder may be so
            QCOMPARE(run.accelerators, described ? 16 : 0);
        }
    }

    /// Trained down to a loss: the least is the best, and no share of 100.
    void lossIsNoShare()
    {
        const ImportedRun run =
            readOne(
                kFixtures +
                u"tree/training_results_v4.0/Example/results/rack/llama2_70b_lora/result_0.txt"_s)
                .runs.first();
        const RunRecord record = toRunRecord(run, {}, u"/x"_s);
        QCOMPARE(record.evals.size(), 2); // 0.95, then 0.924
        QCOMPARE(record.bestQuality(), 0.924);
        QCOMPARE(bestText(record, 1, QLocale::c()), u"0.924"_s);
        QCOMPARE(epochDigits(35), 0);
        QCOMPARE(epochDigits(12.5), 1);
        QCOMPARE(epochDigits(0.75), 2);
        QCOMPARE(epochDigits(0.00384), 4); // of millions of samples
        // A benchmark that only its name is known of, with a share.
        RunRecord other = record;
        other.config.workload = u"dlrm_dcnv2"_s;
        QCOMPARE(other.bestQuality(), 0.95);
        QCOMPARE(bestText(other, 1, QLocale::c()), u"95.0 %"_s);
    }
};

QTEST_GUILESS_MAIN(ForeignLogsTest)
#include "foreign_logs_test.moc"
