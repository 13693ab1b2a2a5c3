// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/advice.h"

#include "analysis/compare.h"
#include "analysis/means.h"
#include "analysis/ratio_interval.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QMap>
#include <QSet>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace scalebench {

namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
/// Fewer workers are advised where they have this much of the fastest one's speed.
constexpr double kEnoughSpeed = 0.9;
/// Copies that do less more than this are not worth their trouble.
constexpr double kCopiesPay = 1.05;
/// A model that misses left-out counts by more foretells nothing.
constexpr double kUsableError = 0.25;
constexpr double kDayS = 86'400;

/// A series' completed runs by number of workers, nodes and batch.
using CellRuns = QMap<std::array<int, 3>, QList<const RunRecord*>>;

CellRuns completedRuns(const QList<RunRecord>& runs)
{
    CellRuns cells;
    for (const RunRecord& run : runs)
        if (hasTime(run) && !run.config.oversubscribed)
            cells[{run.config.workers, run.config.nodes, run.config.globalBatch}] << &run;
    return cells;
}

double meanJoules(const QList<const RunRecord*>& runs)
{
    QList<double> told;
    for (const RunRecord* run : runs)
        if (const double joules = run->energyJ(); joules > 0)
            told << joules;
    return !told.isEmpty() && told.size() == runs.size() ? olympicMean(told) : kNotKnown;
}

/// Variances of all counts with repeats, relative to their means, by their degrees of freedom.
double pooledVariation(const CellRuns& cells)
{
    double squares = 0;
    qsizetype freedom = 0;
    for (const QList<const RunRecord*>& runs : cells) {
        QList<double> times;
        for (const RunRecord* run : runs)
            times << run->timeToTrainS();
        const double mean = plainMean(times);
        for (const double time : std::as_const(times))
            squares += std::pow(time / mean - 1, 2);
        freedom += times.size() - 1;
    }
    return freedom > 0 ? std::sqrt(squares / double(freedom)) : kNotKnown;
}

/// Of each number of workers the fastest shape and batch.
QList<AdviceRow> fastestRows(const QList<RunRecord>& runs)
{
    QMap<int, SpeedupRow> byWorkers;
    for (const SpeedupRow& row : speedupTable(runs)) {
        if (!row.counts() || !(row.meanTimeS > 0) || !row.knowsWorkers())
            continue;
        const auto known = byWorkers.constFind(row.workers);
        if (known == byWorkers.constEnd() || row.meanTimeS < known->meanTimeS)
            byWorkers[row.workers] = row;
    }
    QList<AdviceRow> rows;
    for (const SpeedupRow& row : std::as_const(byWorkers))
        rows << AdviceRow{row};
    return rows;
}

template <class Less>
int bestRow(const QList<AdviceRow>& rows, const Less& less)
{
    const auto best = std::min_element(rows.begin(), rows.end(), less);
    return best == rows.end() ? -1 : static_cast<int>(best - rows.begin());
}

void fillRows(Advice& advice, const CellRuns& cells, const QList<CopiesTogether>& together,
              const AdviceQuestion& question)
{
    const int capacity = advice.rows.last().workers();
    const double fastest = advice.rows[advice.fastest].timeS();
    // Costs and worker-hours are no two prices to choose between.
    const bool priced = question.pricePerNodeHour > 0 &&
                        std::all_of(advice.rows.begin(), advice.rows.end(),
                                    [](const AdviceRow& row) { return row.row.nodes > 0; });
    for (AdviceRow& row : advice.rows) {
        row.share = fastest / row.timeS();
        row.workerHours = row.workers() * row.timeS() / 3600;
        row.cost =
            priced ? question.pricePerNodeHour * row.row.nodes * row.timeS() / 3600 : kNotKnown;
        row.joules = meanJoules(cells.value({row.workers(), row.row.nodes, row.row.globalBatch}));
        row.copies = capacity / std::max(1, row.workers());
        row.perDay = row.copies * row.alonePerDay();
        for (const CopiesTogether& copies : together)
            if (copies.workers == row.workers() && copies.copies == row.copies) {
                row.together = copies;
                row.perDay = row.copies * kDayS / copies.timeS;
            }
    }
}

double priceOf(const AdviceRow& row)
{
    return std::isfinite(row.cost) ? row.cost : row.workerHours;
}

void choose(Advice& advice, const AdviceQuestion& question)
{
    advice.cheapest = bestRow(advice.rows, [](const AdviceRow& x, const AdviceRow& y) {
        return priceOf(x) < priceOf(y);
    });
    advice.mostPerDay = bestRow(
        advice.rows, [](const AdviceRow& x, const AdviceRow& y) { return x.perDay > y.perDay; });
    advice.chosen = advice.fastest;
    if (question.deadlineS > 0) {
        advice.meetsDeadline = advice.rows[advice.fastest].timeS() <= question.deadlineS;
        for (int i = 0; i < advice.rows.size() && advice.meetsDeadline; ++i)
            if (advice.rows[i].timeS() <= question.deadlineS &&
                priceOf(advice.rows[i]) < priceOf(advice.rows[advice.chosen]))
                advice.chosen = i;
        return;
    }
    for (int i = 0; i < advice.rows.size(); ++i)
        if (advice.rows[i].share >= kEnoughSpeed) {
            advice.chosen = i;
            return;
        }
}

/// Powers of two around what was measured, as far as a prediction goes.
void predictOthers(Advice& advice)
{
    QList<StepSample> samples;
    QSet<int> measured;
    for (const AdviceRow& row : std::as_const(advice.rows)) {
        measured << row.workers();
        if (row.row.meanEpochs > 0)
            samples << StepSample{row.workers(), double(row.row.globalBatch),
                                  row.timeS() / row.row.meanEpochs, row.row.meanEpochs};
    }
    advice.model = StepModel::fit(samples, advice.variation);
    if (!advice.model || advice.model->error() > kUsableError)
        return;
    const int least = samples.first().workers, most = samples.last().workers;
    int from = 1;
    while (from * 2 <= least)
        from *= 2;
    for (int workers = from; workers <= most * StepModel::kFarthest; workers *= 2)
        if (!measured.contains(workers))
            if (const auto predicted = advice.model->predict(workers))
                advice.predicted << *predicted;
}

} // namespace

bool Advice::copiesPay() const
{
    return chosen >= 0 && rows[mostPerDay].copies > 1 &&
           rows[mostPerDay].perDay > kCopiesPay * rows[fastest].alonePerDay();
}

QStringList adviceGroups(const QList<RunRecord>& runs)
{
    QStringList groups;
    for (const SpeedupRow& row : speedupTable(runs))
        if (row.counts() && !groups.contains(row.group))
            groups << row.group;
    return groups;
}

Advice advise(const QList<RunRecord>& runs, const QString& group, const AdviceQuestion& question)
{
    Advice advice;
    advice.group = group;
    const RunSeries series(runs);
    QList<RunRecord> ofSeries; // all that follows is of these alone
    for (int i = 0; i < runs.size(); ++i)
        if (series.label(series.seriesOf(i)) == group) {
            advice.workload = runs[i].config.workload;
            advice.own |= runs[i].origin.isEmpty();
            ofSeries << runs[i];
        }
    // What ran beside copies of itself tells of copies only.
    CellRuns cells = completedRuns(ofSeries);
    CopiesFound copies;
    for (const QList<const RunRecord*>& cell : std::as_const(cells)) {
        const CopiesFound found = copiesTogether(cell);
        copies.measured += found.measured;
        copies.runs += found.runs;
    }
    QList<RunRecord> alone = ofSeries;
    if (!copies.runs.isEmpty()) {
        alone.clear();
        for (const RunRecord& run : std::as_const(ofSeries))
            if (!copies.runs.contains(&run))
                alone << run;
    }
    advice.rows = fastestRows(alone);
    if (advice.rows.isEmpty() && !copies.runs.isEmpty()) {
        copies = {};
        alone = ofSeries;
        advice.rows = fastestRows(alone);
    }
    if (!advice.rows.isEmpty()) {
        cells = completedRuns(alone);
        advice.fastest = bestRow(advice.rows, [](const AdviceRow& x, const AdviceRow& y) {
            return x.timeS() < y.timeS();
        });
        fillRows(advice, cells, copies.measured, question);
        choose(advice, question);
        advice.variation = pooledVariation(cells);
        if (advice.variation > 0)
            advice.repeatsNeeded = repeatsToResolve(advice.variation, question.resolve);
        predictOthers(advice);
    }
    writeAdvice(advice, alone, question);
    return advice;
}

} // namespace scalebench
