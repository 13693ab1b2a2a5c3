// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/worker_lines.h"

#include "figures/run_charts.h"

#include <QCoreApplication>
#include <QLocale>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {
class WorkerLinesTexts
{
    Q_DECLARE_TR_FUNCTIONS(ScalingCharts)
};
} // namespace

void setWorkerAxis(ChartData& chart, const QList<SpeedupRow>& rows)
{
    chart.xScale = ChartData::XScale::Log2;
    chart.xLabel = WorkerLinesTexts::tr("Workers");
    chart.xColumn = QStringLiteral("workers");
    QSet<int> counts;
    for (const SpeedupRow& row : rows)
        if (row.knowsWorkers())
            counts.insert(row.workers);
    QList<int> sorted(counts.begin(), counts.end());
    std::sort(sorted.begin(), sorted.end());
    for (const int count : std::as_const(sorted))
        chart.xTicks << count;
}

QStringList groupsOf(const QList<SpeedupRow>& rows)
{
    QStringList groups;
    for (const SpeedupRow& row : rows) {
        if (!groups.contains(row.group))
            groups << row.group;
    }
    return groups;
}

/// 0: not known.
static int perNodeOf(const SpeedupRow& row)
{
    return row.nodes > 0 ? row.workers / row.nodes : 0;
}

bool WorkerLine::has(const SpeedupRow& row) const
{
    return row.group == group && (perNode == 0 || perNodeOf(row) == perNode);
}

QList<WorkerLine> workerLines(const QList<SpeedupRow>& rows)
{
    const bool overNodes =
        std::any_of(rows.begin(), rows.end(), [](const SpeedupRow& row) { return row.nodes > 1; });
    QList<WorkerLine> lines;
    for (const QString& group : groupsOf(rows)) {
        QList<int> counts;
        for (const SpeedupRow& row : rows)
            if (const int perNode = perNodeOf(row); row.group == group && !counts.contains(perNode))
                counts << perNode;
        std::sort(counts.begin(), counts.end());
        if (!overNodes || counts.size() < 2 || counts.contains(0))
            counts = {0};
        for (const int perNode : std::as_const(counts))
            lines << WorkerLine{group, perNode};
    }
    return lines;
}

/// Runs that have no place on an axis of workers.
static void tellUnknownSizes(ChartData& chart, const QList<SpeedupRow>& rows)
{
    const auto unknown = std::count_if(rows.begin(), rows.end(), [](const SpeedupRow& row) {
        return !row.knowsWorkers(); // each is one run's
    });
    if (unknown > 0 && unknown == rows.size())
        chart.emptyText = WorkerLinesTexts::tr("The number of workers of these runs is not known; "
                                               "import the files again with --accelerators.");
    else if (unknown > 0)
        chart.marks.prepend(
            WorkerLinesTexts::tr("not in this chart: %n run(s) on an unknown number of workers",
                                 nullptr, static_cast<int>(unknown)));
}

void addGroupSeries(ChartData& chart, const QList<SpeedupRow>& rows, const QString& onlyName,
                    const std::function<RowValue(const SpeedupRow&)>& valueOf)
{
    const QList<WorkerLine> lines = workerLines(rows);
    const bool manyGroups = groupsOf(rows).size() > 1;
    for (int i = 0; i < lines.size(); ++i) {
        const WorkerLine& line = lines[i];
        QStringList name;
        if (manyGroups && !line.group.isEmpty())
            name << line.group;
        if (line.perNode > 0)
            name << WorkerLinesTexts::tr("%1 per node").arg(workersText(line.perNode));
        ChartSeries series;
        series.id =
            line.group + (line.perNode > 0 ? QStringLiteral("/%1").arg(line.perNode) : QString());
        series.name = name.isEmpty() ? onlyName : name.join(QStringLiteral(", "));
        if (!name.isEmpty()) // the same in every chart
            series.subject = QStringLiteral("line/") + series.id;
        series.slot = i;
        bool errors = false;
        for (const SpeedupRow& row : rows) {
            const RowValue v = valueOf(row);
            if (!line.has(row) || !row.knowsWorkers() || !std::isfinite(v.y) || v.y <= 0)
                continue;
            series.x << row.workers;
            series.y << v.y;
            series.yLow << v.low;
            series.yHigh << v.high;
            series.pointLabels << v.label;
            series.n << v.n;
            errors |= std::isfinite(v.low) && std::isfinite(v.high);
        }
        if (!errors) {
            series.yLow.clear();
            series.yHigh.clear();
        }
        // Several lines of labels would run into each other.
        if (lines.size() > 1)
            series.pointLabels.clear();
        chart.series << series;
    }
    tellUnknownSizes(chart, rows);
}

QString settingsInLines(QString settings)
{
    return settings.replace(QLatin1String(", "), QLatin1String(",\n"));
}

void nameMachine(ChartData& chart, const Study& study)
{
    if (chart.series.size() != 1 || study.runs.isEmpty())
        return;
    const QString machine = study.runs.first().machine();
    const bool same =
        std::all_of(study.runs.begin(), study.runs.end(),
                    [&machine](const RunRecord& run) { return run.machine() == machine; });
    if (same)
        chart.series.first().machine = machine;
}

QString noTimesText(const Study& study)
{
    const QString note = speedupNote(study);
    return note.isEmpty() ? WorkerLinesTexts::tr("The speedup appears as runs end.") : note;
}

void setSpeedupScale(ChartData& chart)
{
    if (!chart.idealLine)
        return;
    chart.yLog2 = chart.xTicks.size() > 1 && chart.xTicks.last() > 2 * chart.xTicks.first();
    chart.yFromZero = !chart.yLog2;
    chart.xScale = chart.yLog2 ? ChartData::XScale::Log2 : ChartData::XScale::Linear;
}

QString timesText(double ratio)
{
    return QLocale().toString(ratio, 'f', 2) + QChar(0x00d7);
}

QString shapeText(int workers, int nodes, bool overNodes)
{
    return overNodes && nodes > 0
               ? WorkerLinesTexts::tr("%1 on %n node(s)", nullptr, nodes).arg(workersText(workers))
               : workersText(workers);
}

} // namespace scalebench
