// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/run_charts.h"

#include "import/published_studies.h"
#include "study/workload_catalog.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

class RunChartsTexts
{
    Q_DECLARE_TR_FUNCTIONS(RunCharts)
};

struct AxisText {
    QString label, column;
};

AxisText axisText(RunAxis axis)
{
    switch (axis) {
    case RunAxis::Samples:
        return {RunChartsTexts::tr("Training samples seen"), QStringLiteral("samples")};
    case RunAxis::Step:
        return {RunChartsTexts::tr("Step"), QStringLiteral("step")};
    case RunAxis::Time:
        return {RunChartsTexts::tr("Time since start (s)"), QStringLiteral("seconds")};
    case RunAxis::Clock:
        return {RunChartsTexts::tr("Time of day"), QStringLiteral("time")};
    case RunAxis::Epoch:
        break;
    }
    return {RunChartsTexts::tr("Epoch"), QStringLiteral("epoch")};
}

void setXAxis(ChartData& chart, RunAxis axis)
{
    const AxisText names = axisText(axis);
    chart.xLabel = names.label;
    chart.xColumn = names.column;
    chart.xWholeNumbers = axis == RunAxis::Epoch;
    chart.xClock = axis == RunAxis::Clock;
    if (!chart.xClock)
        chart.xMin = 0;
}

/// One legend entry for the repeats of one setting: "2 workers (3 runs)".
void shareLegend(ChartData& chart)
{
    QMap<int, QList<int>> bySlot;
    for (int i = 0; i < chart.series.size(); ++i)
        bySlot[chart.series[i].slot] << i;
    for (const QList<int>& same : std::as_const(bySlot)) {
        if (same.size() < 2)
            continue;
        for (const int i : same)
            chart.series[i].legend = QStringLiteral("-");
        const QString name = chart.series[same.first()].name;
        const qsizetype comma = name.lastIndexOf(QLatin1String(", "));
        chart.series[same.first()].legend =
            RunChartsTexts::tr("%1 (%n run(s))", nullptr, static_cast<int>(same.size()))
                .arg(comma > 0 ? name.left(comma) : name);
    }
}

ChartSeries seriesFor(const RunRecord& run, const QString& label, const QString& subject, int slot)
{
    ChartSeries series;
    series.id = run.config.runId;
    series.name = label;
    series.subject = subject;
    series.machine = run.machine();
    series.slot = slot;
    series.dash = std::max(0, run.config.repeat - 1);
    return series;
}

} // namespace

QString noPointsText(const Study& study)
{
    const bool going = std::any_of(study.runs.begin(), study.runs.end(), [](const RunRecord& run) {
        return run.state == RunState::Starting || run.state == RunState::Running;
    });
    if (going)
        return RunChartsTexts::tr(
            "The first points appear soon: speed within seconds, quality at the end of the "
            "first epoch.");
    const bool ended = std::all_of(study.runs.begin(), study.runs.end(),
                                   [](const RunRecord& run) { return isFinal(run.state); });
    if (ended && !study.runs.isEmpty())
        return RunChartsTexts::tr("Nothing of this was recorded.");
    return study.runs.isEmpty()
               ? RunChartsTexts::tr(
                     "No study is shown. Start one on the Plan page, or open one on the Results "
                     "page.")
               : RunChartsTexts::tr("Nothing is recorded yet: no run is training.");
}

QList<std::pair<RunAxis, QString>> runAxisChoices()
{
    return {{RunAxis::Epoch, RunChartsTexts::tr("by epoch")},
            {RunAxis::Samples, RunChartsTexts::tr("by samples")},
            {RunAxis::Step, RunChartsTexts::tr("by step")},
            {RunAxis::Time, RunChartsTexts::tr("by time")},
            {RunAxis::Clock, RunChartsTexts::tr("by time of day")}};
}

QString runAxisName(RunAxis axis)
{
    static const QString names[] = {QStringLiteral("epoch"), QStringLiteral("samples"),
                                    QStringLiteral("step"), QStringLiteral("time"),
                                    QStringLiteral("clock")};
    return names[static_cast<int>(axis)];
}

RunAxis runAxisFromName(const QString& name)
{
    for (const auto& [axis, title] : runAxisChoices())
        if (runAxisName(axis) == name)
            return axis;
    return RunAxis::Epoch;
}

/// "Speedup: Image classification"; of many workloads their number.
static QString titleWith(const QString& title, const QStringList& workloads)
{
    QStringList titles;
    for (const QString& id : workloads)
        if (const Workload* workload = WorkloadCatalog::instance().find(id))
            titles << workload->title;
    if (titles.isEmpty())
        return title;
    const auto count = static_cast<int>(titles.size());
    return QStringLiteral("%1: %2").arg(
        title, count > 2 ? RunChartsTexts::tr("%n workload(s)", nullptr, count)
                         : titles.join(RunChartsTexts::tr(" and ")));
}

ChartData studyChart(const Study& study, const QString& id, const QString& title)
{
    ChartData chart;
    chart.id = id;
    chart.title = titleWith(title, studyWorkloads(study));
    chart.subtitle = machineLine(study);
    chart.generatedData = std::any_of(study.runs.begin(), study.runs.end(), [](const RunRecord& r) {
        return r.config.dataSource == QLatin1String("generated");
    });
    if (!imports::publishedFigureOf(study).isEmpty())
        chart.notices << imports::publishedNotice();
    else
        chart.marks = runsMarks(study.runs);
    return chart;
}

std::optional<double> metricValue(const EvalPoint& point, const QString& metric)
{
    return metric.isEmpty() ? point.value : valueOf(point.metrics, metric);
}

std::optional<QPointF> targetFlag(const RunRecord& run, RunAxis axis, const QString& metric)
{
    for (const EvalPoint& point : run.evals) {
        if (!run.meetsTargets(point))
            continue;
        const auto value = metricValue(point, metric);
        const double x = axisValue(run, point, axis);
        return value && std::isfinite(x) ? std::optional(QPointF(x, *value)) : std::nullopt;
    }
    return std::nullopt;
}

bool isAccuracy(const QString& metric)
{
    return metric.endsWith(QLatin1String("accuracy"));
}

namespace {

QString metricChartTitle(const QString& metric, RunAxis axis)
{
    switch (axis) {
    case RunAxis::Samples:
        return RunChartsTexts::tr("%1 vs samples").arg(metric);
    case RunAxis::Step:
        return RunChartsTexts::tr("%1 vs step").arg(metric);
    case RunAxis::Time:
        return RunChartsTexts::tr("%1 vs time").arg(metric);
    case RunAxis::Clock:
        return RunChartsTexts::tr("%1 by time of day").arg(metric);
    case RunAxis::Epoch:
        break;
    }
    return RunChartsTexts::tr("%1 vs epoch").arg(metric);
}

/// A metric's name in a stream may hold what no file name should.
QString fileStem(QString metric)
{
    for (QChar& c : metric) {
        if (!(c.unicode() < 128 && c.isLetterOrNumber()))
            c = QLatin1Char('_');
    }
    return metric + QStringLiteral("_vs_epoch");
}

void setMetricAxis(ChartData& chart, const MetricInfo& metric)
{
    chart.yColumn = metric.id;
    chart.yPercent = metric.unit == MetricUnit::Share;
    chart.yLabel = chart.yPercent ? RunChartsTexts::tr("%1 (%)").arg(metric.title) : metric.title;
    if (metric.unit != MetricUnit::Score)
        chart.yMin = 0;
    if (chart.yPercent)
        chart.yMax = 1.05;
}

std::optional<double> targetOf(const RunRecord& run, const QString& metric)
{
    return metric.isEmpty() ? run.config.target : valueOf(run.config.furtherTargets, metric);
}

void addTargetLines(ChartData& chart, const QList<std::pair<const RunRecord*, QString>>& drawn,
                    const MetricInfo& metric)
{
    QStringList workloads;
    for (const auto& [run, name] : drawn)
        if (!workloads.contains(run->config.workload))
            workloads << run->config.workload;
    for (const auto& [run, name] : drawn) {
        const auto target = targetOf(*run, name);
        if (!target)
            continue;
        const QString value = metricText(metric.unit, *target, -1);
        const QString label =
            workloads.size() > 1
                ? RunChartsTexts::tr("target of %1: %2").arg(run->config.workload, value)
                : RunChartsTexts::tr("target %1").arg(value);
        const bool there =
            std::any_of(chart.lines.begin(), chart.lines.end(), [&](const ChartLine& line) {
                return line.y == *target && (workloads.size() < 2 || line.label == label);
            });
        if (!there)
            chart.lines << ChartLine{*target, label};
    }
}

} // namespace

std::optional<QString> metricNameIn(const Study& study, const RunRecord& run,
                                    const MetricInfo& metric, bool leading)
{
    if (studyWorkloads(study).size() < 2)
        return leading ? QString() : metric.id;
    if (metricsOf(run.config.workload).first().id == metric.id)
        return QString();
    const QList<MetricInfo> own = metricsOf(run);
    const bool has =
        std::any_of(own.begin(), own.end(), [&](const MetricInfo& m) { return m.id == metric.id; });
    return has ? std::optional(metric.id) : std::nullopt;
}

ChartData metricChart(const Study& study, RunAxis axis, const MetricInfo& metric, bool leading)
{
    const QString title = metricChartTitle(
        isAccuracy(metric.id) ? RunChartsTexts::tr("Accuracy") : metric.title, axis);
    ChartData chart = studyChart(
        study, leading ? QStringLiteral("accuracy_vs_epoch") : fileStem(metric.id), title);
    setXAxis(chart, axis);
    setMetricAxis(chart, metric);
    chart.emptyText = noPointsText(study);
    const QStringList labels = markedLabels(study.runs);
    const QList<int> slotList = runSlots(study.runs);
    const QStringList subjects = runSubjects(study.runs);
    QList<std::pair<const RunRecord*, QString>> drawn;
    QStringList workloads, shownIds;
    for (int i = 0; i < study.runs.size(); ++i) {
        const RunRecord& run = study.runs[i];
        const std::optional<QString> name = metricNameIn(study, run, metric, leading);
        if (!name)
            continue; // another workload's, which is measured by something else
        drawn << std::pair(&run, *name);
        shownIds << run.config.runId;
        if (!workloads.contains(run.config.workload))
            workloads << run.config.workload;
        ChartSeries series = seriesFor(run, labels[i], subjects[i], slotList[i]);
        for (const EvalPoint& point : run.evals) {
            const double x = axisValue(run, point, axis);
            if (const auto value = metricValue(point, *name); value && std::isfinite(x)) {
                series.x << x;
                series.y << *value;
            } else if (value) {
                chart.emptyText =
                    RunChartsTexts::tr("After how many epochs is not known; by time it is shown.");
            }
        }
        series.flag = targetFlag(run, axis, *name);
        chart.series << series;
    }
    if (!workloads.isEmpty())
        chart.title = titleWith(title, workloads);
    if (const QString left = leftOutText(study, shownIds); !left.isEmpty())
        chart.marks.prepend(left);
    shareLegend(chart);
    nameMillions(chart, drawn);
    addTargetLines(chart, drawn, metric);
    return chart;
}

ChartData accuracyChart(const Study& study, RunAxis axis)
{
    return metricChart(study, axis, studyMetrics(study).first(), true);
}

/// One figure of every `step` record, a line for each run. `chart` comes with its names.
static ChartData stepChart(ChartData chart, const Study& study, RunAxis axis,
                           double StepPoint::*figure, const QStringList& runIds = {})
{
    setXAxis(chart, axis);
    chart.yFromZero = true;
    chart.emptyText = noPointsText(study);
    const QStringList labels = markedLabels(study.runs);
    const QList<int> slotList = runSlots(study.runs);
    const QStringList subjects = runSubjects(study.runs);
    for (int i = 0; i < study.runs.size(); ++i) {
        if (!runIds.isEmpty() && !runIds.contains(study.runs[i].config.runId))
            continue;
        ChartSeries series = seriesFor(study.runs[i], labels[i], subjects[i], slotList[i]);
        series.kind = ChartSeries::Kind::Line;
        for (const StepPoint& point : study.runs[i].steps) {
            series.x << axisValue(study.runs[i], point, axis);
            series.y << point.*figure;
        }
        chart.series << series;
    }
    shareLegend(chart);
    return chart;
}

ChartData throughputChart(const Study& study, RunAxis axis, const QStringList& runIds)
{
    ChartData chart = studyChart(withRuns(study, runIds), QStringLiteral("throughput"),
                                 RunChartsTexts::tr("Throughput"));
    chart.yLabel = RunChartsTexts::tr("Samples/s");
    chart.yColumn = QStringLiteral("samples_per_s");
    return stepChart(std::move(chart), study, axis, &StepPoint::samplesPerSecond, runIds);
}

ChartData lossChart(const Study& study, RunAxis axis, const QStringList& runIds)
{
    ChartData chart = studyChart(withRuns(study, runIds), QStringLiteral("training_loss"),
                                 RunChartsTexts::tr("Training loss"));
    chart.yLabel = RunChartsTexts::tr("Loss");
    chart.yColumn = QStringLiteral("loss");
    return stepChart(std::move(chart), study, axis, &StepPoint::loss, runIds);
}

} // namespace scalebench
