// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/means.h"
#include "analysis/run_cells.h"
#include "analysis/run_groups.h"
#include "analysis/speedup_table.h"
#include "analysis/student_t.h"
#include "analysis/verification.h"
#include "run/run_series.h"

#include <QFile>
#include <QMap>
#include <QRandomGenerator>
#include <QTest>

#include <cmath>

using namespace scalebench;

/// A completed run of `epochs` epochs that took `seconds`.
static RunRecord run(int workers, double seconds, double epochs, int batch = 128,
                     RunState state = RunState::Completed)
{
    RunRecord r;
    r.config.workload = QStringLiteral("resnet");
    r.config.precision = QStringLiteral("fp32");
    r.config.batchPolicy = QStringLiteral("strong");
    r.config.workers = workers;
    r.config.globalBatch = batch;
    r.config.target = 0.8;
    r.state = state;
    r.runStartMs = 1000;
    r.runStopMs = 1000 + seconds * 1000;
    EvalPoint point;
    point.epoch = epochs;
    point.value = state == RunState::Completed ? 0.8 : 0.1;
    r.evals << point;
    return r;
}

class AnalysisTest : public QObject
{
    Q_OBJECT
private slots:
    void studentQuantiles()
    {
        // Published two-sided 95 % values (any statistics table).
        const QMap<int, double> table{
            {1, 12.7062047364},  {2, 4.30265272975}, {3, 3.18244630528},
            {4, 2.7764451052},   {5, 2.57058183661}, {9, 2.26215716285},
            {10, 2.22813885196}, {30, 2.0422724563}, {120, 1.97993040505}};
        for (auto it = table.begin(); it != table.end(); ++it)
            QVERIFY2(std::abs(studentT(0.95, it.key()) - it.value()) < 1e-8,
                     qPrintable(QString::number(studentT(0.95, it.key()), 'g', 15)));
        QVERIFY(std::abs(studentT(0.99, 7) - 3.49948329735) < 1e-8);
    }

    void intervalsAndMeans()
    {
        QVERIFY(std::isnan(tInterval95({})));
        QVERIFY(std::isnan(tInterval95({3})));
        QVERIFY(std::abs(tInterval95({1, 3}) - 12.7062047364) < 1e-8);
        QVERIFY(std::abs(tInterval95({1, 2, 3, 4, 5}) - 2.7764451052 * std::sqrt(2.5 / 5)) < 1e-8);
        QCOMPARE(olympicMean({1, 2, 3, 100}), 26.5);
        QCOMPARE(olympicMean({1, 100, 2, 3, 4}), 3.0);
        QVERIFY(std::isnan(olympicMean({})));
    }

    void publishedRows()
    {
        QFile file(QStringLiteral(SB_SOURCE_DIR "/../shared/reference/published_scaling.csv"));
        if (!file.open(QIODevice::ReadOnly))
            QSKIP("the published reference table is not beside this checkout");
        QList<RunRecord> runs;
        for (const QByteArray& text : file.readAll().split('\n')) {
            const QList<QByteArray> f = text.split(',');
            if (f.size() > 13 && f[1] == "v0.5" && f[2] == "resnet50" && f[3] == "DGX-1" &&
                f[0].startsWith("001"))
                runs << run(f[7].toInt(), f[13].toDouble() * 60, f[11].toDouble(), f[8].toInt());
        }
        QCOMPARE(runs.size(), 3);
        const QList<SpeedupRow> rows = speedupTable(runs);
        QCOMPARE(rows.size(), 3);
        QVERIFY(rows[0].baseline);
        QCOMPARE(rows[2].workers, 8);
        QVERIFY(std::abs(rows[2].speedup - 9.706) < 5e-4);
        QVERIFY(std::abs(rows[2].stepTimeRatio - 7.37) < 5e-3);
        QVERIFY(std::abs(rows[2].epochsRatio - 1.32) < 5e-3);
        QVERIFY(std::abs(rows[2].efficiency - 9.706 / 8) < 1e-4);
        QVERIFY(rows[2].remark.contains(QStringLiteral("512")));
    }

    /// What a time was measured under stands beside it.
    void rowsSayUnderWhatTheyWereMeasured()
    {
        RunRecord resumed = run(1, 20, 4);
        resumed.resumes = 1;
        const QList<SpeedupRow> rows = speedupTable({resumed, run(1, 21, 4), run(2, 10, 4, 256)});
        QCOMPARE(rows[0].remark, QStringLiteral("resumed"));
        QVERIFY(rows[1].remark.contains(QStringLiteral("128")));
        QVERIFY(!rows[1].remark.contains(QStringLiteral("resumed")));
        resumed.marksTold = {QStringLiteral("disturbed")};
        QCOMPARE(speedupTable({resumed})[0].remark, QStringLiteral("resumed; disturbed"));
    }

    void splitMultipliesUp()
    {
        QRandomGenerator random(3);
        for (int round = 0; round < 50; ++round) {
            QList<RunRecord> runs;
            for (int workers : {1, 2, 4})
                for (int repeat = 0; repeat < 1 + round % 7; ++repeat)
                    runs << run(workers, 10 + random.bounded(100.0), 1 + random.bounded(30));
            for (const SpeedupRow& row : speedupTable(runs))
                QVERIFY(std::abs(row.speedup - row.epochsRatio * row.stepTimeRatio) <=
                        1e-12 * row.speedup);
        }
    }

    void olympicFromFiveUp()
    {
        QList<RunRecord> runs;
        for (double seconds : {100.0, 10.0, 12.0, 11.0, 1.0})
            runs << run(1, seconds, seconds);
        const SpeedupRow row = speedupTable(runs).first();
        QCOMPARE(row.runs, 5);
        QCOMPARE(row.meanTimeS, 11.0);
        QCOMPARE(row.meanEpochs, 11.0); // of the same three runs
        QVERIFY(row.timeLowS < 11 && row.timeHighS > 11);
        // Winsorised 10 10 11 12 12: s = 1; t(2) = 4.3027; h = 4.3027 * 1 / (0.6 * sqrt(5)).
        QVERIFY(std::abs(row.timeHighS - 11 - 4.30265272975 / (0.6 * std::sqrt(5.0))) < 1e-8);
    }

    /// A time is not below 0, however far its repeats lie apart.
    void noIntervalBelowZero()
    {
        const SpeedupRow row = speedupTable({run(1, 1, 4), run(1, 100, 4)}).first();
        QCOMPARE(row.timeLowS, 0.0);
        QVERIFY(row.timeHighS > 100);
    }

    void intervalsNeedTwoRuns()
    {
        const QList<SpeedupRow> one = speedupTable({run(1, 20, 4), run(2, 10, 4)});
        QVERIFY(std::isnan(one[0].timeLowS) && std::isnan(one[1].speedupLow));
        QCOMPARE(one[1].speedup, 2.0);
        const QList<SpeedupRow> two =
            speedupTable({run(1, 20, 4), run(1, 20.2, 4), run(2, 10, 4), run(2, 10.1, 4)});
        QVERIFY(two[1].speedupLow < two[1].speedup && two[1].speedup < two[1].speedupHigh);
    }

    /// Epochs, samples/s and batches that a run does not tell are not 0 of them.
    void whatIsNotTold()
    {
        QList<RunRecord> runs{run(1, 100, 10), run(1, 100, 0, 0), run(1, 100, 0), run(2, 50, 10)};
        runs[0].throughput = 1000;
        runs[3].throughput = 2000;
        const QList<SpeedupRow> rows = speedupTable(runs);
        QCOMPARE(rows.size(), 3);
        QCOMPARE(rows[0].globalBatch, 0);
        QVERIFY(std::isnan(rows[0].meanEpochs));
        QVERIFY(std::isnan(rows[1].meanEpochs)); // one of two tells
        QCOMPARE(rows[1].meanSamplesPerSecond, 1000.0);
        QCOMPARE(rows[2].speedup, 2.0);
        QVERIFY(std::isnan(rows[2].epochsRatio) && std::isnan(rows[2].stepTimeRatio));
        QCOMPARE(rows[2].throughputRatio, 2.0);
        QVERIFY(rows[2].remark.isEmpty()); // 128 is no other batch than one not told
        QVERIFY(explainRow(rows[2]).endsWith(QStringLiteral("needed is not known.")));
        const QList<SpeedupRow> none = speedupTable({run(1, 100, 10), run(2, 50, 0)});
        QVERIFY(std::isnan(none[1].epochsRatio) && std::isnan(none[1].stepTimeRatio));
        QVERIFY(std::isnan(none[1].throughputRatio));
    }

    /// Runs of unknown size may be of any: no mean over them, no speedup, no baseline.
    /// Nothing is known of it, and it says nothing about the others.
    void unreadableRunsAreInNoSeries()
    {
        const QList<RunRecord> good{run(1, 20, 4), run(2, 10, 4)};
        QList<RunRecord> runs = good;
        RunRecord broken;
        broken.state = RunState::Unreadable;
        broken.config.workers = broken.config.nodes = 0;
        broken.setup.insert(QStringLiteral("compute_precision"), QStringLiteral("fp32"));
        runs.insert(1, broken);
        const RunSeries series(runs);
        QCOMPARE(series.count(), 1);
        QCOMPARE(series.seriesOf(1), -1);
        QCOMPARE(series.seriesOf(2), 0);
        QCOMPARE(series.label(0), RunSeries(good).label(0));
        QVERIFY(series.label(-1).isEmpty() && series.parts(-1).isEmpty());
        const QList<SpeedupRow> rows = speedupTable(runs);
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[1].speedup, 2.0);
        QCOMPARE(runCells(runs).size(), 2);
        QVERIFY(verifyRuns({broken}, good, 0.1).items.isEmpty());
        QCOMPARE(groupsOf(runs, {}).size(), 2);
    }

    void unknownNumbersOfWorkers()
    {
        const QList<RunRecord> runs{run(0, 100, 10), run(0, 10, 10), run(2, 60, 10),
                                    run(4, 40, 10)};
        const QList<SpeedupRow> rows = speedupTable(runs);
        QCOMPARE(rows.size(), 4);
        for (int i = 0; i < 2; ++i) {
            QVERIFY(!rows[i].knowsWorkers());
            QCOMPARE(rows[i].runs, 1);
            QCOMPARE(rows[i].meanTimeS, i == 0 ? 100.0 : 10.0);
            QVERIFY(std::isnan(rows[i].speedup) && std::isnan(rows[i].efficiency));
            QVERIFY(std::isnan(rows[i].timeLowS) && !rows[i].baseline);
            QVERIFY(rows[i].remark.contains(QStringLiteral("not known")));
            QVERIFY(explainRow(rows[i]).startsWith(QStringLiteral("How many workers")));
        }
        QVERIFY(rows[2].baseline);
        QCOMPARE(rows[3].speedup, 1.5);
    }

    /// Logs of two systems on as many workers are no repeats; a larger one goes on with the series.
    void systemsOfLogs()
    {
        const auto log = [](const char* system, int workers, double seconds) {
            RunRecord r = run(workers, seconds, 4);
            r.origin = QStringLiteral("imported: MLPerf log");
            r.setup = {{QStringLiteral("system"), QLatin1String(system)}};
            return r;
        };
        const QList<SpeedupRow> grown = speedupTable({log("box", 8, 100), log("box_n2", 16, 50)});
        QCOMPARE(grown.size(), 2);
        QCOMPARE(grown[1].speedup, 2.0);
        const QList<SpeedupRow> two =
            speedupTable({log("box", 8, 100), log("case", 8, 200), log("box_n2", 16, 50)});
        QCOMPARE(two.size(), 3);
        for (const SpeedupRow& row : two)
            QCOMPARE(row.runs, 1);
    }

    void whatDoesNotCount()
    {
        RunRecord over = run(8, 5, 4);
        over.config.oversubscribed = true;
        const QList<SpeedupRow> rows =
            speedupTable({run(1, 30, 4, 128, RunState::Failed), run(2, 20, 4),
                          run(2, 25, 4, 128, RunState::NotConverged), run(4, 10, 4), over});
        QCOMPARE(rows.size(), 4);
        QCOMPARE(rows[0].runs, 0);
        QCOMPARE(rows[0].notConverged, 1);
        QVERIFY(std::isnan(rows[0].speedup));
        QVERIFY(rows[1].baseline); // the smallest count with a completed run
        QCOMPARE(rows[1].notConverged, 1);
        QCOMPARE(rows[2].speedup, 2.0);
        QCOMPARE(rows[2].efficiency, 1.0);
        QVERIFY(rows[3].oversubscribed && std::isnan(rows[3].speedup));
        QCOMPARE(rows[3].runs, 1); // that its time is of
        QVERIFY(!rows[3].counts() && rows[2].counts() && !rows[0].counts());
        // Alone it is no baseline either.
        QVERIFY(!speedupTable({over}).first().baseline);
        QVERIFY(!rows[3].remark.isEmpty());
        QVERIFY(std::isnan(rows[3].throughputRatio));
    }

    void unknownEpochsHaveNoRatio()
    {
        RunRecord base = run(1, 30, 4);
        base.evals.clear();
        const QList<SpeedupRow> rows = speedupTable({base, run(2, 15, 4)});
        QCOMPARE(rows[1].speedup, 2.0);
        for (const SpeedupRow& row : rows)
            QVERIFY(std::isnan(row.epochsRatio) && std::isnan(row.stepTimeRatio));
    }

    void throughputIsComparedWithoutATarget()
    {
        RunRecord slow = run(1, 30, 4, 128, RunState::NotConverged);
        RunRecord fast = run(2, 20, 4, 128, RunState::NotConverged);
        slow.throughput = 100;
        fast.throughput = 190;
        const QList<SpeedupRow> rows = speedupTable({slow, fast});
        QCOMPARE(rows[1].throughputRatio, 1.9);
        QVERIFY(std::isnan(rows[1].speedup));
        QCOMPARE(rows[0].missedTimeS, 30.0);
        slow.pausedMs = 12'000; // that it lay stopped is no training
        QCOMPARE(speedupTable({slow, fast})[0].missedTimeS, 30.0);
    }

    void groupsAreNamedByWhatDiffers()
    {
        RunRecord bf16 = run(1, 10, 4);
        bf16.config.precision = QStringLiteral("bf16");
        QList<SpeedupRow> rows = speedupTable({run(1, 20, 4), bf16});
        QCOMPARE(rows[0].group, QStringLiteral("fp32"));
        QCOMPARE(rows[1].group, QStringLiteral("bf16"));
        QVERIFY(rows[0].baseline && rows[1].baseline);
        RunRecord other = run(1, 10, 4);
        other.config.model = QStringLiteral("resnet56");
        rows = speedupTable({other, bf16});
        QCOMPARE(rows[0].group, QStringLiteral("resnet56, fp32"));
        QVERIFY(speedupTable({}).isEmpty());
    }

    void sentences()
    {
        QLocale::setDefault(QLocale::c());
        const QList<SpeedupRow> rows = speedupTable({run(1, 20, 8), run(2, 8, 4), run(4, 8, 16)});
        QVERIFY(explainRow(rows[0]).contains(QStringLiteral("baseline")));
        QCOMPARE(
            explainRow(rows[1]),
            QStringLiteral(
                "2.50 times as fast with 2 workers (125 % efficiency): every epoch is "
                "trained 1.25 times as fast, and 50.0 % fewer epochs were needed, which is not the "
                "hardware's doing."));
        QVERIFY(explainRow(rows[2]).contains(QStringLiteral("2.00 times as many epochs")));
        SpeedupRow unknown = rows[1]; // published results often do not tell
        unknown.epochsRatio = unknown.stepTimeRatio = std::nan("");
        QCOMPARE(explainRow(unknown),
                 QStringLiteral("2.50 times as fast with 2 workers (125 % efficiency). How many "
                                "epochs were needed is not known."));
        SpeedupRow worse = rows[1];
        worse.epochsRatio = worse.stepTimeRatio = 0.5;
        QVERIFY2(
            explainRow(worse).contains(QStringLiteral("as long, and 2.00 times as many epochs")),
            qPrintable(explainRow(worse)));
    }
};

QTEST_GUILESS_MAIN(AnalysisTest)
#include "analysis_test.moc"
