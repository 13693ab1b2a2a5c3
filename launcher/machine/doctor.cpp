// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/translated.h"
#include "machine/this_computer.h"
#include "study/machine_info.h"

#include "base/file_io.h"
#include "machine/open_mpi.h"
#include "run/own_studies.h"
#include "study/mpi_fault.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QLocale>
#include <QSysInfo>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr double kGiB = 1024.0 * 1024 * 1024;

static QString gib(double bytes)
{
    return QLocale().toString(bytes / kGiB, 'f', 1) + u" GiB"_s;
}

static Finding memoryFinding(const MachineInfo& info)
{
    Finding f{u"memory"_s,
              Finding::Level::Ok,
              Launcher::tr("%1 memory, %2 available")
                  .arg(gib(double(info.memoryBytes)), gib(double(info.memoryAvailableBytes))),
              {}};
    if (info.memoryLimited)
        f.text += u' ' + Launcher::tr("(the limit of a control group, as of a container)");
    if (double(info.memoryAvailableBytes) < 1 * kGiB) {
        f.level = Finding::Level::Warning;
        f.fix = Launcher::tr("Close other programs: a worker needs several hundred MiB.");
    }
    return f;
}

/// What a build of the CUDA plug-in needs, as the engine tells it.
static QString neededForCuda(const MachineInfo& info)
{
    const QJsonObject build =
        info.engineProbe.value("cuda"_L1).toObject().value("build"_L1).toObject();
    if (build.isEmpty())
        return {};
    return u' ' +
           Launcher::tr("This build is made with CUDA %1 and needs NVIDIA driver %2 or newer.")
               .arg(build.value("toolkit"_L1).toString(),
                    build.value("oldest_driver"_L1).toString());
}

static Finding gpuFinding(const MachineInfo& info)
{
    if (info.cudaReason.isEmpty())
        return {u"gpu"_s,
                Finding::Level::Ok,
                Launcher::tr("%n GPU(s): %1.", nullptr, int(info.gpus.size()))
                        .arg(info.gpus.join(u", "_s)) +
                    neededForCuda(info),
                {}};
    return {u"gpu"_s, Finding::Level::Warning,
            Launcher::tr("CUDA cannot be used: %1.").arg(info.cudaReason) + neededForCuda(info),
            Launcher::tr("Training runs on the processors (--device cpu). With an NVIDIA GPU, its "
                         "driver and the CUDA toolkit here, packaging/quickstart builds for that "
                         "GPU (README, Building for GPUs).")};
}

static Finding mpiFinding(const MachineInfo& info)
{
    if (const std::optional<MpiFault> fault = mpiFault(info))
        return {u"mpi"_s, Finding::Level::Problem, fault->text, fault->fix};
    Finding f{u"mpi"_s,
              Finding::Level::Ok,
              Launcher::tr("Open MPI %1 (%2)").arg(info.mpirunVersion, info.mpirunPath),
              {}};
    if (!OpenMpi(info.mpirunVersion).isTried()) {
        f.level = Finding::Level::Warning;
        f.text = Launcher::tr("Open MPI %1 (%2): Scalebench was tried with 4.1 and 5.0 only")
                     .arg(info.mpirunVersion, info.mpirunPath);
        f.fix = Launcher::tr(
            "Where runs do not start, install Open MPI 4.1 or 5.0 and put it first in PATH.");
    } else if (!info.opalPrefix.isEmpty()) {
        f.level = Finding::Level::Warning;
        f.text = Launcher::tr("Open MPI %1 (%2), but OPAL_PREFIX names another one, in %3")
                     .arg(info.mpirunVersion, info.mpirunPath, info.opalPrefix);
        f.fix =
            Launcher::tr("Unset OPAL_PREFIX, or put the mpirun that belongs to it first in PATH.");
    }
    return f;
}

static QList<Finding> engineFindings(const MachineInfo& info)
{
    if (info.enginePath.isEmpty())
        return {
            {u"engine"_s, Finding::Level::Problem,
             Launcher::tr("scalebench-engine was not found beside this program or in PATH"),
             Launcher::tr(
                 "Build it (cmake option SCALEBENCH_ENGINE) or name it in SCALEBENCH_ENGINE.")}};
    if (info.engineProbe.isEmpty())
        return {
            {u"engine"_s, Finding::Level::Problem,
             Launcher::tr("%1 does not answer to --probe: %2")
                 .arg(info.enginePath, info.engineFault),
             Launcher::tr("Install what is missing, or start it by hand to see more (ldd shows its "
                          "libraries).")}};
    QList<Finding> findings{
        {u"engine"_s,
         Finding::Level::Ok,
         Launcher::tr("engine %1 (%2)").arg(info.engineVersion, info.enginePath),
         {}}};
    QStringList backends;
    for (const QJsonValue& device : info.engineProbe.value("devices"_L1).toArray())
        backends << device.toObject().value("backend"_L1).toString();
    if (backends.isEmpty())
        for (const QJsonValue& backend : info.engineProbe.value("backends"_L1).toArray())
            backends << backend.toString();
    backends.removeDuplicates();
    if (backends.isEmpty())
        findings << Finding{
            u"backend"_s, Finding::Level::Warning, Launcher::tr("the engine names no backend"),
            Launcher::tr("Install matching versions of scalebench and scalebench-engine.")};
    else
        findings << Finding{
            u"backend"_s, Finding::Level::Ok, u"backends: %1"_s.arg(backends.join(u", "_s)), {}};
    return findings;
}

static Finding diskFinding(const QString& libraryDir)
{
    const QString dir = QFileInfo(libraryDir).absoluteFilePath();
    const QString folder = existingPart(dir);
    if (!QFileInfo(folder).isDir() || !mayBeWritten(dir))
        return {u"disk"_s, Finding::Level::Problem,
                Launcher::tr("%1 cannot be written").arg(libraryDir),
                Launcher::tr("Choose another folder with --library DIR or change its rights.")};
    const double free = double(freeBytesAt(folder));
    Finding f{u"disk"_s,
              Finding::Level::Ok,
              Launcher::tr("%1 free for results in %2").arg(gib(free), libraryDir),
              {}};
    if (free < 0.2 * kGiB) {
        f.level = Finding::Level::Problem;
        f.fix = Launcher::tr("Free some space or choose another folder with --library DIR.");
    } else if (free < 2 * kGiB) {
        f.level = Finding::Level::Warning;
        f.fix = Launcher::tr("Free some space before training on a large data set.");
    }
    return f;
}

static Finding sharedMemoryFinding()
{
    const double free = double(freeBytesAt(u"/dev/shm"_s));
    if (free < 0 || !QFileInfo(u"/dev/shm"_s).isWritable())
        return {u"shm"_s, Finding::Level::Problem, Launcher::tr("/dev/shm cannot be written"),
                Launcher::tr("Workers exchange gradients there: mount a tmpfs on /dev/shm.")};
    Finding f{u"shm"_s,
              Finding::Level::Ok,
              Launcher::tr("%1 shared memory free in /dev/shm").arg(gib(free)),
              {}};
    if (free < 0.12 * kGiB) {
        f.level = Finding::Level::Warning;
        f.fix = Launcher::tr(
            "In a container start it with a larger --shm-size, for example --shm-size=1g.");
    }
    return f;
}

QList<Finding> turnFindings(const QString& lockFile)
{
    const QFileInfo info(lockFile);
    if (!info.exists() && !info.isSymLink()) // the first run makes it
        return {};
    if (info.isFile() && !info.isSymLink() && info.isReadable() && info.isWritable())
        return {};
    return {{u"turns"_s, Finding::Level::Warning,
             Launcher::tr("Runs cannot take turns here: %1 may not be used").arg(lockFile),
             Launcher::tr("Whoever owns it, or an administrator, should remove it: until then runs "
                          "may disturb one another.")}};
}

QList<Finding> runDoctor(const QString& libraryDir)
{
    const MachineInfo info = probeThisComputer(true);
    QList<Finding> findings;
    findings << Finding{
        u"cores"_s,
        Finding::Level::Ok,
        Launcher::tr("%n processor(s): %1, %2", nullptr, info.cores).arg(info.cpuModel, info.os),
        {}};
    findings << memoryFinding(info) << gpuFinding(info) << mpiFinding(info);
    findings += engineFindings(info);
    findings << diskFinding(libraryDir) << sharedMemoryFinding();
    // As the engine calls it (engine/train/host_turn.h).
    findings += turnFindings(u"/dev/shm/scalebench-turn-"_s +
                             QSysInfo::machineHostName().replace(u'/', u'_'));
    if (!mayBeWritten(ownStudiesList()))
        findings << Finding{u"studies"_s, Finding::Level::Problem,
                            Launcher::tr("%1 cannot be written").arg(ownStudiesList()),
                            Launcher::tr("It lists the studies that may run here: let it be "
                                         "written, or set XDG_DATA_HOME to another folder.")};
    return findings;
}

} // namespace scalebench
