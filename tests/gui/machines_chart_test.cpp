// SPDX-License-Identifier: GPL-3.0-or-later
// Which machines stand beside a study's on the Scaling page, and as what.
#include "gui/gui_fixture.h"

#include "figures/loss_chart.h"
#include "import/published_studies.h"

using namespace scalebench;
using namespace scalebench::test;

class MachinesChartTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void machinesSideBySide()
    {
        Study own = inventedStudy({1, 2});
        own.runs[0].workers =
            own.runs[1].workers = {WorkerInfo{0, {}, 0, QStringLiteral("CPU X"), 1}};
        const ChartData chart =
            machinesChart(own, {imports::publishedStudy(QStringLiteral("dgx1"))});
        QVERIFY(chart.series.size() >= 2);
        QCOMPARE(chart.series[0].name, QStringLiteral("CPU X (measured here)"));
        QCOMPARE(chart.series[0].x, (QVector<double>{1, 2}));
        QCOMPARE(chart.series[0].y[0], own.runs[0].timeToTrainS() / 60);
        qsizetype references = 0;
        for (const ChartSeries& series : chart.series)
            references += series.name.contains(QLatin1String("(reference only")) ? 1 : 0;
        QCOMPARE(references, chart.series.size() - 1);
        QVERIFY(chart.marks.join(u' ').contains(QLatin1String("different implementation")));
        QVERIFY(chart.csv().startsWith("series,workers,time_to_train_min"));
        // Of another target than the study's.
        const auto of = [](QStringView name) {
            return name.contains(QLatin1String("target 74.9")) ||
                   name.contains(QLatin1String("target 75.9"));
        };
        QVERIFY2(std::any_of(chart.series.begin() + 1, chart.series.end(),
                             [&of](const ChartSeries& s) { return of(s.name); }),
                 qPrintable(chart.series.last().name));
        // A system's sizes are one line.
        const ChartData sizes =
            machinesChart(own, {imports::publishedStudy(QStringLiteral("time-to-train"))});
        qsizetype longest = 0;
        for (const ChartSeries& series : sizes.series)
            longest = std::max(longest, series.x.size());
        QVERIFY(longest >= 6);
    }

    /// What was trained on generated data never is a time beside one of real data.
    void generatedDataIsALineOfItsOwn()
    {
        Study own = inventedStudy({1, 2}, 2);
        for (RunRecord& run : own.runs) {
            run.workers = {WorkerInfo{0, {}, 0, QStringLiteral("CPU X"), 1}};
            run.config.dataSource =
                run.config.repeat == 1 ? QStringLiteral("generated") : QStringLiteral("folder");
            if (run.config.repeat == 1)
                run.runStopMs = run.runStartMs + 500;
        }
        const ChartData chart = machinesChart(own, {});
        QStringList names;
        for (const ChartSeries& series : chart.series)
            names << series.name;
        names.sort();
        QCOMPARE(names, (QStringList{QStringLiteral("CPU X (measured here, generated data)"),
                                     QStringLiteral("CPU X (measured here, real data)")}));
        QVERIFY(chart.series[0].y[0] != chart.series[1].y[0]);
        const Study dgx = imports::publishedStudy(QStringLiteral("dgx1"));
        QVERIFY(machinesChart(own, {dgx})
                    .marks.contains(QStringLiteral("this study trained on generated data")));
        // Only what has something to show is worth a place among those that are read.
        Study other = own;
        QVERIFY(standsBeside(own, other) && standsBeside(own, dgx));
        for (RunRecord& run : other.runs)
            run.config.epochs = 99;
        QVERIFY(!standsBeside(own, other));
        other = own;
        for (RunRecord& run : other.runs)
            run.state = RunState::Failed;
        QVERIFY(!standsBeside(own, other));
    }

    /// Only what trained to the same target in the same way stands beside it.
    void machinesThatCannotBeCompared()
    {
        const auto on = [](Study study, const QString& device) {
            for (RunRecord& run : study.runs)
                run.workers = {WorkerInfo{0, {}, 0, device, 1}};
            return study;
        };
        const Study own = on(inventedStudy({1, 2}), QStringLiteral("CPU X"));
        Study faster = own; // on the same machine
        for (RunRecord& run : faster.runs)
            run.runStopMs = run.runStartMs + 500;
        Study otherEpochs = on(faster, QStringLiteral("CPU Y"));
        Study otherTarget = on(faster, QStringLiteral("CPU Z"));
        for (RunRecord& run : otherEpochs.runs)
            run.config.epochs = 2;
        for (RunRecord& run : otherTarget.runs)
            run.config.target = 0.5;
        const Study same = on(faster, QStringLiteral("CPU W"));
        const ChartData chart = machinesChart(own, {faster, otherEpochs, otherTarget, same});
        QStringList names;
        for (const ChartSeries& series : chart.series)
            names << series.name;
        QCOMPARE(names, (QStringList{QStringLiteral("CPU X (measured here)"),
                                     QStringLiteral("CPU W (measured here)")}));
        QCOMPARE(chart.series[0].y[0], own.runs[0].timeToTrainS() / 60);
        // No target, or none that was reached: nothing may stand beside that.
        Study open = own, cancelled = own;
        for (RunRecord& run : open.runs)
            run.config.target.reset();
        for (RunRecord& run : cancelled.runs)
            run.state = RunState::Cancelled;
        const QList<Study> others{same, imports::publishedStudy(QStringLiteral("dgx1"))};
        QVERIFY(machinesChart(open, others).series.isEmpty());
        QVERIFY(machinesChart(cancelled, others).series.isEmpty());
    }
};

QTEST_MAIN(MachinesChartTest)
#include "machines_chart_test.moc"
