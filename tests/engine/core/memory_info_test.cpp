// SPDX-License-Identifier: GPL-3.0-or-later
// Pretended /proc and /sys/fs/cgroup of containers and jobs.
#include "engine/core/memory_info.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;

class MemoryInfoTest : public QObject
{
    Q_OBJECT

    QTemporaryDir dir_;

    void write(const QString& path, const QByteArray& content)
    {
        const QString whole = dir_.filePath(path);
        QVERIFY(QDir().mkpath(QFileInfo(whole).path()));
        QFile file(whole);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    qint64 available() { return qint64(availableMemoryBytes(dir_.path().toStdString())); }

private slots:
    void init()
    {
        QVERIFY(QDir(dir_.path()).removeRecursively() && QDir().mkpath(dir_.path()));
        write("proc/meminfo", "MemTotal:  9000 kB\nMemFree: 1 kB\nMemAvailable:  8000 kB\n");
    }

    void withoutGroups()
    {
        QCOMPARE(available(), 8000 * 1024);
        QVERIFY(availableMemoryBytes() > 0);
        QFile::remove(dir_.filePath("proc/meminfo"));
        QCOMPARE(available(), 0);
    }

    void version2()
    {
        write("proc/self/cgroup", "0::/job/step\n");
        write("sys/fs/cgroup/job/step/memory.max", "max\n");
        write("sys/fs/cgroup/job/memory.max", "4096000\n");
        write("sys/fs/cgroup/job/memory.current", "1000000\n");
        QCOMPARE(available(), 3096000);
        // What was read from files is given up first.
        write("sys/fs/cgroup/job/memory.stat",
              "anon 5\ninactive_file 400000\nactive_file 200000\nfile 700000\n");
        QCOMPARE(available(), 3696000);
    }

    void version1()
    {
        write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/job/step\n0::/\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        QCOMPARE(available(), 8000 * 1024);
        write("sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", "3000000\n");
        write("sys/fs/cgroup/memory/job/step/memory.usage_in_bytes", "500000\n");
        write("sys/fs/cgroup/memory/job/step/memory.stat",
              "cache 9\ntotal_inactive_file 70000\ntotal_active_file 30000\n");
        QCOMPARE(available(), 2600000);
        write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2000000\n"); // the tighter one
        QCOMPARE(available(), 2000000);
        write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "2500000\n");
        QVERIFY(available() > 0 && available() < 100000);
    }

    /// A container sees its own group at the root of the mount.
    void containers()
    {
        write("proc/self/cgroup", "0::/\n");
        write("sys/fs/cgroup/memory.max", "3000000\n");
        QCOMPARE(available(), 3000000);
        write("proc/self/cgroup", "4:memory:/docker/0815\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n");
        QCOMPARE(available(), 2000000);
    }

    /// ulimit -v is one process's: what its node has is the others'.
    void addressSpace()
    {
        write("proc/self/status", "Name: x\nVmPeak: 9000 kB\nVmSize:  1000 kB\n");
        const auto limitedTo = [this](const QByteArray& limit) {
            write("proc/self/limits",
                  "Limit  Soft Limit  Hard Limit  Units\nMax cpu time  7  7  s\n"
                  "Max address space  " +
                      limit + "  unlimited  bytes\n");
            return available();
        };
        QCOMPARE(limitedTo("unlimited"), 8000 * 1024);
        QCOMPARE(limitedTo("3072000"), 2000 * 1024);
        QCOMPARE(qint64(nodeMemoryBytes(dir_.path().toStdString())), 8000 * 1024);
        QCOMPARE(limitedTo("99999999999"), 8000 * 1024);
        QVERIFY(limitedTo("1000") > 0 && available() < 10000); // none, which is not unknown
        QFile::remove(dir_.filePath("proc/meminfo"));
        QCOMPARE(limitedTo("3072000"), 2000 * 1024);
    }
};

QTEST_GUILESS_MAIN(MemoryInfoTest)
#include "memory_info_test.moc"
