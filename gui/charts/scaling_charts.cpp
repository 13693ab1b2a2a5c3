// SPDX-License-Identifier: GPL-3.0-or-later
// Charts over worker counts, and what to say where one of them has to stay empty.
#include "charts/run_charts.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>
#include <QSet>

#include <cmath>

namespace scalebench {

namespace {

class Texts
{
    Q_DECLARE_TR_FUNCTIONS(ScalingCharts)
};

/// Ticks and limits of the worker axis.
void setWorkerAxis(ChartData& chart, const QList<SpeedupRow>& rows)
{
    chart.xScale = ChartData::XScale::Log2;
    chart.xLabel = Texts::tr("Workers");
    chart.xColumn = QStringLiteral("workers");
    QSet<int> counts;
    for (const SpeedupRow& row : rows)
        counts.insert(row.workers);
    QList<int> sorted(counts.begin(), counts.end());
    std::sort(sorted.begin(), sorted.end());
    for (const int count : std::as_const(sorted))
        chart.xTicks << count;
}

int totalWorkers(const SpeedupRow& row)
{
    return row.workers;
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

constexpr int kMostIdeals = 4;
const QString kMinutes = QStringLiteral("time_to_train_min");

struct RowValue {
    double y, low, high;
    QString label;
    int n = 0; ///< runs behind it
};

/// A line of a chart over worker counts: a group, and where runs went over several nodes also how
/// many workers each node had, so that scale-up and scale-out are told apart.
struct Line {
    QString group;
    int perNode = 0; ///< 0: not told apart

    bool has(const SpeedupRow& row) const
    {
        return row.group == group && (perNode == 0 || row.workers / qMax(1, row.nodes) == perNode);
    }
};

QList<Line> linesOf(const QList<SpeedupRow>& rows)
{
    const bool overNodes =
        std::any_of(rows.begin(), rows.end(), [](const SpeedupRow& row) { return row.nodes > 1; });
    QList<Line> lines;
    for (const QString& group : groupsOf(rows)) {
        QList<int> counts;
        for (const SpeedupRow& row : rows)
            if (const int perNode = row.workers / qMax(1, row.nodes);
                row.group == group && !counts.contains(perNode))
                counts << perNode;
        std::sort(counts.begin(), counts.end());
        if (!overNodes || counts.size() < 2)
            counts = {0};
        for (const int perNode : std::as_const(counts))
            lines << Line{group, perNode};
    }
    return lines;
}

/// One series per line over the worker counts.
template <typename F>
void addGroupSeries(ChartData& chart, const QList<SpeedupRow>& rows, const QString& onlyName,
                    F valueOf)
{
    const QList<Line> lines = linesOf(rows);
    const bool manyGroups = groupsOf(rows).size() > 1;
    for (int i = 0; i < lines.size(); ++i) {
        const Line& line = lines[i];
        QStringList name;
        if (manyGroups)
            name << line.group;
        if (line.perNode > 0)
            name << Texts::tr("%1 per node").arg(workersText(line.perNode));
        ChartSeries series;
        series.id =
            line.group + (line.perNode > 0 ? QStringLiteral("/%1").arg(line.perNode) : QString());
        series.name = name.isEmpty() ? onlyName : name.join(QStringLiteral(", "));
        series.slot = i;
        bool errors = false;
        for (const SpeedupRow& row : rows) {
            const RowValue v = valueOf(row);
            if (!line.has(row) || !std::isfinite(v.y) || v.y <= 0)
                continue;
            series.x << totalWorkers(row);
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
}

double ratioOf(const SpeedupRow& row, SpeedupOf quantity)
{
    switch (quantity) {
    case SpeedupOf::EpochTime:
        return row.stepTimeRatio;
    case SpeedupOf::Throughput:
        return row.throughputRatio;
    case SpeedupOf::TimeToTrain:
        break;
    }
    return row.speedup;
}

bool isBase(const SpeedupRow& row, SpeedupOf quantity)
{
    return quantity == SpeedupOf::Throughput ? row.rateBaseline : row.baseline;
}

/// The workers of the row of the same series that the ratio is told against.
double baseOf(const QList<SpeedupRow>& rows, const SpeedupRow& row, SpeedupOf quantity)
{
    for (const SpeedupRow& one : rows)
        if (one.group == row.group && isBase(one, quantity))
            return totalWorkers(one);
    return qQNaN();
}

QString changeText(const QSet<int>& values)
{
    QList<int> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    return Texts::tr("%1 to %2")
        .arg(QLocale().toString(sorted.first()), QLocale().toString(sorted.last()));
}

/// What a ratio hides: batches and epochs that changed with the workers.
QStringList changesOf(const QList<SpeedupRow>& rows)
{
    QMap<QString, QSet<int>> batches, epochs;
    for (const SpeedupRow& row : rows) {
        if (row.globalBatch > 0)
            batches[row.group] << row.globalBatch;
        if (row.runs > 0 && std::isfinite(row.meanEpochs))
            epochs[row.group] << static_cast<int>(std::lround(row.meanEpochs));
    }
    const auto tell = [&rows](const QMap<QString, QSet<int>>& of, const QString& what) {
        QStringList changed;
        for (auto it = of.begin(); it != of.end(); ++it)
            if (it.value().size() > 1)
                changed << (groupsOf(rows).size() > 1
                                ? QStringLiteral("%1 %2").arg(it.key(), changeText(it.value()))
                                : changeText(it.value()));
        return changed.isEmpty() ? QString() : what.arg(changed.join(QStringLiteral(", ")));
    };
    QStringList changes{tell(batches, Texts::tr("the batch changes with the workers (%1)")),
                        tell(epochs, Texts::tr("the epochs to the target differ (%1)"))};
    changes.removeAll(QString());
    return changes;
}

/// Tints what lies beyond the ideal and says why, and warns where the work was not the same.
void tellBeyondIdeal(ChartData& chart, const QList<SpeedupRow>& rows, SpeedupOf quantity)
{
    constexpr double kBeyond = 1.02; // below it is noise
    if (chart.series.isEmpty())
        return;
    bool fewerEpochs = false, fasterSteps = false;
    for (const SpeedupRow& row : rows) {
        const double share = baseOf(rows, row, quantity) / totalWorkers(row);
        if (isBase(row, quantity) || !(ratioOf(row, quantity) * share > kBeyond))
            continue;
        const bool steps =
            quantity != SpeedupOf::TimeToTrain || row.stepTimeRatio * share > kBeyond;
        fasterSteps |= steps;
        fewerEpochs |= !steps || row.epochsRatio > kBeyond;
    }
    if (quantity != SpeedupOf::TimeToTrain)
        fewerEpochs = false;
    if (fewerEpochs && fasterSteps)
        chart.superLinear =
            Texts::tr("beyond the ideal: fewer epochs were needed, and steps are faster "
                      "than their share (caches, or a slow baseline)");
    else if (fewerEpochs)
        chart.superLinear =
            Texts::tr("beyond the ideal: fewer epochs were needed, not the hardware's doing");
    else if (fasterSteps)
        chart.superLinear =
            Texts::tr("beyond the ideal: steps are faster than their share (caches, or a "
                      "slow baseline)");
    if (quantity == SpeedupOf::TimeToTrain)
        chart.marks = changesOf(rows) + chart.marks;
}

/// One count alone has no ratio.
void dropLoneRatio(ChartData& chart)
{
    QSet<double> counts;
    for (const ChartSeries& series : std::as_const(chart.series))
        for (const double x : series.x)
            counts << x;
    if (counts.size() < 2)
        chart.series.clear();
}

double baselineWorkers(const QList<SpeedupRow>& rows, SpeedupOf quantity)
{
    for (const SpeedupRow& row : rows) {
        if (isBase(row, quantity))
            return totalWorkers(row);
    }
    return rows.isEmpty() ? 1 : totalWorkers(rows.first());
}

QString times(double ratio)
{
    return QLocale().toString(ratio, 'f', 2) + QChar(0x00d7);
}

QString percent(double share)
{
    return QLocale().toString(share * 100, 'f', 0) + QStringLiteral(" %");
}

QString seconds(double s)
{
    return s < 120 ? QLocale().toString(s, 'f', s < 10 ? 2 : 1) + QStringLiteral(" s")
                   : QLocale().toString(s / 60, 'f', 1) + QStringLiteral(" min");
}

/// One worker count alone has no speedup: the chart stays empty and says so.
void dropLonePoint(ChartData& chart, const Study& study)
{
    QSet<int> counts;
    for (const RunRecord& run : study.runs) {
        // A run still to come may give the second point; one that ended without a time will not.
        if (!isFinal(run.state) || run.state == RunState::Completed)
            counts.insert(run.config.workers);
    }
    if (counts.size() < 2)
        chart.series.clear();
}

QString emptyText(const Study& study)
{
    const QString note = speedupNote(study);
    return note.isEmpty() ? Texts::tr("The speedup appears as runs end.") : note;
}

} // namespace

/// Both axes are linear up to a factor of two and logarithmic beyond, which keeps the ideal line
/// straight.
static void setSpeedupScale(ChartData& chart)
{
    if (!chart.idealLine)
        return;
    chart.yLog2 = chart.xTicks.size() > 1 && chart.xTicks.last() > 2 * chart.xTicks.first();
    chart.yFromZero = !chart.yLog2;
    chart.xScale = chart.yLog2 ? ChartData::XScale::Log2 : ChartData::XScale::Linear;
}

ChartData speedupChart(const Study& study, const QList<SpeedupRow>& rows, SpeedupOf quantity)
{
    ChartData chart = studyChart(study, QStringLiteral("speedup"), Texts::tr("Speedup"));
    setWorkerAxis(chart, rows);
    chart.idealAt = baselineWorkers(rows, quantity);
    chart.idealLine = true;
    chart.labelsBelow = true;
    setSpeedupScale(chart);
    const QString base = workersText(static_cast<int>(chart.idealAt));
    chart.yLabel = Texts::tr("Speedup vs %1").arg(base);
    chart.yColumn = QStringLiteral("speedup");
    if (quantity == SpeedupOf::EpochTime) {
        chart.id = chart.yColumn = QStringLiteral("speedup_of_an_epoch");
        chart.yLabel = Texts::tr("Speedup of an epoch vs %1").arg(base);
    } else if (quantity == SpeedupOf::Throughput) {
        chart.id = chart.yColumn = QStringLiteral("throughput_ratio");
        chart.yLabel = Texts::tr("Samples/s vs %1 (\u00d7)").arg(base);
    }
    chart.emptyText =
        quantity == SpeedupOf::TimeToTrain
            ? emptyText(study)
            : Texts::tr("Ratios appear as runs with two numbers of workers measure them.");
    addGroupSeries(chart, rows, Texts::tr("measured"), [&rows, quantity](const SpeedupRow& row) {
        const double ratio = ratioOf(row, quantity);
        const double baseWorkers = baseOf(rows, row, quantity);
        const bool time = quantity == SpeedupOf::TimeToTrain;
        return RowValue{ratio, time ? row.speedupLow : qQNaN(), time ? row.speedupHigh : qQNaN(),
                        totalWorkers(row) == baseWorkers
                            ? times(ratio)
                            : QStringLiteral("%1 (%2)").arg(
                                  times(ratio), percent(ratio * baseWorkers / totalWorkers(row))),
                        row.runs};
    });
    if (quantity == SpeedupOf::TimeToTrain)
        dropLonePoint(chart, study);
    else
        dropLoneRatio(chart);
    tellBeyondIdeal(chart, rows, quantity);
    return chart;
}

ChartData efficiencyChart(const Study& study, const QList<SpeedupRow>& rows, SpeedupOf quantity)
{
    ChartData chart =
        studyChart(study, QStringLiteral("efficiency"), Texts::tr("Scaling efficiency"));
    setWorkerAxis(chart, rows);
    chart.idealFlat = true;
    chart.yFromZero = true;
    chart.yPercent = true;
    chart.yLabel = Texts::tr("Speedup / workers");
    chart.yColumn = QStringLiteral("efficiency");
    chart.emptyText = emptyText(study);
    if (quantity == SpeedupOf::EpochTime)
        chart.id = chart.yColumn = QStringLiteral("efficiency_of_an_epoch");
    else if (quantity == SpeedupOf::Throughput)
        chart.id = chart.yColumn = QStringLiteral("throughput_efficiency");
    addGroupSeries(chart, rows, Texts::tr("measured"), [&rows, quantity](const SpeedupRow& row) {
        const double share = baseOf(rows, row, quantity) / totalWorkers(row);
        const double ratio = ratioOf(row, quantity);
        const bool time = quantity == SpeedupOf::TimeToTrain;
        return RowValue{ratio * share, time ? row.speedupLow * share : qQNaN(),
                        time ? row.speedupHigh * share : qQNaN(), percent(ratio * share), row.runs};
    });
    if (quantity == SpeedupOf::TimeToTrain)
        dropLonePoint(chart, study);
    else
        dropLoneRatio(chart);
    tellBeyondIdeal(chart, rows, quantity);
    return chart;
}

void overlayReference(ChartData& chart, const ChartData& reference, const QString& name)
{
    if (chart.isEmpty() || reference.isEmpty())
        return;
    int slot = 0;
    for (const ChartSeries& s : std::as_const(chart.series))
        slot = std::max(slot, s.slot + 1);
    // A speedup is told against the smallest count; the ideal line is the same for both then.
    const double scale = chart.idealLine                      ? reference.idealAt / chart.idealAt
                         : chart.yColumn == reference.yColumn ? 1
                         : chart.yColumn == kMinutes          ? 1.0 / 60
                         : reference.yColumn == kMinutes      ? 60
                                                              : 1;
    for (ChartSeries s : reference.series) {
        s.id = QStringLiteral("reference/") + s.id;
        s.name = Texts::tr("%1 (reference only)").arg(reference.series.size() > 1 ? s.name : name);
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
                             const Line& line, double unit)
{
    ChartGuide guide;
    for (const SpeedupRow& row : rows) {
        if (!line.has(row) || row.runs == 0 || !std::isfinite(row.meanTimeS))
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
static ChartSeries missedMarks(const QList<SpeedupRow>& rows, const Line& line, double unit)
{
    ChartSeries marks;
    marks.kind = ChartSeries::Kind::Marks;
    for (const SpeedupRow& row : rows) {
        if (!line.has(row) || !(row.missedTimeS > 0))
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
        studyChart(study, QStringLiteral("time_to_target"), Texts::tr("Time to train"));
    setWorkerAxis(chart, rows);
    double longest = 0;
    for (const SpeedupRow& row : rows)
        longest = std::max({longest, row.meanTimeS, row.missedTimeS}); // NaN is no more
    const bool minutes = longest >= 600;
    const double unit = minutes ? 60 : 1;
    chart.yFromZero = true;
    chart.yLabel = minutes ? Texts::tr("Time to train (min)") : Texts::tr("Time to train (s)");
    chart.yColumn = minutes ? kMinutes : QStringLiteral("time_to_train_s");
    chart.emptyText = emptyText(study);
    addGroupSeries(chart, rows, Texts::tr("mean"), [unit](const SpeedupRow& row) {
        return RowValue{row.meanTimeS / unit, row.timeLowS / unit, row.timeHighS / unit,
                        seconds(row.meanTimeS), row.runs};
    });
    const QList<Line> lines = linesOf(rows);
    for (int i = 0; i < lines.size(); ++i) {
        const bool several = chart.xTicks.size() > 1 && lines.size() <= kMostIdeals;
        if (ChartGuide guide = idealTimes(chart, rows, lines[i], unit);
            several && !guide.x.isEmpty()) {
            guide.name = chart.guides.isEmpty() ? Texts::tr("ideal") : QString();
            chart.guides << guide;
        }
        ChartSeries missed = missedMarks(rows, lines[i], unit);
        if (missed.x.isEmpty())
            continue;
        missed.id = chart.series[i].id + QStringLiteral("/missed");
        missed.name = lines.size() > 1 ? Texts::tr("%1, target missed").arg(chart.series[i].name)
                                       : Texts::tr("target missed");
        missed.slot = chart.series[i].slot;
        chart.series << missed;
    }
    if (lines.size() < chart.series.size()) // a line that only missed is its crosses
        chart.series.removeIf([](const ChartSeries& series) { return series.x.isEmpty(); });
    chart.inset = insetOfLow(chart.series);
    return chart;
}

ChartData speedupPartsChart(const Study& study, const QList<SpeedupRow>& rows)
{
    ChartData chart = studyChart(study, QStringLiteral("speedup_parts"),
                                 Texts::tr("Where the speedup comes from"));
    chart.xScale = ChartData::XScale::Categories;
    chart.yFromZero = true;
    chart.yLabel = Texts::tr("Ratio (\u00d7)");
    chart.xColumn = QStringLiteral("workers");
    chart.yColumn = QStringLiteral("ratio");
    chart.emptyText = emptyText(study);
    const struct {
        QString id, name;
        double SpeedupRow::*value;
        int slot;
    } parts[] = {
        {QStringLiteral("steps"), Texts::tr("step-time ratio (hardware)"),
         &SpeedupRow::stepTimeRatio, 0},
        {QStringLiteral("epochs"), Texts::tr("epochs ratio (convergence)"),
         &SpeedupRow::epochsRatio, 1},
        {QStringLiteral("speedup"), Texts::tr("speedup = product"), &SpeedupRow::speedup, 2}};
    const bool grouped = groupsOf(rows).size() > 1;
    QList<SpeedupRow> shown;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const SpeedupRow& row = rows[i];
        if (row.baseline || !std::isfinite(row.speedup) || row.speedup <= 0)
            continue;
        // Of several series only the largest count of each has room.
        if (grouped && i + 1 < rows.size() && rows[i + 1].group == row.group)
            continue;
        shown << row;
        const QString workers = workersText(totalWorkers(row));
        chart.categories << (grouped
                                 ? QString(row.group).replace(QLatin1Char(' '), QLatin1Char('\n')) +
                                       QLatin1Char('\n') + workers
                                 : workers);
    }
    for (const auto& part : parts) {
        ChartSeries series;
        series.id = part.id;
        series.name = part.name;
        series.slot = part.slot;
        series.kind = ChartSeries::Kind::Bars;
        for (int i = 0; i < shown.size(); ++i) {
            series.x << i;
            series.y << shown[i].*part.value;
            const bool room = shown.size() <= 3 || (shown.size() <= 6 && part.slot == 2);
            series.pointLabels << (room ? times(shown[i].*part.value) : QString());
        }
        chart.series << series;
    }
    return chart;
}

} // namespace scalebench
