// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/speedup_table.h"

#include "analysis/means.h"
#include "base/translated.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

namespace {

/// Runs of one series and one shape, olympic where there are enough.
struct Cell {
    QList<const RunRecord*> runs;

    QList<const RunRecord*> completed() const
    {
        QList<const RunRecord*> list;
        for (const RunRecord* run : runs)
            if (hasTime(*run))
                list << run;
        return list;
    }
};

void fillMeans(SpeedupRow& row, QList<const RunRecord*> completed)
{
    std::sort(completed.begin(), completed.end(), [](const RunRecord* a, const RunRecord* b) {
        return a->timeToTrainS() < b->timeToTrainS();
    });
    QList<double> allTimes;
    for (const RunRecord* run : completed)
        allTimes << run->timeToTrainS();
    // Epochs and samples/s are averaged over the same runs as the time, or the split of the
    // speedup would not multiply up.
    if (completed.size() >= 5)
        completed = completed.mid(1, completed.size() - 2);
    QList<double> times, epochs, rates;
    for (const RunRecord* run : completed) {
        times << run->timeToTrainS();
        if (run->epochsToTarget() > 0)
            epochs << run->epochsToTarget();
        if (run->throughput > 0)
            rates << run->throughput;
    }
    row.meanTimeS = plainMean(times);
    row.meanEpochs = epochs.size() == times.size() ? plainMean(epochs) : kNaN;
    row.meanSamplesPerSecond = plainMean(rates);
    const double half = olympicInterval95(allTimes);
    row.timeLowS = std::max(row.meanTimeS - half, 0.0); // NaN stays
    row.timeHighS = row.meanTimeS + half;
}

/// Speed is measured whether or not the target was reached.
double unconvergedRate(const Cell& cell)
{
    QList<double> rates;
    for (const RunRecord* run : cell.runs)
        if (run->state == RunState::NotConverged && run->throughput > 0)
            rates << run->throughput;
    return rates.isEmpty() ? kNaN : plainMean(rates);
}

/// How long runs trained without reaching their target.
double missedTime(const Cell& cell)
{
    QList<double> times;
    for (const RunRecord* run : cell.runs)
        if (run->state == RunState::NotConverged && run->timeToTrainS() > 0)
            times << run->timeToTrainS();
    return plainMean(times);
}

/// Marks of the runs that the row's time is of: all, or only of how they were measured.
QStringList marksOf(const QList<const RunRecord*>& runs, QStringList (*of)(const RunRecord&))
{
    QStringList marks;
    for (const RunRecord* run : runs)
        marks += of(*run);
    marks.removeDuplicates();
    marks.removeOne(Launcher::tr("oversubscribed")); // has a sentence
    return marks;
}

void addRemark(SpeedupRow& row, const QString& text)
{
    if (!text.isEmpty())
        row.remark += (row.remark.isEmpty() ? QString() : u"; "_s) + text;
}

SpeedupRow rowFor(const QString& group, const Cell& cell, bool oversubscribed)
{
    const RunRecord& first = *cell.runs.first();
    SpeedupRow row;
    row.group = group;
    row.nodes = first.config.nodes;
    row.workers = first.config.workers;
    row.globalBatch = first.config.globalBatch;
    row.oversubscribed = oversubscribed;
    row.speedup = row.speedupLow = row.speedupHigh = kNaN;
    row.efficiency = row.epochsRatio = row.stepTimeRatio = kNaN;
    row.meanTimeS = row.meanEpochs = row.meanSamplesPerSecond = row.throughputRatio = kNaN;
    row.timeLowS = row.timeHighS = kNaN;
    row.missedTimeS = missedTime(cell);
    for (const RunRecord* run : cell.runs)
        if (run->state == RunState::NotConverged || run->state == RunState::Failed)
            ++row.notConverged;
        else if (!contradiction(*run).isEmpty())
            ++row.leftOut;
    const QList<const RunRecord*> completed = cell.completed();
    if (completed.isEmpty())
        row.meanSamplesPerSecond = unconvergedRate(cell);
    else
        fillMeans(row, completed);
    row.runs = int(completed.size());
    for (const QString& mark : marksOf(completed, runMarks)) // apart as in runs.csv
        addRemark(row, mark);
    row.marks = marksOf(completed, conditionMarks);
    if (std::any_of(completed.begin(), completed.end(), [](const RunRecord* run) {
            return run->setup.value("epoch_unit"_L1).toString() == "million_samples"_L1;
        }))
        addRemark(row, Launcher::tr("its epochs are millions of samples"));
    if (row.leftOut > 0)
        addRemark(row, Launcher::tr("left out, as their streams contradict them: %1")
                           .arg(QString::number(row.leftOut)));
    return row;
}

void compare(SpeedupRow& row, const SpeedupRow& base)
{
    row.speedup = base.meanTimeS / row.meanTimeS;
    row.efficiency = row.speedup * base.workers / row.workers;
    row.epochsRatio = base.meanEpochs / row.meanEpochs;
    row.stepTimeRatio = (base.meanTimeS / base.meanEpochs) / (row.meanTimeS / row.meanEpochs);
    if (row.timeLowS > 0 && base.timeLowS > 0) {
        row.speedupLow = base.timeLowS / row.timeHighS;
        row.speedupHigh = base.timeHighS / row.timeLowS;
    }
    row.marks += base.marks;
    if (row.globalBatch != base.globalBatch && row.globalBatch > 0 && base.globalBatch > 0)
        addRemark(row,
                  Launcher::tr("batch differs from the baseline's (%1)").arg(base.globalBatch));
}

/// The row to compare with: its rows are in order of the workers.
SpeedupRow* baseRow(QList<SpeedupRow>& rows, const Baseline& baseline,
                    bool (*counts)(const SpeedupRow&))
{
    SpeedupRow* found = nullptr;
    for (SpeedupRow& row : rows) {
        if (row.oversubscribed || !row.knowsWorkers() || !counts(row))
            continue;
        switch (baseline.kind) {
        case Baseline::Kind::Smallest:
            return &row;
        case Baseline::Kind::Workers:
            if (row.workers == baseline.workers)
                return &row;
            break;
        case Baseline::Kind::Node:
            if (row.nodes == 1)
                found = &row;
            break;
        }
    }
    return found;
}

void compareThroughput(QList<SpeedupRow>& rows, const Baseline& baseline)
{
    SpeedupRow* base = baseRow(rows, baseline, [](const SpeedupRow& row) {
        return std::isfinite(row.meanSamplesPerSecond) && row.meanSamplesPerSecond > 0;
    });
    if (!base)
        return;
    base->rateBaseline = true;
    const double reference = base->meanSamplesPerSecond;
    for (SpeedupRow& row : rows)
        if (!row.oversubscribed && row.knowsWorkers())
            row.throughputRatio = row.meanSamplesPerSecond / reference;
}

void compareSeries(QList<SpeedupRow>& rows, const Baseline& baseline)
{
    for (SpeedupRow& row : rows)
        if (!row.knowsWorkers())
            addRemark(row, Launcher::tr("number of workers not known: no speedup"));
    compareThroughput(rows, baseline);
    SpeedupRow* base = baseRow(rows, baseline, [](const SpeedupRow& row) { return row.counts(); });
    if (!base)
        return;
    base->baseline = true;
    const SpeedupRow reference = *base;
    for (SpeedupRow& row : rows) {
        if (row.oversubscribed)
            addRemark(row, Launcher::tr("oversubscribed: no speedup"));
        else if (row.runs > 0 && row.knowsWorkers())
            compare(row, reference);
    }
    base->speedup = base->efficiency = 1;
    base->epochsRatio = base->stepTimeRatio = std::isnan(base->meanEpochs) ? kNaN : 1;
    base->speedupLow = base->speedupHigh = std::isnan(base->timeLowS) ? kNaN : 1;
}

} // namespace

QString Baseline::text() const
{
    return kind == Kind::Smallest ? u"smallest"_s
           : kind == Kind::Node   ? u"node"_s
                                  : QString::number(workers);
}

std::optional<Baseline> Baseline::fromText(const QString& text)
{
    if (text == "smallest"_L1)
        return Baseline{};
    if (text == "node"_L1)
        return Baseline{Kind::Node};
    bool ok = false;
    const int workers = text.toInt(&ok);
    return ok && workers > 0 ? std::optional(Baseline{Kind::Workers, workers}) : std::nullopt;
}

QList<SpeedupRow> speedupTable(const QList<RunRecord>& runs, const Baseline& baseline)
{
    const RunSeries all(runs);
    // Of every series: workers, nodes, oversubscribed, batch; the run where its size is not known.
    QList<QMap<QList<int>, Cell>> series(all.count());
    for (int i = 0; i < runs.size(); ++i) {
        if (all.seriesOf(i) < 0)
            continue;
        const RunConfig& c = runs[i].config;
        series[all.seriesOf(i)]
              [{c.workers, c.nodes, c.oversubscribed ? 1 : 0, c.globalBatch, c.workers > 0 ? 0 : i}]
                  .runs
            << &runs[i];
    }
    QList<SpeedupRow> table;
    for (int s = 0; s < series.size(); ++s) {
        QList<SpeedupRow> rows;
        for (auto it = series[s].begin(); it != series[s].end(); ++it)
            rows << rowFor(all.label(s), it.value(), it.key()[2] == 1);
        compareSeries(rows, baseline);
        table += rows;
    }
    return table;
}

static QString plain(double value, int digits = 2)
{
    return QLocale().toString(value, 'f', digits);
}

/// The split into time per epoch and number of epochs.
static QString whereFrom(const SpeedupRow& row)
{
    const bool faster = row.stepTimeRatio >= 1;
    const QString step = plain(faster ? row.stepTimeRatio : 1 / row.stepTimeRatio);
    if (std::abs(row.epochsRatio - 1) < 0.005)
        return (faster ? Launcher::tr("every epoch is trained %1 times as fast, and the number of "
                                      "epochs is the same.")
                       : Launcher::tr("every epoch takes %1 times as long, and the number of "
                                      "epochs is the same."))
            .arg(step);
    if (row.epochsRatio > 1)
        return (faster ? Launcher::tr("every epoch is trained %1 times as fast, and %2 % fewer "
                                      "epochs were needed, which is not the hardware's doing.")
                       : Launcher::tr("every epoch takes %1 times as long, and %2 % fewer "
                                      "epochs were needed, which is not the hardware's doing."))
            .arg(step, plain(100 - 100 / row.epochsRatio, 1));
    return (faster ? Launcher::tr("every epoch is trained %1 times as fast, but %2 times as many "
                                  "epochs were needed.")
                   : Launcher::tr("every epoch takes %1 times as long, and %2 times as many epochs "
                                  "were needed."))
        .arg(step, plain(1 / row.epochsRatio));
}

static QString rowSentence(const SpeedupRow& row)
{
    if (row.oversubscribed)
        return Launcher::tr("More workers than processors: the time says nothing about scaling.");
    if (row.runs == 0)
        return row.leftOut > 0        ? Launcher::tr("No run counts: its stream contradicts it.")
               : row.notConverged > 0 ? Launcher::tr("No run reached its target.")
                                      : Launcher::tr("No run has ended yet.");
    if (!row.knowsWorkers())
        return Launcher::tr("How many workers trained it is not known, so the time says nothing "
                            "about scaling.");
    if (row.baseline)
        return Launcher::tr("The baseline: the others are compared with it.");
    if (std::isnan(row.speedup))
        return Launcher::tr("There is no run to compare with.");
    const QString gain = Launcher::tr("%1 times as fast with %2 workers (%3 % efficiency)")
                             .arg(plain(row.speedup))
                             .arg(row.workers)
                             .arg(plain(row.efficiency * 100, 0));
    if (!std::isfinite(row.stepTimeRatio) || !std::isfinite(row.epochsRatio))
        return Launcher::tr("%1. How many epochs were needed is not known.").arg(gain);
    return Launcher::tr("%1: %2").arg(gain, whereFrom(row));
}

QString explainRow(const SpeedupRow& row)
{
    return row.runs > 0 ? withMarks(rowSentence(row), row.marks) : rowSentence(row);
}

} // namespace scalebench
