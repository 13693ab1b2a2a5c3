// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine/proc_files.h"

#include <QFile>
#include <QList>
#include <QSet>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

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

namespace {

/// In a file of lines "key number"; 0: not there.
qint64 numberBehind(const QByteArray& content, const QByteArray& key)
{
    for (const QByteArray& line : content.split('\n'))
        if (line.startsWith(key + ' '))
            return line.mid(key.size()).trimmed().split(' ').first().toLongLong();
    return 0;
}

/// The files of a version of control groups: Documentation/admin-guide/cgroup-v2.rst and
/// cgroup-v1/memory.rst of the kernel. As engine/core/memory_info.cpp reads them.
struct GroupFiles {
    QString folder, limit, used;
    QByteArray inactive, active;
};

/// A group of /proc/self/cgroup and those above it. A container may have its own group at the root,
/// whatever path it is told.
void limitByGroups(MemorySizes& sizes, const GroupFiles& files, QString path)
{
    for (path = path == "/"_L1 ? QString() : path;; path.truncate(path.lastIndexOf(u'/'))) {
        const QString folder = files.folder + path + u'/';
        const qint64 limit = procFile(folder + files.limit).trimmed().toLongLong(); // "max": 0
        if (limit > 0) {
            sizes.limited = sizes.limited || limit < sizes.all;
            sizes.all = std::min(sizes.all, limit);
            // Files that were read are dropped from memory before anything is refused.
            const QByteArray stat = procFile(folder + u"memory.stat"_s);
            const qint64 used = procFile(folder + files.used).trimmed().toLongLong() -
                                numberBehind(stat, files.inactive) -
                                numberBehind(stat, files.active);
            sizes.available = std::clamp<qint64>(limit - used, 0, sizes.available);
        }
        if (!path.contains(u'/'))
            return;
    }
}

} // namespace

qint64 memoryField(const QByteArray& memoryInfo, const char* field)
{
    return numberBehind(memoryInfo, QByteArray(field) + ':') * 1024;
}

MemorySizes memorySizes(const QString& root)
{
    const QByteArray memory = procFile(root + u"/proc/meminfo"_s);
    MemorySizes sizes{memoryField(memory, "MemTotal"), memoryField(memory, "MemAvailable")};
    const QString groups = root + u"/sys/fs/cgroup"_s;
    const GroupFiles version1{groups + u"/memory"_s, u"memory.limit_in_bytes"_s,
                              u"memory.usage_in_bytes"_s, "total_inactive_file",
                              "total_active_file"};
    const GroupFiles version2{groups, u"memory.max"_s, u"memory.current"_s, "inactive_file",
                              "active_file"};
    // "4:cpu,memory:/path" of version 1, "0::/path" of version 2
    for (const QByteArray& line : procFile(root + u"/proc/self/cgroup"_s).split('\n')) {
        const QString text = QFile::decodeName(line);
        const QStringList controllers = text.section(u':', 1, 1).split(u',');
        const QString path = text.section(u':', 2);
        if (path.startsWith(u'/') && controllers.first().isEmpty())
            limitByGroups(sizes, version2, path);
        else if (controllers.contains("memory"_L1))
            limitByGroups(sizes, version1, path);
    }
    return sizes;
}

} // namespace scalebench
