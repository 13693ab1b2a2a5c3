// SPDX-License-Identifier: GPL-3.0-or-later
// Scale-up against scale-out. The intervals were computed with SciPy: Welch's degrees of freedom
// (rounded down) of the relative means, t quantile 0.975.
#include "analysis/shape_gaps.h"

#include <QTest>

#include <cmath>

using namespace scalebench;

namespace {

RunRecord run(int nodes, int workers, double rate, const char* workload = "resnet")
{
    RunRecord r;
    r.config.workload = QString::fromLatin1(workload);
    r.config.nodes = nodes;
    r.config.workers = workers;
    r.config.globalBatch = 128;
    r.state = RunState::Completed;
    r.runStartMs = 1000;
    r.runStopMs = 2000;
    r.throughput = rate;
    return r;
}

} // namespace

class ShapeGapsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void gapAndInterval()
    {
        QLocale::setDefault(QLocale::c());
        const QList<RunRecord> runs{run(2, 16, 1000), run(4, 16, 915), run(2, 16, 1010),
                                    run(4, 16, 905),  run(2, 16, 990), run(4, 16, 925),
                                    run(1, 8, 600),   run(1, 16, 2000)};
        QList<RunRecord> crowded = runs;
        crowded.last().config.oversubscribed = true; // does not count
        const auto gaps = shapeGaps(crowded);
        QCOMPARE(gaps.size(), 1);
        const ShapeGap& gap = gaps[0];
        QCOMPARE(gap.workers, 16);
        QCOMPARE(gap.few.text(), QStringLiteral("2x8"));
        QCOMPARE(gap.many.text(), QStringLiteral("4x4"));
        QCOMPARE(gap.rate.ratio, 0.915);
        QVERIFY2(std::abs(gap.rate.low - 0.8904311594) < 1e-6,
                 qPrintable(QString::number(gap.rate.low, 'g', 10)));
        QVERIFY2(std::abs(gap.rate.high - 0.9402467459) < 1e-6,
                 qPrintable(QString::number(gap.rate.high, 'g', 10)));
        QCOMPARE(
            shapeGapText(gap),
            QStringLiteral("16 workers: 4x4 gives 8.5 % \u00b1 2.5 fewer samples/s than 2x8."));
        // Without the crowd's mark the one node is what the others are compared with.
        QCOMPARE(shapeGaps(runs).size(), 2);
        QCOMPARE(shapeGaps(runs)[0].few.text(), QStringLiteral("1x16"));
    }

    void seriesAreToldApart()
    {
        const auto gaps = shapeGaps(
            {run(1, 4, 100), run(2, 4, 110, "ncf"), run(2, 4, 95), run(1, 4, 100, "ncf")});
        QCOMPARE(gaps.size(), 2);
        for (const ShapeGap& gap : gaps) {
            QCOMPARE(gap.rate.ratio, gap.group.contains(QStringLiteral("ncf")) ? 1.1 : 0.95);
            QVERIFY(std::isnan(gap.rate.low));
            QVERIFY(shapeGapText(gap).contains(QStringLiteral("without repeats")));
        }
        QVERIFY(shapeGaps({}).isEmpty());
        QVERIFY(shapeGaps({run(1, 1, 100), run(1, 2, 190), run(2, 4, 0)}).isEmpty());
    }

    void chanceIsSaid()
    {
        const auto gaps =
            shapeGaps({run(1, 2, 100), run(1, 2, 110), run(2, 2, 104), run(2, 2, 107)});
        QVERIFY(shapeGapText(gaps[0]).contains(QStringLiteral("no more than chance")));
    }
};

QTEST_GUILESS_MAIN(ShapeGapsTest)
#include "shape_gaps_test.moc"
