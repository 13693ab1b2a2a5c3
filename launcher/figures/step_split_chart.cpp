// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/run_charts.h"

#include "figures/worker_lines.h"
#include "run/input_times.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>
#include <QMap>

#include <algorithm>
#include <optional>

namespace scalebench {

namespace {
class StepSplitChartTexts
{
    Q_DECLARE_TR_FUNCTIONS(RunCharts)
};
} // namespace

/// What making the batches of each bar took, where runs tell it: "read 0.1, …"; of several bars
/// "2 workers: 43.9 ms", which has room below the chart.
static QString inputSentence(const Study& study, const QList<int>& slotList,
                             const QStringList& labels)
{
    QStringList parts;
    for (int i = 0; i < study.runs.size(); ++i) {
        const RunRecord& run = study.runs[i];
        const QString times = labels.size() > 1 ? inputSumText(run) : inputTimesText(run);
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

namespace {

/// Mean ms per step.
struct StepParts {
    double compute = 0, reduce = 0, rows = 0, input = 0, other = 0;
};

/// Of all ranks and whole epochs, as the report's table has it; of an attempt that has not ended
/// one yet what rank 0 told so far. Nothing: no step yet.
std::optional<StepParts> partsOf(const RunRecord& run)
{
    const auto ofSteps = [&run](double (*part)(const StepPoint&)) {
        return run.steps.isEmpty() ? 0 : meanOfSteps(run.steps, part);
    };
    StepParts parts;
    parts.rows = ofSteps([](const StepPoint& p) { return p.rowsMs; });
    if (run.splits.isEmpty()) {
        if (run.steps.isEmpty())
            return {};
        parts.compute = ofSteps([](const StepPoint& p) { return p.computeMs; });
        parts.reduce = ofSteps([](const StepPoint& p) { return p.reduceMs(); });
        parts.input = ofSteps([](const StepPoint& p) { return p.inputMs; });
        parts.other = ofSteps([](const StepPoint& p) { return p.otherMs; });
        return parts;
    }
    double comm = 0;
    const auto n = static_cast<double>(run.splits.size());
    for (const EpochSplit& split : run.splits) {
        parts.compute += split.computeMs / n;
        comm += split.commMs / n;
        parts.input += split.inputMs / n;
        parts.other += split.otherMs / n;
    }
    // Only steps tell rows apart from the exchange that they are part of.
    const double told = ofSteps([](const StepPoint& p) { return p.commMs; });
    parts.rows = told > 0 ? comm * std::min(1.0, parts.rows / told) : 0;
    parts.reduce = comm - parts.rows;
    return parts;
}

} // namespace

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
    QHash<int, StepParts> measured; // by run
    for (int i = 0; i < study.runs.size(); ++i)
        if (const auto of = partsOf(study.runs[i]))
            measured.insert(i, *of);
    struct PartOf {
        QString id, name;
        double StepParts::*part;
        int slot;
    };
    QList<PartOf> parts{
        {QStringLiteral("compute"), StepSplitChartTexts::tr("compute"), &StepParts::compute, 0},
        {QStringLiteral("comm"), StepSplitChartTexts::tr("communication"), &StepParts::reduce, 1},
        {QStringLiteral("rows"), StepSplitChartTexts::tr("rows of tables"), &StepParts::rows, 4},
        {QStringLiteral("input"), StepSplitChartTexts::tr("input wait"), &StepParts::input, 2},
        {QStringLiteral("other"), StepSplitChartTexts::tr("other"), &StepParts::other, 6}};
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
                if (const auto of = measured.constFind(i); of != measured.constEnd()) {
                    sum += (*of).*part.part;
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
            name = settingsInLines(name);
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
