// SPDX-License-Identifier: GPL-3.0-or-later
// Streams that lost records or say something else than the state of their run.
#include "analysis/result_files.h"
#include "analysis/speedup_table.h"
#include "run/run_series.h"
#include "run/stream_faults.h"
#include "run/stream_parser.h"

#include <QTest>

using namespace scalebench;

namespace {

QByteArray line(qint64 ms, const char* key, const QByteArray& value, const QByteArray& metadata)
{
    return ":::MLLOG {\"namespace\":\"\",\"time_ms\":" + QByteArray::number(ms) +
           ",\"event_type\":\"POINT_IN_TIME\",\"key\":\"" + key + "\",\"value\":" + value +
           ",\"metadata\":{" + metadata + "}}\n";
}

QByteArray start(qint64 ms = 1000)
{
    return line(ms, "run_start", "null", "");
}

QByteArray eval(const char* value = "0.6")
{
    return line(50'000, "eval_accuracy", value, "\"epoch_num\":1");
}

QByteArray stop(qint64 ms = 61'000, const char* status = "success")
{
    return line(ms, "run_stop", "null", "\"status\":\"" + QByteArray(status) + '"');
}

RunRecord completed(const QByteArray& stream, double target = 0.5)
{
    StreamParser parser;
    RunRecord run;
    run.config.workload = QStringLiteral("resnet");
    run.config.precision = QStringLiteral("fp32");
    run.config.workers = 2;
    run.config.target = target;
    run.state = RunState::Completed;
    run.apply(parser.feed(stream));
    return run;
}

} // namespace

class StreamFaultsTest : public QObject
{
    Q_OBJECT
private slots:
    void wholeStreams()
    {
        const RunRecord run = completed(start() + eval() + stop());
        QVERIFY(hasTime(run));
        QVERIFY(streamFaults(run).isEmpty());
        QVERIFY(conditionMarks(run).isEmpty());
    }

    void lostRecords_data()
    {
        QTest::addColumn<QByteArray>("stream");
        QTest::newRow("missing") << start() + line(2000, "eval_accuracy", "0.6", "\"seq\":3") +
                                        stop();
        QTest::newRow("cut") << start() + eval().left(60) + '\n' + eval() + stop();
        QTest::newRow("twice") << line(1000, "run_start", "null", "\"seq\":0") + eval() +
                                      line(1000, "run_start", "null", "\"seq\":0") + stop();
    }
    void lostRecords()
    {
        QFETCH(QByteArray, stream);
        const RunRecord run = completed(stream);
        QVERIFY(hasLostRecords(run));
        QVERIFY(hasTime(run)); // it is said, but counts
        QCOMPARE(streamFaults(run).size(), 1);
        QCOMPARE(conditionMarks(run), QStringList{QStringLiteral("records lost")});
        Study study;
        study.runs << run;
        QVERIFY(runsCsv(study).contains("records lost"));
        QVERIFY(runsCsv(study).contains(streamFaults(run).first().toUtf8()));
    }

    void contradictions_data()
    {
        QTest::addColumn<QByteArray>("stream");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* name, const QByteArray& stream, const char* why) {
            QTest::newRow(name) << stream << QString::fromLatin1(why);
        };
        row("two starts", start() + start(30'000) + eval() + stop(), "begins 2 times");
        row("aborted", start() + eval() + stop(61'000, "aborted"), "ended with \"aborted\"");
        row("no end", start() + eval(), "has no end");
        row("empty", {}, "empty, missing or without its beginning");
        row("without a head", eval() + stop(), "empty, missing or without its beginning");
        row("end before the start", start() + eval() + stop(500), "ends before it begins");
        row("below the target", start() + eval("0.4") + stop(), "reaches the target");
        row("beyond the best", start() + eval("7.5") + stop(), "cannot be: 750.0 %");
        row("negative rate",
            start() + eval() +
                line(60'000, "tracked_stats", "{\"throughput\":-5}", "\"epoch_num\":1") + stop(),
            "below 0");
    }
    void contradictions()
    {
        QFETCH(QByteArray, stream);
        QFETCH(QString, why);
        RunRecord run = completed(stream);
        QVERIFY2(contradiction(run).contains(why), qPrintable(contradiction(run)));
        QVERIFY(!hasTime(run));
        QCOMPARE(conditionMarks(run), QStringList{QStringLiteral("contradictory")});
        // Left out of the mean, and said.
        const QList<SpeedupRow> rows = speedupTable({completed(start() + eval() + stop()), run});
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0].runs, 1);
        QCOMPARE(rows[0].leftOut, 1);
        QCOMPARE(rows[0].meanTimeS, 60.0);
        QVERIFY(rows[0].remark.contains(QStringLiteral("contradict")));
        QVERIFY(
            explainRow(speedupTable({run}).first()).startsWith(QStringLiteral("No run counts")));
        // Of one that is not called completed nothing is contradicted.
        run.state = RunState::Failed;
        QVERIFY(contradiction(run).isEmpty());
    }

    /// A bundle brings the streams along; logs and tables of others have none of ours.
    void bundlesHaveTheirStreams()
    {
        RunRecord run = completed(start() + eval() + stop(61'000, "aborted"));
        run.origin = QStringLiteral("imported: bundle");
        QVERIFY(!contradiction(run).isEmpty());
        QVERIFY(!hasTime(run));
        run.origin = QStringLiteral("imported: CSV");
        QVERIFY(hasTime(run));
    }

    /// The clock begins once.
    void theFirstStartCounts()
    {
        QCOMPARE(completed(start() + start(30'000) + eval() + stop()).timeToTrainS(), 60.0);
    }

    /// The evaluation that reached the target may be the one that was lost.
    void aLostEvaluationContradictsNothing()
    {
        const RunRecord run =
            completed(start() + line(50'000, "eval_accuracy", "0.4", "\"seq\":2") + stop());
        QVERIFY(contradiction(run).isEmpty());
        QVERIFY(hasLostRecords(run));
    }
};

QTEST_GUILESS_MAIN(StreamFaultsTest)
#include "stream_faults_test.moc"
