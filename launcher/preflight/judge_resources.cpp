// SPDX-License-Identifier: GPL-3.0-or-later
// Disk, shared memory and GPUs of a host.
#include "base/translated.h"
#include "preflight/judge.h"

#include <QJsonArray>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kLeastFree = 256e6; ///< an unpacked bundle and a small run
constexpr double kGoodFree = 2e9;    ///< checkpoints of the full workloads
constexpr double kLeastShm = 256e6;  ///< Open MPI's and NCCL's segments of some workers

double bytesOf(const ProbeAnswer& probe, const QString& key)
{
    return double(probe.number(key)) * 1024;
}

bool judgeSpace(Cells& cells, const QString& key, const QString& place)
{
    const ProbeAnswer& probe = cells.probe();
    const QString host = cells.host(), error = probe.value(key + u"_error"_s);
    const double available = bytesOf(probe, key + u"_free_kib"_s);
    if (error == "full"_L1 || (error.isEmpty() && available >= 0 && available < 2e6)) {
        cells.problem(u"disk"_s, u"disk_full"_s,
                      Launcher::tr("The disk of %1 is full: %2 has %3 left, about %4 are needed.")
                          .arg(host, place, readableBytes(std::max(0.0, available)),
                               readableBytes(kLeastFree)),
                      Launcher::tr("Free some space there, or choose another folder."));
        return false;
    }
    if (!error.isEmpty()) {
        const QString reason =
            error == "quota"_L1          ? Launcher::tr("the user's quota is used up")
            : error == "read_only"_L1    ? Launcher::tr("the file system is read-only")
            : error == "not_a_folder"_L1 ? Launcher::tr("a file is in the way")
                                         : Launcher::tr("there is no right to write");
        cells.problem(
            u"disk"_s, error == "quota"_L1 ? u"disk_quota"_s : u"disk_not_writable"_s,
            Launcher::tr("Nothing can be written to %1 on %2: %3.").arg(place, host, reason),
            Launcher::tr("Choose another folder, or change its rights."));
        return false;
    }
    return true;
}

} // namespace

void judgeDisk(Cells& cells)
{
    const ProbeAnswer& probe = cells.probe();
    const QString host = cells.host(), place = probe.value(u"disk_place"_s);
    if (judgeSpace(cells, u"disk"_s, place) && judgeSpace(cells, u"tmp"_s, u"/tmp"_s)) {
        const double available = bytesOf(probe, u"disk_free_kib"_s);
        if (available >= 0 && available < kLeastFree)
            cells.problem(
                u"disk"_s, u"disk_full"_s,
                Launcher::tr("%1 on %2 has %3 left, about %4 are needed.")
                    .arg(place, host, readableBytes(available), readableBytes(kLeastFree)),
                Launcher::tr("Free some space there, or choose another folder."));
        else if (available >= 0 && available < kGoodFree)
            cells.warn(
                u"disk"_s, u"disk_low"_s,
                Launcher::tr("%1 on %2 has %3 left; long studies with checkpoints need more.")
                    .arg(place, host, readableBytes(available)),
                Launcher::tr("Free some space there, or choose another folder."));
        else
            cells.ok(u"disk"_s, available < 0
                                    ? u"writable"_s
                                    : Launcher::tr("%1 free").arg(readableBytes(available)));
    }
    const double shm = bytesOf(probe, u"shm_size_kib"_s);
    if (probe.has(u"shm_error"_s))
        cells.problem(
            u"shm"_s, u"shm_not_writable"_s,
            Launcher::tr("Shared memory (/dev/shm) may not be used on %1.").arg(host),
            Launcher::tr("Ask its administrator: /dev/shm must be writable for everybody."));
    else if (shm < 0)
        cells.warn(u"shm"_s, u"shm_missing"_s,
                   Launcher::tr("%1 has no shared memory file system (/dev/shm).").arg(host),
                   Launcher::tr("In a container: start it with --shm-size=8g or --ipc=host."));
    else if (shm < kLeastShm)
        cells.warn(
            u"shm"_s, u"shm_small"_s,
            Launcher::tr("Shared memory on %1 is only %2 (a container?); several workers there may "
                         "fail.")
                .arg(host, readableBytes(shm)),
            Launcher::tr("Start the container with --shm-size=8g or --ipc=host."));
    else
        cells.ok(u"shm"_s, readableBytes(shm));
}

void judgeGpus(Cells& cells, QJsonObject& facts)
{
    const ProbeAnswer& probe = cells.probe();
    const QString host = cells.host();
    if (cells.machine().kind == TargetMachine::Kind::Slurm)
        cells.skip(u"gpus"_s, Launcher::tr("Slurm gives them"));
    QJsonArray names;
    QString driver, mode;
    const bool listed = probe.exitCode(u"gpu"_s) == 0;
    if (listed) {
        for (const QString& line : probe.lines(u"gpu"_s)) {
            const QStringList fields = line.split(u',');
            if (fields.size() < 4)
                continue;
            names << fields[0].trimmed();
            driver = fields[2].trimmed();
            if (fields[3].trimmed() != "Default"_L1)
                mode = fields[3].trimmed();
        }
    }
    facts.insert(u"gpus"_s, names);
    if (!driver.isEmpty())
        facts.insert(u"driver"_s, driver);
    const auto installed = probe.values.value(u"gpu_pci"_s).size();
    if (probe.has(u"gpu"_s) && !listed && (installed > 0 || probe.has(u"driver"_s)))
        return cells.problem(
            u"gpus"_s, u"gpu_driver"_s,
            Launcher::tr("The NVIDIA driver of %1 does not answer: %2")
                .arg(host, probe.lines(u"gpu"_s).value(0)),
            Launcher::tr("Restart %1, or ask its administrator to repair the driver.").arg(host),
            probe.lines(u"gpu"_s).join(u'\n'));
    if (probe.has(u"driver_no_rights"_s))
        return cells.problem(
            u"gpus"_s, u"gpu_no_rights"_s,
            Launcher::tr("The GPUs of %1 may not be used: no rights on /dev/nvidiactl, or a "
                         "container without GPU access.")
                .arg(host),
            Launcher::tr("Join the group that owns the device, or start the container with "
                         "--gpus all."));
    if (names.isEmpty() && installed > 0)
        return cells.warn(u"gpus"_s, u"gpu_no_driver"_s,
                          Launcher::tr("%1 has %n NVIDIA GPU(s), but the driver is not loaded.",
                                       nullptr, installed)
                              .arg(host),
                          Launcher::tr("Install or load the NVIDIA driver there."));
    if (names.isEmpty())
        return cells.ok(u"gpus"_s, u"none"_s);
    const QString text =
        Launcher::tr("%1 x %2, driver %3").arg(names.size()).arg(names[0].toString(), driver);
    if (!mode.isEmpty())
        return cells.warn(
            u"gpus"_s, u"gpu_mode"_s,
            Launcher::tr("GPUs of %1 are in compute mode %2: only one program at a time may use "
                         "each.")
                .arg(host, mode),
            Launcher::tr("nvidia-smi -c DEFAULT (by an administrator)"));
    if (const QString reason = facts.value("cuda_reason"_L1).toString(); !reason.isEmpty())
        return cells.warn(
            u"gpus"_s, u"cuda_unavailable"_s,
            Launcher::tr("%1: %2, but the engine cannot use them: %3.").arg(host, text, reason),
            Launcher::tr("Train on the processors, or deploy an engine with CUDA."));
    cells.ok(u"gpus"_s, text);
}

} // namespace scalebench
