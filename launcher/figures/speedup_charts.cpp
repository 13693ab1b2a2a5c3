// SPDX-License-Identifier: GPL-3.0-or-later
// Ratios over worker counts.
#include "figures/run_charts.h"
#include "figures/worker_lines.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scalebench {

namespace {

class SpeedupChartsTexts
{
    Q_DECLARE_TR_FUNCTIONS(ScalingCharts)
};

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
            return one.workers;
    return qQNaN();
}

QString changeText(const QSet<int>& values)
{
    QList<int> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    return SpeedupChartsTexts::tr("%1 to %2")
        .arg(QLocale().toString(sorted.first()), QLocale().toString(sorted.last()));
}

/// What a ratio hides: batches and epochs that changed with the workers.
QStringList changesOf(const QList<SpeedupRow>& rows)
{
    QMap<QString, QSet<int>> batches, epochs;
    for (const SpeedupRow& row : rows) {
        if (row.globalBatch > 0)
            batches[row.group] << row.globalBatch;
        if (row.counts() && std::isfinite(row.meanEpochs))
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
    QStringList changes{
        tell(batches, SpeedupChartsTexts::tr("the batch changes with the workers (%1)")),
        tell(epochs, SpeedupChartsTexts::tr("the epochs to the target differ (%1)"))};
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
        const double share = baseOf(rows, row, quantity) / row.workers;
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
        chart.superLinear = SpeedupChartsTexts::tr(
            "beyond the ideal: fewer epochs were needed, and steps are faster "
            "than their share (caches, or a slow baseline)");
    else if (fewerEpochs)
        chart.superLinear = SpeedupChartsTexts::tr(
            "beyond the ideal: fewer epochs were needed, not the hardware's doing");
    else if (fasterSteps)
        chart.superLinear = SpeedupChartsTexts::tr(
            "beyond the ideal: steps are faster than their share (caches, or a "
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
            return row.workers;
    }
    return rows.isEmpty() ? 1 : std::max(1, rows.first().workers);
}

QString percent(double share)
{
    return QLocale().toString(share * 100, 'f', 0) + QStringLiteral(" %");
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

bool tellsNoRate(const Study& study)
{
    return std::all_of(study.runs.begin(), study.runs.end(), [](const RunRecord& run) {
        return isFinal(run.state) && !(run.throughput > 0);
    });
}

/// What a chart of ratios says beside its lines.
ChartData finished(ChartData chart, const Study& study, const QList<SpeedupRow>& rows,
                   SpeedupOf quantity)
{
    nameMachine(chart, study);
    if (quantity == SpeedupOf::TimeToTrain)
        dropLonePoint(chart, study);
    else
        dropLoneRatio(chart);
    tellBeyondIdeal(chart, rows, quantity);
    return chart;
}

} // namespace

ChartData speedupChart(const Study& study, const QList<SpeedupRow>& rows, SpeedupOf quantity)
{
    ChartData chart =
        studyChart(study, QStringLiteral("speedup"), SpeedupChartsTexts::tr("Speedup"));
    setWorkerAxis(chart, rows);
    chart.idealAt = baselineWorkers(rows, quantity);
    chart.idealLine = true;
    chart.labelsBelow = true;
    setSpeedupScale(chart);
    const QString base = workersText(static_cast<int>(chart.idealAt));
    chart.yLabel = SpeedupChartsTexts::tr("Speedup vs %1").arg(base);
    chart.yColumn = QStringLiteral("speedup");
    if (quantity == SpeedupOf::EpochTime) {
        chart.id = chart.yColumn = QStringLiteral("speedup_of_an_epoch");
        chart.yLabel = SpeedupChartsTexts::tr("Speedup of an epoch vs %1").arg(base);
    } else if (quantity == SpeedupOf::Throughput) {
        chart.id = chart.yColumn = QStringLiteral("throughput_ratio");
        chart.yLabel = SpeedupChartsTexts::tr("Samples/s vs %1 (\u00d7)").arg(base);
    }
    chart.emptyText = quantity == SpeedupOf::TimeToTrain ? noTimesText(study)
                      : quantity == SpeedupOf::Throughput && tellsNoRate(study)
                          ? SpeedupChartsTexts::tr("The runs do not tell their samples/s.")
                          : SpeedupChartsTexts::tr(
                                "Ratios appear as runs with two numbers of workers measure them.");
    addGroupSeries(
        chart, rows, SpeedupChartsTexts::tr("measured"), [&rows, quantity](const SpeedupRow& row) {
            const double ratio = ratioOf(row, quantity);
            const double baseWorkers = baseOf(rows, row, quantity);
            const bool time = quantity == SpeedupOf::TimeToTrain;
            return RowValue{ratio, time ? row.speedupLow : qQNaN(),
                            time ? row.speedupHigh : qQNaN(),
                            row.workers == baseWorkers
                                ? timesText(ratio)
                                : QStringLiteral("%1 (%2)").arg(
                                      timesText(ratio), percent(ratio * baseWorkers / row.workers)),
                            row.runs};
        });
    return finished(std::move(chart), study, rows, quantity);
}

ChartData efficiencyChart(const Study& study, const QList<SpeedupRow>& rows, SpeedupOf quantity)
{
    ChartData chart = studyChart(study, QStringLiteral("efficiency"),
                                 SpeedupChartsTexts::tr("Scaling efficiency"));
    setWorkerAxis(chart, rows);
    chart.idealFlat = true;
    chart.yFromZero = true;
    chart.yPercent = true;
    chart.yLabel = SpeedupChartsTexts::tr("Speedup / workers");
    chart.yColumn = QStringLiteral("efficiency");
    chart.emptyText = noTimesText(study);
    if (quantity == SpeedupOf::EpochTime)
        chart.id = chart.yColumn = QStringLiteral("efficiency_of_an_epoch");
    else if (quantity == SpeedupOf::Throughput)
        chart.id = chart.yColumn = QStringLiteral("throughput_efficiency");
    addGroupSeries(chart, rows, SpeedupChartsTexts::tr("measured"),
                   [&rows, quantity](const SpeedupRow& row) {
                       const double share = baseOf(rows, row, quantity) / row.workers;
                       const double ratio = ratioOf(row, quantity);
                       const bool time = quantity == SpeedupOf::TimeToTrain;
                       return RowValue{ratio * share, time ? row.speedupLow * share : qQNaN(),
                                       time ? row.speedupHigh * share : qQNaN(),
                                       percent(ratio * share), row.runs};
                   });
    return finished(std::move(chart), study, rows, quantity);
}

ChartData speedupPartsChart(const Study& study, const QList<SpeedupRow>& rows)
{
    ChartData chart = studyChart(study, QStringLiteral("speedup_parts"),
                                 SpeedupChartsTexts::tr("Where the speedup comes from"));
    chart.xScale = ChartData::XScale::Categories;
    chart.yFromZero = true;
    chart.yLabel = SpeedupChartsTexts::tr("Ratio (\u00d7)");
    chart.xColumn = QStringLiteral("workers");
    chart.yColumn = QStringLiteral("ratio");
    chart.emptyText = noTimesText(study);
    const struct {
        QString id, name;
        double SpeedupRow::*value;
        int slot;
    } parts[] = {{QStringLiteral("steps"), SpeedupChartsTexts::tr("step-time ratio (hardware)"),
                  &SpeedupRow::stepTimeRatio, 0},
                 {QStringLiteral("epochs"), SpeedupChartsTexts::tr("epochs ratio (convergence)"),
                  &SpeedupRow::epochsRatio, 1},
                 {QStringLiteral("speedup"), SpeedupChartsTexts::tr("speedup = product"),
                  &SpeedupRow::speedup, 2}};
    const bool grouped = groupsOf(rows).size() > 1;
    const bool overNodes =
        std::any_of(rows.begin(), rows.end(), [](const SpeedupRow& row) { return row.nodes > 1; });
    QList<SpeedupRow> shown;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const SpeedupRow& row = rows[i];
        if (row.baseline || !std::isfinite(row.speedup) || row.speedup <= 0)
            continue;
        // Of several series only the largest count of each has room.
        if (grouped && i + 1 < rows.size() && rows[i + 1].group == row.group)
            continue;
        if (!std::isfinite(row.stepTimeRatio) && !std::isfinite(row.epochsRatio)) {
            chart.emptyText = SpeedupChartsTexts::tr(
                "How many epochs these runs needed is not known: their speedup has no parts.");
            continue;
        }
        shown << row;
        const QString workers = shapeText(row.workers, row.nodes, overNodes);
        chart.categories << (grouped ? settingsInLines(row.group) + QLatin1Char('\n') + workers
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
            series.pointLabels << (room ? timesText(shown[i].*part.value) : QString());
        }
        chart.series << series;
    }
    return chart;
}

} // namespace scalebench
