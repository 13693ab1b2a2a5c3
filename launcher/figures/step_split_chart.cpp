// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/run_charts.h"

#include "run/input_times.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>

namespace scalebench {

namespace {
class StepSplitChartTexts
{
    Q_DECLARE_TR_FUNCTIONS(RunCharts)
};
} // namespace

/// What making the batches of each bar took, where runs tell it: "2 workers: read 0.1, …".
static QString inputSentence(const Study& study, const QList<int>& slotList,
                             const QStringList& labels)
{
    QStringList parts;
    for (int i = 0; i < study.runs.size(); ++i) {
        const QString times = inputTimesText(study.runs[i]);
        const bool first = slotList.indexOf(slotList[i]) == i; // of repeats
        if (times.isEmpty() || !first)
            continue;
        const QString label = labels.value(slotList[i]);
        parts << (labels.size() > 1 ? label + QStringLiteral(": ") + times : times);
    }
    return parts.isEmpty() ? QString()
                           : StepSplitChartTexts::tr("Input made beside a step: %1")
                                 .arg(parts.join(QStringLiteral("; ")));
}

ChartData stepSplitChart(const Study& study)
{
    ChartData chart = studyChart(study, QStringLiteral("step_split"),
                                 StepSplitChartTexts::tr("Where a step's time goes"));
    chart.xScale = ChartData::XScale::Categories;
    chart.bars = ChartData::Bars::Stacked;
    chart.yLabel = StepSplitChartTexts::tr("ms per step");
    chart.xColumn = QStringLiteral("run");
    chart.yColumn = QStringLiteral("ms_per_step");
    chart.yFromZero = true;
    chart.emptyText = noPointsText(study);
    // Repeats of one setting share a bar: their mean.
    const QList<int> slotList = runSlots(study.runs);
    QMap<int, QList<int>> bySlot;
    QList<RunRecord> first;
    for (int i = 0; i < study.runs.size(); ++i) {
        if (!bySlot.contains(slotList[i])) {
            RunRecord named;
            named.config = study.runs[i].config;
            named.setup = study.runs[i].setup; // the precision that was computed
            first << named;
        }
        bySlot[slotList[i]] << i;
    }
    using Part = double (*)(const StepPoint&);
    struct PartOf {
        QString id, name;
        Part part;
        int slot;
    };
    QList<PartOf> parts{{QStringLiteral("compute"), StepSplitChartTexts::tr("compute"),
                         [](const StepPoint& p) { return p.computeMs; }, 0},
                        {QStringLiteral("comm"), StepSplitChartTexts::tr("communication"),
                         [](const StepPoint& p) { return p.reduceMs(); }, 1},
                        {QStringLiteral("rows"), StepSplitChartTexts::tr("rows of tables"),
                         [](const StepPoint& p) { return p.rowsMs; }, 4},
                        {QStringLiteral("input"), StepSplitChartTexts::tr("input wait"),
                         [](const StepPoint& p) { return p.inputMs; }, 2},
                        {QStringLiteral("other"), StepSplitChartTexts::tr("other"),
                         [](const StepPoint& p) { return p.otherMs; }, 6}};
    // Only where tables lie on several workers.
    const bool rows = std::any_of(study.runs.begin(), study.runs.end(), [](const RunRecord& run) {
        return !run.steps.isEmpty() && run.steps.last().rowsMs > 0;
    });
    if (!rows)
        parts.removeAt(2);
    for (const PartOf& part : std::as_const(parts)) {
        ChartSeries series;
        series.id = part.id;
        series.name = part.name;
        series.slot = part.slot;
        series.kind = ChartSeries::Kind::Bars;
        for (auto it = bySlot.begin(); it != bySlot.end(); ++it) {
            double sum = 0;
            int count = 0;
            for (const int i : std::as_const(it.value())) {
                if (!study.runs[i].steps.isEmpty()) {
                    sum += meanOfSteps(study.runs[i].steps, part.part);
                    ++count;
                }
            }
            if (count > 0) {
                series.x << it.key();
                series.y << sum / count;
            }
        }
        chart.series << series;
    }
    chart.categories = runLabels(first);
    if (const QString input = inputSentence(study, slotList, chart.categories); !input.isEmpty())
        chart.remarks << input;
    // Long names of neighbours would run into each other.
    if (chart.categories.size() > 3) {
        for (QString& name : chart.categories)
            name.replace(QLatin1String(", "), QLatin1String(",\n"));
    }
    // Above each bar: the whole step, and the share that is not computing for want of the others.
    ChartSeries& top = chart.series.last();
    for (qsizetype i = 0; i < top.x.size(); ++i) {
        double sum = 0;
        for (const ChartSeries& part : std::as_const(chart.series))
            sum += part.y[i];
        const double waits = chart.series[1].y[i] + (rows ? chart.series[2].y[i] : 0);
        const double comm = sum > 0 ? waits / sum : 0;
        const QString total =
            QLocale().toString(sum, 'f', sum < 10 ? 2 : 0) + QStringLiteral(" ms");
        top.pointLabels << (chart.categories.size() > 3 ? QString()
                            : comm > 0.0005
                                ? StepSplitChartTexts::tr("%1, %2 % comm.")
                                      .arg(total, QLocale().toString(comm * 100, 'f', 1))
                                : total);
    }
    return chart;
}

} // namespace scalebench
