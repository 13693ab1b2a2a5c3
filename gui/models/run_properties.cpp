// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_properties.h"

#include "analysis/compare.h"
#include "base/duration_text.h"
#include "figures/run_labels.h"
#include "models/key_value_model.h"
#include "run/disturbance.h"
#include "run/run_metrics.h"
#include "run/stream_faults.h"
#include "settings/language.h"
#include "study/metrics.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QMap>

namespace scalebench {

namespace {

class RunPropertiesTexts
{
    Q_DECLARE_TR_FUNCTIONS(RunProperties)
};

QString moment(qint64 ms)
{
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(ms), QLocale::ShortFormat);
}

/// Facts that are not known are left out.
void add(PropertyPairs& pairs, const QString& name, const QString& value)
{
    if (!value.isEmpty())
        pairs.append({name, value});
}

void addTimes(PropertyPairs& pairs, const RunRecord& run)
{
    if (run.startedMs > 0)
        add(pairs, RunPropertiesTexts::tr("started"), moment(run.startedMs));
    if (run.finishedMs > 0)
        add(pairs, RunPropertiesTexts::tr("ended"), moment(run.finishedMs));
    if (const double trained = run.timeToTrainS(); trained > 0)
        add(pairs, RunPropertiesTexts::tr("training time"),
            run.elapsedS() > trained ? RunPropertiesTexts::tr("%1, with pauses %2")
                                           .arg(durationText(trained), durationText(run.elapsedS()))
                                     : durationText(trained));
}

} // namespace

PropertyPairs runProperties(const RunRecord& run, const QJsonObject& system)
{
    const QLocale locale;
    PropertyPairs pairs;
    add(pairs, RunPropertiesTexts::tr("run"), run.config.runId);
    add(pairs, RunPropertiesTexts::tr("study"), run.config.study);
    add(pairs, RunPropertiesTexts::tr("state"), runStateTitle(run.state));
    add(pairs, RunPropertiesTexts::tr("why"), shownText(run.failure.message));
    add(pairs, RunPropertiesTexts::tr("from"), run.origin);
    add(pairs, RunPropertiesTexts::tr("workers"), workersText(run.config.workers));
    addTimes(pairs, run);
    if (run.epochsTrained() > 0)
        add(pairs, RunPropertiesTexts::tr("epochs trained"),
            locale.toString(run.epochsTrained(), 'f', 1));
    if (!run.evals.isEmpty())
        add(pairs, RunPropertiesTexts::tr("best quality"),
            qualityText(run.config.workload, run.bestQuality(), 2));
    if (run.config.target)
        add(pairs, RunPropertiesTexts::tr("target"),
            qualityText(run.config.workload, *run.config.target));
    if (run.throughput > 0)
        add(pairs, RunPropertiesTexts::tr("samples per second"),
            locale.toString(run.throughput, 'f', run.throughput < 100 ? 1 : 0));
    if (run.energyJ() > 0)
        add(pairs, RunPropertiesTexts::tr("energy"),
            RunPropertiesTexts::tr("%1 kWh").arg(locale.toString(run.energyJ() / 3.6e6, 'g', 3)));
    add(pairs, RunPropertiesTexts::tr("disturbed"), disturbances(run).join(QLatin1Char(' ')));
    add(pairs, RunPropertiesTexts::tr("stream"), streamFaults(run).join(QLatin1Char(' ')));
    QStringList workers;
    for (const WorkerInfo& worker : run.workers)
        workers << QStringLiteral("%1: %2").arg(worker.host, worker.deviceName);
    workers.removeDuplicates();
    add(pairs, RunPropertiesTexts::tr("devices"), workers.join(QStringLiteral("; ")));
    add(pairs, RunPropertiesTexts::tr("folder"), run.runDir);
    pairs << KeyValueModel::pairsOf(run.config.json, RunPropertiesTexts::tr("settings"));
    if (!system.isEmpty())
        pairs << KeyValueModel::pairsOf(system, RunPropertiesTexts::tr("environment"));
    return pairs;
}

PropertyPairs runDifferences(const QList<RunRecord>& runs)
{
    QList<RunGroup> groups;
    for (const RunRecord& run : runs)
        groups << RunGroup{run.config.runId, {run}};
    PropertyPairs pairs;
    const QList<ComparedValue> settings = compareGroups(groups).settings;
    for (const ComparedValue& value : settings)
        pairs.append({value.path, value.values.join(QStringLiteral("  |  "))});
    if (pairs.isEmpty())
        pairs.append({RunPropertiesTexts::tr("settings"),
                      RunPropertiesTexts::tr("the same in all of them")});
    return pairs;
}

PropertyPairs studyProperties(const Study& study)
{
    PropertyPairs pairs;
    add(pairs, RunPropertiesTexts::tr("study"), study.id);
    add(pairs, RunPropertiesTexts::tr("name"), study.spec.name);
    add(pairs, RunPropertiesTexts::tr("machine"), study.spec.machine);
    QMap<RunState, int> states;
    qint64 began = 0, ended = 0;
    for (const RunRecord& run : study.runs) {
        ++states[run.state];
        if (run.startedMs > 0 && (began == 0 || run.startedMs < began))
            began = run.startedMs;
        ended = std::max(ended, run.finishedMs);
    }
    QStringList counts;
    for (auto it = states.begin(); it != states.end(); ++it)
        counts << QStringLiteral("%1: %2").arg(runStateTitle(it.key()),
                                               QLocale().toString(it.value()));
    add(pairs, RunPropertiesTexts::tr("runs"), counts.join(QStringLiteral(", ")));
    if (began > 0)
        add(pairs, RunPropertiesTexts::tr("started"), moment(began));
    if (ended > 0)
        add(pairs, RunPropertiesTexts::tr("ended"), moment(ended));
    add(pairs, RunPropertiesTexts::tr("folder"), study.dir);
    if (!study.spec.workload.isEmpty())
        pairs << KeyValueModel::pairsOf(study.spec.toJson(), RunPropertiesTexts::tr("settings"));
    return pairs;
}

PropertyPairs computerProperties(const MachineInfo& computer)
{
    const QLocale locale;
    PropertyPairs pairs;
    add(pairs, RunPropertiesTexts::tr("name"), computer.hostName);
    add(pairs, RunPropertiesTexts::tr("processor"), computer.cpuModel);
    if (computer.cores > 0)
        add(pairs, RunPropertiesTexts::tr("processors"), locale.toString(computer.cores));
    if (computer.memoryBytes > 0)
        add(pairs, RunPropertiesTexts::tr("memory"),
            locale.formattedDataSize(computer.memoryBytes, 1));
    add(pairs, RunPropertiesTexts::tr("GPUs"), computer.gpus.join(QStringLiteral(", ")));
    add(pairs, RunPropertiesTexts::tr("why no GPU"), shownText(computer.cudaReason));
    add(pairs, RunPropertiesTexts::tr("system"), computer.os);
    add(pairs, QStringLiteral("Open MPI"), computer.mpirunVersion);
    add(pairs, RunPropertiesTexts::tr("engine"), computer.enginePath);
    if (!computer.engineProbe.isEmpty())
        pairs << KeyValueModel::pairsOf(computer.engineProbe, RunPropertiesTexts::tr("engine"));
    return pairs;
}

} // namespace scalebench
