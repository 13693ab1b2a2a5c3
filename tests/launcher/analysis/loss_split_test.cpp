// SPDX-License-Identifier: GPL-3.0-or-later
// What is lost of the ideal, on two runs whose parts are round numbers.
#include "analysis/loss_evidence.h"

#include <QTest>

#include <cmath>

using namespace scalebench;

namespace {

/// Ten epochs (or `epochs`) of 10 s each: `computeMs` and so on per step of `stepMs`.
struct Parts {
    int epochs = 10;
    double trainS = 8, evalS = 1; ///< per epoch; 1 s of each is the rest
    QList<EpochSplit> ranks;
};

RunRecord runOf(int workers, const Parts& parts)
{
    RunRecord run;
    run.config.workload = QStringLiteral("resnet");
    run.config.workers = workers;
    run.config.globalBatch = 128;
    run.state = RunState::Completed;
    run.runStartMs = 1000;
    run.runStopMs = 1000 + parts.epochs * 10 * 1000.0;
    for (int e = 1; e <= parts.epochs; ++e) {
        EpochSummary epoch;
        epoch.epoch = e;
        epoch.trainS = parts.trainS;
        epoch.evalS = parts.evalS;
        run.epochs << epoch;
        for (EpochSplit split : parts.ranks) {
            split.epoch = e;
            run.splits << split;
        }
        EvalPoint eval;
        eval.epoch = e;
        run.evals << eval;
    }
    return run;
}

EpochSplit splitOf(int rank, double compute, double comm, double input)
{
    EpochSplit split;
    split.rank = rank;
    split.computeMs = compute;
    split.commMs = comm;
    split.inputMs = input;
    split.stepMs = compute + comm + input;
    return split;
}

double lost(const LossShares& shares, LossCause cause)
{
    return shares.lost[static_cast<int>(cause)];
}

bool isNear(double a, double b)
{
    return std::abs(a - b) < 1e-9;
}

} // namespace

class LossSplitTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    /// Both take 100 s: the second on twice the workers, so half of its time is lost.
    void sharesByCause()
    {
        const RunRecord one = runOf(1, {10, 8, 1, {splitOf(0, 15, 0, 1)}}); // 7.5 s, 0.5 s
        // Mean of 16 ms: 9 and 5 computing, 6 and 10 exchange, 1 input: the slowest waits not at
        // all, the other 4 of its 10.
        const RunRecord two = runOf(2, {10, 8, 1, {splitOf(0, 9, 6, 1), splitOf(1, 5, 10, 1)}});
        const auto losses = lossSplit({one, two});
        QCOMPARE(losses.size(), 2);
        QVERIFY(losses[0].baseline && losses[0].useful == 1);
        for (const double share : losses[0].lost)
            QVERIFY(isNear(share, 0));
        const LossShares& at2 = losses[1];
        QCOMPARE(at2.useful, 0.5);
        // Seconds an epoch: computing 3.5, straggler 1 (2 of 16 ms), exchange 3 (6 of 16), input
        // 0.5, evaluation 1, rest 1; the ideal has half of the baseline's.
        QVERIFY(isNear(lost(at2, LossCause::Compute), (3.5 - 7.5 / 2) / 10));
        QVERIFY(isNear(lost(at2, LossCause::Straggler), 0.1));
        QVERIFY(isNear(lost(at2, LossCause::Communication), 0.3));
        QVERIFY(isNear(lost(at2, LossCause::Input), (0.5 - 0.25) / 10));
        QVERIFY(isNear(lost(at2, LossCause::Evaluation), 0.05));
        QVERIFY(isNear(lost(at2, LossCause::Rest), 0.05));
        QVERIFY(isNear(lost(at2, LossCause::Epochs), 0));
    }

    /// The figures that the shares above are of.
    void evidence()
    {
        RunRecord one = runOf(1, {10, 8, 1, {splitOf(0, 15, 0, 1)}});
        RunRecord two = runOf(2, {10, 8, 1, {splitOf(0, 9, 6, 1), splitOf(1, 5, 10, 1)}});
        one.runDir = QStringLiteral("/one");
        const QList<RunRecord> runs{one, two};
        const auto found = lossEvidence(runs, lossSplit(runs)[1]);
        QVERIFY(found);
        QCOMPARE(found->baseline.workers, 1);
        QCOMPARE(found->baseline.computeMs, 15.0);
        QCOMPARE(found->baseline.exchangeMs, 0.0);
        QCOMPARE(found->baseline.runDirs, QStringList{QStringLiteral("/one")});
        const RowTimes& here = found->here;
        QCOMPARE(here.workers, 2);
        QCOMPARE(here.runs, 1);
        QCOMPARE(here.timeS, two.timeToTrainS());
        QCOMPARE(here.stepMs, 16.0);
        QCOMPARE(here.computeMs, 7.0);
        QCOMPARE(here.waitMs, 2.0); // rank 0 is busy for 10 ms, rank 1 for 6
        QCOMPARE(here.exchangeMs, 6.0);
        QCOMPARE(here.inputMs, 1.0);
        QCOMPARE(here.evaluationS, 10.0);
        QVERIFY(here.runDirs.isEmpty()); // as published ones
        LossShares other;
        other.group = QStringLiteral("no such series");
        QVERIFY(!lossEvidence(runs, other));
    }

    /// Twice the epochs: half of the time, whatever the epochs themselves lose.
    void moreEpochs()
    {
        const RunRecord one = runOf(1, {10, 8, 1, {splitOf(0, 15, 0, 1)}});
        const RunRecord two = runOf(2, {20, 8, 1, {splitOf(0, 15, 0, 1), splitOf(1, 15, 0, 1)}});
        const auto losses = lossSplit({one, two});
        QCOMPARE(losses[1].useful, 0.25);
        QVERIFY(isNear(lost(losses[1], LossCause::Epochs), 0.5));
        double all = losses[1].useful;
        for (const double share : losses[1].lost)
            all += share;
        QVERIFY(isNear(all, 1));
    }

    void withoutRecordsThereIsNothing()
    {
        RunRecord one = runOf(1, {10, 8, 1, {splitOf(0, 15, 0, 1)}});
        const RunRecord two = runOf(2, {10, 8, 1, {}});
        QCOMPARE(lossSplit({one, two}).size(), 1);
        one.splits.clear();
        QVERIFY(lossSplit({one, two}).isEmpty());
        QVERIFY(lossSplit({}).isEmpty());
    }
};

QTEST_GUILESS_MAIN(LossSplitTest)
#include "loss_split_test.moc"
