// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine/proc_files.h"

#include <QFile>
#include <QList>
#include <QSet>

#include <algorithm>

namespace scalebench {

QByteArray procFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// proc(5): user, nice, system, idle, iowait, irq, softirq, steal of all processors together.
ProcessorTimes processorTimes(const QString& procDir)
{
    ProcessorTimes times;
    for (const QByteArray& line : procFile(procDir + QStringLiteral("/stat")).split('\n')) {
        const QList<QByteArray> words = line.simplified().split(' ');
        if (words.first() != "cpu") {
            times.processors += words.first().startsWith("cpu") ? 1 : 0;
            continue;
        }
        for (qsizetype i = 1; i < std::min<qsizetype>(words.size(), 9); ++i) {
            const bool idle = i == 4 || i == 5 || i == 8;
            times.allTicks += words[i].toDouble();
            times.busyTicks += idle ? 0.0 : words[i].toDouble();
        }
    }
    return times;
}

int coresOfProcessors(const QList<int>& processors, const QString& sysDir)
{
    QSet<QByteArray> cores;
    for (const int processor : processors) {
        const QByteArray siblings =
            procFile(sysDir + QStringLiteral("/devices/system/cpu/cpu%1/topology/"
                                             "thread_siblings_list")
                                  .arg(processor));
        cores.insert(siblings.isEmpty() ? QByteArray::number(processor) : siblings.trimmed());
    }
    return int(cores.size());
}

qint64 memoryField(const QByteArray& memoryInfo, const char* field)
{
    for (const QByteArray& line : memoryInfo.split('\n'))
        if (line.startsWith(field))
            return line.mid(line.indexOf(':') + 1).trimmed().split(' ').first().toLongLong() * 1024;
    return 0;
}

} // namespace scalebench
