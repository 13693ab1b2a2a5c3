// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/advice_study.h"

#include "base/translated.h"
#include "machine/study_machine.h"
#include "run/run_series.h"
#include "study/dimensions.h"

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

int workersOfHosts(const TargetMachine& machine)
{
    const Result<QList<HostSlots>> hosts = hostsOf(machine);
    int sum = 0;
    if (hosts)
        for (const HostSlots& host : hosts.value()) {
            if (host.count <= 0)
                return 0;
            sum += host.count;
        }
    return sum;
}

const RunRecord* firstRunOf(const Study& study, const QString& group)
{
    const RunSeries series(study.runs);
    for (int i = 0; i < study.runs.size(); ++i)
        if (series.label(series.seriesOf(i)) == group)
            return &study.runs[i];
    return nullptr;
}

/// Of each path with several values the one that the run has.
void narrow(Settings& settings, const QMap<QString, QJsonValue>& leaves)
{
    for (auto it = settings.begin(); it != settings.end(); ++it)
        if (it.value().size() > 1 && leaves.contains(it.key()))
            it.value() = {leaves.value(it.key())};
}

/// A table needs a batch for every count: that of the nearest one.
void completeTable(QMap<int, int>& table, const QList<int>& workers)
{
    if (table.isEmpty())
        return;
    const QMap<int, int> known = table;
    for (const int count : workers) {
        const auto far = [count](int other) { return std::abs(std::log2(double(other) / count)); };
        int nearest = known.firstKey();
        for (auto it = known.begin(); it != known.end(); ++it)
            if (far(it.key()) < far(nearest))
                nearest = it.key();
        table.insert(count, known.value(nearest));
    }
}

} // namespace

void askOfMachine(AdviceQuestion& question, const Study& study, const MachineInfo& computer)
{
    if (study.dir.isEmpty())
        return;
    const Result<TargetMachine> machine = studyMachine(study.dir);
    if (!machine)
        return;
    const bool ours = std::any_of(study.runs.begin(), study.runs.end(),
                                  [](const RunRecord& run) { return run.origin.isEmpty(); });
    question.pricePerNodeHour = machine.value().pricePerHour;
    if (!ours)
        return;
    if (machine.value().kind == TargetMachine::Kind::Local)
        question.mostWorkers = study.spec.device == QLatin1String("cuda")
                                   ? static_cast<int>(computer.gpus.size())
                                   : computer.cores;
    else if (machine.value().kind != TargetMachine::Kind::Slurm)
        question.mostWorkers = workersOfHosts(machine.value());
}

std::optional<StudySpec> experimentPlan(const Study& study, const Advice& advice)
{
    const RunRecord* run = firstRunOf(study, advice.group);
    if (!advice.next || !run)
        return {};
    for (StudySpec plan : study.spec.split()) {
        if (plan.workload != run->config.workload ||
            (!run->config.scale.isEmpty() && plan.scale != run->config.scale))
            continue;
        plan.name = Launcher::tr("Next experiment of “%1”")
                        .arg(study.spec.name.isEmpty() ? study.id : study.spec.name);
        plan.shapes.clear();
        plan.workers = advice.next->workers;
        std::sort(plan.workers.begin(), plan.workers.end());
        plan.repeats = advice.next->repeats;
        if (plan.precisions.size() > 1)
            plan.precisions = {run->config.precision};
        narrow(plan.settings, leavesOf(run->config.json));
        completeTable(plan.batchTable, plan.workers);
        return plan;
    }
    return {};
}

} // namespace scalebench
