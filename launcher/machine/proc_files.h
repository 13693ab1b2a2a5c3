// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What proc(5) says of a whole computer. The folder is another one in tests.

#include <QByteArray>
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

/// A field of meminfo's content, in bytes; 0: not there.
qint64 memoryField(const QByteArray& memoryInfo, const char* field);

} // namespace scalebench
