// SPDX-License-Identifier: GPL-3.0-or-later
// A pretended /proc and nvidia-smi whose figures are known.
#include "machine/live_use.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

class LiveUseTest : public QObject
{
    Q_OBJECT

    static void write(const QString& path, const QByteArray& content, bool program = false)
    {
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        if (program)
            file.setPermissions(file.permissions() | QFile::ExeOwner);
    }

    static void writeProcess(const QString& proc, int pid, const QByteArray& name, int user,
                             int system, int start, int pages)
    {
        const QByteArray id = QByteArray::number(pid);
        write(proc + u'/' + QString::number(pid) + u"/stat"_s,
              id + " (" + name + ") S 1 1 1 0 -1 0 0 0 0 0 " + QByteArray::number(user) + ' ' +
                  QByteArray::number(system) + " 0 0 20 0 1 0 " + QByteArray::number(start) +
                  " 99 " + QByteArray::number(pages) + " 0 0\n");
    }

    /// Two processors of which `busy` and `idle` ticks are told.
    static void writeComputer(const QString& proc, int busy, int idle)
    {
        write(proc + u"/stat"_s, "cpu  " + QByteArray::number(busy) + " 0 0 " +
                                     QByteArray::number(idle) +
                                     " 0 0 0 0\ncpu0 1 2 3\ncpu1 1 2 3\nintr 5\n");
        write(proc + u"/meminfo"_s, "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:  400 kB\n");
    }

private slots:
    void whatIsBusyBetweenTwoLooks()
    {
        const QTemporaryDir dir;
        const QString proc = dir.path();
        writeComputer(proc, 1000, 5000);
        writeProcess(proc, 10, "train (a) b", 500, 100, 7, 3);
        writeProcess(proc, 11, "idle", 900, 0, 8, 1);
        writeProcess(proc, 12, "reused", 900, 0, 9, 1);
        LiveUseMeter meter(proc, {});
        const LiveUse first = meter.look();
        QVERIFY(first.busyProcessors < 0);
        QCOMPARE(first.processors, 2);
        QCOMPARE(first.memoryBytes, 1000 * 1024);
        QCOMPARE(first.memoryUsedBytes, 600 * 1024);
        QVERIFY(first.processes.isEmpty());

        // 200 ticks passed, 100 on each processor; 130 of them were busy.
        writeComputer(proc, 1130, 5070);
        writeProcess(proc, 10, "train (a) b", 570, 110, 7, 3);
        writeProcess(proc, 12, "reused", 10, 0, 77, 1); // another process with the same id
        writeProcess(proc, 13, "new", 30, 0, 78, 1);
        const LiveUse second = meter.look();
        QCOMPARE(second.busyProcessors, 1.3);
        QCOMPARE(second.processes.size(), 3);
        QCOMPARE(second.processes[0].name, u"train (a) b"_s);
        QCOMPARE(second.processes[0].pid, 10);
        QCOMPARE(second.processes[0].processors, 0.8);
        QCOMPARE(second.processes[0].memoryBytes, 3 * qint64(::sysconf(_SC_PAGESIZE)));
        QCOMPARE(second.processes[0].user, QFileInfo(proc).owner());
        QCOMPARE(second.processes[1].name, u"new"_s);
        QCOMPARE(second.processes[1].processors, 0.3);
        QCOMPARE(second.processes[2].processors, 0.1);
        QVERIFY(second.gpus.isEmpty());
    }

    void whoUsesWhichGpu()
    {
        const QTemporaryDir dir;
        const QString proc = dir.filePath(u"proc"_s), program = dir.filePath(u"smi"_s);
        writeComputer(proc, 1, 1);
        writeProcess(proc, 21, "waits", 5, 0, 7, 1);
        write(program,
              "#!/bin/sh\ncase \"$1\" in\n"
              "--query-gpu=*) echo 'GPU-a, NVIDIA Some GPU, 98, 512, 2048, 301.5, 66'\n"
              "  echo 'GPU-b, NVIDIA Some GPU, [N/A], 0, 2048, [N/A], 31';;\n"
              "*) echo 'GPU-b, 21'; echo 'GPU-b, 21'; echo 'GPU-a, 4711';;\nesac\n",
              true);
        LiveUseMeter meter(proc, program);
        const LiveUse use = meter.look();
        QCOMPARE(use.gpus.size(), 2);
        QCOMPARE(use.gpus[0].name, u"NVIDIA Some GPU"_s);
        QCOMPARE(use.gpus[0].use, 0.98);
        QCOMPARE(use.gpus[0].memoryUsedBytes, 512.0 * 1024 * 1024);
        QCOMPARE(use.gpus[0].memoryBytes, 2048.0 * 1024 * 1024);
        QCOMPARE(use.gpus[0].powerW, 301.5);
        QCOMPARE(use.gpus[0].temperatureC, 66.0);
        QVERIFY(qIsNaN(use.gpus[1].use));
        QVERIFY(qIsNaN(use.gpus[1].powerW));
        // It computes on the second, though its processor time is nothing.
        QCOMPARE(use.processes.size(), 1);
        QCOMPARE(use.processes[0].gpus, QList<int>{1});
    }

    void aGpuProgramThatFailsTellsNothing()
    {
        const QTemporaryDir dir;
        const QString program = dir.filePath(u"smi"_s);
        writeComputer(dir.path(), 1, 1);
        write(program, "#!/bin/sh\necho 'GPU-a, A, 1, 1, 1, 1, 1'\nexit 9\n", true);
        QVERIFY(LiveUseMeter(dir.path(), program).look().gpus.isEmpty());
        QVERIFY(LiveUseMeter(dir.path(), u"no_such_program"_s).look().gpus.isEmpty());
    }

    /// The real one: this process itself, which works.
    void thisComputer()
    {
        LiveUseMeter meter;
        meter.look();
        volatile double sum = 0;
        bool seen = false;
        for (int i = 0; i < 200 && !seen; ++i) {
            for (int k = 0; k < 5'000'000; ++k)
                sum = sum + k;
            for (const ProcessUse& use : meter.look().processes)
                seen |= use.pid == QCoreApplication::applicationPid() && use.processors > 0;
        }
        QVERIFY(seen);
    }
};

QTEST_GUILESS_MAIN(LiveUseTest)
#include "live_use_test.moc"
