// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_findings.h"

#include "analysis/baseline_check.h"
#include "analysis/convergence.h"
#include "analysis/effects.h"
#include "analysis/speedup_table.h"
#include "base/translated.h"
#include "run/disturbance.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench::report {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Below it the second half of the workers does more as a run of its own: k copies do k times the
/// work of one, less what they disturb each other.
constexpr double kRunCopies = 0.6;

QString number(double value, int digits)
{
    return QLocale().toString(value, 'f', digits);
}

QString interval(const SpeedupRow& row)
{
    if (!std::isfinite(row.speedupLow) || !std::isfinite(row.speedupHigh))
        return {};
    return u' ' + Launcher::tr("(95 % interval %1 to %2)")
                      .arg(number(row.speedupLow, 2), number(row.speedupHigh, 2));
}

/// Of one series: its row with the most workers.
QString scalingSentence(const QString& name, const SpeedupRow& row, const SpeedupRow& base)
{
    if (row.workers < base.workers) // nothing to advise: the baseline was chosen so
        return withMarks(
            Launcher::tr("%1: with %2, fewer than the baseline's %3, it is %4 times as fast%5.")
                .arg(name, baselineText({Baseline::Kind::Workers, row.workers}),
                     QString::number(base.workers), number(row.speedup, 2), interval(row)),
            row.marks);
    const QString ratio =
        Launcher::tr("%1: %2 workers are %3 times as fast as %4%5, %6 % of the ideal.")
            .arg(name, QString::number(row.workers), number(row.speedup, 2),
                 QString::number(base.workers), interval(row), number(row.efficiency * 100, 0));
    if (row.speedup <= 1)
        return withMarks(
            ratio + u' ' +
                Launcher::tr("More workers bring nothing here: run copies instead, one for each."),
            row.marks);
    if (row.efficiency < kRunCopies)
        return withMarks(ratio + u' ' +
                             Launcher::tr("Where several runs are to be done, copies side by side "
                                          "finish more of them than one run on all workers."),
                         row.marks);
    QString why = explainRow(row).section(u": "_s, 1);
    if (why.isEmpty()) // how many epochs were needed is not known
        return withMarks(ratio, row.marks);
    why[0] = why[0].toUpper();
    return ratio + u' ' + why;
}

QStringList scalingSentences(const Study& study, const Baseline& baseline)
{
    QStringList sentences;
    const QList<SpeedupRow> rows = speedupTable(study.runs, baseline);
    QStringList groups;
    for (const SpeedupRow& row : rows)
        if (!groups.contains(row.group))
            groups << row.group;
    for (const QString& group : std::as_const(groups)) {
        const SpeedupRow* base = nullptr;
        const SpeedupRow* most = nullptr;
        const SpeedupRow* fastest = nullptr; // in samples/s, where no run reached its target
        for (const SpeedupRow& row : rows) {
            if (row.group != group || row.oversubscribed)
                continue;
            if (row.runs == 0) {
                if (std::isfinite(row.throughputRatio) && row.throughputRatio > 0 &&
                    (!fastest || row.workers > fastest->workers))
                    fastest = &row;
                continue;
            }
            if (row.baseline)
                base = &row;
            else if (std::isfinite(row.speedup) && (!most || row.workers > most->workers))
                most = &row;
        }
        const QString& workload = study.runs.first().config.workload;
        const QString name = groups.size() > 1 ? group
                             : group.isEmpty() ? workload
                                               : workload + u", "_s + group;
        if (base && most)
            sentences << scalingSentence(name, *most, *base);
        else if (!base && fastest && fastest->rateBaseline) // alone
            sentences << Launcher::tr("%1: no run has reached its target, so there is no speedup.")
                             .arg(name);
        else if (!base && fastest)
            sentences
                << Launcher::tr(
                       "%1: no run has reached its target, so there is no speedup; in samples/s "
                       "%2 workers do %3 times the work of the fewest.")
                       .arg(name, QString::number(fastest->workers),
                            number(fastest->throughputRatio, 2));
    }
    return sentences;
}

QString runsText(qsizetype n)
{
    return n == 1 ? Launcher::tr("1 run") : Launcher::tr("%1 runs").arg(n);
}

} // namespace

QStringList reportCautions(const Study& study)
{
    QStringList sentences;
    const auto count = [&](auto is) {
        return qsizetype(std::count_if(study.runs.begin(), study.runs.end(), is));
    };
    const auto add = [&](qsizetype n, const QString& text) {
        if (n > 0)
            sentences << text.arg(runsText(n));
    };
    add(count([](const RunRecord& r) { return isDisturbed(r); }),
        Launcher::tr(
            "%1 shared the hosts with other work (marked disturbed): the times say less than they "
            "seem to."));
    add(count([](const RunRecord& r) { return hasLostRecords(r); }),
        Launcher::tr("%1 lost records of the stream: the figures may be wrong."));
    add(count([](const RunRecord& r) { return !contradiction(r).isEmpty(); }),
        Launcher::tr("%1 counted for no mean: the stream contradicts what the run is called."));
    add(count([](const RunRecord& r) { return r.config.oversubscribed; }),
        Launcher::tr("%1 had more workers than processors and counted for no speedup."));
    add(count([](const RunRecord& r) { return r.state == RunState::NotConverged; }),
        Launcher::tr("%1 did not reach the target and counted for no time."));
    add(count([](const RunRecord& r) { return r.state == RunState::Failed; }),
        Launcher::tr("%1 failed."));
    add(count([](const RunRecord& r) { return r.state == RunState::Unreadable; }),
        Launcher::tr("%1 could not be read."));
    add(count([](const RunRecord& r) { return r.state == RunState::Cancelled; }),
        Launcher::tr("%1 ended as cancelled."));
    add(count([](const RunRecord& r) { return !isFinal(r.state); }),
        Launcher::tr("%1 had not ended: this report is of what was there."));
    add(count([](const RunRecord& r) { return r.config.dataSource == "synthetic"_L1; }),
        Launcher::tr("%1 used synthetic data, which measures speed and claims no quality."));
    add(count([](const RunRecord& r) { return r.config.dataSource == "generated"_L1; }),
        Launcher::tr(
            "%1 learned from data that Scalebench generated; the quality compares with no public "
            "data set."));
    add(count([](const RunRecord& r) { return precisionText(r) != r.config.precision; }),
        Launcher::tr("%1 computed in another precision than was asked for."));
    add(count([](const RunRecord& r) { return r.resumes > 0; }),
        Launcher::tr(
            "%1 went on from a checkpoint after an interruption; the pause is not counted."));
    const QList<SpeedupRow> rows = speedupTable(study.runs);
    if (std::any_of(rows.begin(), rows.end(),
                    [](const SpeedupRow& r) { return r.counts() && r.runs == 1; }))
        sentences << Launcher::tr(
            "Some worker counts have one run only: differences of a few per cent may "
            "be chance. Three repeats give intervals.");
    return sentences + convergenceRemarks(study.runs);
}

QStringList reportFindings(const Study& study, const Baseline& baseline)
{
    return study.runs.isEmpty() ? QStringList()
                                : scalingSentences(withoutUnreadable(study), baseline) +
                                      findings(study.runs) + reportCautions(study);
}

} // namespace scalebench::report
