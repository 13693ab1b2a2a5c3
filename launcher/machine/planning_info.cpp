// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/translated.h"
#include "machine/machines.h"
#include "machine/this_computer.h"

#include "base/file_io.h"
#include "base/host_names.h"
#include "base/json_fields.h"
#include "base/shell_quote.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QJsonArray>
#include <QStandardPaths>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

/// Named after a hash: a machine's name may hold what a file name cannot.
static QString factsPath(const QString& machineName)
{
    const QByteArray hash =
        QCryptographicHash::hash(machineName.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
           u"/scalebench/machines/%1.json"_s.arg(QString::fromLatin1(hash));
}

static QJsonObject factsFile(const QString& machineName)
{
    const Result<QByteArray> bytes = readFile(factsPath(machineName));
    if (!bytes)
        return {};
    const Result<QJsonObject> object = parseJsonObject(bytes.value(), machineName);
    if (!object || object.value().value("machine"_L1).toString() != machineName)
        return {};
    return object.value();
}

QJsonObject knownFacts(const QString& machineName)
{
    return factsFile(machineName).value("hosts"_L1).toObject();
}

CheckSummary lastCheck(const QString& machineName)
{
    const QJsonObject check = factsFile(machineName).value("check"_L1).toObject();
    return {check.value("when_ms"_L1).toInteger(), check.value("hosts"_L1).toInt(),
            check.value("problems"_L1).toInt(), check.value("warnings"_L1).toInt()};
}

void rememberFacts(const QString& machineName, const QJsonObject& facts, const CheckSummary& check)
{
    // A cache: without it planning knows less, nothing else is lost.
    const QString path = factsPath(machineName);
    if (makeFolder(path.section(u'/', 0, -2)))
        (void)writeJsonAtomically(
            path, QJsonObject{{u"format"_s, u"scalebench.facts"_s},
                              {u"version"_s, 1},
                              {u"machine"_s, machineName},
                              {u"hosts"_s, facts},
                              {u"check"_s, QJsonObject{{u"when_ms"_s, check.whenMs},
                                                       {u"hosts"_s, check.hosts},
                                                       {u"problems"_s, check.problemHosts},
                                                       {u"warnings"_s, check.warningHosts}}}});
}

static MachineInfo assumed(const TargetMachine& machine)
{
    MachineInfo info;
    info.hostName = machine.name;
    info.mpirunPath =
        machine.mpiPrefix.isEmpty() ? u"mpirun"_s : machine.mpiPrefix + u"/bin/mpirun"_s;
    info.folder = machine.folder;
    info.dataFolder = machine.dataFolder;
    info.enginePath = machine.folder + u"/engine/current/bin/scalebench-engine"_s;
    return info;
}

/// What every host has at least; a host without facts counts with its slots.
static void addHosts(MachineInfo& info, const QJsonObject& facts)
{
    QStringList reasons;
    bool first = true;
    for (HostSlots& host : info.hosts) {
        const QJsonObject known = facts.value(host.name).toObject();
        const int cores = known.value("cores"_L1).toInt();
        const QJsonArray gpus = known.value("gpus"_L1).toArray();
        if (host.count == 0)
            host.count = !gpus.isEmpty() ? int(gpus.size()) : std::max(1, cores);
        const int own = cores > 0 ? cores : host.count;
        info.cores = first ? own : std::min(info.cores, own);
        const int toldCores = known.value("physical_cores"_L1).toInt();
        const int physical = toldCores > 0 ? std::min(toldCores, own) : own;
        info.physicalCores = first ? physical : std::min(info.physicalCores, physical);
        for (const QJsonValue& gpu : gpus)
            info.gpus << gpu.toString();
        // The smallest host decides what fits on each.
        const auto memory = qint64(known.value("memory"_L1).toDouble());
        const auto available = qint64(known.value("memory_available"_L1).toDouble());
        info.memoryBytes = first ? memory : std::min(info.memoryBytes, memory);
        info.memoryAvailableBytes =
            first ? available : std::min(info.memoryAvailableBytes, available);
        if (info.cpuModel.isEmpty())
            info.cpuModel = known.value("cpu"_L1).toString();
        if (info.os.isEmpty())
            info.os = known.value("os"_L1).toString();
        if (info.engineVersion.isEmpty())
            info.engineVersion = known.value("engine"_L1).toString();
        const QString reason = known.value("cuda_reason"_L1).toString();
        if (!reason.isEmpty() && reasons.isEmpty())
            reasons << u"%1: %2"_s.arg(host.name, reason);
        first = false;
    }
    if (facts.isEmpty())
        reasons << Launcher::tr("the hosts have not been checked yet (scalebench machines check "
                                "%1)")
                       .arg(shellQuoted(info.hostName));
    info.cudaReason = reasons.value(0);
}

Result<MachineInfo> planningInfo(const TargetMachine& machine)
{
    if (machine.kind == Kind::Local)
        return probeThisComputer(false);
    if (Result<void> ok = machine.check(); !ok)
        return ok.failure();
    MachineInfo info = assumed(machine);
    const QJsonObject facts = knownFacts(machine.name);
    if (machine.kind == Kind::Slurm) {
        // Slurm chooses the hosts; its own limits are asked at the check and when submitting.
        const QJsonObject slurm = facts.value("slurm"_L1).toObject();
        const int nodes = slurm.value("nodes"_L1).toInt();
        const int cores = slurm.value("cores_per_node"_L1).toInt();
        info.slurm = true;
        info.cores = cores; // 0: not known
        for (int i = 0; i < std::max(1, nodes) * machine.slurm.gpusPerNode; ++i)
            info.gpus << u"GPU"_s;
        if (info.gpus.isEmpty())
            info.cudaReason = Launcher::tr("no GPUs per node are asked for in the target machine");
        return info;
    }
    const Result<QList<HostSlots>> hosts = hostsOf(machine);
    if (!hosts)
        return hosts.failure();
    info.hosts = hosts.value();
    addHosts(info, facts);
    return info;
}

Result<PlanTarget> planTarget(const QString& name)
{
    const Result<MachineFile> file = MachineFile::open();
    if (name.isEmpty() || name == localMachineName()) {
        // Its environment, NCCL and UCX settings, if any; a damaged list does not stop this
        // computer.
        const TargetMachine* local = file ? file.value().find(localMachineName()) : nullptr;
        return PlanTarget{local ? *local : TargetMachine(), probeThisComputer(false)};
    }
    if (!file)
        return file.failure();
    const TargetMachine* machine = file.value().find(name);
    if (!machine) {
        QStringList known;
        for (const TargetMachine& other : file.value().machines())
            known << other.name;
        return Failure{
            u"machine_unknown"_s,
            Launcher::tr(
                "There is no target machine \"%1\"%2. Known: %3. Add one with \"scalebench "
                "machines add\".")
                .arg(printable(name), didYouMean(name.left(100), known), known.join(u", "_s))};
    }
    const Result<MachineInfo> info = planningInfo(*machine);
    if (!info)
        return info.failure();
    return PlanTarget{*machine, info.value()};
}

} // namespace scalebench
