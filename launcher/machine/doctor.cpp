// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine/this_computer.h"
#include "study/machine_info.h"

#include "base/file_io.h"
#include "machine/open_mpi.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QLocale>

#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr double kGiB = 1024.0 * 1024 * 1024;

static QString gib(double bytes)
{
    return QLocale::c().toString(bytes / kGiB, 'f', 1) + u" GiB"_s;
}

static Finding memoryFinding(const MachineInfo& info)
{
    Finding f{u"memory"_s,
              Finding::Level::Ok,
              u"%1 memory, %2 available"_s.arg(gib(double(info.memoryBytes)),
                                               gib(double(info.memoryAvailableBytes))),
              {}};
    if (double(info.memoryAvailableBytes) < 1 * kGiB) {
        f.level = Finding::Level::Warning;
        f.fix = u"Close other programs: a worker needs several hundred MiB."_s;
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
    return u" This build is made with CUDA %1 and needs NVIDIA driver %2 or newer."_s.arg(
        build.value("toolkit"_L1).toString(), build.value("oldest_driver"_L1).toString());
}

static Finding gpuFinding(const MachineInfo& info)
{
    if (info.cudaReason.isEmpty())
        return {u"gpu"_s,
                Finding::Level::Ok,
                u"%1 GPU(s): %2."_s.arg(info.gpus.size()).arg(info.gpus.join(u", "_s)) +
                    neededForCuda(info),
                {}};
    return {
        u"gpu"_s, Finding::Level::Warning,
        u"CUDA cannot be used: %1."_s.arg(info.cudaReason) + neededForCuda(info),
        u"Training runs on the processors (--device cpu). With an NVIDIA GPU, its driver and the CUDA toolkit here, packaging/quickstart builds for that GPU (README, Building for GPUs)."_s};
}

static Finding mpiFinding(const MachineInfo& info)
{
    if (info.mpirunPath.isEmpty())
        return {u"mpi"_s, Finding::Level::Problem, u"mpirun was not found in PATH"_s,
                u"Install Open MPI: apt install openmpi-bin"_s};
    if (info.mpirunVersion.isEmpty())
        return {u"mpi"_s, Finding::Level::Problem,
                u"%1 does not answer to --version"_s.arg(info.mpirunPath),
                u"Install Open MPI again: apt install --reinstall openmpi-bin"_s};
    Finding f{u"mpi"_s,
              Finding::Level::Ok,
              u"Open MPI %1 (%2)"_s.arg(info.mpirunVersion, info.mpirunPath),
              {}};
    if (!OpenMpi(info.mpirunVersion).isTried()) {
        f.level = Finding::Level::Warning;
        f.text += u": Scalebench was tried with 4.1 and 5.0 only"_s;
        f.fix = u"Where runs do not start, install Open MPI 4.1 or 5.0 and put it first in PATH."_s;
    }
    return f;
}

static QList<Finding> engineFindings(const MachineInfo& info)
{
    if (info.enginePath.isEmpty())
        return {{u"engine"_s, Finding::Level::Problem,
                 u"scalebench-engine was not found beside this program or in PATH"_s,
                 u"Build it (cmake option SCALEBENCH_ENGINE) or name it in SCALEBENCH_ENGINE."_s}};
    if (info.engineProbe.isEmpty())
        return {{u"engine"_s, Finding::Level::Problem,
                 u"%1 does not answer to --probe"_s.arg(info.enginePath),
                 u"Start it by hand to see why; often a library is missing (ldd shows which)."_s}};
    QList<Finding> findings{{u"engine"_s,
                             Finding::Level::Ok,
                             u"engine %1 (%2)"_s.arg(info.engineVersion, info.enginePath),
                             {}}};
    QStringList backends;
    for (const QJsonValue& device : info.engineProbe.value("devices"_L1).toArray())
        backends << device.toObject().value("backend"_L1).toString();
    if (backends.isEmpty())
        for (const QJsonValue& backend : info.engineProbe.value("backends"_L1).toArray())
            backends << backend.toString();
    backends.removeDuplicates();
    if (backends.isEmpty())
        findings << Finding{u"backend"_s, Finding::Level::Warning, u"the engine names no backend"_s,
                            u"Install matching versions of scalebench and scalebench-engine."_s};
    else
        findings << Finding{
            u"backend"_s, Finding::Level::Ok, u"backends: %1"_s.arg(backends.join(u", "_s)), {}};
    return findings;
}

/// The folder itself or the nearest one above it that exists.
static QString existingPart(QString path)
{
    while (!QFileInfo::exists(path)) {
        const QString parent = QFileInfo(path).absolutePath();
        if (parent == path)
            break;
        path = parent;
    }
    return path;
}

static Finding diskFinding(const QString& libraryDir)
{
    const QString folder = existingPart(QFileInfo(libraryDir).absoluteFilePath());
    const QFileInfo info(folder);
    if (!info.isDir() || ::access(QFile::encodeName(folder).constData(), W_OK | X_OK) != 0)
        return {u"disk"_s, Finding::Level::Problem, u"%1 cannot be written"_s.arg(libraryDir),
                u"Choose another folder with --library DIR or change its rights."_s};
    const double free = double(freeBytesAt(folder));
    Finding f{u"disk"_s,
              Finding::Level::Ok,
              u"%1 free for results in %2"_s.arg(gib(free), libraryDir),
              {}};
    if (free < 0.2 * kGiB) {
        f.level = Finding::Level::Problem;
        f.fix = u"Free some space or choose another folder with --library DIR."_s;
    } else if (free < 2 * kGiB) {
        f.level = Finding::Level::Warning;
        f.fix = u"Free some space before training on a large data set."_s;
    }
    return f;
}

static Finding sharedMemoryFinding()
{
    const double free = double(freeBytesAt(u"/dev/shm"_s));
    if (free < 0 || !QFileInfo(u"/dev/shm"_s).isWritable())
        return {u"shm"_s, Finding::Level::Problem, u"/dev/shm cannot be written"_s,
                u"Workers exchange gradients there: mount a tmpfs on /dev/shm."_s};
    Finding f{
        u"shm"_s, Finding::Level::Ok, u"%1 shared memory free in /dev/shm"_s.arg(gib(free)), {}};
    if (free < 0.12 * kGiB) {
        f.level = Finding::Level::Warning;
        f.fix = u"In a container start it with a larger --shm-size, for example --shm-size=1g."_s;
    }
    return f;
}

QList<Finding> runDoctor(const QString& libraryDir)
{
    const MachineInfo info = probeThisComputer(true);
    QList<Finding> findings;
    findings << Finding{u"cores"_s,
                        Finding::Level::Ok,
                        u"%1 processor(s): %2, %3"_s.arg(info.cores).arg(info.cpuModel, info.os),
                        {}};
    findings << memoryFinding(info) << gpuFinding(info) << mpiFinding(info);
    findings += engineFindings(info);
    findings << diskFinding(libraryDir) << sharedMemoryFinding();
    return findings;
}

} // namespace scalebench
