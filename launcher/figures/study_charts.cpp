// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/study_charts.h"

#include "figures/bench_charts.h"
#include "figures/cost_chart.h"
#include "figures/loss_chart.h"
#include "import/published_studies.h"

#include <QSet>

#include <algorithm>

namespace scalebench {

QString speedupOfName(SpeedupOf quantity)
{
    switch (quantity) {
    case SpeedupOf::EpochTime:
        return QStringLiteral("epoch");
    case SpeedupOf::Throughput:
        return QStringLiteral("throughput");
    case SpeedupOf::TimeToTrain:
        break;
    }
    return QStringLiteral("time");
}

std::optional<SpeedupOf> speedupOfFromName(const QString& name)
{
    for (const SpeedupOf quantity :
         {SpeedupOf::TimeToTrain, SpeedupOf::EpochTime, SpeedupOf::Throughput})
        if (speedupOfName(quantity) == name)
            return quantity;
    return std::nullopt;
}

QStringList ScalingView::options() const
{
    QStringList words;
    if (quantity != SpeedupOf::TimeToTrain)
        words << QStringLiteral("--quantity") << speedupOfName(quantity);
    if (!(baseline == Baseline{}))
        words << QStringLiteral("--baseline") << baseline.text();
    if (!reference.isEmpty())
        words << QStringLiteral("--reference") << reference;
    return words;
}

/// Of the workloads that are shown, or of all where the reference has none of them.
static Study referenceFor(const Study& study, const QString& figure)
{
    Study reference = imports::publishedStudy(figure);
    QSet<QString> workloads;
    for (const RunRecord& run : study.runs)
        workloads << run.config.workload;
    const auto isShown = [&workloads](const RunRecord& run) {
        return workloads.contains(run.config.workload);
    };
    if (std::any_of(reference.runs.begin(), reference.runs.end(), isShown))
        reference.runs.removeIf([&](const RunRecord& run) { return !isShown(run); });
    return reference;
}

ScalingCharts scalingCharts(const Study& whole, const ScalingView& view)
{
    const Study study = withoutUnreadable(whole);
    ScalingCharts charts;
    charts.rows = speedupTable(study.runs, view.baseline);
    charts.gaps = shapeGaps(study.runs);
    charts.speedup = speedupChart(study, charts.rows, view.quantity);
    charts.efficiency = efficiencyChart(study, charts.rows, view.quantity);
    charts.time = timeToTargetChart(study, charts.rows);
    charts.parts = speedupPartsChart(study, charts.rows);
    charts.losses = lossSplitChart(study, lossSplit(study.runs, view.baseline));
    charts.shapes = shapeChart(study, charts.gaps);
    if (view.reference.isEmpty() || view.reference == imports::publishedFigureOf(study))
        return charts;
    if (imports::hasPublishedGaps(view.reference))
        overlayGaps(charts.shapes, view.reference);
    const Study reference = referenceFor(study, view.reference);
    if (reference.runs.isEmpty())
        return charts;
    const auto rows = speedupTable(reference.runs, view.baseline);
    const QString name = reference.runs.first().workers.isEmpty()
                             ? reference.spec.name
                             : reference.runs.first().workers.first().deviceName;
    overlayReference(charts.speedup, speedupChart(reference, rows, view.quantity), name);
    overlayReference(charts.efficiency, efficiencyChart(reference, rows, view.quantity), name);
    overlayTimes(charts.time, timeToTargetChart(reference, rows), name);
    return charts;
}

/// The study's runs of one workload.
static Study partOf(const Study& study, const QString& workload)
{
    Study part = study;
    part.spec.workload = workload;
    part.spec.workloads.clear();
    part.runs.removeIf([&](const RunRecord& run) { return run.config.workload != workload; });
    return part;
}

QList<NamedChart> studyCharts(const Study& whole, const ScalingView& view)
{
    const Study study = withoutUnreadable(whole);
    const ScalingCharts scaling = scalingCharts(study, view);
    QList<NamedChart> all;
    QStringList workloads;
    for (const RunRecord& run : study.runs)
        if (!workloads.contains(run.config.workload))
            workloads << run.config.workload;
    for (const QString& workload : std::as_const(workloads)) {
        const Study part = partOf(study, workload);
        const auto add = [&](const ChartData& chart) {
            all << NamedChart{
                workloads.size() > 1 ? chart.id + QLatin1Char('_') + workload : chart.id, chart};
        };
        const QList<MetricInfo> metrics = studyMetrics(part);
        for (qsizetype i = 0; i < metrics.size(); ++i) {
            const ChartData chart = metricChart(part, RunAxis::Epoch, metrics[i], i == 0);
            if (!chart.isEmpty() || scaling.time.isEmpty()) // tables of others have times alone
                add(chart);
        }
        for (const ChartData& chart : {lossChart(part, RunAxis::Epoch),
                                       throughputChart(part, RunAxis::Epoch), stepSplitChart(part)})
            if (!chart.isEmpty())
                add(chart);
    }
    for (const ChartData& chart : {scaling.speedup, scaling.time})
        all << NamedChart{chart.id, chart};
    for (const ChartData& chart :
         {scaling.efficiency, scaling.parts, scaling.losses, scaling.shapes,
          storageChart(study, scaling.rows, {}), costChart(study)})
        if (!chart.isEmpty())
            all << NamedChart{chart.id, chart};
    return all;
}

} // namespace scalebench
