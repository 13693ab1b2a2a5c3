// SPDX-License-Identifier: GPL-3.0-or-later
// Repeats of one setting as a mean with its range.
#include "figures/run_charts.h"

#include <QCoreApplication>
#include <QMap>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

/// On the straight line between the points beside it; NaN outside of them.
double valueAt(const ChartSeries& series, double x)
{
    const auto after = std::lower_bound(series.x.begin(), series.x.end(), x);
    if (after == series.x.end() || (after == series.x.begin() && *after > x))
        return qQNaN();
    const qsizetype i = after - series.x.begin();
    if (*after == x)
        return series.y[i];
    const double share = (x - series.x[i - 1]) / (series.x[i] - series.x[i - 1]);
    return series.y[i - 1] + share * (series.y[i] - series.y[i - 1]);
}

/// Every x of any of them.
QList<double> placesOf(const ChartData& chart, const QList<int>& group)
{
    QSet<double> places;
    for (const int i : group)
        for (const double x : chart.series[i].x)
            places << x;
    QList<double> sorted(places.begin(), places.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

ChartSeries bandOf(const ChartData& chart, const QList<int>& group)
{
    const ChartSeries& first = chart.series[group.first()];
    ChartSeries band;
    band.id = QStringLiteral("band/%1").arg(first.slot);
    band.name =
        first.legend.isEmpty() || first.legend == QLatin1String("-") ? first.name : first.legend;
    band.subject = first.subject;
    band.machine = first.machine;
    band.slot = first.slot;
    band.kind = first.kind;
    band.band = true;
    for (const double x : placesOf(chart, group)) {
        double sum = 0, low = INFINITY, high = -INFINITY;
        for (const int i : group) {
            const double y = valueAt(chart.series[i], x);
            sum += y; // NaN where one has none
            low = std::min(low, y);
            high = std::max(high, y);
        }
        if (!std::isfinite(sum))
            continue;
        band.x << x;
        band.y << sum / static_cast<double>(group.size());
        band.yLow << low;
        band.yHigh << high;
        band.n << static_cast<int>(group.size());
    }
    return band;
}

} // namespace

bool hasRepeats(const Study& study)
{
    const QList<int> slotList = runSlots(study.runs);
    return QSet<int>(slotList.begin(), slotList.end()).size() < slotList.size();
}

ChartData withBands(ChartData chart)
{
    QMap<int, QList<int>> groups; // by colour
    for (int i = 0; i < chart.series.size(); ++i)
        groups[chart.series[i].slot] << i;
    QList<ChartSeries> bands;
    for (const QList<int>& group : std::as_const(groups)) {
        if (group.size() < 2)
            continue;
        const ChartSeries band = bandOf(chart, group);
        if (band.x.isEmpty())
            continue;
        bands << band;
        for (const int i : group) {
            chart.series[i].faint = true;
            chart.series[i].legend = QStringLiteral("-");
            chart.series[i].dash = 0;
        }
    }
    chart.series += bands;
    if (!bands.isEmpty())
        chart.errorText = QCoreApplication::translate("RunCharts", "range of the repeats");
    return chart;
}

Study withRuns(const Study& study, const QStringList& runIds)
{
    Study part = study;
    if (!runIds.isEmpty())
        part.runs.removeIf(
            [&](const RunRecord& run) { return !runIds.contains(run.config.runId); });
    return part;
}

} // namespace scalebench
