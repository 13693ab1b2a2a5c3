// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/convergence.h"

#include "analysis/student_t.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

constexpr qsizetype kFewest = 4;
constexpr double kConfidence = 0.99;
constexpr double kLeastShare = 0.1; ///< nearer than that is no matter

QString fourDigits(double value)
{
    return QLocale().toString(value, 'g', 4);
}

} // namespace

double evaluationStep(const RunRecord& run)
{
    double step = 0;
    for (qsizetype i = 1; i < run.evals.size(); ++i)
        if (const double d = run.evals[i].epoch - run.evals[i - 1].epoch; d > 0)
            step = step > 0 ? std::min(step, d) : d;
    return step > 0 ? step : 1;
}

QString convergenceRemark(const QString& run, double epochs, double step,
                          const EpochsReference& reference)
{
    const auto n = double(reference.epochs.size());
    if (reference.epochs.size() < kFewest || !(epochs > 0))
        return {};
    double mean = 0, squares = 0;
    for (const double value : reference.epochs)
        mean += value / n;
    for (const double value : reference.epochs)
        squares += (value - mean) * (value - mean);
    const double deviation = std::sqrt(squares / (n - 1));
    // One more run of the same kind lies within this (prediction interval).
    const double half = studentT(kConfidence, int(n) - 1) * deviation * std::sqrt(1 + 1 / n);
    const double distance = std::abs(epochs - mean);
    if (!std::isfinite(mean) || distance <= std::max({half, kLeastShare * mean, step * 1.0001}))
        return {};
    const QString text =
        epochs < mean
            ? Launcher::tr("%1 reached its target at epoch %2, suspiciously early: %3 needed %4 on "
                           "average "
                           "(%5 runs). Is the evaluation data kept apart, and the target the same?")
            : Launcher::tr(
                  "%1 reached its target at epoch %2, suspiciously late: %3 needed %4 on "
                  "average "
                  "(%5 runs). Does every worker see its own part of the data, in another order "
                  "each "
                  "epoch?");
    return visibleLine(text.arg(run, fourDigits(epochs), reference.name, fourDigits(mean),
                                QString::number(reference.epochs.size())));
}

QStringList convergenceRemarks(const QList<RunRecord>& runs)
{
    const RunSeries series(runs);
    QStringList remarks;
    const auto counts = [](const RunRecord& run) {
        return run.state == RunState::Completed && contradiction(run).isEmpty() &&
               run.targetReached() && run.epochsToTarget() > 0;
    };
    for (qsizetype i = 0; i < runs.size(); ++i) {
        if (!counts(runs[i]))
            continue;
        EpochsReference others{Launcher::tr("the other runs with this batch"), {}};
        for (qsizetype j = 0; j < runs.size(); ++j)
            if (j != i && counts(runs[j]) && series.seriesOf(int(j)) == series.seriesOf(int(i)) &&
                runs[j].config.globalBatch == runs[i].config.globalBatch)
                others.epochs << runs[j].epochsToTarget();
        const QString remark = convergenceRemark(runs[i].config.runId, runs[i].epochsToTarget(),
                                                 evaluationStep(runs[i]), others);
        if (!remark.isEmpty())
            remarks << remark;
    }
    return remarks;
}

} // namespace scalebench
