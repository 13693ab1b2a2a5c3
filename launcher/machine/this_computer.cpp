// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine/this_computer.h"

#include "base/file_io.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "study/machine_info.h"

#include "machine/open_mpi.h"
#include "machine/proc_files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QStandardPaths>
#include <QSysInfo>
#include <QThread>

#include <algorithm>
#include <cmath>
#include <sched.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// It may wait for the drivers of many GPUs.
static constexpr int kProbeMs = 30'000;

/// Processors allowed by the affinity mask, cut by a cgroup CPU quota (containers), and the cores
/// that they belong to.
static void countProcessors(MachineInfo& info)
{
    QList<int> allowed;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) == 0)
        for (int i = 0; i < CPU_SETSIZE; ++i)
            if (CPU_ISSET(i, &set))
                allowed << i;
    info.cores = std::max(1, int(allowed.size()));
    info.physicalCores = std::max(1, coresOfProcessors(allowed, u"/sys"_s));
    double quota = 0, period = 0;
    const QList<QByteArray> v2 = procFile(u"/sys/fs/cgroup/cpu.max"_s).trimmed().split(' ');
    if (v2.size() == 2 && v2[0] != "max") {
        quota = v2[0].toDouble();
        period = v2[1].toDouble();
    } else {
        quota = procFile(u"/sys/fs/cgroup/cpu/cpu.cfs_quota_us"_s).trimmed().toDouble();
        period = procFile(u"/sys/fs/cgroup/cpu/cpu.cfs_period_us"_s).trimmed().toDouble();
    }
    if (quota > 0 && period > 0)
        info.cores = std::min(info.cores, std::max(1, int(std::ceil(quota / period))));
    info.physicalCores = std::min(info.physicalCores, info.cores);
}

static QString cpuModelName()
{
    for (const QByteArray& line : procFile(u"/proc/cpuinfo"_s).split('\n'))
        if (line.startsWith("model name"))
            return QString::fromUtf8(line.mid(line.indexOf(':') + 1).trimmed());
    return QSysInfo::currentCpuArchitecture();
}

QString findProgram(const QString& name)
{
    const char* variable = name == "scalebench-engine"_L1 ? "SCALEBENCH_ENGINE"
                           : name == "scalebench"_L1      ? "SCALEBENCH_CLI"
                           : name == "scalebench-gui"_L1  ? "SCALEBENCH_GUI"
                                                          : "";
    if (const QString given = qEnvironmentVariable(variable); !given.isEmpty()) {
        const QFileInfo info(given);
        return info.isFile() && info.isExecutable() ? info.absoluteFilePath() : QString();
    }
    if (QCoreApplication::instance()) {
        const QString here = QCoreApplication::applicationDirPath();
        // Of a bundle the wrapper in bin/ is wanted, not the bare program beside this one in
        // libexec/.
        for (const QString& folder : {here + u"/../bin"_s, here}) {
            const QFileInfo info(folder + u'/' + name);
            if (info.isFile() && info.isExecutable())
                return QDir::cleanPath(info.absoluteFilePath());
        }
    }
    return QStandardPaths::findExecutable(name);
}

/// Why the driver cannot be used, from /proc alone.
static QString driverReason()
{
    if (!QFileInfo::exists(u"/proc/driver/nvidia/version"_s))
        return Launcher::tr("the NVIDIA driver is not loaded (no /proc/driver/nvidia/version)");
    if (!QFileInfo(u"/dev/nvidiactl"_s).isReadable())
        return Launcher::tr(
            "/dev/nvidiactl may not be opened (no rights, or a container without GPU access)");
    return {};
}

static QStringList gpuNames()
{
    QStringList names;
    const QDir folder(u"/proc/driver/nvidia/gpus"_s);
    for (const QString& gpu : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        for (const QByteArray& line :
             procFile(folder.filePath(gpu) + u"/information"_s).split('\n'))
            if (line.startsWith("Model:"))
                names << QString::fromUtf8(line.mid(6).trimmed());
    return names;
}

/// The plug-in lies beside the engine: of a bundle in libexec/, where the wrapper in bin/ starts
/// it.
static QString pluginReason(const QString& enginePath)
{
    const QString folder = QFileInfo(enginePath).absolutePath();
    const auto holds = [](const QString& place) {
        return QFileInfo::exists(place + u"/libscalebench_cuda.so"_s);
    };
    const bool bundle = QFileInfo::exists(folder + u"/../libexec/scalebench-engine"_s);
    if (enginePath.isEmpty() || holds(folder) || (bundle && holds(folder + u"/../libexec"_s)))
        return {};
    return Launcher::tr("the engine has no CUDA plug-in beside it (libscalebench_cuda.so)");
}

/// What the engine gives as reasons (engine/device/), for a window to translate; rarer ones it
/// shows as they are.
[[maybe_unused]] const char* const kEngineReasons[] = {
    QT_TRANSLATE_NOOP("Launcher", "no NVIDIA driver: libcuda.so.1 not found"),
    QT_TRANSLATE_NOOP("Launcher", "its plug-in is missing: %1 is not in %2"),
    QT_TRANSLATE_NOOP("Launcher", "this Scalebench has no CUDA plug-in: %1"),
    QT_TRANSLATE_NOOP("Launcher", "its plug-in cannot be loaded: %1"),
    QT_TRANSLATE_NOOP("Launcher", "the library %1 is missing: install %2, or add its folder to "
                                  "LD_LIBRARY_PATH"),
    QT_TRANSLATE_NOOP("Launcher", "no GPU found: the NVIDIA driver runs, but no device is there "
                                  "(nvidia-smi -L)"),
    QT_TRANSLATE_NOOP("Launcher", "the driver's library and kernel module are of different "
                                  "versions (%1): restart the machine, or reload the module"),
    QT_TRANSLATE_NOOP("Launcher", "the NVIDIA driver's library cannot be loaded: %1"),
    QT_TRANSLATE_NOOP("Launcher", "the NVIDIA driver is too old: it knows CUDA %1, and this build "
                                  "needs CUDA %2 (driver %3 or newer)"),
    QT_TRANSLATE_NOOP("Launcher", "%1 is in compute mode \"prohibited\": nvidia-smi -c 0 (as "
                                  "administrator) allows work on it")};

/// In the words of the engine that ended without an answer, or of the loader.
static QString faultOf(QProcess& engine)
{
    const QString said = QString::fromLocal8Bit(engine.readAllStandardError()).trimmed();
    if (!said.isEmpty())
        return visibleLine(said.section(u'\n', -1));
    return engine.exitStatus() == QProcess::CrashExit
               ? Launcher::tr("signal %1 ended it").arg(engine.exitCode())
               : Launcher::tr("it ended with code %1 and told nothing").arg(engine.exitCode());
}

void probeEngine(MachineInfo& info)
{
    QProcess process;
    process.start(info.enginePath, {u"--probe"_s});
    if (!process.waitForFinished(kProbeMs)) {
        const bool started = process.error() != QProcess::FailedToStart;
        info.engineFault = started ? Launcher::tr("it said nothing for %1 s").arg(kProbeMs / 1000)
                                   : Launcher::tr("it cannot be executed here (%1)")
                                         .arg(systemText(process.errorString()));
        process.kill();
        process.waitForFinished(1000);
        return;
    }
    info.engineProbe = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    if (info.engineProbe.isEmpty())
        info.engineFault = faultOf(process);
    info.engineVersion = info.engineProbe.value("engine"_L1).toString();
    const QJsonObject cuda = info.engineProbe.value("cuda"_L1).toObject();
    if (cuda.isEmpty())
        return;
    // The engine has asked the driver and loaded the plug-in: it knows better than a look at files.
    info.cudaReason =
        cuda.value("available"_L1).toBool() ? QString() : cuda.value("reason"_L1).toString();
    if (info.gpus.isEmpty())
        for (const QJsonValue& device : info.engineProbe.value("devices"_L1).toArray())
            if (device["device"_L1].toString() == "cuda"_L1)
                info.gpus << device["name"_L1].toString();
}

void measureOtherWork(MachineInfo& info, int ms)
{
    const ProcessorTimes before = processorTimes(u"/proc"_s);
    QThread::msleep(ulong(std::max(ms, 50)));
    const ProcessorTimes after = processorTimes(u"/proc"_s);
    const double passed = after.allTicks - before.allTicks;
    if (after.processors == 0 || passed <= 0)
        return;
    info.processors = after.processors;
    info.busyProcessors =
        std::max(0.0, after.busyTicks - before.busyTicks) / passed * after.processors;
}

MachineInfo probeThisComputer(bool runEngineProbe)
{
    MachineInfo info;
    info.hostName = QSysInfo::machineHostName();
    info.os = QSysInfo::prettyProductName();
    info.cpuModel = cpuModelName();
    countProcessors(info);
    const MemorySizes memory = memorySizes();
    info.memoryBytes = memory.all;
    info.memoryAvailableBytes = memory.available;
    info.memoryLimited = memory.limited;
    info.mpirunPath = QStandardPaths::findExecutable(u"mpirun"_s);
    info.mpirunVersion = OpenMpi::versionOf(info.mpirunPath);
    info.enginePath = findProgram(u"scalebench-engine"_s);
    info.gpus = gpuNames();
    QStringList reasons{driverReason(), pluginReason(info.enginePath)};
    reasons.removeAll(QString());
    info.cudaReason = reasons.join(Launcher::tr("; and "));
    if (runEngineProbe && !info.enginePath.isEmpty())
        probeEngine(info);
    return info;
}

} // namespace scalebench
