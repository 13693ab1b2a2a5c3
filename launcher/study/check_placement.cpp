// SPDX-License-Identifier: GPL-3.0-or-later
// Can the machine start what a study asks for?
#include "base/translated.h"
#include "study/machine_info.h"
#include "study/mpi_fault.h"
#include "study/problem_list.h"
#include "study/run_config.h"

#include <QLocale>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

class Placement : private ProblemList
{
public:
    Placement(const StudySpec& spec, const MachineInfo& machine) : m_spec(spec), m_machine(machine)
    {
    }

    QList<Problem> all()
    {
        if (m_spec.shapes.isEmpty())
            checkWorkers();
        else
            checkShapes();
        checkOtherWork();
        checkSharing();
        return m_problems;
    }

private:
    void checkWorkers()
    {
        if (m_spec.workers.isEmpty())
            error(u"workers"_s, u"workers_missing"_s,
                  Launcher::tr("Give at least one worker count, for example 1,2."));
        QList<int> seen;
        for (int workers : m_spec.workers) {
            if (workers < 1)
                error(u"workers"_s, u"workers_invalid"_s,
                      Launcher::tr("A run needs at least 1 worker; %1 is not possible.")
                          .arg(workers));
            else if (seen.contains(workers))
                error(u"workers"_s, u"workers_duplicate"_s,
                      Launcher::tr(
                          "The worker count %1 is given twice; use repeats for several runs of it.")
                          .arg(workers));
            else
                checkFits(workers);
            seen << workers;
        }
    }

    void checkShapes()
    {
        QList<Shape> seen;
        for (const Shape& shape : m_spec.shapes) {
            const int hosts =
                m_machine.slurm ? shape.nodes : std::max(1, int(m_machine.hosts.size()));
            if (seen.contains(shape))
                error(
                    u"shapes"_s, u"shape_duplicate"_s,
                    Launcher::tr("The shape %1 is given twice; use repeats for several runs of it.")
                        .arg(shape.text()));
            else if (!m_machine.isRemote() && shape.nodes > 1)
                error(u"shapes"_s, u"shape_needs_hosts"_s,
                      Launcher::tr(
                          "The shape %1 needs %2 nodes, and this computer is one. Choose a target "
                          "machine with that many hosts.")
                          .arg(shape.text())
                          .arg(shape.nodes));
            else if (shape.nodes > hosts)
                error(u"shapes"_s, u"nodes_too_many"_s,
                      Launcher::tr("The shape %1 needs %2 nodes; the machine \"%3\" has %n "
                                   "host(s). Add hosts or use fewer nodes.",
                                   nullptr, hosts)
                          .arg(shape.text())
                          .arg(shape.nodes)
                          .arg(m_machine.hostName));
            else if (m_machine.isRemote())
                checkSlots(shape);
            else
                checkFits(shape.workers());
            seen << shape;
        }
    }

    /// The first hosts of the list are used; each must hold its workers.
    void checkSlots(const Shape& shape)
    {
        for (qsizetype i = 0; i < m_machine.hosts.size() && i < shape.nodes; ++i) {
            const HostSlots& host = m_machine.hosts[i];
            if (shape.workersPerNode <= host.count || m_spec.oversubscribe)
                continue;
            return error(
                u"shapes"_s, u"workers_too_many"_s,
                Launcher::tr(
                    "The shape %1 puts %2 workers on each node; %3 has %n slot(s). Use fewer "
                    "workers per node, or give the host more slots if it has them.",
                    nullptr, host.count)
                    .arg(shape.text())
                    .arg(shape.workersPerNode)
                    .arg(host.name));
        }
    }

    void checkOtherWork()
    {
        if (m_machine.isRemote() || !isDisturbing(m_machine.busyProcessors, m_machine.processors))
            return;
        warning(
            {}, u"machine_busy"_s,
            Launcher::tr(
                "Other processes keep %1 of %2 processors busy now: times and speedups would be "
                "worse than this computer's, and such runs are marked disturbed. End what runs "
                "beside, then start.")
                .arg(QLocale().toString(m_machine.busyProcessors, 'f', 1))
                .arg(m_machine.processors));
    }

    /// What the engine does on the processors of one node without being asked
    /// (Replica::shareValues()).
    void checkSharing()
    {
        if (!m_spec.options.shardOptimizer || m_spec.device != "cpu"_L1 ||
            m_spec.options.allreduce == "mpi"_L1)
            return;
        const Result<QList<Shape>> shapes = resolveShapes(m_spec, m_machine);
        if (!shapes || std::any_of(shapes.value().begin(), shapes.value().end(),
                                   [](const Shape& shape) { return shape.nodes > 1; }))
            return;
        warning(u"options.shard_optimizer"_s, u"switch_without_effect"_s,
                Launcher::tr("Workers on the processors of one node share the optimizer's state "
                             "out anyway, unless their tables have sparse gradients: these runs "
                             "will be the same without \"Optimizer state shared out\"."));
    }

    /// NCCL takes one worker per GPU; through the host's memory several can share one.
    void checkGpus(int workers, int gpus)
    {
        if (workers <= gpus)
            return;
        if (gpus > 0 && m_spec.oversubscribe && m_spec.options.allreduce == "staged"_L1)
            warning(u"workers"_s, u"workers_oversubscribed"_s,
                    Launcher::tr("%1 workers share %n GPU(s): the run is marked oversubscribed and "
                                 "gives no speedup.",
                                 nullptr, gpus)
                        .arg(workers));
        else
            error(u"workers"_s, u"workers_too_many"_s,
                  Launcher::tr("You ask for %1 workers; this machine has %n GPU(s), and every "
                               "worker needs one. Use at most %n, or let them share GPUs "
                               "(oversubscribe, with the gradient exchange \"staged\"): such runs "
                               "are marked and give no speedup.",
                               nullptr, gpus)
                      .arg(workers));
    }

    void checkFits(int workers)
    {
        if (m_machine.isRemote()) {
            StudySpec one = m_spec;
            one.workers = {workers};
            if (const Result<QList<Shape>> shapes = resolveShapes(one, m_machine); !shapes)
                error(u"workers"_s, shapes.failure().code, shapes.failure().message);
            return;
        }
        if (m_spec.device == "cuda"_L1) {
            if (m_machine.cudaReason.isEmpty())
                checkGpus(workers, int(m_machine.gpus.size()));
            return;
        }
        if (workers > 4096)
            error(u"workers"_s, u"workers_too_many"_s,
                  Launcher::tr("%1 workers are more than any machine can run.").arg(workers));
        else if (workers > m_machine.cores && !m_spec.oversubscribe)
            error(
                u"workers"_s, u"workers_too_many"_s,
                Launcher::tr(
                    "You ask for %1 workers; this machine has %n processor(s). Use at most %n, or "
                    "allow more workers than processors (oversubscribe): such runs are marked and "
                    "give no speedup.",
                    nullptr, m_machine.cores)
                    .arg(workers));
        else if (workers > m_machine.cores)
            warning(u"workers"_s, u"workers_oversubscribed"_s,
                    Launcher::tr("%1 workers share %n processor(s): the run is marked "
                                 "oversubscribed and gives no speedup.",
                                 nullptr, m_machine.cores)
                        .arg(workers));
    }

    const StudySpec& m_spec;
    const MachineInfo& m_machine;
};

class Programs : private ProblemList
{
public:
    explicit Programs(const MachineInfo& machine) : m_machine(machine) {}

    QList<Problem> all()
    {
        const QString given = qEnvironmentVariable("SCALEBENCH_ENGINE");
        if (m_machine.enginePath.isEmpty() && !given.isEmpty())
            error({}, u"engine_missing"_s,
                  Launcher::tr(
                      "SCALEBENCH_ENGINE names %1, which does not exist or cannot be executed, so "
                      "scalebench-engine was not found.")
                      .arg(given));
        else if (m_machine.enginePath.isEmpty())
            error(
                {}, u"engine_missing"_s,
                Launcher::tr(
                    "The training engine scalebench-engine was not found beside this program or in "
                    "PATH. "
                    "Build or install it, or name it in SCALEBENCH_ENGINE."));
        if (const std::optional<MpiFault> fault = mpiFault(m_machine))
            error({}, fault->code, fault->failure().message);
        if (!m_machine.engineFault.isEmpty())
            error({}, u"engine_broken"_s,
                  Launcher::tr("The training engine %1 does not start: %2. Mend that, then "
                               "start this program again.")
                      .arg(m_machine.enginePath, m_machine.engineFault));
        return m_problems;
    }

private:
    const MachineInfo& m_machine;
};

} // namespace

QList<Problem> checkPlacement(const StudySpec& spec, const MachineInfo& machine)
{
    return Placement(spec, machine).all();
}

QList<Problem> checkPrograms(const MachineInfo& machine)
{
    return Programs(machine).all();
}

} // namespace scalebench
