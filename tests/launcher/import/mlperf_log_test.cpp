// SPDX-License-Identifier: GPL-3.0-or-later
// MLPerf logs of every generation and with every defect: what is read out of them, against the
// values that the fixtures were written with and, where they are at hand, those of sixteen public
// logs.
#include "import/import_files.h"
#include "import/mlperf_facts.h"
#include "import/mlperf_line.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTimeZone>

#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::imports;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString kFixtures = QStringLiteral(SB_SOURCE_DIR "/tests/launcher/import/fixtures/");
/// Public logs beside the checkout, with the table of their values in README.md.
const QString kPublicLogs = QStringLiteral(SB_SOURCE_DIR "/../shared/reference/mlperf_logs");

ImportedFile readOne(const QString& path, const ImportOptions& options = {})
{
    const ImportReport report = importFiles({path}, options);
    return report.files.isEmpty() ? ImportedFile() : report.files.first();
}

QByteArray written(const QString& path, const QByteArray& bytes)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(bytes);
    return bytes;
}

QString publicLogs()
{
    for (const QString& dir : {kPublicLogs, qEnvironmentVariable("SCALEBENCH_MLPERF_LOGS")})
        if (!dir.isEmpty() && QFile::exists(dir + u"/README.md"_s))
            return dir;
    return {};
}

} // namespace

class MlperfLogTest : public QObject
{
    Q_OBJECT

private slots:
    void line_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("key"); // empty: no record; "!": broken
        QTest::addColumn<double>("timeMs");
        QTest::addColumn<double>("number");
        QTest::newRow("v0.5 without value")
            << QByteArray(":::MLPv0.5.0 ncf 1541731858.5 (ncf.py:242) run_start") << u"run_start"_s
            << 1541731858500.0 << 0.0;
        QTest::newRow("v0.5 number")
            << QByteArray("INFO:x::::MLPv0.5.0 ssd 2.25 (<string>:1) eval_target: 0.212")
            << u"eval_target"_s << 2250.0 << 0.212;
        QTest::newRow("v0.6")
            << QByteArray(":::MLL 3.125 seed: {\"value\": 7, \"metadata\": {\"lineno\": 1}}")
            << u"seed"_s << 3125.0 << 7.0;
        QTest::newRow("v0.7, another order")
            << QByteArray(
                   " 12: :::MLLOG {\"value\":0.5,\"metadata\":null,\"key\":\"a\",\"time_ms\":17}")
            << u"a"_s << 17.0 << 0.5;
        QTest::newRow("the last token counts")
            << QByteArray(":::MLLOG {\"key\":\"a\",\"time_ms\":1,:::MLLOG "
                          "{\"key\":\"b\",\"time_ms\":2,\"value\":3}")
            << u"b"_s << 2.0 << 3.0;
        QTest::newRow("not finite")
            << QByteArray(":::MLLOG {\"key\":\"a\",\"time_ms\":5,\"value\":NaN}") << u"a"_s << 5.0
            << 0.0;
        QTest::newRow("no token") << QByteArray("::: MLL :::") << QString() << 0.0 << 0.0;
        QTest::newRow("no time") << QByteArray(":::MLLOG {\"key\":\"a\",\"value\":1}") << u"!"_s
                                 << 0.0 << 0.0;
        QTest::newRow("v0.7 in seconds")
            << QByteArray(":::MLLOG {\"metadata\": {}, \"value\": 4, \"key\": \"run_stop\", "
                          "\"time_s\": 1593354661.616 }")
            << u"run_stop"_s << 1593354661616.0 << 4.0;
        QTest::newRow("no number as the time")
            << QByteArray(":::MLLOG {\"key\":\"a\",\"time_ms\":null,\"value\":1}") << u"!"_s << 0.0
            << 0.0;
        // What was added to a log afterwards.
        QTest::newRow("v0.6 at 0") << QByteArray(":::MLL 0.0 submission_org: {\"value\": 4}")
                                   << u"submission_org"_s << 0.0 << 4.0;
        QTest::newRow("v0.7 at 0")
            << QByteArray(":::MLLOG {\"key\":\"a\",\"time_ms\":0,\"value\":4}") << u"a"_s << 0.0
            << 4.0;
        QTest::newRow("v0.5 start at 0")
            << QByteArray(":::MLPv0.5.0 ncf 0 (ncf.py:242) run_start") << u"!"_s << 0.0 << 0.0;
        QTest::newRow("v0.6 end at 0")
            << QByteArray(":::MLL 0.0 run_stop: {\"value\": null}") << u"!"_s << 0.0 << 0.0;
        QTest::newRow("v0.7 evaluation at 0")
            << QByteArray(":::MLLOG {\"key\":\"eval_accuracy\",\"time_ms\":0,\"value\":4}")
            << u"!"_s << 0.0 << 0.0;
        QTest::newRow("cut") << QByteArray(":::MLLOG {\"key\":\"a\",\"ti") << u"!"_s << 0.0 << 0.0;
        QTest::newRow("cut in the token") << QByteArray("text :::MLL") << u"!"_s << 0.0 << 0.0;
        QTest::newRow("another version")
            << QByteArray(":::MLPv0.9.0 a 1 (b:1) c") << u"!"_s << 0.0 << 0.0;
        QTest::newRow("endless time")
            << QByteArray(":::MLL 1e400 seed: {\"value\": 1}") << u"!"_s << 0.0 << 0.0;
    }
    void line()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, key);
        const MlperfLine line = parseMlperfLine(text);
        if (key.isEmpty()) {
            QVERIFY(line.kind == MlperfLine::Kind::None);
        } else if (key == "!"_L1) {
            QVERIFY(line.kind == MlperfLine::Kind::Broken);
            QVERIFY(!line.problem.isEmpty());
        } else {
            QVERIFY2(line.kind == MlperfLine::Kind::Record, qPrintable(line.problem));
            QCOMPARE(line.key, key);
            QTEST(line.timeMs, "timeMs");
            QTEST(line.value.toDouble(), "number");
        }
    }

    void fixture_data()
    {
        QTest::addColumn<QString>("round");
        QTest::addColumn<QString>("benchmark");
        QTest::addColumn<QString>("submitter");
        QTest::addColumn<int>("accelerators");
        QTest::addColumn<int>("batch");
        QTest::addColumn<double>("quality");
        QTest::addColumn<double>("epochs");
        QTest::addColumn<bool>("converged");
        const auto row = [](const char* path, const char* round, const char* benchmark,
                            const char* submitter, int accelerators, int batch, double quality,
                            double epochs, bool converged) {
            QTest::newRow(path) << QString::fromLatin1(round) << QString::fromLatin1(benchmark)
                                << QString::fromLatin1(submitter) << accelerators << batch
                                << quality << epochs << converged;
        };
        const auto v05 = [&](const char* path, const char* benchmark, int accelerators, int batch,
                             double quality, double epochs, bool converged) {
            row(path, "v0.5", benchmark, "Example", accelerators, batch, quality, epochs,
                converged);
        };
        v05("v0.5.0/example/submission/results/box8/resnet/result_0.txt", "resnet", 8, 1664, 0.7495,
            3, true);
        v05("v0.5.0/example/submission/results/box8/gnmt/result_0.txt", "gnmt", 8, 1024,
            21.799999237, 2, true);
        v05("v0.5.0/example/submission/results/box8/transformer/result_0.txt", "transformer", 8,
            40960, 25.1, 3, true);
        v05("v0.5.0/example/submission/results/box8/ncf/result_0.txt", "ncf", 8, 1048576, 0.62, 3,
            false);
        v05("v0.5.0/example/submission/results/box_multi/resnet/result_0.txt", "resnet", 0, 0, 0.75,
            2, true);
        v05("v0.5.0/example/submission/results/cpus/resnet/result_0.txt", "resnet", 0, 512, 0.75, 2,
            true);
        v05("v0.5.0/example/submission/results/pod/resnet/result_0.txt", "resnet", 512, 32768, 0.75,
            2, true);
        row("training_results_v0.6/Example/results/boxes/transformer/result_0.txt", "v0.6",
            "transformer", "Example Corp", 32, 81920, 25.3, 3, true);
        row("training_results_v0.6/Example/results/boxes/mask/result_0.txt", "v0.6", "maskrcnn",
            "Example Corp", 32, 128, 0.378, 2, true);
        row("training_results_v0.6/Example/results/boxes/resnet/result_0.txt", "v0.6", "resnet",
            "Example Corp", 32, 1664, 0.761, 2, true);
        row("training_results_v0.7/Example/results/box16/gnmt/result_0.txt", "v0.7", "gnmt",
            "Example", 16, 2048, 0.2412, 2, true);
        row("training_results_v0.7/Example/results/box16/bert/result_0.txt", "v0.7", "bert",
            "Example", 16, 9216, 0.707, 300000, true);
        row("training_results_v0.7/Example/results/box16/bert/result_1.txt", "v0.7", "bert",
            "Example", 16, 2048, 0.707, 300000, false);
        row("training_results_v2.0/Example/results/box8/dlrm/result_0.txt", "v2.0", "dlrm",
            "Example", 8, 55296, 0.8026, 1.9, true);
        row("training_results_v2.0/Example/results/box8/maskrcnn/result_0.txt", "v2.0", "maskrcnn",
            "Example", 8, 96, 0.3781, 14, true);
        row("training_results_v2.0/Example/results/box8/maskrcnn/result_3.txt", "v2.0", "maskrcnn",
            "Example", 8, 96, 0.3781, 15, false);
        row("training_results_v2.0/Example/results/box8/resnet/result_0.txt", "v2.0", "resnet",
            "Example", 8, 3264, 0.7601, 35, false);
        row("training_results_v2.0/Example/results/cpus/resnet/result_0.txt", "v2.0", "resnet",
            "Example", 0, 3264, 0.7601, 35, true);
        row("training_results_v2.0/Example/results/damaged/resnet/result_0.txt", "v2.0", "resnet",
            "Example", 16, 3264, 0.7601, 35, true);
        row("training_results_v4.0/Example/results/rack/llama2_70b_lora/result_0.txt", "v4.0",
            "llama2_70b_lora", "Example", 64, 8, 0.924, 3072, true);
        row("training_results_v4.0/Example/results/rack/open/result_0.txt", "v4.0", "resnet",
            "Example", 64, 512, 0.31, 2, true);
    }
    void fixture()
    {
        const ImportedFile file =
            readOne(kFixtures + u"tree/"_s + QString::fromUtf8(QTest::currentDataTag()));
        QCOMPARE(file.runs.size(), 1);
        const ImportedRun& run = file.runs.first();
        QTEST(run.round, "round");
        QTEST(run.benchmark, "benchmark");
        QTEST(run.submitter, "submitter");
        QTEST(run.accelerators, "accelerators");
        QTEST(int(run.globalBatch), "batch");
        QTEST(*run.lastQuality(), "quality");
        QTEST(*run.epochs, "epochs");
        QTEST(run.converged, "converged");
        QVERIFY(run.minutes());
        QCOMPARE(file.outcome, run.converged ? FileOutcome::Converged : FileOutcome::NotConverged);
        QCOMPARE(run.converged, run.failure.message.isEmpty());
        // Where it reached its target, the library's own arithmetic agrees.
        const RunRecord record = toRunRecord(run, {}, u"/x"_s);
        QVERIFY(!run.converged || !run.target || record.targetReached());
        QCOMPARE(record.timeToTrainS() / 60, *run.minutes());
    }

    void passesAreCountedFromOne()
    {
        const auto epochs = [](const char* path) {
            QList<double> list;
            const ImportedFile file = readOne(kFixtures + u"tree/"_s + QLatin1StringView(path));
            for (const EvalPoint& p : file.runs.first().evals)
                list << p.epoch;
            return list;
        };
        const char* v05 = "v0.5.0/example/submission/results/box8/transformer/result_0.txt";
        QCOMPARE(epochs(v05), (QList<double>{1, 2, 3})); // logged as -1, 0, 1
        const QList<double> dlrm =
            epochs("training_results_v2.0/Example/results/box8/dlrm/result_0.txt");
        QVERIFY(qFuzzyCompare(dlrm[0], 0.05) && qFuzzyCompare(dlrm[1], 0.9));
        QCOMPARE(epochs("training_results_v0.7/Example/results/box16/bert/result_0.txt"),
                 (QList<double>{0.15, 0.3})); // millions of samples
    }

    void bleuIsOfAHundred()
    {
        const ImportedRun run =
            readOne(kFixtures +
                    u"tree/training_results_v0.7/Example/results/box16/gnmt/result_0.txt"_s)
                .runs.first();
        QVERIFY(qFuzzyCompare(run.evals.last().value, 24.12));
        QVERIFY(qFuzzyCompare(*run.target, 24.0));
    }

    /// Our own logs of RetinaNet have the name that MLPerf gave it after SSD.
    void retinaNetIsNoSsd()
    {
        const QTemporaryDir dir;
        for (const char* metadata : {R"({"workload":"retinanet","seq":2})", R"({"seq":2})"}) {
            const QString log = dir.filePath(u"result_0.txt"_s);
            written(log,
                    QByteArray(":::MLLOG {\"key\":\"submission_benchmark\",\"time_ms\":1000,"
                               "\"value\":\"ssd\",\"metadata\":") +
                        metadata +
                        "}\n:::MLLOG {\"key\":\"run_start\",\"time_ms\":2000,\"value\":null,"
                        "\"metadata\":{}}\n:::MLLOG {\"key\":\"eval_accuracy\",\"time_ms\":3000,"
                        "\"value\":0.3,\"metadata\":{\"epoch_num\":1}}\n");
            const ImportedFile file = readOne(log);
            QCOMPARE(file.runs.size(), 1);
            QCOMPARE(file.runs.first().benchmark,
                     std::strstr(metadata, "retinanet") != nullptr ? u"retinanet"_s : u"ssd"_s);
        }
    }

    void hugeValues()
    {
        const QTemporaryDir dir;
        const QString log = dir.filePath(u"result_0.txt"_s);
        written(log, ":::MLLOG {\"key\":\"submission_benchmark\",\"time_ms\":1000,"
                     "\"value\":\"resnet\",\"metadata\":{}}\n"
                     ":::MLLOG {\"key\":\"run_start\",\"time_ms\":2000,\"value\":null,"
                     "\"metadata\":{}}\n"
                     ":::MLLOG {\"key\":\"eval_accuracy\",\"time_ms\":3000,\"value\":1e300,"
                     "\"metadata\":{\"epoch_num\":1}}\n"
                     ":::MLLOG {\"key\":\"eval_accuracy\",\"time_ms\":3500,\"value\":0.5,"
                     "\"metadata\":{\"epoch_num\":1e300}}\n");
        const ImportedRun run = readOne(log).runs.first();
        QCOMPARE(run.evals.size(), 1);
        QCOMPARE(run.evals.first().epoch, 1.0);
        const QString said = run.remarks.join(u'\n');
        QVERIFY2(said.contains(u"line 3: eval_accuracy has no number"_s), qPrintable(said));
        QVERIFY2(said.contains(u"line 4: epoch_num is no number"_s), qPrintable(said));
    }

    void defect_data()
    {
        QTest::addColumn<int>("outcome");
        QTest::addColumn<int>("runs");
        QTest::addColumn<int>("line"); // of the first defect; 0: none
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, FileOutcome outcome, int runs, int line,
                            const char* text) {
            QTest::newRow(name) << int(outcome) << runs << line << QString::fromUtf8(text);
        };
        row("truncated", FileOutcome::Damaged, 1, 19, "cut off");
        row("no_end", FileOutcome::NotConverged, 1, 0, "no run_stop");
        row("no_start", FileOutcome::Damaged, 1, 19, "no run_start");
        row("doubled_lines", FileOutcome::Converged, 1, 0, "17 lines");
        row("two_runs", FileOutcome::Damaged, 2, 31, "second run");
        row("restarted", FileOutcome::Damaged, 2, 29, "second run");
        row("utf16", FileOutcome::Damaged, 1, 1, "UTF-16");
        row("latin1", FileOutcome::Converged, 1, 0, "");
        row("broken_json", FileOutcome::Damaged, 1, 13, "no valid JSON");
        row("nan", FileOutcome::Converged, 1, 0, "not finite");
        row("text_behind", FileOutcome::Damaged, 1, 12, "text follows");
        row("carriage_return", FileOutcome::Converged, 1, 0, "");
        row("said_success_below_target", FileOutcome::NotConverged, 1, 0, "0.759");
        row("same_lines_of_ranks", FileOutcome::Converged, 1, 0, "");
        row("v05_python_value", FileOutcome::Converged, 1, 0, "is no JSON");
        row("no_record", FileOutcome::Skipped, 0, 0, "no MLPerf record");
        row("marker_only", FileOutcome::Skipped, 0, 0, "nothing of a run");
        row("empty", FileOutcome::Skipped, 0, 0, "no MLPerf record");
        row("binary", FileOutcome::Skipped, 0, 0, "no MLPerf record");
    }
    void defect()
    {
        QFETCH(int, line);
        QFETCH(QString, text);
        const ImportedFile file = readOne(kFixtures + u"defects/"_s +
                                          QString::fromUtf8(QTest::currentDataTag()) + u".txt"_s);
        QTEST(int(file.outcome), "outcome");
        QTEST(int(file.runs.size()), "runs");
        QCOMPARE(file.defects.isEmpty() ? 0 : file.defects.first().line, line);
        QString said = file.reason;
        for (const ImportedRun& run : file.runs) {
            said += run.failure.message + run.remarks.join(u' ');
            QCOMPARE(run.evals.size(), 2); // what can be read is there
        }
        QVERIFY2(said.contains(text), qPrintable(said));
    }

    /// The same file without its mark, in both orders of bytes.
    void wideWithoutMark()
    {
        QFile file(kFixtures + u"defects/utf16.txt"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray bytes = file.readAll().mid(2);
        const QTemporaryDir dir;
        for (const char* name : {"little_endian.txt", "big_endian.txt"}) {
            const QString path = dir.filePath(QLatin1StringView(name));
            written(path, bytes);
            const ImportedFile read = readOne(path);
            QCOMPARE(read.outcome, FileOutcome::Damaged);
            QVERIFY(read.defects.first().text.contains(u"UTF-16"_s));
            QCOMPARE(read.runs.size(), 1);
            QCOMPARE(read.runs.first().evals.size(), 2);
            for (qsizetype i = 0; i + 1 < bytes.size(); i += 2)
                std::swap(bytes[i], bytes[i + 1]);
        }
    }

    /// Cut anywhere, a log must end in some outcome and name what it lost.
    void cutAnywhere()
    {
        QFile file(kFixtures +
                   u"tree/training_results_v2.0/Example/results/box8/maskrcnn/result_0.txt"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        const QByteArrayView stop = QByteArrayView(whole).sliced(whole.indexOf("run_stop"));
        const qsizetype complete = whole.size() - stop.size() + stop.indexOf('\n');
        for (qsizetype size = 0; size < whole.size(); size += 7) {
            MlperfLogReader reader;
            reader.feed(QByteArrayView(whole).first(size));
            const MlperfLog log = reader.finish();
            for (const MlperfRun& run : log.runs)
                QVERIFY(run.stopMs == 0 || size >= complete);
        }
        // In pieces of any size it is the same log.
        MlperfLogReader reader;
        for (qsizetype at = 0; at < whole.size(); at += 13)
            reader.feed(
                QByteArrayView(whole).sliced(at, std::min<qsizetype>(13, whole.size() - at)));
        const MlperfLog log = reader.finish();
        QCOMPARE(log.runs.size(), 1);
        QCOMPARE(log.runs[0].evals.size(), 2);
        QCOMPARE(log.defectCount, 0);
    }

    void longLineIsNamed()
    {
        MlperfLogReader reader;
        const QByteArray piece(1 << 20, 'x');
        reader.feed(":::MLLOG {\"key\": \"");
        for (int i = 0; i < 20; ++i)
            reader.feed(piece);
        reader.feed("\n:::MLLOG {\"key\": \"run_start\", \"time_ms\": 5, \"value\": 1}\n");
        const MlperfLog log = reader.finish();
        QVERIFY(log.defects.first().text.contains(u"MiB"_s));
        QCOMPARE(log.runs.size(), 1);
    }

    void countsOfATree()
    {
        const ImportReport report = importFiles({kFixtures + u"tree"_s, kFixtures + u"defects"_s});
        QCOMPARE(report.converged, 21 + 6);
        QCOMPARE(report.notConverged, 4 + 2);
        QCOMPARE(report.damaged, 7);
        QCOMPARE(report.read(), 40);
        QCOMPARE(report.skipped.value(u"no MLPerf record in it"_s), 4);
        QCOMPARE(report.skipped.value(u"not a log by its name"_s), 12);
        for (const MlperfScore& score : mlperfScores(report))
            if (score.benchmark == "maskrcnn"_L1 && score.round == "v2.0"_L1) {
                // One of five was aborted and counts as the slowest.
                QCOMPARE(score.runs, 5);
                QCOMPARE(score.converged, 4);
                QVERIFY(score.minutes && qAbs(*score.minutes - 1.01) < 1e-9);
            }
    }

    /// As MLPerf's summariser (tests/integration/mlperf_checker_test.cpp asks it itself).
    void scores()
    {
        QTemporaryDir dir;
        const auto write = [&](const QString& path, double minutes, bool converged,
                               const QByteArray& more = {}) {
            const QString file = dir.filePath(u"training_results_v2.0/X/results/s/"_s + path);
            QDir().mkpath(QFileInfo(file).path());
            const auto record = [](const char* key, double ms, const QByteArray& value,
                                   const QByteArray& metadata = {}) {
                return QByteArray(":::MLLOG {\"key\":\"") + key +
                       "\",\"time_ms\":" + QByteArray::number(1.65e12 + ms, 'f', 0) +
                       ",\"value\":" + value + ",\"metadata\":{" + metadata + "}}\n";
            };
            const QByteArray benchmark = path.section(u'/', 0, 0).toLatin1();
            written(file,
                    record("submission_benchmark", 0, '"' + benchmark + '"') +
                        record("submission_org", 0, "\"X\"") +
                        record("submission_division", 0, "\"closed\"") +
                        record("run_start", 0, "null") +
                        record("eval_accuracy", 1, converged ? "0.99" : "0.1", "\"epoch_num\":1") +
                        more +
                        record("run_stop", minutes * 60'000, "null",
                               converged ? "\"status\":\"success\"" : "\"status\":\"aborted\""));
        };
        for (int i = 0; i < 40; ++i) // four of the slowest did not converge
            write(u"unet3d/result_%1.txt"_s.arg(i), 10 + i, i < 36);
        for (int i = 0; i < 5; ++i)
            write(u"resnet/result_%1.txt"_s.arg(i), 10 + i, true);
        write(u"resnet/slurm-7.out"_s, 1, true); // the log of all five
        written(dir.filePath(u"training_results_v2.0/X/results/s/resnet/scaling.json"_s),
                "{\"scaling_factor\": 1.5}");
        for (int i = 0; i < 5; ++i) // one cannot be read in full, and one did not converge
            write(u"dlrm/result_%1.txt"_s.arg(i), 10 + i, i != 4,
                  i == 3 ? ":::MLLOG {\"key\"\n" : "");
        const ImportReport report = importFiles({dir.path()});
        QMap<QString, MlperfScore> scores;
        for (const MlperfScore& score : mlperfScores(report))
            scores.insert(score.benchmark, score);
        QCOMPARE(scores.value(u"unet3d"_s).converged, 36);
        QVERIFY(qAbs(*scores.value(u"unet3d"_s).minutes - (14 + 45) / 2.0) < 1e-9);
        QCOMPARE(scores.value(u"resnet"_s).runs, 5);
        QVERIFY(qAbs(*scores.value(u"resnet"_s).minutes - 12 * 1.5) < 1e-9);
        QCOMPARE(scores.value(u"resnet"_s).scaling, 1.5);
        QCOMPARE(scores.value(u"dlrm"_s).converged, 3);
        QVERIFY(!scores.value(u"dlrm"_s).minutes);
    }

    void linksAndOtherFilesAreCountedNotFollowed()
    {
        QTemporaryDir dir;
        const QByteArray log = "no log\n";
        written(dir.filePath(u"outside/secret.txt"_s), log);
        written(dir.filePath(u"tree/a.txt"_s), log);
        written(dir.filePath(u"tree/.hidden/b.txt"_s), log);
        QVERIFY(QFile::link(dir.filePath(u"outside"_s), dir.filePath(u"tree/folder"_s)));
        QVERIFY(
            QFile::link(dir.filePath(u"outside/secret.txt"_s), dir.filePath(u"tree/file.txt"_s)));
        QVERIFY(QFile::link(dir.filePath(u"tree"_s), dir.filePath(u"tree/circle"_s)));
        QCOMPARE(::mkfifo(qPrintable(dir.filePath(u"tree/pipe.txt"_s)), 0600), 0);
        const ImportReport report =
            importFiles({dir.filePath(u"tree"_s), dir.filePath(u"missing.txt"_s)});
        QCOMPARE(report.skipped.value(u"link"_s), 3);
        QCOMPARE(report.skipped.value(u"no ordinary file"_s), 1);
        QCOMPARE(report.skipped.value(u"hidden"_s), 1);
        QCOMPARE(report.skipped.value(u"does not exist"_s), 1);
        QCOMPARE(report.skipped.value(u"no MLPerf record in it"_s), 1);
        for (const ImportedFile& file : report.files)
            QVERIFY(!file.path.contains(u"secret"_s));
    }

    void powerIsNoTraining()
    {
        QTemporaryDir dir;
        const QString path = dir.filePath(u"results/s/resnet/power/result_0/node_0.txt"_s);
        written(path,
                ":::MLLOG {\"time_ms\": 5, \"key\": \"power_measurement_start\", \"value\": 1}\n"
                ":::MLLOG {\"time_ms\": 6, \"key\": \"power_reading\", \"value\": 700.5}\n");
        const ImportReport report = importFiles({dir.path()});
        QCOMPARE(report.read(), 0);
        QCOMPARE(report.skipped.value(u"a power measurement of MLPerf"_s), 1);
    }

    void sizeIsBounded()
    {
        QTemporaryDir dir;
        written(dir.filePath(u"big.txt"_s), QByteArray(5000, 'x'));
        ImportOptions options;
        options.mostFileBytes = 4096;
        const ImportedFile file = readOne(dir.filePath(u"big.txt"_s), options);
        QCOMPARE(file.outcome, FileOutcome::Skipped);
        QVERIFY(file.reason.contains(u"larger"_s));
    }

    void progressAndCancel()
    {
        QTemporaryDir dir;
        QFile source(kFixtures + u"defects/nan.txt"_s);
        QVERIFY(source.open(QIODevice::ReadOnly));
        const QByteArray log = source.readAll();
        for (int i = 0; i < 400; ++i)
            written(dir.filePath(u"%1/result_0.txt"_s.arg(i)), log);
        int last = 0;
        const ImportReport all = importFiles({dir.path()}, {}, [&](const ImportProgress& p) {
            if (p.done < last)
                return false;
            last = p.done;
            return true;
        });
        QVERIFY(!all.cancelled);
        QCOMPARE(all.converged, 400);
        const ImportReport some =
            importFiles({dir.path()}, {}, [](const ImportProgress& p) { return p.total == 0; });
        QVERIFY(some.cancelled);
        QVERIFY(some.read() <= 400);
    }

    void acceleratorsGiven()
    {
        ImportOptions options;
        options.accelerators = 640;
        const ImportedFile file = readOne(
            kFixtures + u"tree/v0.5.0/example/submission/results/box_multi/resnet/result_0.txt"_s,
            options);
        QCOMPARE(file.runs.first().accelerators, 640);
        QCOMPARE(file.runs.first().globalBatch, 16640);
    }

    void roundByDateAndPath()
    {
        const auto at = [](int y, int m, int d) {
            return roundAt(double(
                QDateTime(QDate(y, m, d), QTime(0, 0), QTimeZone::utc()).toMSecsSinceEpoch()));
        };
        QCOMPARE(at(2020, 6, 20), u"v0.7"_s);
        QCOMPARE(at(2021, 5, 20), u"v1.0"_s);
        QCOMPARE(at(2022, 5, 8), u"v2.0"_s);
        QCOMPARE(at(2023, 10, 1), u"v3.1"_s);
        QCOMPARE(at(2024, 5, 1), u"v4.0"_s);
        QCOMPARE(at(2000, 1, 1), QString());
        QCOMPARE(roundInPath(u"/a/training_results_v1.1/X/results/s/b/result_0.txt"_s), u"v1.1"_s);
        QCOMPARE(roundInPath(u"/a/v3.0/X/resnet50-v1.5/result_0.txt"_s), u"v3.0"_s);
        QCOMPARE(roundInPath(u"/a/resnet50_v1.5/tpu-v3-32/result_0.txt"_s), QString());
    }

    void publicLogsGiveTheirValues()
    {
        const QString dir = publicLogs();
        if (dir.isEmpty())
            QSKIP(
                "the public logs are not beside this checkout (SCALEBENCH_MLPERF_LOGS names their "
                "folder)");
        QFile readme(dir + u"/README.md"_s);
        QVERIFY(readme.open(QIODevice::ReadOnly));
        static const QRegularExpression kScale(u"_(\\d+)x(\\d+)_"_s);
        static const QRegularExpression kEpoch(u"(?:epoch_num|train_epoch tags)=([0-9.]+)"_s);
        int checked = 0;
        for (const QString& line : QString::fromUtf8(readme.readAll()).split(u'\n')) {
            const QStringList cells = line.split(u'|');
            if (cells.size() < 13 || !cells[1].trimmed().endsWith(".txt"_L1))
                continue;
            const QString name = cells[1].trimmed();
            const auto scale = kScale.match(name);
            ImportOptions options; // of v0.5 no log says it
            if (name.startsWith("v0.5"_L1))
                options.accelerators = scale.captured(1).toInt() * scale.captured(2).toInt();
            const ImportedFile file = readOne(dir + u'/' + name, options);
            QVERIFY2(file.runs.size() == 1, qPrintable(name));
            const ImportedRun& run = file.runs.first();
            const auto number = [&](int cell) {
                static const QRegularExpression kNumber(u"[0-9.]+"_s);
                return kNumber.match(cells[cell]).captured().toDouble();
            };
            QCOMPARE(file.records, int(number(2)));
            QCOMPARE(run.evals.size(), qsizetype(number(3)));
            QCOMPARE(run.globalBatch, qint64(number(4)));
            QVERIFY2(qAbs(*run.target / run.qualityScale - number(5)) < 1e-5 ||
                         cells[5].contains(u"top-1"_s) || cells[5].contains(u"@10"_s) ||
                         cells[5].contains(u"/100"_s) || cells[5].contains(u"and"_s),
                     qPrintable(name));
            QVERIFY2(qAbs(*run.lastQuality() - number(7)) < 1e-4, qPrintable(name));
            QCOMPARE(*run.epochs, kEpoch.match(cells[8]).captured(1).toDouble());
            QCOMPARE(run.converged, cells[9].trimmed() == "yes"_L1);
            QVERIFY2(qAbs(*run.minutes() - number(10)) < 1e-4, qPrintable(name));
            QCOMPARE(run.accelerators, scale.captured(1).toInt() * scale.captured(2).toInt());
            QVERIFY(name.startsWith(run.round));
            QCOMPARE(file.defectCount, 0);
            ++checked;
        }
        QCOMPARE(checked, 16);
    }
};

QTEST_GUILESS_MAIN(MlperfLogTest)
#include "mlperf_log_test.moc"
