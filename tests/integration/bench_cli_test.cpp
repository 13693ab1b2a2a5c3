// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench bench` and `scalebench selftest` with the real engine: results parse, workers start,
// mistakes are one sentence and an exit code.

#include "support/campaign.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <csignal>

class BenchCliTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    QByteArray m_out, m_error;

    int run(const QStringList& arguments)
    {
        QProcess process;
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench"), arguments);
        if (!process.waitForFinished(scalebench::test::kHangMs)) {
            process.kill();
            process.waitForFinished();
            return -1;
        }
        m_out = process.readAllStandardOutput();
        m_error = process.readAllStandardError();
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    }
    int run(const char* text) { return run(QString::fromLatin1(text).split(QLatin1Char(' '))); }
    QByteArray contentOf(const QString& name) const
    {
        QFile file(m_dir.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QJsonObject json(const QString& name) const
    {
        return QJsonDocument::fromJson(contentOf(name)).object();
    }

private Q_SLOTS:
    void mistakesAreOneSentence_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("none") << "bench"
                              << "Which benchmark?";
        QTest::newRow("unknown") << "bench gemv"
                                 << "not a benchmark";
        QTest::newRow("option") << "bench gemm --fast"
                                << "fast";
        QTest::newRow("workers") << "bench gemm --workers 2"
                                 << "--workers";
        QTest::newRow("one worker") << "bench allreduce --workers 1"
                                    << "--workers";
        QTest::newRow("sizes") << "bench gemm --sizes 3x4"
                               << "MxNxK";
        QTest::newRow("sizes of a layer") << "bench rnn --sizes 64x2"
                                          << "HIDDENxBATCHxSTEPS";
        QTest::newRow("problem") << "bench gemm --problem 161"
                                 << "160";
        QTest::newRow("precision") << "bench memory --precision bf16"
                                   << "fp32 only";
        QTest::newRow("folder") << "bench storage --dir /nonexistent"
                                << "/nonexistent";
        QTest::newRow("csv") << "bench gemm --csv /nonexistent/a.csv"
                             << "/nonexistent";
        QTest::newRow("one file for both") << "bench gemm --csv /tmp/both --json /tmp/./both"
                                           << "the same file";
        QTest::newRow("a list in a file") << "bench gemm --list --csv /tmp/list.csv"
                                          << "--list measures nothing";
        QTest::newRow("collective sizes") << "bench allreduce --sizes 4Q"
                                          << "4Q";
        QTest::newRow("device") << "selftest --device tpu"
                                << "tpu";
        QTest::newRow("family") << "selftest --family nothing"
                                << "nothing";
        QTest::newRow("step, no workload") << "bench step"
                                           << "Which workload?";
        QTest::newRow("step, two runs") << "bench step ncf --workers 1,2"
                                        << "one run of one worker";
        QTest::newRow("another's option") << "bench gemm --allreduce staged"
                                          << "--allreduce belongs to";
        QTest::newRow("no such way") << "bench allreduce --allreduce nonsense"
                                     << "nonsense";
        QTest::newRow("another's folder") << "bench gemm --dir /nonexistent"
                                          << "belong to storage";
        QTest::newRow("another's file size") << "bench memory --file-size 1M"
                                             << "belong to storage";
        QTest::newRow("no element") << "bench memory --sizes 3"
                                    << "at least 4";
        QTest::newRow("no number") << "bench gemm --threads x"
                                   << "--threads";
        QTest::newRow("no sizes") << "bench gemm --sizes="
                                  << "--sizes";
        QTest::newRow("options before step") << "bench --repeats 3 step ncf"
                                             << "before the options";
        QTest::newRow("a word for doctor") << "doctor extra"
                                           << "one word too many";
        QTest::newRow("step, two workers") << "bench step ncf --workers 2"
                                           << "describe one of 2 workers";
        QTest::newRow("step, unknown machine") << "bench step ncf --machine nowhere"
                                               << "nowhere";
        QTest::newRow("cases in a file") << "selftest --list --json /tmp/cases.json"
                                         << "--list runs nothing";
        QTest::newRow("word") << "selftest now"
                              << "now";
    }
    void mistakesAreOneSentence()
    {
        QFETCH(QString, arguments);
        QFETCH(QString, says);
        QCOMPARE(run(arguments.split(QLatin1Char(' '))), 2);
        QVERIFY2(m_error.contains(says.toUtf8()), m_error.constData());
        QCOMPARE(m_error.count('\n'), 1);
        QVERIFY2(m_out.isEmpty(), m_out.constData());
    }

    void whatMeasuresNothingFails()
    {
        QCOMPARE(run("bench gemm --sizes 4000000x4000000x4 --max-seconds 1000 --threads 1"), 3);
        QVERIFY2(m_error.contains("nothing was measured"), m_error.constData());
    }

    void gemmWritesTableCsvAndJson()
    {
        QCOMPARE(run({QStringLiteral("bench"), QStringLiteral("gemm"), QStringLiteral("--sizes"),
                      QStringLiteral("64x32x48:TN,5x7x3"), QStringLiteral("--threads"),
                      QStringLiteral("1"), QStringLiteral("--repeats"), QStringLiteral("3"),
                      QStringLiteral("--csv"), m_dir.filePath(QStringLiteral("g.csv")),
                      QStringLiteral("--json"), m_dir.filePath(QStringLiteral("g.json"))}),
                 0);
        QVERIFY2(m_out.contains("GFLOP/s") && m_out.contains("Peak measured here"),
                 m_out.constData());
        const QList<QByteArray> lines = contentOf(QStringLiteral("g.csv")).trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[1].count(','), lines[0].count(','));
        const QJsonObject document = json(QStringLiteral("g.json"));
        QVERIFY(document[QStringLiteral("complete")].toBool());
        const QJsonArray rows = document[QStringLiteral("results")].toArray();
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0][QStringLiteral("m")].toInt(), 64);
        QCOMPARE(rows[0][QStringLiteral("wrong")].toInt(-1), 0);
        const double peak =
            document[QStringLiteral("peaks")][QStringLiteral("fp32_gflops")].toDouble();
        QVERIFY(std::abs(rows[0][QStringLiteral("gflops")].toDouble() / peak * 100 -
                         rows[0][QStringLiteral("share_of_peak_percent")].toDouble()) < 1e-6);
    }

    /// Standard output is a full disk: no success.
    void outputThatIsLostIsAFailure_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::newRow("engine") << "bench gemm --list";
        QTest::newRow("command") << "workloads";
    }
    void outputThatIsLostIsAFailure()
    {
        QFETCH(QString, arguments);
        QProcess process;
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench"), arguments.split(QLatin1Char(' ')));
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        QCOMPARE(process.exitCode(), 3);
        QVERIFY(process.readAllStandardError().contains("output could not be written"));
    }

    /// Every op of a real step, of the run that the options describe; the parts are the whole.
    void aStepIsToldOpByOp()
    {
        const int code =
            run({QStringLiteral("bench"), QStringLiteral("step"), QStringLiteral("ncf"),
                 QStringLiteral("--library"), m_dir.filePath(QStringLiteral("library")),
                 QStringLiteral("--repeats"), QStringLiteral("2"), QStringLiteral("--batch"),
                 QStringLiteral("256"), QStringLiteral("--json"),
                 m_dir.filePath(QStringLiteral("p.json"))});
        QVERIFY2(code == 0, m_error.constData());
        QVERIFY2(m_out.contains("ncf, neumf: 2 steps of 256 samples"), m_out.constData());
        const QJsonObject document = json(QStringLiteral("p.json"));
        QVERIFY(document[QStringLiteral("load")][QStringLiteral("clock_ghz")].isArray());
        double parts = 0, flops = 0;
        for (const QJsonValue row : document[QStringLiteral("results")].toArray()) {
            const QString op = row[QStringLiteral("op")].toString();
            const double ms = row[QStringLiteral("ms")].toDouble();
            if (op == QStringLiteral("the step"))
                QVERIFY2(std::abs(parts - ms) < 1e-6 * ms + 1e-9, m_out.constData());
            parts += ms;
            // Three layers of the perceptron and the last one, 128-64-32 wide: MLPerf's formula.
            if (op == QStringLiteral("linear forward"))
                flops = row[QStringLiteral("gflops")].toDouble() * 1e9 * ms / 1e3;
        }
        QVERIFY2(std::abs(flops / (2.0 * 256 * (128 * 64 + 64 * 32 + 64 * 1)) - 1) < 1e-6,
                 m_out.constData());
    }

    void collectivesRunOnWorkers()
    {
        for (const char* benchmark : {"allreduce", "alltoall"}) {
            const QString file = QLatin1StringView(benchmark) + QStringLiteral(".json");
            const QStringList arguments{QStringLiteral("bench"),     QLatin1StringView(benchmark),
                                        QStringLiteral("--workers"), QStringLiteral("3"),
                                        QStringLiteral("--sizes"),   QStringLiteral("4K,100"),
                                        QStringLiteral("--repeats"), QStringLiteral("2"),
                                        QStringLiteral("--json"),    m_dir.filePath(file)};
            const int code = run(arguments);
            QVERIFY2(code == 0, m_error.constData());
            const bool allReduce = QLatin1StringView(benchmark) == QLatin1StringView("allreduce");
            const QJsonArray rows = json(file)[QStringLiteral("results")].toArray();
            QCOMPARE(rows.size(), allReduce ? 4 : 2);
            for (const QJsonValue& row : rows) {
                QCOMPARE(row[QStringLiteral("workers")].toInt(), 3);
                QCOMPARE(row[QStringLiteral("ours_wrong")].toInt(-1), 0);
                QCOMPARE(row[QStringLiteral("mpi_wrong")].toInt(-1), 0);
                const double factor = row[QStringLiteral("ours_busbw_gb_per_s")].toDouble() /
                                      row[QStringLiteral("ours_algbw_gb_per_s")].toDouble();
                QVERIFY(std::abs(factor - (allReduce ? 4.0 / 3 : 2.0 / 3)) < 1e-9);
                // Copying bounds what crosses between workers; what is rounded is said.
                if (row[QStringLiteral("place")].toString() == QStringLiteral("in"))
                    QVERIFY(row[QStringLiteral("share_of_copy_percent")].isNull());
                QCOMPARE(
                    row[QStringLiteral("note")].toString().contains(QStringLiteral("instead of")),
                    !allReduce);
            }
        }
    }

    /// Whatever ends it: what was measured until then is in the files.
    void rowsAreKept_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<int>("signal");
        QTest::newRow("Ctrl-C") << "bench gemm --threads 1 --max-seconds 0.2" << SIGINT;
        QTest::newRow("killed") << "bench gemm --threads 1 --max-seconds 0.2" << SIGKILL;
        QTest::newRow("workers, Ctrl-C") << "bench allreduce --max-seconds 0.2" << SIGINT;
    }
    void rowsAreKept()
    {
        QFETCH(QString, arguments);
        QFETCH(int, signal);
        // Of its own: where scalebench is killed, its engine ends a moment later.
        const QString name = QString::fromLatin1(QTest::currentDataTag()).section(u',', 0, 0);
        const QString csv = m_dir.filePath(name + QStringLiteral(".csv")),
                      file = m_dir.filePath(name + QStringLiteral(".json"));
        QProcess process;
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench"),
                      arguments.split(QLatin1Char(' ')) + QStringList{QStringLiteral("--csv"), csv,
                                                                      QStringLiteral("--json"),
                                                                      file});
        const auto rows = [&] {
            return json(QFileInfo(file).fileName())[QStringLiteral("results")].toArray().size();
        };
        QTRY_VERIFY_WITH_TIMEOUT(rows() >= 2, scalebench::test::kHangMs);
        ::kill(pid_t(process.processId()), signal);
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        const QJsonObject document = json(QFileInfo(file).fileName());
        QVERIFY(rows() >= 2);
        QCOMPARE(document[QStringLiteral("complete")], QJsonValue(false));
        // A header, and as many lines; the two are written one after the other.
        const qsizetype lines = contentOf(QFileInfo(csv).fileName()).count('\n') - 1;
        QVERIFY(lines == rows() || lines == rows() + 1);
        if (signal == SIGINT) {
            QCOMPARE(process.exitCode(), 130);
            QVERIFY(process.readAllStandardError().contains("rows were measured and written"));
        }
    }

    /// Small files are made for it, and go however it ends.
    void storageLeavesNothingBehind_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("hangup") << SIGHUP;
        QTest::newRow("nobody reads") << 0;
    }
    void storageLeavesNothingBehind()
    {
        QFETCH(int, signal);
        const QTemporaryDir dir;
        const auto entries = [&] {
            return QDir(dir.path())
                .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        };
        QProcess process;
        process.start(
            QStringLiteral("sh"),
            {QStringLiteral("-c"),
             QStringLiteral("exec " SB_BIN_DIR "/scalebench bench storage --dir '%1' "
                            "--file-size 256M %2")
                 .arg(dir.path(), QLatin1StringView(signal != 0 ? "" : "--quick | head -4"))});
        if (signal != 0) {
            QTRY_VERIFY_WITH_TIMEOUT(!entries().isEmpty(), scalebench::test::kHangMs);
            ::kill(pid_t(process.processId()), signal);
        }
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        QVERIFY2(entries().isEmpty(), qPrintable(entries().join(QLatin1Char(' '))));
    }

    /// The steps measured until then are a table.
    void aStoppedStepIsTold()
    {
        QProcess process;
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench"),
                      {QStringLiteral("bench"), QStringLiteral("step"), QStringLiteral("ncf"),
                       QStringLiteral("--library"), m_dir.filePath(QStringLiteral("library")),
                       QStringLiteral("--repeats"), QStringLiteral("100000000"),
                       QStringLiteral("--batch"), QStringLiteral("256"),
                       QStringLiteral("--max-seconds"), QStringLiteral("600"),
                       QStringLiteral("--json"), m_dir.filePath(QStringLiteral("stopped.json"))});
        QByteArray out;
        QTRY_VERIFY_WITH_TIMEOUT((out += process.readAllStandardOutput()).contains("Main memory"),
                                 scalebench::test::kHangMs);
        // Setting up and warming up say nothing, and are not stopped with a table.
        QTest::qWait(10000);
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        out += process.readAllStandardOutput();
        const QByteArray error = process.readAllStandardError();
        QCOMPARE(process.exitCode(), 130);
        QVERIFY2(error.contains("rows were measured and written"), error.constData());
        QVERIFY2(out.contains("the step"), out.constData());
        QVERIFY(!json(QStringLiteral("stopped.json"))[QStringLiteral("complete")].toBool(true));
    }

    /// A stop waits neither for the size under way nor for words: minutes would be left.
    void workersStopWithinASize()
    {
        QProcess process;
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench"),
                      QStringLiteral("bench allreduce --sizes 4K --max-seconds 600 --repeats "
                                     "1000000000")
                          .split(QLatin1Char(' ')));
        QByteArray out;
        QTRY_VERIFY_WITH_TIMEOUT((out += process.readAllStandardOutput()).contains("2 workers on"),
                                 scalebench::test::kHangMs);
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardError().contains("stopped; no results were written"));
    }

    void selftestVerifiesAFamily()
    {
        const int code = run({QStringLiteral("selftest"), QStringLiteral("--family"),
                              QStringLiteral("elementwise"), QStringLiteral("--json"),
                              m_dir.filePath(QStringLiteral("s.json"))});
        QVERIFY2(code == 0, m_error.constData());
        const QJsonObject document = json(QStringLiteral("s.json"));
        QVERIFY(document[QStringLiteral("passed")].toBool());
        const QJsonArray families = document[QStringLiteral("results")].toArray();
        QCOMPARE(families.size(), 1);
        const int cases = families[0][QStringLiteral("cases")].toInt();
        QVERIFY(cases > 0);
        QCOMPARE(families[0][QStringLiteral("passed")].toInt(), cases);
        QCOMPARE(document[QStringLiteral("cases")].toArray().size(), cases);
    }

    void selftestOfAMissingDeviceSaysWhy()
    {
        if (QFile::exists(QStringLiteral(SB_BIN_DIR "/libscalebench_cuda.so")))
            QSKIP("this build has the CUDA plug-in");
        QVERIFY(run("selftest --device cuda") != 0);
        QVERIFY2(m_error.contains("device \"cuda\" cannot be tested: "), m_error.constData());
        QCOMPARE(m_error.count('\n'), 1);
    }
};

QTEST_GUILESS_MAIN(BenchCliTest)
#include "bench_cli_test.moc"
