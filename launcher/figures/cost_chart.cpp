// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/cost_chart.h"

#include "machine/study_machine.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QCoreApplication>
#include <QMap>

#include <algorithm>
#include <tuple>
#include <utility>

namespace scalebench {

namespace {

class CostChartTexts
{
    Q_DECLARE_TR_FUNCTIONS(CostChart)
};

/// Runs of one series on one shape, summed up.
struct Cell {
    double seconds = 0, joules = 0;
    int runs = 0, told = 0;
};
/// Series, workers, nodes, batch: what does not tell its batch is not averaged with what does.
using CellKey = std::tuple<int, int, int, int>;

QMap<CellKey, Cell> cellsOf(const Study& study, const RunSeries& series)
{
    QMap<CellKey, Cell> cells;
    for (int i = 0; i < study.runs.size(); ++i) {
        const RunRecord& run = study.runs[i];
        if (!hasTime(run))
            continue;
        Cell& cell = cells[{series.seriesOf(i), run.config.workers, run.config.nodes,
                            run.config.globalBatch}];
        cell.seconds += run.timeToTrainS();
        ++cell.runs;
        const double joules = run.energyJ();
        cell.joules += joules;
        cell.told += joules > 0 ? 1 : 0;
    }
    return cells;
}

/// From the quickest on, each cheaper than all before it.
ChartGuide frontOf(const QList<ChartSeries>& series)
{
    QList<std::pair<double, double>> points;
    for (const ChartSeries& s : series)
        for (qsizetype i = 0; i < s.x.size(); ++i)
            points << std::pair(s.x[i], s.y[i]);
    std::sort(points.begin(), points.end());
    ChartGuide front;
    front.name = CostChartTexts::tr("nothing is both quicker and cheaper");
    for (const auto& [x, y] : std::as_const(points)) {
        if (!front.y.isEmpty() && y >= front.y.last())
            continue;
        front.x << x;
        front.y << y;
    }
    return front;
}

/// What the axes are in: small units for small studies.
struct Units {
    bool minutes = false, kilo = false;
};

Units unitsOf(const QMap<CellKey, Cell>& cells)
{
    Units units;
    for (const Cell& cell : cells) {
        units.minutes |= cell.seconds / cell.runs >= 120;
        units.kilo |= cell.joules / cell.runs >= 3.6e6;
    }
    return units;
}

void setAxes(ChartData& chart, const Units& units, bool priced)
{
    chart.xLabel = units.minutes ? CostChartTexts::tr("Time to train (min)")
                                 : CostChartTexts::tr("Time to train (s)");
    chart.xColumn =
        units.minutes ? QStringLiteral("time_to_train_min") : QStringLiteral("time_to_train_s");
    chart.yLabel = priced       ? CostChartTexts::tr("Cost (in the price's currency)")
                   : units.kilo ? CostChartTexts::tr("Energy (kWh)")
                                : CostChartTexts::tr("Energy (Wh)");
    chart.yColumn = priced       ? QStringLiteral("cost")
                    : units.kilo ? QStringLiteral("energy_kwh")
                                 : QStringLiteral("energy_wh");
}

} // namespace

ChartData costChart(const Study& study, double pricePerNodeHour)
{
    const bool priced = pricePerNodeHour > 0;
    ChartData chart = studyChart(study, priced ? QStringLiteral("cost") : QStringLiteral("energy"),
                                 priced ? CostChartTexts::tr("Cost against time")
                                        : CostChartTexts::tr("Energy against time"));
    chart.xMin = 0;
    chart.yFromZero = true;
    chart.emptyText =
        CostChartTexts::tr("Needs runs that reached their target, and the price of a node "
                           "(Machines page) or hosts or GPUs that tell their energy.");
    const RunSeries series(study.runs);
    const QMap<CellKey, Cell> cells = cellsOf(study, series);
    const Units units = unitsOf(cells);
    setAxes(chart, units, priced);
    QMap<int, ChartSeries> lines;
    for (auto it = cells.begin(); it != cells.end(); ++it) {
        const auto [one, workers, nodes, batch] = it.key();
        const Cell& cell = it.value();
        if (priced ? nodes < 1 : cell.told < cell.runs) // not known
            continue;
        const double seconds = cell.seconds / cell.runs;
        ChartSeries& line = lines[one];
        line.x << (units.minutes ? seconds / 60 : seconds);
        line.y << (priced ? pricePerNodeHour * nodes * seconds / 3600
                          : cell.joules / cell.runs / (units.kilo ? 3.6e6 : 3600));
        line.n << cell.runs;
        line.pointLabels << workersText(workers);
    }
    for (auto it = lines.begin(); it != lines.end(); ++it) {
        ChartSeries& line = it.value();
        line.id = QString::number(it.key());
        line.name = series.label(it.key());
        line.slot = static_cast<int>(chart.series.size());
        if (lines.size() > 2) // labels of many would run into each other
            line.pointLabels.clear();
        chart.series << line;
    }
    if (ChartGuide front = frontOf(chart.series); front.x.size() > 1)
        chart.guides << front;
    return chart;
}

ChartData costChart(const Study& study)
{
    const auto machine =
        study.dir.isEmpty() ? Result<TargetMachine>(TargetMachine()) : studyMachine(study.dir);
    return costChart(study, machine ? machine.value().pricePerHour : 0);
}

} // namespace scalebench
