// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/compare_charts.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

constexpr qsizetype kLongestName = 32;
constexpr int kMostLabelledBars = 8;

class CompareChartsTexts
{
    Q_DECLARE_TR_FUNCTIONS(CompareCharts)
};

QString namesOf(const QList<ComparedGroup>& groups)
{
    QStringList names;
    for (const ComparedGroup& shown : groups)
        names << shortName(shown.group.name);
    return names.join(CompareChartsTexts::tr(" against "));
}

/// Bars, intervals and labels of a group.
ChartSeries barsOf(const ComparedGroup& shown, int group)
{
    ChartSeries series;
    series.id = QString::number(group);
    series.name = shortName(shown.group.name);
    const GroupSubject subject = subjectOf(shown.group);
    series.subject = subject.subject;
    series.machine = subject.machine;
    series.slot = shown.slot;
    series.kind = ChartSeries::Kind::Bars;
    return series;
}

QString cellName(const ComparedTime& time)
{
    const QString cell = time.workload + QLatin1Char('\n') + workersText(time.workers);
    return time.part.isEmpty() ? cell : cell + QLatin1Char('\n') + time.part;
}

} // namespace

QString shortName(const QString& name)
{
    constexpr qsizetype kEnd = 10;
    return name.size() > kLongestName
               ? name.first(kLongestName - kEnd).trimmed() + QChar(0x2026) + name.last(kEnd)
               : name;
}

GroupSubject subjectOf(const RunGroup& group)
{
    QStringList subjects = runSubjects(group.runs), machines;
    for (const RunRecord& run : group.runs)
        machines << run.machine();
    subjects.removeDuplicates();
    machines.removeDuplicates();
    // Of one setting it is that setting's colour; a whole study has one of its own.
    return {subjects.size() == 1 ? subjects.first() : QStringLiteral("group/") + group.name,
            machines.size() == 1 ? machines.first() : QString()};
}

QList<RunGroup> plainGroups(const QList<ComparedGroup>& groups)
{
    QList<RunGroup> plain;
    for (const ComparedGroup& shown : groups)
        plain << shown.group;
    return plain;
}

ChartData groupLegend(const QList<ComparedGroup>& groups)
{
    ChartData legend;
    for (int g = 0; g < groups.size(); ++g)
        legend.series << barsOf(groups[g], g);
    return legend;
}

ChartData comparedQualityChart(const QList<ComparedGroup>& groups, RunAxis axis)
{
    Study all;
    QMap<QString, std::pair<int, int>> places; // by the id that a run has in this chart only
    for (int g = 0; g < groups.size(); ++g) {
        for (int r = 0; r < groups[g].group.runs.size(); ++r) {
            RunRecord run = groups[g].group.runs[r];
            run.config.runId = QStringLiteral("%1/%2").arg(g).arg(r);
            places.insert(run.config.runId, {g, r});
            all.runs << run;
        }
    }
    // The first that is measured: the baseline alone may have no evaluation.
    const QList<MetricInfo> metrics = studyMetrics(all);
    ChartData chart = metricChart(all, axis, metrics.first(), true);
    for (qsizetype i = 1; i < metrics.size() && chart.isEmpty(); ++i)
        if (ChartData other = metricChart(all, axis, metrics[i], false); !other.isEmpty())
            chart = other;
    chart.id = QStringLiteral("compared_quality");
    chart.subtitle = namesOf(groups);
    chart.emptyText = CompareChartsTexts::tr("None of these runs has an evaluation to draw.");
    QList<int> named;
    for (ChartSeries& series : chart.series) {
        const auto [g, r] = places.value(series.id);
        const RunGroup& group = groups[g].group;
        const QString name = shortName(group.name);
        const auto count = static_cast<int>(group.runs.size());
        series.name =
            count == 1 ? name : QStringLiteral("%1: %2").arg(name, group.runs[r].config.runId);
        series.legend = count == 1 ? name
                        : named.contains(g)
                            ? QStringLiteral("-")
                            : CompareChartsTexts::tr("%1 (%n run(s))", nullptr, count).arg(name);
        const GroupSubject subject = subjectOf(group);
        series.subject = subject.subject;
        series.machine = subject.machine;
        series.slot = groups[g].slot;
        series.dash = r;
        named << g;
    }
    return chart;
}

ChartData ratioChart(const Comparison& comparison, const QList<ComparedGroup>& groups,
                     ComparedQuantity quantity)
{
    const bool time = quantity == ComparedQuantity::Time;
    ChartData chart;
    chart.id = time ? QStringLiteral("compared_time") : QStringLiteral("compared_throughput");
    chart.title = time ? CompareChartsTexts::tr("Time to train against the baseline")
                       : CompareChartsTexts::tr("Samples per second against the baseline");
    chart.subtitle = namesOf(groups);
    chart.xScale = ChartData::XScale::Categories;
    chart.yFromZero = true;
    chart.xColumn = QStringLiteral("workload_workers");
    chart.yColumn = QStringLiteral("ratio");
    chart.emptyText =
        time ? CompareChartsTexts::tr(
                   "No workload has a time to train with the same settings on both sides.")
             : CompareChartsTexts::tr(
                   "No workload has samples per second with the same settings on both sides.");
    const QString base = groups.isEmpty() ? QString() : shortName(groups.first().group.name);
    chart.yLabel = time ? CompareChartsTexts::tr("Time / time of the baseline (\u00d7)")
                        : CompareChartsTexts::tr("Samples/s / those of the baseline (\u00d7)");
    QMap<int, ChartSeries> series;
    int bars = 0;
    for (const ComparedTime& t : comparison.times) {
        const double ratio = time ? t.ratio : t.throughputRatio;
        if (!std::isfinite(ratio))
            continue;
        const QString cell = cellName(t);
        if (!chart.categories.contains(cell))
            chart.categories << cell;
        if (!series.contains(t.group))
            series.insert(t.group, barsOf(groups[t.group], t.group));
        ChartSeries& s = series[t.group];
        s.x << double(chart.categories.indexOf(cell));
        s.y << ratio;
        s.yLow << (time ? t.low : qQNaN());
        s.yHigh << (time ? t.high : qQNaN());
        s.pointLabels << QLocale().toString(ratio, 'f', 2) + QChar(0x00d7);
        ++bars;
    }
    for (ChartSeries& s : series) {
        if (std::none_of(s.yLow.begin(), s.yLow.end(), [](double v) { return std::isfinite(v); })) {
            s.yLow.clear();
            s.yHigh.clear();
        }
        if (bars > kMostLabelledBars)
            s.pointLabels.clear();
        chart.series << s;
    }
    if (chart.hasErrorBars())
        chart.xLabel = CompareChartsTexts::tr("bars: 95 % interval");
    if (!chart.series.isEmpty())
        chart.lines << ChartLine{1, base};
    return chart;
}

} // namespace scalebench
