// SPDX-License-Identifier: GPL-3.0-or-later
// Advice from invented and published times; what it should say was worked out by hand.
#include "analysis/advice.h"

#include <QTest>

#include <cmath>

using namespace scalebench;

namespace {

RunRecord run(int workers, double seconds, int repeat = 1, double epochs = 10)
{
    RunRecord r;
    r.config.runId = QStringLiteral("w%1-r%2").arg(workers).arg(repeat);
    r.config.workload = QStringLiteral("ncf");
    r.config.precision = QStringLiteral("fp32");
    r.config.batchPolicy = QStringLiteral("strong");
    r.config.workers = workers;
    r.config.repeat = repeat;
    r.config.globalBatch = 1024;
    r.config.epochs = int(epochs);
    r.state = RunState::Completed;
    r.runStartMs = 1000;
    r.runStopMs = 1000 + seconds * 1000;
    EvalPoint end;
    end.epoch = epochs;
    end.seconds = seconds;
    r.evals << end;
    return r;
}

/// A DGX-1 on NCF, as published: 1.76, 1.00 and 0.63 minutes.
QList<RunRecord> published()
{
    QList<RunRecord> runs{run(1, 105.6), run(4, 60), run(8, 37.8)};
    for (RunRecord& r : runs)
        r.origin = QStringLiteral("published");
    return runs;
}

Advice adviceOn(const QList<RunRecord>& runs, const AdviceQuestion& question = {})
{
    const QStringList groups = adviceGroups(runs);
    return groups.size() == 1 ? advise(runs, groups.first(), question) : Advice();
}

QList<int> countsOf(const Advice& advice)
{
    QList<int> counts;
    for (const AdviceRow& row : advice.rows)
        counts << row.workers();
    return counts;
}

bool says(const QStringList& sentences, const char* part)
{
    return sentences.join(u'\n').contains(QLatin1StringView(part));
}

} // namespace

class AdviceTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    /// The reference article's own advice: copies on one GPU each, 2.86 times as many a day.
    void copiesInsteadOfOneJob()
    {
        const Advice advice = adviceOn(published());
        QCOMPARE(countsOf(advice), (QList<int>{1, 4, 8}));
        QVERIFY(advice.copiesPay());
        const AdviceRow& most = advice.rows[advice.mostPerDay];
        QCOMPARE(most.copies, 8);
        QVERIFY(std::abs(most.perDay - 8 * 1440 / 1.76) < 0.01);
        QVERIFY(std::abs(advice.rows[2].perDay - 1440 / 0.63) < 0.01);
        QCOMPARE(advice.rows[1].copies, 2);
        QVERIFY(advice.copiesSentence.contains(QStringLiteral("8 copies on 1 worker each")));
        QVERIFY(advice.copiesSentence.contains(QStringLiteral("6545 a day instead of 2286")));
        QVERIFY(advice.copiesSentence.contains(QStringLiteral("measured alone")));
        QCOMPARE(advice.sentence,
                 QStringLiteral("Use 8 workers: 37.8 s a training is the fastest that was "
                                "measured; with 4 workers it takes 1 min 0 s."));
        QCOMPARE(advice.rows[advice.cheapest].workers(), 1);
        QCOMPARE(advice.numbers.size(), 3);
        // Others' results cannot be run again, and these do not follow the rule: 83 % off.
        QVERIFY(!advice.next);
        QVERIFY(advice.model && advice.model->error() > 0.5);
        QVERIFY(advice.predicted.isEmpty());
        QVERIFY(says(advice.doubts, "are not foretold"));
    }

    void fewerWorkersWithNineTenthsOfTheSpeed()
    {
        const Advice advice = adviceOn({run(1, 100), run(2, 60), run(4, 50), run(8, 46)});
        QCOMPARE(advice.rows[advice.chosen].workers(), 4);
        QCOMPARE(advice.sentence, QStringLiteral("Use 4 workers: 92 % of the speed of 8 workers, "
                                                 "50.0 s a training instead of 46.0 s."));
        QVERIFY(says(advice.why, "2.00 times as fast with 4 workers (50 % efficiency)"));
        // 8 copies of 1: 8 * 86400 / 100; one after another on 8 workers: 86400 / 46.
        QVERIFY(advice.copiesSentence.contains(QStringLiteral("6912 a day instead of 1878")));
    }

    void deadline()
    {
        const QList<RunRecord> runs{run(1, 100), run(2, 60), run(4, 50)};
        Advice advice = adviceOn(runs, {.deadlineS = 70});
        QCOMPARE(advice.rows[advice.chosen].workers(), 2); // 120 worker-seconds against 200
        QVERIFY(
            advice.sentence.startsWith(QStringLiteral("To be done in 1 min 10 s, use 2 workers")));
        advice = adviceOn(runs, {.deadlineS = 200});
        QCOMPARE(advice.rows[advice.chosen].workers(), 1);
        // A node costs the same whatever is used of it: the fastest is the cheapest.
        advice = adviceOn(runs, {.deadlineS = 200, .pricePerNodeHour = 7.2});
        QCOMPARE(advice.rows[advice.chosen].workers(), 4);
        QVERIFY(std::abs(advice.rows[advice.chosen].cost - 0.1) < 1e-9);
        QVERIFY2(advice.sentence.contains(QStringLiteral("in the price's currency).")) &&
                     !advice.sentence.contains(QStringLiteral("((")) &&
                     !advice.sentence.contains(QStringLiteral("))")),
                 qPrintable(advice.sentence));
        advice = adviceOn(runs, {.deadlineS = 40});
        QVERIFY(!advice.meetsDeadline);
        QCOMPARE(advice.sentence,
                 QStringLiteral("No measured number of workers is done in 40.0 s: the fastest, 4 "
                                "workers, takes 50.0 s."));
        // Rounded, not cut; and where both are rounded to the same, in seconds.
        const QList<RunRecord> hours{run(1, 8000), run(2, 4433)};
        QCOMPARE(adviceOn(hours, {.deadlineS = 73.2 * 60}).sentence,
                 QStringLiteral("No measured number of workers is done in 1 h 13 min: the fastest, "
                                "2 workers, takes 1 h 14 min."));
        QVERIFY2(adviceOn(hours, {.deadlineS = 4420})
                     .sentence.contains(
                         QStringLiteral("in 4420.0 s: the fastest, 2 workers, takes 4433.0 s.")),
                 qPrintable(adviceOn(hours, {.deadlineS = 4420}).sentence));
        QVERIFY(!adviceOn(hours, {.deadlineS = 6e-8}).sentence.contains(QStringLiteral("0.0 s")));
        // Its interval reaches beyond.
        advice = adviceOn({run(1, 100), run(2, 55, 1), run(2, 65, 2)}, {.deadlineS = 61});
        QVERIFY(advice.sentence.contains(QStringLiteral("it may miss")));
    }

    /// CV of 6.3 % and 5 %: 2 (1.96 x 6.3 / 5)^2 = 12.2, so 13 runs.
    void repeatsNeeded()
    {
        // Two runs at 1 +- x have a standard deviation of x sqrt(2).
        const double x = 0.063 / std::sqrt(2);
        QList<RunRecord> runs;
        for (const int workers : {1, 2})
            for (const int repeat : {1, 2})
                runs << run(workers, 100.0 / workers * (repeat == 1 ? 1 - x : 1 + x), repeat);
        const Advice advice = adviceOn(runs);
        QVERIFY(std::abs(advice.variation - 0.063) < 1e-9);
        QCOMPARE(advice.repeatsNeeded, 13);
        QVERIFY(says(advice.doubts, "needs 13 runs; the fewest have 2"));
        QCOMPARE(adviceOn(runs, {.resolve = 0.2}).repeatsNeeded, 2);
        QVERIFY(says(adviceOn(runs, {.resolve = 0.2}).doubts,
                     "the 2 runs of each number of workers tell"));
    }

    /// A run that its stream contradicts is said where it would have counted.
    void leftOutRunsAreSaid()
    {
        QList<RunRecord> runs{run(1, 100), run(2, 60), run(2, 58, 2)};
        runs.last().runStartMs = runs.last().runStopMs = 0; // its stream is gone
        QVERIFY(says(adviceOn(runs).why, "With 2 workers, runs left out as their streams "
                                         "contradict them: 1."));
    }

    /// The price of a node says nothing where their number is not known; nor is there a price for
    /// some of the counts only.
    void unknownNodesHaveNoPrice()
    {
        QList<RunRecord> runs{run(1, 100), run(2, 60), run(4, 50)};
        QVERIFY(std::isfinite(adviceOn(runs, {.pricePerNodeHour = 10}).rows.first().cost));
        runs[1].config.nodes = 0;
        const Advice advice = adviceOn(runs, {.pricePerNodeHour = 10});
        for (const AdviceRow& row : advice.rows)
            QVERIFY(std::isnan(row.cost));
        QCOMPARE(advice.rows[advice.cheapest].workers(), 1); // by worker-hours
        QVERIFY(says(advice.doubts, "The price of a node does not count"));
    }

    void tooLittleIsSaidPlainly()
    {
        QVERIFY(adviceGroups({}).isEmpty());
        const Advice none = advise({}, QString());
        QVERIFY(none.isEmpty());
        QVERIFY(none.sentence.contains(QStringLiteral("no run reached its target")));
        Advice one = adviceOn({run(2, 60)});
        QVERIFY(one.sentence.startsWith(
            QStringLiteral("Only one number of workers was measured: 2 workers, 1 min 0 s")));
        QCOMPARE(one.numbers[1].note, QStringLiteral("whether copies would do more is not known"));
        QVERIFY(one.copiesSentence.isEmpty());
        QVERIFY(one.next);
        QCOMPARE(one.next->workers, (QList<int>{2, 4}));
        QCOMPARE(one.next->repeats, 3);
        QVERIFY(says(one.doubts, "cannot be foretold"));
        // A machine of two has no four.
        one = adviceOn({run(2, 60)}, {.mostWorkers = 2});
        QCOMPARE(one.next->workers, (QList<int>{2, 1}));
        const Advice single = adviceOn({run(1, 100), run(2, 55)});
        QVERIFY(says(single.doubts, "Nothing was repeated"));
        QCOMPARE(single.next->workers, (QList<int>{2, 1}));
        QVERIFY(single.next->text.startsWith(QStringLiteral("Run 1 and 2 workers, repeats: 3")));
    }

    void nextExperiment()
    {
        QList<RunRecord> runs;
        for (const int repeat : {1, 2, 3})
            for (const int workers : {1, 2})
                runs << run(workers, 100.0 / workers + repeat, repeat);
        QCOMPARE(adviceOn(runs).next->workers, QList<int>{4}); // the largest is the best
        QCOMPARE(adviceOn(runs).next->repeats, 3);
        QVERIFY(!adviceOn(runs, {.mostWorkers = 2}).next); // nothing cheap is left to find out
        // Two that are within chance: 2 (1.96 CV / gap)^2.
        QList<RunRecord> close;
        for (const int repeat : {1, 2, 3}) {
            close << run(1, 100 + 4 * repeat, repeat);
            close << run(2, 102 + 4 * repeat, repeat);
        }
        const Advice advice = adviceOn(close);
        QVERIFY(says(advice.doubts, "cannot be told apart"));
        // 1 worker has 98 % of the speed of ... itself: it is the fastest.
        QCOMPARE(advice.rows[advice.chosen].workers(), 1);
    }

    /// The rule holds for these; 16 are foretold, 32 are far and 64 are not.
    void prediction()
    {
        QList<RunRecord> runs;
        for (const int workers : {1, 2, 4, 8})
            runs << run(workers, 10 * (0.5 + 96.0 / workers + 0.25 * std::log2(workers)));
        const Advice advice = adviceOn(runs);
        QVERIFY(advice.model && advice.model->error() < 0.01);
        QList<int> counts;
        for (const PredictedTime& p : advice.predicted)
            counts << p.workers;
        QCOMPARE(counts, (QList<int>{16, 32}));
        QVERIFY(std::abs(advice.predicted[0].timeS - 10 * (0.5 + 6 + 1)) < 0.5);
        QVERIFY(!advice.predicted[0].far);
        QVERIFY(advice.predicted[1].far);
        QVERIFY(says(advice.doubts, "16 workers would take"));
        QVERIFY(!says(advice.doubts, "32 workers would take"));
    }

    void mixedBatchesAreSaid()
    {
        QList<RunRecord> runs{run(1, 100), run(2, 60), run(4, 35), run(8, 20)};
        for (RunRecord& r : runs)
            r.config.batchPolicy = QStringLiteral("table");
        QVERIFY(!says(adviceOn(runs).doubts, "The batch changes"));
        runs[3].config.globalBatch = 4096;
        QVERIFY(
            says(adviceOn(runs).doubts, "The batch changes with the workers, from 1024 to 4096"));
    }

    /// Imported files may not tell how many workers they are of.
    void unknownNumbersOfWorkers()
    {
        const Advice none = adviceOn({run(0, 100), run(0, 50)});
        QVERIFY(none.isEmpty());
        QVERIFY2(none.sentence.contains(QStringLiteral("the number of workers is not known")),
                 qPrintable(none.sentence));
        QCOMPARE(countsOf(adviceOn({run(0, 10), run(1, 100), run(2, 60)})), (QList<int>{1, 2}));
    }

    void whatDoesNotCount()
    {
        QList<RunRecord> runs{run(1, 100), run(2, 60), run(2, 1, 2), run(4, 5)};
        runs[2].state = RunState::NotConverged;
        runs[3].config.oversubscribed = true;
        const Advice advice = adviceOn(runs);
        QCOMPARE(countsOf(advice), (QList<int>{1, 2}));
        QCOMPARE(advice.rows[1].timeS(), 60.0);
        QVERIFY(says(advice.why, "With 2 workers, runs without success that do not count: 1"));
    }

    /// Two copies at once, 1.25 times as slow each as alone; the queue's hand-over is none.
    void copiesMeasuredTogether()
    {
        QList<RunRecord> runs{run(1, 100), run(2, 80), run(1, 125, 2), run(1, 125, 3)};
        const auto at = [](RunRecord& r, double start, double end) {
            r.startedMs = qint64(start * 1000);
            r.finishedMs = qint64(end * 1000);
        };
        at(runs[0], 1, 110);
        at(runs[1], 110, 200);
        at(runs[2], 200, 330);
        at(runs[3], 205, 335);
        const Advice advice = adviceOn(runs);
        QCOMPARE(advice.rows[0].timeS(), 100.0); // alone
        QVERIFY(advice.rows[0].together);
        QCOMPARE(advice.rows[0].together->copies, 2);
        QCOMPARE(advice.rows[0].together->runs, 2);
        QCOMPARE(advice.rows[0].perDay, 2 * 86400 / 125.0);
        QVERIFY(advice.copiesSentence.contains(
            QStringLiteral("do 1382 a day instead of 1080: measured together, each takes 1.25")));
        // On another host they are no copies.
        WorkerInfo elsewhere;
        elsewhere.host = QStringLiteral("other");
        runs[3].workers << elsewhere;
        QVERIFY(!adviceOn(runs).rows[0].together);
        // Where only copies were measured they are all there is.
        runs[3].workers.clear();
        const Advice only = adviceOn({runs[2], runs[3]});
        QCOMPARE(only.rows[0].timeS(), 125.0);
        QVERIFY(!only.rows[0].together);
    }

    void seriesAreToldApart()
    {
        QList<RunRecord> runs{run(1, 100), run(2, 60), run(1, 50), run(2, 20)};
        runs[2].config.precision = runs[3].config.precision = QStringLiteral("bf16");
        const QStringList groups = adviceGroups(runs);
        QCOMPARE(groups.size(), 2);
        QCOMPARE(advise(runs, groups[0], {}).rows[0].timeS(), 100.0);
        QCOMPARE(advise(runs, groups[1], {}).rows[1].timeS(), 20.0);
    }

    /// Two series that look the same, a rate that follows the batch from another start, stay two.
    void seriesOfOneNameAreToldApart()
    {
        const auto weak = [](int workers, double seconds, int batch, double rate) {
            RunRecord r = run(workers, seconds);
            r.config.batchPolicy = QStringLiteral("weak");
            r.config.globalBatch = batch;
            r.config.learningRate = rate;
            return r;
        };
        const QList<RunRecord> runs{weak(1, 100, 1024, 0.1), weak(2, 60, 2048, 0.2),
                                    weak(2, 20, 2048, 0.1)};
        const QStringList groups = adviceGroups(runs);
        QCOMPARE(groups, (QStringList{QStringLiteral("lr 0.1 at batch 1024"),
                                      QStringLiteral("lr 0.1 at batch 2048")}));
        QCOMPARE(countsOf(advise(runs, groups[0])), (QList<int>{1, 2}));
        QCOMPARE(advise(runs, groups[0]).rows[1].timeS(), 60.0);
        QCOMPARE(countsOf(advise(runs, groups[1])), (QList<int>{2}));
    }

    /// Of two shapes of the same number the faster one speaks.
    void theFasterShape()
    {
        QList<RunRecord> runs{run(1, 100), run(4, 40), run(4, 30)};
        runs[1].config.nodes = 2;
        const Advice advice = adviceOn(runs);
        QCOMPARE(countsOf(advice), (QList<int>{1, 4}));
        QCOMPARE(advice.rows[1].timeS(), 30.0);
        QCOMPARE(advice.rows[1].row.nodes, 1);
    }

    void energy()
    {
        QList<RunRecord> runs{run(1, 100), run(2, 60)};
        HostLoad load;
        load.energyJ = 3600;
        runs[0].hostLoads << load;
        QVERIFY(!says(adviceOn(runs).why, "Energy"));
        load.energyJ = 7200;
        runs[1].hostLoads << load;
        QVERIFY(says(adviceOn(runs).why, "Energy of a training: 1.0 Wh with 1 worker, 2.0 Wh with "
                                         "2 workers."));
    }
};

QTEST_GUILESS_MAIN(AdviceTest)
#include "advice_test.moc"
