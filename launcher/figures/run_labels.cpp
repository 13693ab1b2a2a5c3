// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/run_labels.h"

#include "run/run_series.h"

#include <QCoreApplication>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <cmath>

namespace scalebench {

namespace {

class RunLabelsTexts
{
    Q_DECLARE_TR_FUNCTIONS(RunCharts)
};

} // namespace

QString workersText(int workers)
{
    return workers > 0 ? RunLabelsTexts::tr("%n worker(s)", nullptr, workers)
                       : RunLabelsTexts::tr("unknown number of workers");
}

QStringList runLabels(const QList<RunRecord>& runs)
{
    const RunSeries series(runs);
    QSet<int> nodes, repeats;
    QSet<quint64> seeds;
    QSet<QString> workloads;
    for (const RunRecord& run : runs) {
        if (run.state == RunState::Unreadable)
            continue;
        nodes << run.config.nodes;
        repeats << run.config.repeat;
        seeds << run.config.seed;
        workloads << run.config.workload;
    }
    QStringList labels;
    for (int i = 0; i < runs.size(); ++i) {
        const RunConfig& config = runs[i].config;
        if (runs[i].state == RunState::Unreadable) { // its name is all that is known
            labels << config.runId;
            continue;
        }
        // "resnet, 2 workers, overlap on, run 1": the workload leads.
        const QString difference = series.variant(series.seriesOf(i));
        QStringList parts;
        if (workloads.size() > 1)
            parts << config.workload;
        if (nodes.size() > 1 && config.nodes > 0)
            parts << RunLabelsTexts::tr("%n node(s)", nullptr, config.nodes);
        parts << workersText(config.workers);
        if (!difference.isEmpty())
            parts << difference;
        if (repeats.size() > 1)
            parts << RunLabelsTexts::tr("run %1").arg(config.repeat);
        else if (seeds.size() > 1)
            parts << RunLabelsTexts::tr("seed %1").arg(config.seed);
        labels << parts.join(QStringLiteral(", "));
    }
    // Two runs that still look alike differ in the batch.
    for (int i = 0; i < labels.size(); ++i) {
        if (labels.count(labels[i]) < 2)
            continue;
        const QString same = labels[i];
        QSet<int> batches;
        for (int j = 0; j < labels.size(); ++j)
            if (labels[j] == same)
                batches << runs[j].config.globalBatch;
        for (int j = 0; j < labels.size() && batches.size() > 1; ++j)
            if (labels[j] == same)
                labels[j] = RunLabelsTexts::tr("%1, batch %2")
                                .arg(labels[j])
                                .arg(runs[j].config.globalBatch);
    }
    return labels;
}

QList<int> runSlots(const QList<RunRecord>& runs)
{
    const RunSeries series(runs);
    QMap<QString, int> seen;
    QList<int> slotList;
    for (int i = 0; i < runs.size(); ++i) {
        const RunConfig& config = runs[i].config;
        const QString key = QStringLiteral("%1|%2|%3|%4")
                                .arg(series.seriesOf(i))
                                .arg(config.nodes)
                                .arg(config.workers)
                                .arg(config.globalBatch);
        if (!seen.contains(key))
            seen.insert(key, static_cast<int>(seen.size()));
        slotList << seen.value(key);
    }
    return slotList;
}

/// Our own runs are named "…-s2-r2" by seed and repeat, imported ones by a number at the end.
static QString settingOf(const RunRecord& run)
{
    static const QRegularExpression own(QStringLiteral("-s[0-9]+-r[0-9]+$"));
    static const QRegularExpression imported(QStringLiteral("_[0-9]+$"));
    QString setting = run.config.runId;
    return setting.remove(run.origin.isEmpty() ? own : imported);
}

QStringList runSubjects(const QList<RunRecord>& runs)
{
    const QList<int> slotList = runSlots(runs);
    QMap<int, QString> ofSlot;
    QStringList subjects;
    for (int i = 0; i < runs.size(); ++i) {
        QString& subject = ofSlot[slotList[i]];
        if (subject.isEmpty())
            subject = QStringLiteral("run/%1/%2").arg(runs[i].config.study, settingOf(runs[i]));
        subjects << subject;
    }
    return subjects;
}

void nameMillions(ChartData& chart, const QList<std::pair<const RunRecord*, QString>>& drawn)
{
    bool found = false;
    const auto counted = [&found](const RunRecord& run, const EvalPoint& point) {
        found = true;
        return !run.origin.isEmpty() && point.samples > 0 &&
               std::abs(point.epoch * 1e6 - double(point.samples)) < 0.5;
    };
    if (chart.xColumn != QLatin1String("epoch"))
        return;
    for (const auto& [run, metric] : drawn)
        for (const EvalPoint& point : run->evals)
            if (!counted(*run, point))
                return;
    if (!found)
        return;
    chart.xLabel = RunLabelsTexts::tr("Training samples (millions)");
    chart.xWholeNumbers = false;
}

} // namespace scalebench
