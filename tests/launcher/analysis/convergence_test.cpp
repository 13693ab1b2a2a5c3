// SPDX-License-Identifier: GPL-3.0-or-later
// Suspicious epochs. The bounds were worked out in Python with printed values of t.

#include "analysis/convergence.h"

#include <QTest>

using namespace scalebench;

namespace {

RunRecord runOf(double epochs, int workers = 1, int batch = 128)
{
    RunRecord run;
    run.config.runId = QStringLiteral("w%1-e%2").arg(workers).arg(epochs);
    run.config.workload = QStringLiteral("resnet");
    run.config.batchPolicy = QStringLiteral("strong");
    run.config.workers = workers;
    run.config.globalBatch = batch;
    run.config.target = 0.8;
    run.state = RunState::Completed;
    run.runStartMs = 1000;
    run.runStopMs = 2000;
    for (double e = 1; e <= epochs; ++e) {
        EvalPoint point;
        point.epoch = e;
        point.value = e >= epochs ? 0.81 : 0.5;
        run.evals << point;
    }
    return run;
}

} // namespace

class ConvergenceTest : public QObject
{
    Q_OBJECT
private slots:
    /// Mean 40, s = 1.2910, t(0.99, 3) = 5.8409: half width 5.8409 * 1.2910 * sqrt(1.25) = 8.431.
    void bounds()
    {
        const EpochsReference reference{QStringLiteral("ref"), {38.5, 39.5, 40.5, 41.5}};
        const auto remark = [&](double epochs) {
            return convergenceRemark(QStringLiteral("r"), epochs, 0.1, reference);
        };
        QVERIFY(remark(40 - 8.42).isEmpty());
        QVERIFY(remark(40 + 8.42).isEmpty());
        QVERIFY(remark(40 - 8.44).contains(QStringLiteral("suspiciously early")));
        QVERIFY(remark(40 + 8.44).contains(QStringLiteral("suspiciously late")));
    }

    void tooLittleIsSaidNothingOf()
    {
        QVERIFY(convergenceRemark({}, 5, 1, {{}, {40, 40, 40}}).isEmpty()); // three runs only
        QVERIFY(convergenceRemark({}, 6, 1, {{}, {5, 5, 5, 5}}).isEmpty()); // the next evaluation
        QVERIFY(
            convergenceRemark({}, 43, 1, {{}, {40, 40, 40, 40}}).isEmpty()); // less than a tenth
        QVERIFY(!convergenceRemark({}, 8, 1, {{}, {5, 5, 5, 5}}).isEmpty());
    }

    void withinAStudy()
    {
        QList<RunRecord> runs{runOf(10), runOf(11), runOf(10), runOf(11), runOf(20, 2)};
        const QStringList remarks = convergenceRemarks(runs);
        QCOMPARE(remarks.size(), 1);
        QVERIFY(
            remarks.first().startsWith(QStringLiteral("w2-e20 reached its target at epoch 20")));
        runs[4].config.globalBatch = 512; // another batch needs others
        QVERIFY(convergenceRemarks(runs).isEmpty());
        runs[4] = runOf(20, 2);
        runs[4].state = RunState::Cancelled;
        QVERIFY(convergenceRemarks(runs).isEmpty());
    }

    void evaluationsApart()
    {
        QCOMPARE(evaluationStep({}), 1.0);
        RunRecord run;
        for (const double epoch : {0.5, 1.0, 1.25, 2.25}) {
            EvalPoint point;
            point.epoch = epoch;
            run.evals << point;
        }
        QCOMPARE(evaluationStep(run), 0.25);
    }
};

QTEST_GUILESS_MAIN(ConvergenceTest)
#include "convergence_test.moc"
