// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/translated.h"
#include "preflight/judge.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QString readableBytes(double bytes)
{
    static const char* const kUnits[] = {"bytes", "KB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    while (bytes >= 1000 && unit < 5) {
        bytes /= 1000;
        ++unit;
    }
    return QString::number(bytes, 'f', unit > 0 && bytes < 10 ? 1 : 0) + u' ' +
           QLatin1StringView(kUnits[unit]);
}

QList<HostCheck> Cells::inOrder(const QString& reason) const
{
    const bool slurm = m_machine.kind == TargetMachine::Kind::Slurm;
    QList<HostCheck> checks;
    for (const QString& test : preflightTests()) {
        if (test == "slurm"_L1 && !slurm)
            continue;
        const auto cell = m_cells.constFind(test);
        checks << (cell != m_cells.constEnd()
                       ? *cell
                       : HostCheck{test, HostCheck::Level::Skipped, {}, reason, {}, {}});
    }
    return checks;
}

namespace {

void judgePath(Cells& cells)
{
    const ProbeAnswer& probe = cells.probe();
    const QString path = probe.value(u"path"_s);
    if (const QStringList missing = probe.values.value(u"tool_missing"_s); !missing.isEmpty())
        return cells.problem(
            u"path"_s, u"path_tools"_s,
            Launcher::tr("A non-interactive shell on %1 does not find %2 (PATH is %3).")
                .arg(cells.host(), missing.join(u", "_s), path),
            Launcher::tr("Set PATH on %1 where non-interactive shells read it (~/.bashrc before "
                         "its first test, /etc/environment), or install the missing programs.")
                .arg(cells.host()));
    if (!probe.noise.trimmed().isEmpty())
        return cells.warn(
            u"path"_s, u"shell_noise"_s,
            Launcher::tr("The login scripts of %1 print text in non-interactive shells, which "
                         "breaks scp and rsync: \"%2\".")
                .arg(cells.host(), probe.noise.trimmed().section(u'\n', 0, 0).left(80)),
            Launcher::tr("Let ~/.bashrc print only in interactive shells."), probe.noise);
    cells.ok(u"path"_s, path);
}

int usableCores(const ProbeAnswer& probe)
{
    auto cores = int(std::max<qint64>(1, probe.number(u"cores"_s, 1)));
    const QStringList quota = probe.value(u"quota"_s).split(u' ');
    if (quota.size() == 2 && quota[0].toDouble() > 0 && quota[1].toDouble() > 0)
        cores =
            std::min(cores, std::max(1, int(std::ceil(quota[0].toDouble() / quota[1].toDouble()))));
    return cores;
}

void readFacts(const ProbeAnswer& probe, QJsonObject& facts)
{
    facts.insert(u"cores"_s, usableCores(probe));
    facts.insert(u"physical_cores"_s, double(probe.number(u"physical_cores"_s, 0)));
    const double limit = probe.value(u"memory_limit"_s).toDouble(); // "max": 0
    const auto memory = [&](const QString& key) {
        const double bytes = double(probe.number(key, 0)) * 1024;
        return limit > 0 ? std::min(bytes, limit) : bytes;
    };
    facts.insert(u"memory"_s, memory(u"memory_kib"_s));
    facts.insert(u"memory_available"_s, memory(u"available_kib"_s));
    facts.insert(u"cpu"_s, probe.value(u"cpu"_s));
    facts.insert(u"os"_s, probe.value(u"os"_s).remove(u'"'));
    facts.insert(u"system"_s, probe.value(u"system"_s));
    facts.insert(u"hostname"_s, probe.value(u"hostname"_s));
    facts.insert(u"user"_s, probe.value(u"user"_s));
    facts.insert(u"home"_s, probe.value(u"home"_s));
    facts.insert(u"folder"_s, probe.value(u"folder"_s));
}

void judgeSlots(Cells& cells, const QJsonObject& facts)
{
    const int cores = facts.value("cores"_L1).toInt();
    const auto gpus = int(facts.value("gpus"_L1).toArray().size());
    const int wanted = cells.answer().host.count;
    const QString has = gpus > 0 ? Launcher::tr("%1 GPUs, %2 processors").arg(gpus).arg(cores)
                                 : Launcher::tr("%1 processors").arg(cores);
    if (cells.machine().kind == TargetMachine::Kind::Slurm)
        return cells.skip(u"slots"_s, Launcher::tr("Slurm decides"));
    if (wanted == 0)
        return cells.ok(u"slots"_s, Launcher::tr("not said; %1").arg(has));
    if (gpus > 0 && wanted > gpus)
        return cells.warn(
            u"slots"_s, u"slots_gpus"_s,
            Launcher::tr("%1 has %2 GPUs but %3 slots: workers with GPUs may be %2 at most.")
                .arg(cells.host())
                .arg(gpus)
                .arg(wanted),
            Launcher::tr("Write %1:%2 in the list of hosts.").arg(cells.host()).arg(gpus));
    if (gpus == 0 && wanted > cores)
        return cells.warn(
            u"slots"_s, u"slots_cores"_s,
            Launcher::tr("%1 has %2 processors but %3 slots: workers would share processors, and "
                         "such runs give no speedup.")
                .arg(cells.host())
                .arg(cores)
                .arg(wanted),
            Launcher::tr("Write %1:%2 in the list of hosts.").arg(cells.host()).arg(cores));
    cells.ok(u"slots"_s, u"%1; %2"_s.arg(wanted).arg(has));
}

/// The host's clock was read some time after the call began and some time before it ended, so the
/// difference lies between two bounds.
void judgeClock(Cells& cells, QJsonObject& facts)
{
    const HostAnswer& answer = cells.answer();
    const double begin = stampSeconds(cells.probe().value(u"begin"_s));
    const double end = stampSeconds(cells.probe().value(u"end"_s));
    if (answer.withoutSsh || answer.host.name == "localhost"_L1)
        return cells.ok(u"clock"_s, answer.withoutSsh ? Launcher::tr("this computer") : answer.via);
    if (begin <= 0 || answer.beginS <= 0)
        return cells.skip(u"clock"_s, Launcher::tr("not read"));
    const double most = begin - answer.beginS;
    const double least = end > 0 ? end - answer.endS - 1 * (end == std::floor(end)) : most;
    const double offset = (least + most) / 2;
    facts.insert(u"clock_offset_s"_s, std::round(offset * 1000) / 1000);
    const QString other = answer.via.isEmpty() ? Launcher::tr("this computer") : answer.via;
    const double sure = least > 0 ? least : most < 0 ? -most : 0;
    if (sure < 2)
        return cells.ok(
            u"clock"_s,
            Launcher::tr("within %1 s of %2")
                .arg(QString::number(std::max(0.1, std::abs(most - least) / 2 + std::abs(offset)),
                                     'f', 1),
                     other));
    cells.warn(u"clock"_s, u"clock_skew"_s,
               (offset > 0
                    ? Launcher::tr("%1's clock is %2 s ahead of that of %3: times are corrected.")
                    : Launcher::tr("%1's clock is %2 s behind that of %3: times are corrected."))
                   .arg(cells.host(), QString::number(std::abs(offset), 'f', 0), other),
               Launcher::tr("Let %1 set its clock from the network (systemd-timesyncd, chrony).")
                   .arg(cells.host()));
}

void judgeBusy(Cells& cells, const QJsonObject& facts)
{
    if (cells.machine().kind == TargetMachine::Kind::Slurm)
        return cells.skip(u"busy"_s, Launcher::tr("no workers run here"));
    const ProbeAnswer& probe = cells.probe();
    const QString host = cells.host();
    const QStringList leftovers = probe.values.value(u"leftover"_s);
    const QStringList gpuProcesses = probe.lines(u"gpu_process"_s);
    const double load = probe.value(u"load"_s).section(u' ', 0, 0).toDouble();
    const int cores = facts.value("cores"_L1).toInt();
    if (!leftovers.isEmpty())
        return cells.warn(
            u"busy"_s, u"leftover_processes"_s,
            Launcher::tr("%1 workers (scalebench-engine) are running on %2: of a study that is "
                         "going on, or left over from an earlier one.")
                .arg(leftovers.size())
                .arg(host),
            Launcher::tr("If no study runs there: ssh %1 kill %2").arg(host, leftovers.join(u' ')));
    if (!gpuProcesses.isEmpty() && probe.exitCode(u"gpu_process"_s) == 0)
        return cells.warn(
            u"busy"_s, u"gpu_busy"_s,
            Launcher::tr("GPUs of %1 are used by other programs (%2). Timings would be wrong.")
                .arg(host, gpuProcesses.first().section(u',', 1, 1).trimmed()),
            Launcher::tr("Wait until they end, or use other GPUs."), gpuProcesses.join(u'\n'));
    if (load > 0.5 * cores + 0.5)
        return cells.warn(
            u"busy"_s, u"cpu_busy"_s,
            Launcher::tr("%1 is busy: load %2 on %3 processors. Timings would be wrong.")
                .arg(host, QString::number(load, 'f', 1))
                .arg(cores),
            Launcher::tr("Wait until other work has ended."));
    cells.ok(u"busy"_s, Launcher::tr("idle (load %1)").arg(QString::number(load, 'f', 1)));
}

void judgeData(Cells& cells, QJsonObject& facts)
{
    const ProbeAnswer& probe = cells.probe();
    if (!probe.has(u"data"_s))
        return cells.skip(u"data"_s, Launcher::tr("no files needed"));
    const QString path = probe.value(u"data"_s), error = probe.value(u"data_error"_s);
    if (error == "missing"_L1)
        return cells.problem(
            u"data"_s, u"data_missing"_s,
            Launcher::tr("The data set is missing on %1: there is no %2.").arg(cells.host(), path),
            Launcher::tr("Copy it there, choose the right data folder, or use synthetic data."));
    if (!error.isEmpty())
        return cells.problem(
            u"data"_s, u"data_not_readable"_s,
            Launcher::tr("The data set %1 may not be read on %2.").arg(path, cells.host()),
            Launcher::tr("Change its rights, or choose another data folder."));
    const QStringList count = probe.value(u"data_count"_s).split(u' ');
    if (count.size() != 2)
        return cells.ok(u"data"_s,
                        Launcher::tr("%1 is there (too many files to count quickly)").arg(path));
    facts.insert(u"data_files"_s, count[0].toDouble());
    facts.insert(u"data_bytes"_s, count[1].toDouble());
    if (count[0] == "0"_L1)
        return cells.problem(
            u"data"_s, u"data_missing"_s,
            Launcher::tr("The data set on %1 is empty: %2 holds no file.").arg(cells.host(), path),
            Launcher::tr("Copy it there, choose the right data folder, or use synthetic data."));
    cells.ok(u"data"_s,
             Launcher::tr("%1 files, %2").arg(count[0], readableBytes(count[1].toDouble())));
}

/// The step at which a cut-off check hung, as a test of the table.
QString hungTest(const QString& step)
{
    return step == "shell"_L1 || step.isEmpty() ? u"path"_s : step;
}

} // namespace

HostReport judgeHost(const TargetMachine& machine, const PreflightOptions&, const OwnSide& own,
                     const HostAnswer& answer)
{
    HostReport report;
    report.host = answer.host.name;
    report.seconds = std::max(0.0, answer.endS - answer.beginS);
    Cells cells(machine, answer);
    judgeConnection(cells);
    const ProbeAnswer& probe = answer.probe;
    if (!probe.began) {
        report.checks = cells.inOrder(Launcher::tr("not checked: no connection"));
        return report;
    }
    if (!probe.complete)
        cells.problem(
            hungTest(probe.step), u"probe_timeout"_s,
            Launcher::tr("%1 can be reached, but the check of \"%2\" did not end in time: often a "
                         "network drive that hangs.")
                .arg(answer.host.name, preflightTestTitle(hungTest(probe.step))),
            Launcher::tr("Try df and ls on %1; check again when they answer.")
                .arg(answer.host.name),
            answer.errors);
    static const QStringList kSteps{u"shell"_s, u"engine"_s, u"mpi"_s,  u"gpus"_s, u"interface"_s,
                                    u"busy"_s,  u"disk"_s,   u"data"_s, u"slurm"_s};
    const auto reached = probe.complete ? kSteps.size() : kSteps.indexOf(probe.step);
    const auto did = [&](const char* step) {
        return kSteps.indexOf(QLatin1StringView(step)) < reached;
    };
    QJsonObject& facts = report.facts;
    if (did("shell")) {
        readFacts(probe, facts);
        judgePath(cells);
    }
    if (did("engine"))
        judgeEngine(cells, own, facts);
    if (did("mpi"))
        judgeMpi(cells, own, facts);
    if (did("gpus")) {
        judgeGpus(cells, facts);
        judgeSlots(cells, facts);
    }
    if (did("interface"))
        readAddresses(probe, facts);
    if (did("busy"))
        judgeBusy(cells, facts);
    if (did("disk"))
        judgeDisk(cells);
    if (probe.complete) {
        judgeData(cells, facts);
        judgeClock(cells, facts);
        if (machine.kind == TargetMachine::Kind::Slurm) {
            judgeSlurm(cells, facts);
            cells.skip(u"interface"_s, Launcher::tr("Slurm knows the network of its nodes"));
        }
    }
    report.checks = cells.inOrder(Launcher::tr("not reached"));
    return report;
}

} // namespace scalebench
