// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What proc(5) says of a whole computer. The folder is another one in tests.

#include <QByteArray>
#include <QList>
#include <QString>

namespace scalebench {

/// Empty where it cannot be read.
QByteArray procFile(const QString& path);

/// Of all processors together, since the computer started.
struct ProcessorTimes {
    double busyTicks = 0, allTicks = 0;
    int processors = 0; ///< 0: not told
};
ProcessorTimes processorTimes(const QString& procDir);

/// How many cores these processors belong to: fewer where a core has several (simultaneous
/// multithreading). One each where `sysDir` (sysfs) does not tell.
int coresOfProcessors(const QList<int>& processors, const QString& sysDir);

/// Of a computer, or the part of it that a control group (version 1 or 2: containers, Slurm) leaves
/// this process. In bytes; 0: not told.
struct MemorySizes {
    qint64 all = 0, available = 0;
    bool limited = false; ///< by a control group
};
/// `root`: of another file system in tests.
MemorySizes memorySizes(const QString& root = {});

/// A field of meminfo's content, in bytes; 0: not there.
qint64 memoryField(const QByteArray& memoryInfo, const char* field);

} // namespace scalebench
