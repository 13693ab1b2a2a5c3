// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of runs against one another, and claims of others. Intervals against values worked
// out in a few lines of Python and a printed table of t.

#include "analysis/claim.h"
#include "analysis/compare.h"

#include <QJsonArray>
#include <QTest>

#include <cmath>

using namespace scalebench;

namespace {

RunRecord runOf(double seconds, int workers = 2, const char* workload = "resnet")
{
    RunRecord run;
    run.config.workload = QLatin1String(workload);
    run.config.workers = workers;
    run.config.globalBatch = 128;
    run.config.precision = QStringLiteral("fp32");
    run.state = seconds > 0 ? RunState::Completed : RunState::Failed;
    run.runStartMs = 1000;
    run.runStopMs = 1000 + seconds * 1000;
    run.throughput = 1000 / std::max(seconds, 1.0);
    return run;
}

RunGroup groupOf(const char* name, const QList<double>& seconds, int workers = 2)
{
    RunGroup group{QString::fromLatin1(name), {}};
    for (const double s : seconds)
        group.runs << runOf(s, workers);
    return group;
}

} // namespace

class CompareTest : public QObject
{
    Q_OBJECT
private slots:
    void ratioAndInterval()
    {
        const QList<RunGroup> groups{groupOf("A", {100, 104, 96, 102}),
                                     groupOf("B", {120, 131, 118})};
        const Comparison c = compareGroups(groups);
        QCOMPARE(c.times.size(), 1);
        const ComparedTime& t = c.times.first();
        QCOMPARE(t.baselineS, 100.5);
        QCOMPARE(t.timeS, 123.0);
        QVERIFY(std::abs(t.ratio - 123.0 / 100.5) < 1e-12);
        // s/m/sqrt(n) of both: 0.0169933, 0.0328573; the root of their squares' sum 0.0369916;
        // Satterthwaite's freedom 3.07, taken as 3; t = 3.182446.
        QVERIFY2(std::abs(std::log(t.high / t.ratio) - 3.182446 * 0.0369916) < 1e-6,
                 qPrintable(QString::number(std::log(t.high / t.ratio))));
        QVERIFY(std::abs(t.low * t.high - t.ratio * t.ratio) < 1e-9);
        const QString text = comparedText(t, groups);
        QVERIFY2(
            text.startsWith(QStringLiteral("resnet, 2 workers: B takes 1.22 times as long as A")),
            qPrintable(text));
        const QList<RunGroup> apart{groups[0], groupOf("B", {0.12})};
        QVERIFY(comparedText(compareGroups(apart).times.first(), apart)
                    .contains(QStringLiteral("B takes 0.0012 times as long")));
    }

    /// The means of results and reports: from five repeats up without the best and the worst.
    void fiveRepeatsHaveTheOlympicMean()
    {
        const ComparedTime t = compareGroups({groupOf("A", {100, 102, 104, 60, 190}),
                                              groupOf("B", {120, 118, 122, 119, 200})})
                                   .times.first();
        QCOMPARE(t.baselineS, 102.0);
        QVERIFY(std::abs(t.timeS - (119 + 120 + 122) / 3.0) < 1e-12);
        QVERIFY(std::abs(t.ratio - t.timeS / t.baselineS) < 1e-12);
        QVERIFY(t.low > 1); // what was dropped is not in the interval either
    }

    void chanceIsSaid()
    {
        const QList<RunGroup> groups{groupOf("A", {100, 120}), groupOf("B", {105, 118})};
        QVERIFY(comparedText(compareGroups(groups).times.first(), groups)
                    .contains(QStringLiteral("no more than chance")));
    }

    void unfairnessIsSaid()
    {
        RunGroup other = groupOf("B", {90});
        other.runs[0].config.globalBatch = 256;
        other.runs[0].config.dataSource = QStringLiteral("synthetic");
        other.runs[0].origin = QStringLiteral("imported: MLPerf log");
        const QList<RunGroup> groups{groupOf("A", {100}), other};
        const ComparedTime t = compareGroups(groups).times.first();
        for (const char* caution : {"other batch", "other data", "other implementation or origin",
                                    "one run only", "synthetic data"})
            QVERIFY2(t.cautions.contains(QLatin1String(caution)),
                     qPrintable(t.cautions.join(u'|')));
        QVERIFY(std::isnan(t.low));
    }

    void onlyWhatDiffers()
    {
        RunGroup a = groupOf("A", {100}), b = groupOf("B", {100});
        a.runs[0].config.json = {{QStringLiteral("seed"), 1},
                                 {QStringLiteral("run_id"), QStringLiteral("x")}};
        b.runs[0].config.json = {{QStringLiteral("seed"), 2},
                                 {QStringLiteral("run_id"), QStringLiteral("y")}};
        const auto node = [](const char* kernel, double load) {
            return QJsonObject{
                {QStringLiteral("nodes"),
                 QJsonArray{QJsonObject{{QStringLiteral("kernel"), QLatin1String(kernel)},
                                        {QStringLiteral("os"), QStringLiteral("same")},
                                        {QStringLiteral("load_average"), QJsonArray{load}}}}}};
        };
        a.system = node("6.1", 0.1);
        b.system = node("6.12", 0.9);
        const Comparison c = compareGroups({a, b});
        QCOMPARE(c.settings.size(), 1);
        QCOMPARE(c.settings[0].path, QStringLiteral("seed"));
        QCOMPARE(c.settings[0].values, (QStringList{QStringLiteral("1"), QStringLiteral("2")}));
        QCOMPARE(c.environment.size(), 1);
        QCOMPARE(c.environment[0].path, QStringLiteral("kernel"));
    }

    /// An imported result has no run.json; what was told of it differs all the same.
    void whatImportsTellDiffers()
    {
        RunGroup a = groupOf("A", {100}), b = groupOf("B", {100});
        for (RunGroup* group : {&a, &b}) {
            RunRecord& run = group->runs[0];
            run.origin = QStringLiteral("imported: MLPerf log");
            run.config.precision.clear();
            run.config.nodes = group == &a ? 1 : 0; // not told
            run.config.device = group == &a ? QStringLiteral("A100") : QStringLiteral("H100");
            run.setup.insert(QStringLiteral("submitter"),
                             group == &a ? QStringLiteral("one") : QStringLiteral("other"));
        }
        const Comparison c = compareGroups({a, b}, Listed::All);
        QMap<QString, QStringList> told;
        for (const ComparedValue& value : c.settings + c.environment)
            told.insert(value.path, value.values);
        QCOMPARE(told.value(QStringLiteral("device")),
                 (QStringList{QStringLiteral("A100"), QStringLiteral("H100")}));
        QCOMPARE(told.value(QStringLiteral("nodes")),
                 (QStringList{QStringLiteral("1"), QString()}));
        QCOMPARE(told.value(QStringLiteral("submitter")),
                 (QStringList{QStringLiteral("one"), QStringLiteral("other")}));
        QVERIFY(!told.contains(QStringLiteral("precision")));
        QVERIFY(!c.times[0].cautions.join(u' ').contains(QStringLiteral("number of nodes")));
    }

    void otherWorkerCountsWhereChosen()
    {
        const QList<RunGroup> groups{groupOf("A", {100, 101}, 1), groupOf("B", {52, 53}, 2)};
        const Comparison c = compareGroups(groups);
        QCOMPARE(c.times.size(), 1);
        QVERIFY(c.times[0].cautions.contains(QStringLiteral("2 worker(s) against 1")));
        // Not where the first group has several: then it is another cell.
        RunGroup both = groups[0];
        both.runs << runOf(50, 4);
        QVERIFY(compareGroups({both, groups[1]}).times.isEmpty());
    }

    /// Different settings are never averaged: B is faster in both.
    void eachSeriesByItself()
    {
        const auto group = [](const char* name, const QList<double>& off, const QList<double>& on) {
            RunGroup made{QString::fromLatin1(name), {}};
            for (const QList<double>* seconds : {&off, &on})
                for (const double s : *seconds) {
                    RunRecord run = runOf(s);
                    run.config.runId = QStringLiteral("%1 %2").arg(made.name).arg(s);
                    run.config.json = {{QStringLiteral("options"),
                                        QJsonObject{{QStringLiteral("overlap"), seconds == &on}}}};
                    made.runs << run;
                }
            return made;
        };
        QList<RunGroup> groups{group("A", {101, 102, 103}, {41, 42, 43}),
                               group("B", {91, 92, 93}, {37})};
        const Comparison c = compareGroups(groups);
        QCOMPARE(c.times.size(), 2);
        QCOMPARE(c.times[0].ratio, 92.0 / 102);
        QCOMPARE(c.times[1].ratio, 37.0 / 42);
        QVERIFY(c.unmatched.isEmpty());
        QVERIFY(comparedText(c.times[1], groups)
                    .startsWith(QStringLiteral("resnet, 2 workers, overlap on: B takes 0.88 ")));
        groups[1] = group("B", {91, 92}, {});
        const Comparison one = compareGroups(groups);
        QCOMPARE(one.times.size(), 1);
        QCOMPARE(one.times[0].ratio, 91.5 / 102);
        QCOMPARE(one.unmatched,
                 QStringList{QStringLiteral(
                     "Only in A, so not compared with B: resnet, 2 workers, overlap on.")});
    }

    void eachShapeAndBatchByItself()
    {
        RunGroup a = groupOf("A", {51, 52, 101, 102}), b = groupOf("B", {51, 52});
        a.runs[2].config.nodes = a.runs[3].config.nodes = 2;
        const Comparison shapes = compareGroups({a, b});
        QCOMPARE(shapes.times.size(), 1);
        QCOMPARE(shapes.times[0].ratio, 1.0);
        QCOMPARE(shapes.unmatched.size(), 1);
        QVERIFY(shapes.unmatched[0].endsWith(QStringLiteral("resnet, 2 workers, 2 nodes.")));
        for (RunRecord& run : a.runs) {
            run.config.globalBatch = run.config.nodes == 2 ? 256 : 128;
            run.config.nodes = 1;
        }
        QCOMPARE(compareGroups({a, b}).times.size(), 1);
        QCOMPARE(compareGroups({a, b}).times[0].ratio, 1.0);
        // Of one shape each it is said.
        b.runs[0].config.nodes = b.runs[1].config.nodes = 2;
        const ComparedTime t = compareGroups({groupOf("A", {51, 52}), b}).times.first();
        QVERIFY(t.cautions.contains(QStringLiteral("other number of nodes")));
    }

    /// Runs of unknown size are no repeats of one another.
    void unknownNumbersOfWorkers()
    {
        const QList<RunGroup> several{groupOf("A", {100, 10}, 0), groupOf("B", {40}, 0)};
        const Comparison none = compareGroups(several);
        QVERIFY(none.times.isEmpty());
        QVERIFY2(
            none.unmatched.first().contains(QStringLiteral("resnet, number of workers not known")),
            qPrintable(none.unmatched.first()));
        // One on each side: a person knows what they are.
        const QList<RunGroup> one{groupOf("A", {100}, 0), groupOf("B", {40}, 0)};
        const Comparison c = compareGroups(one);
        QCOMPARE(c.times.size(), 1);
        const QString text = comparedText(c.times.first(), one);
        QVERIFY2(text.contains(QStringLiteral("takes 0.40 times as long")), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("0 workers")), qPrintable(text));
        QVERIFY(c.times.first().cautions.contains(QStringLiteral("number of workers not known")));
    }

    void nothingToCompare()
    {
        QVERIFY(compareGroups({}).times.isEmpty());
        QVERIFY(compareGroups({groupOf("A", {1})}).times.isEmpty());
        const QList<RunGroup> failed{groupOf("A", {0}), groupOf("B", {0})};
        const ComparedTime t = compareGroups(failed).times.first();
        QVERIFY(std::isnan(t.ratio));
        QVERIFY(comparedText(t, failed).contains(QStringLiteral("no time on both sides")));
    }

    /// Neither a time nor samples/s are taken of a run that its stream contradicts.
    void contradictedRuns()
    {
        QList<RunGroup> groups{groupOf("A", {100, 100}), groupOf("B", {100, 1})};
        groups[1].runs[1].stopStatus = QStringLiteral("aborted");
        const ComparedTime t = compareGroups(groups).times.first();
        QCOMPARE(t.ratio, 1.0);
        QCOMPARE(t.throughputRatio, 1.0);
    }

    void repeats()
    {
        QCOMPARE(repeatsToResolve(0.063, 0.05), 13); // 2 (1.96 * 1.26)^2 = 12.2
        QCOMPARE(repeatsToResolve(0.01, 0.05), 2);
        QCOMPARE(repeatsToResolve(0, 0.05), 2);
        QCOMPARE(repeatsToResolve(0.5, std::nan("")), 2);
    }

    void claims_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("efficiency");
        QTest::newRow("arrows") << QStringLiteral("8→32 GPUs, 31.5→10.67 min") << 31.5 / 10.67 / 4;
        QTest::newRow("words") << QStringLiteral("90 to 26 s when going from 1 to 4 nodes")
                               << 90.0 / 26 / 4;
        QTest::newRow("units twice")
            << QStringLiteral("1 GPU -> 8 GPUs: 10h -> 1.5h") << 10 / 1.5 / 8;
        QTest::newRow("hours to minutes")
            << QStringLiteral("from 1 to 8 GPUs, 2 h to 20 min") << 120.0 / 20 / 8;
        QTest::newRow("seconds to minutes")
            << QStringLiteral("1→8 GPUs, 90 s → 1.5 min") << 1.0 / 8;
        QTest::newRow("days to hours") << QStringLiteral("2 days to 6 hours, 1→8 nodes") << 1.0;
        QTest::newRow("thousands") << QStringLiteral("8→16 GPUs, 1,200→700 s") << 1200.0 / 700 / 2;
        QTest::newRow("thousands of counts")
            << QStringLiteral("1,024→4,096 chips, 40→12.5 min") << 40 / 12.5 / 4;
        QTest::newRow("decimal comma")
            << QStringLiteral("1→8 GPUs, 31,5 → 10 min") << 31.5 / 10 / 8;
        QTest::newRow("hours and minutes")
            << QStringLiteral("from 8 to 16 GPUs: 1 h 20 min to 45 min") << 80.0 / 45 / 2;
        QTest::newRow("both of two parts")
            << QStringLiteral("1h20min → 2 min 30 s on 1→64 GPUs") << 80.0 / 2.5 / 64;
        QTest::newRow("a clock") << QStringLiteral("1→2 nodes, 1:20:00 to 45:00") << 80.0 / 45 / 2;
        QTest::newRow("a clock of hours")
            << QStringLiteral("1→2 nodes, 1:20 h to 45 min") << 80.0 / 45 / 2;
        QTest::newRow("a clock of minutes")
            << QStringLiteral("1→2 nodes, 2:30 to 100 s") << 150.0 / 100 / 2;
        QTest::newRow("each count with its time")
            << QStringLiteral("8 GPUs in 31.5 minutes, 32 GPUs in 10.67 minutes")
            << 31.5 / 10.67 / 4;
        QTest::newRow("each with a time of parts")
            << QStringLiteral("1 node: 1 h 20 min; 4 nodes: 25 min") << 80.0 / 25 / 4;
        QTest::newRow("no part of a name")
            << QStringLiteral("A100: 1→8 GPUs, 31.5→10 min") << 31.5 / 10 / 8;
    }

    void claims()
    {
        QFETCH(QString, text);
        QFETCH(double, efficiency);
        const Result<Claim> claim = checkClaim(text);
        QVERIFY2(claim.ok(), claim.ok() ? "" : qPrintable(claim.failure().message));
        QVERIFY(std::abs(claim.value().efficiency() - efficiency) < 1e-12);
        QVERIFY(!claim.value().missing.isEmpty());
    }

    void whatAClaimSaysIsNotAsked()
    {
        const auto missing = [](const char* text) {
            return checkClaim(QString::fromUtf8(text)).value().missing;
        };
        QCOMPARE(missing("8→32 GPUs, 31.5→10.67 min").size(), 5);
        QVERIFY(
            missing("8→32 GPUs on 1 and 4 nodes with InfiniBand, batch 3264, 3 epochs to 75.9 % "
                    "accuracy in bf16, median of 5 runs: 31.5→10.67 min")
                .isEmpty());
        QVERIFY(checkClaim(QStringLiteral("1→2 GPUs, 10→4 min"))
                    .value()
                    .fair.contains(QStringLiteral("More than the ideal")));
    }

    void timesAreToldAsTheyWereWritten()
    {
        const auto fair = [](const char* text) {
            return checkClaim(QString::fromUtf8(text)).value().fair;
        };
        QVERIFY(
            fair("1 to 8 GPUs, 2 h to 20 min").contains(QLatin1String("from 2 h to 20 min: 6")));
        QVERIFY(fair("1→8 GPUs, 31.5→10 min").contains(QLatin1String("from 31.5 to 10 min: 3.15")));
        QVERIFY(fair("from 8 to 16 GPUs: 1 h 20 min to 45 min")
                    .contains(QLatin1String("went from 1 h 20 min to 45 min: 1.78 times as fast")));
        QVERIFY(fair("8→16 GPUs, 20→45 min")
                    .contains(QLatin1String("went from 20 to 45 min: 0.44 times as fast")));
    }

    void unitsMustAgree()
    {
        const auto claim = checkClaim(QStringLiteral("1 GPU to 8 nodes, 80 to 12 min"));
        QVERIFY(!claim.ok());
        QCOMPARE(
            claim.failure().message,
            QStringLiteral("\"1 GPU to 8 nodes\" counts GPU on one side and nodes on the other: "
                           "give both in the same unit."));
    }

    void noClaims()
    {
        for (const char* text :
             {"", "fast", "8→32 GPUs", "31.5→10.67 min", "32→8 GPUs, 1→2 min", "0→8 GPUs, 1→2 min",
              "1→2 GPUs, 1→0 min", "1..2→3.4.5 GPUs, 1→2 s", "1→8 GPUs, 1.200,5→700 s",
              "1→8 GPUs, 1,2345→700 s", "A100→8 GPUs, 20→10 s", "1.5→8 GPUs, 10→5 min",
              "1 GPU in 9 s, 2 GPUs in 5 s, 4 GPUs in 3 s", "8 GPUs in 9 s, 2 GPUs in 5 s"})
            QVERIFY2(!checkClaim(QString::fromUtf8(text)).ok(), text);
        for (const char* chain : {"1→4→8 GPUs, 40→7 min", "1→8 GPUs, 40→12→7 min",
                                  "1 to 4 GPUs, 40 min to 12 min to 7 min"})
            QVERIFY2(!checkClaim(QString::fromUtf8(chain)).ok(), chain);
        QVERIFY(!checkClaim(QString(1 << 20, u'8')).ok());
    }
};

QTEST_GUILESS_MAIN(CompareTest)
#include "compare_test.moc"
