// SPDX-License-Identifier: GPL-3.0-or-later
// What charts call runs and studies, and which metrics they are measured by.
#include "figures/run_charts.h"
#include "run/run_series.h"
#include "study/workload_catalog.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace scalebench {

namespace {

class RunMarksTexts
{
    Q_DECLARE_TR_FUNCTIONS(RunCharts)
};

/// The value that all runs have; empty where they differ.
template <class F>
QString common(const QList<RunRecord>& runs, F valueOf)
{
    const QString first = runs.isEmpty() ? QString() : valueOf(runs.first());
    const bool same = std::all_of(runs.begin(), runs.end(),
                                  [&](const RunRecord& run) { return valueOf(run) == first; });
    return same ? first : QString();
}

void addMetrics(QList<MetricInfo>& metrics, const QList<MetricInfo>& more)
{
    for (const MetricInfo& metric : more) {
        const bool known = std::any_of(metrics.begin(), metrics.end(),
                                       [&](const MetricInfo& m) { return m.id == metric.id; });
        if (!known && metrics.size() < kMostMetrics)
            metrics << metric;
    }
}

} // namespace

QStringList runsMarks(const QList<RunRecord>& runs)
{
    QStringList marks;
    QMap<QString, QList<int>> of;
    int begun = 0;
    for (int i = 0; i < runs.size(); ++i) {
        if (runs[i].state == RunState::Queued)
            continue;
        ++begun;
        for (const QString& mark : runMarks(runs[i])) {
            if (!marks.contains(mark))
                marks << mark;
            of[mark] << i;
        }
    }
    const QStringList labels = marks.isEmpty() ? QStringList() : runLabels(runs);
    QStringList sentences;
    for (const QString& mark : std::as_const(marks)) {
        const QList<int>& marked = of[mark];
        constexpr int kMostNamed = 3;
        QStringList names;
        for (const int i : marked.mid(0, kMostNamed))
            names << labels[i];
        const auto count = static_cast<int>(marked.size());
        sentences << (count == 1 && begun == 1 ? mark
                      : count == begun
                          ? QStringLiteral("%1: %2").arg(RunMarksTexts::tr("all runs"), mark)
                      : count > kMostNamed
                          ? RunMarksTexts::tr("%1: %n run(s)", nullptr, count).arg(mark)
                          : QStringLiteral("%1: %2").arg(mark, names.join(QStringLiteral("; "))));
    }
    return sentences;
}

QStringList markedLabels(const QList<RunRecord>& runs)
{
    QStringList labels = runLabels(runs);
    QMap<QString, int> count;
    for (const RunRecord& run : runs)
        for (const QString& mark : runMarks(run))
            ++count[mark];
    for (int i = 0; i < runs.size() && !count.isEmpty(); ++i) {
        QStringList marks = runMarks(runs[i]);
        marks.removeIf([&](const QString& mark) { return count[mark] == runs.size(); });
        if (!marks.isEmpty())
            labels[i] += QStringLiteral(" (%1)").arg(marks.join(QStringLiteral("; ")));
    }
    return labels;
}

QStringList studyWorkloads(const Study& study)
{
    QStringList ids;
    for (const RunRecord& run : study.runs)
        if (!run.config.workload.isEmpty() && !ids.contains(run.config.workload))
            ids << run.config.workload;
    return ids.isEmpty() ? study.spec.workloadIds() : ids;
}

QString leftOutText(const Study& study, const QStringList& shownRuns)
{
    QMap<QString, int> left;
    int runs = 0;
    for (const RunRecord& run : study.runs)
        if (!shownRuns.contains(run.config.runId)) {
            ++left[run.config.workload];
            ++runs;
        }
    if (runs == 0)
        return {};
    constexpr int kMostNamed = 2;
    QStringList titles;
    for (const QString& id : left.keys()) {
        const Workload* workload = WorkloadCatalog::instance().find(id);
        titles << (workload ? workload->title : id);
    }
    return titles.size() > kMostNamed
               ? RunMarksTexts::tr("not in this chart: %n run(s) of %1 workloads", nullptr, runs)
                     .arg(titles.size())
               : RunMarksTexts::tr("not in this chart: %n run(s) of %1", nullptr, runs)
                     .arg(titles.join(RunMarksTexts::tr(" and ")));
}

QString machineLine(const Study& study)
{
    QStringList parts, devices;
    qint64 when = 0;
    for (const RunRecord& run : study.runs) {
        if (!run.workers.isEmpty() && !devices.contains(run.workers.first().deviceName))
            devices << run.workers.first().deviceName;
        when = std::max(when, std::max(run.finishedMs, run.startedMs));
    }
    if (devices.size() == 1)
        parts << devices;
    if (!study.runs.isEmpty()) {
        // What all have alike; what differs is in the legend.
        const QString device =
            common(study.runs, [](const RunRecord& run) { return run.config.device; });
        const int threads = common(study.runs, [](const RunRecord& run) {
                                return QString::number(run.config.threadsPerWorker);
                            }).toInt();
        if (device == QLatin1String("cuda"))
            parts << RunMarksTexts::tr("GPU");
        else if (device == QLatin1String("cpu"))
            parts << (threads > 0 // else they differ, or others' results do not say
                          ? RunMarksTexts::tr("CPU, %n thread(s) per worker", nullptr, threads)
                          : RunMarksTexts::tr("CPU"));
        const QString batch = common(study.runs, [](const RunRecord& run) {
            return run.config.globalBatch > 0 ? QString::number(run.config.globalBatch) : QString();
        });
        QStringList facts{
            common(study.runs, [](const RunRecord& run) { return run.config.model; }),
            common(study.runs, [](const RunRecord& run) { return precisionText(run); }),
            batch.isEmpty() ? QString() : RunMarksTexts::tr("global batch %1").arg(batch)};
        facts.removeAll(QString());
        parts << facts.join(QStringLiteral(", "));
    }
    if (when > 0)
        parts << QLocale().toString(QDateTime::fromMSecsSinceEpoch(when).date(),
                                    RunMarksTexts::tr("d MMM yyyy"));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" \u00b7 "));
}

QList<MetricInfo> studyMetrics(const Study& study)
{
    // Each workload's leading metric first.
    const QStringList workloads = studyWorkloads(study);
    QList<MetricInfo> metrics;
    for (const QString& id : workloads)
        addMetrics(metrics, {metricsOf(id).first()});
    for (const QString& id : workloads)
        addMetrics(metrics, metricsOf(id));
    for (const RunRecord& run : study.runs)
        addMetrics(metrics, metricsOf(run));
    return metrics;
}

} // namespace scalebench
