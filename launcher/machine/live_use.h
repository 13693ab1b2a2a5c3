// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What this computer is doing just now: processors, memory and GPUs, and whose work that is. Reads
// /proc, and asks nvidia-smi where it is installed; measures nothing between two looks.

#include "machine/proc_files.h"

#include <QHash>
#include <QList>
#include <QString>
#include <QtNumeric>

namespace scalebench {

struct ProcessUse {
    qint64 pid = 0;
    QString name, user;
    double processors = 0; ///< kept busy since the look before
    qint64 memoryBytes = 0;
    QList<int> gpus; ///< places in LiveUse::gpus that it computes on
};

/// What the driver did not tell is NaN.
struct GpuUse {
    QString name;
    double use = qQNaN(); ///< 0..1
    double memoryUsedBytes = qQNaN(), memoryBytes = qQNaN();
    double powerW = qQNaN(), temperatureC = qQNaN();
};

struct LiveUse {
    int processors = 0;
    double busyProcessors = -1; ///< since the look before; negative: this is the first
    qint64 memoryBytes = 0, memoryUsedBytes = 0;
    QList<ProcessUse> processes; ///< that take something, the busiest first
    QList<GpuUse> gpus;
};

class LiveUseMeter
{
public:
    /// Other places than the system's are for tests; no GPU program: GPUs are not asked.
    explicit LiveUseMeter(const QString& procDir = QStringLiteral("/proc"),
                          const QString& gpuProgram = QStringLiteral("nvidia-smi"));

    /// Blocks for some milliseconds, with GPUs for some tenths of a second. One thread at a time.
    LiveUse look();

    static constexpr qsizetype kMostProcesses = 40;

private:
    QList<ProcessUse> processes(double passedTicks);
    void askGpus(LiveUse& use) const;

    QString m_proc, m_gpuProgram;
    ProcessorTimes m_before;
    QHash<QString, double> m_ticks; ///< of each process, by its id and start
};

} // namespace scalebench
