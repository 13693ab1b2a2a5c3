// SPDX-License-Identifier: GPL-3.0-or-later
// Times over worker counts, and published results beside own ones.
#include "figures/run_charts.h"
#include "figures/worker_lines.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench {

static constexpr int kMostIdeals = 4;

namespace {
class TimeChartsTexts
{
    Q_DECLARE_TR_FUNCTIONS(ScalingCharts)
};
} // namespace

static QString seconds(double s)
{
    return s < 120 ? QLocale().toString(s, 'f', s < 10 ? 2 : 1) + QStringLiteral(" s")
                   : QLocale().toString(s / 60, 'f', 1) + QStringLiteral(" min");
}

void overlayReference(ChartData& chart, const ChartData& reference, const QString& name)
{
    if (chart.isEmpty() || reference.isEmpty())
        return;
    int slot = 0;
    for (const ChartSeries& s : std::as_const(chart.series))
        slot = std::max(slot, s.slot + 1);
    // A speedup is told against the smallest count; the ideal line is the same for both then.
    const double scale = chart.idealLine                       ? reference.idealAt / chart.idealAt
                         : chart.yColumn == reference.yColumn  ? 1
                         : chart.yColumn == kMinutesColumn     ? 1.0 / 60
                         : reference.yColumn == kMinutesColumn ? 60
                                                               : 1;
    for (ChartSeries s : reference.series) {
        s.id = QStringLiteral("reference/") + s.id;
        s.name = TimeChartsTexts::tr("%1 (reference only)")
                     .arg(reference.series.size() > 1 ? s.name : name);
        s.slot = slot++;
        s.dash = 1;
        for (double& y : s.y)
            y *= scale;
        s.yLow.clear();
        s.yHigh.clear();
        s.n.clear();
        s.pointLabels.clear();
        chart.series << s;
    }
    for (const double tick : reference.xTicks)
        if (!chart.xTicks.contains(tick))
            chart.xTicks << tick;
    std::sort(chart.xTicks.begin(), chart.xTicks.end());
    setSpeedupScale(chart);
    chart.notices << reference.notices;
}

/// A desk's seconds beside a cluster's hours: only a logarithmic axis shows both.
static void spreadDecades(ChartData& chart)
{
    constexpr double kDecades = 30;
    double least = INFINITY, most = 0;
    for (const ChartSeries& s : std::as_const(chart.series))
        for (const double y : s.y)
            if (std::isfinite(y) && y > 0) {
                least = std::min(least, y);
                most = std::max(most, y);
            }
    if (most < kDecades * least)
        return;
    chart.yLog10 = true;
    chart.yFromZero = false;
    chart.inset.reset();
}

void overlayTimes(ChartData& chart, const ChartData& reference, const QString& name)
{
    overlayReference(chart, reference, name);
    chart.guides.clear(); // one baseline's ideal says nothing of the other's
    if (!chart.isEmpty())
        spreadDecades(chart);
}

/// What as many times the workers would bring, from the line's baseline on.
static ChartGuide idealTimes(const ChartData& chart, const QList<SpeedupRow>& rows,
                             const WorkerLine& line, double unit)
{
    ChartGuide guide;
    for (const SpeedupRow& row : rows) {
        if (!line.has(row) || !row.knowsWorkers() || !row.counts() || !std::isfinite(row.meanTimeS))
            continue;
        if (!guide.x.isEmpty() && !row.baseline)
            continue;
        constexpr int kPieces = 48; // a hyperbola
        const double last = chart.xTicks.isEmpty() ? row.workers : chart.xTicks.last();
        guide.x.clear();
        guide.y.clear();
        for (int i = 0; i <= kPieces; ++i) {
            const double at = row.workers * std::pow(last / row.workers, double(i) / kPieces);
            guide.x << at;
            guide.y << row.meanTimeS / unit * row.workers / at;
        }
    }
    return guide;
}

/// How long runs trained that count for no time.
static ChartSeries missedMarks(const QList<SpeedupRow>& rows, const WorkerLine& line, double unit)
{
    ChartSeries marks;
    marks.kind = ChartSeries::Kind::Marks;
    for (const SpeedupRow& row : rows) {
        if (!line.has(row) || !row.knowsWorkers() || !(row.missedTimeS > 0))
            continue;
        marks.x << row.workers;
        marks.y << row.missedTimeS / unit;
        marks.n << row.notConverged;
    }
    return marks;
}

ChartData timeToTargetChart(const Study& study, const QList<SpeedupRow>& rows)
{
    ChartData chart =
        studyChart(study, QStringLiteral("time_to_target"), TimeChartsTexts::tr("Time to train"));
    setWorkerAxis(chart, rows);
    double longest = 0;
    for (const SpeedupRow& row : rows)
        longest = std::max({longest, row.meanTimeS, row.missedTimeS}); // NaN is no more
    const bool minutes = longest >= 600;
    const double unit = minutes ? 60 : 1;
    chart.yFromZero = true;
    chart.yLabel = minutes ? TimeChartsTexts::tr("Time to train (min)")
                           : TimeChartsTexts::tr("Time to train (s)");
    chart.yColumn = minutes ? kMinutesColumn : QStringLiteral("time_to_train_s");
    chart.emptyText = noTimesText(study);
    addGroupSeries(chart, rows, TimeChartsTexts::tr("mean"), [unit](const SpeedupRow& row) {
        return RowValue{row.meanTimeS / unit, row.timeLowS / unit, row.timeHighS / unit,
                        seconds(row.meanTimeS), row.runs};
    });
    nameMachine(chart, study);
    const QList<WorkerLine> lines = workerLines(rows);
    for (int i = 0; i < lines.size(); ++i) {
        const bool several = chart.xTicks.size() > 1 && lines.size() <= kMostIdeals;
        if (ChartGuide guide = idealTimes(chart, rows, lines[i], unit);
            several && !guide.x.isEmpty()) {
            guide.name = chart.guides.isEmpty() ? TimeChartsTexts::tr("ideal") : QString();
            chart.guides << guide;
        }
        ChartSeries missed = missedMarks(rows, lines[i], unit);
        if (missed.x.isEmpty())
            continue;
        missed.id = chart.series[i].id + QStringLiteral("/missed");
        missed.name = lines.size() > 1
                          ? TimeChartsTexts::tr("%1, target missed").arg(chart.series[i].name)
                          : TimeChartsTexts::tr("target missed");
        missed.subject = chart.series[i].subject;
        missed.slot = chart.series[i].slot;
        chart.series << missed;
    }
    if (lines.size() < chart.series.size()) // a line that only missed is its crosses
        chart.series.removeIf([](const ChartSeries& series) { return series.x.isEmpty(); });
    chart.inset = insetOfLow(chart.series);
    return chart;
}

} // namespace scalebench
