// SPDX-License-Identifier: GPL-3.0-or-later
// What a host did beside a run: counters of proc(5), real load beside this process.

#include "engine/report/host_load.h"

#include <QTest>

#include <cmath>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace scalebench::report;

namespace {

/// A process of its own that keeps one processor busy until it is destroyed.
class BusyProcess
{
public:
    BusyProcess() : pid_(::fork())
    {
        if (pid_ == 0)
            for (volatile double x = 1;;)
                x = std::sqrt(x + 1);
    }
    ~BusyProcess()
    {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }

private:
    pid_t pid_;
};

/// Works in this process for about that long.
void work(double seconds)
{
    const double end = processSeconds() + seconds;
    volatile double x = 1;
    while (processSeconds() < end)
        for (int i = 0; i < 10000; ++i)
            x = std::sqrt(x + 1);
}

} // namespace

class HostLoadTest : public QObject
{
    Q_OBJECT
private slots:
    void countersAreThoseOfProc()
    {
        const LoadCounters c = LoadCounters::parse("cpu  100 20 30 4000 50 6 7 80 9 0\n"
                                                   "cpu0 50 10 15 2000 25 3 3 40 4 0\n"
                                                   "cpu1 50 10 15 2000 25 3 4 40 5 0\n"
                                                   "intr 12345\ncpus 3\n",
                                                   "nr_free_pages 5\npswpin 11\npswpout 31\n", 100);
        QCOMPARE(c.processors, 2);
        QCOMPARE(c.busyS, 1.63); // without idle, iowait and steal; guest is inside user
        QCOMPARE(c.stolenS, 0.8);
        QCOMPARE(c.swapPages, int64_t{42});
    }

    void clockMemoryAndNetwork()
    {
        LoadCounters c;
        c.parseState("processor: 0\ncpu MHz\t\t: 2000.0\nprocessor: 1\ncpu MHz\t\t: 3000.0\n",
                     "MemTotal:     1000 kB\nMemFree:  1 kB\nMemAvailable:  400 kB\n",
                     "Inter-|   Receive  |  Transmit\n face |bytes packets|bytes packets\n"
                     "    lo: 99 1 0 0 0 0 0 0 99 1 0 0 0 0 0 0\n"
                     "  eth0: 1000 5 0 0 0 0 0 0 200 3 0 0 0 0 0 0\n"
                     "  eth1:24 5 0 0 0 0 0 0 6 3 0 0 0 0 0 0\n");
        QCOMPARE(c.clockMhz, 2500.0);
        QCOMPARE(c.memoryBytes, int64_t{1024000});
        QCOMPARE(c.receivedBytes, int64_t{1024});
        QCOMPARE(c.sentBytes, int64_t{206});
        LoadCounters before;
        before.sentBytes = 6;
        before.energyJ = 50;
        c.energyJ = 20; // it began anew
        c.processors = 2;
        c.seconds = 1;
        const auto load = hostLoad(before, c, 0);
        QCOMPARE(load->sentBytes, int64_t{200});
        QCOMPARE(load->memoryUsedBytes, int64_t{600 * 1024});
        QCOMPARE(load->energyJ, 0.0);
    }

    void whatIsNotToldIsLeftOut()
    {
        QCOMPARE(LoadCounters::parse("", "", 100).processors, 0);
        QVERIFY(!hostLoad({}, {}, 0));
        LoadCounters now;
        now.processors = 2;
        QVERIFY(!hostLoad(now, now, 1)); // no time has passed
    }

    void sharesOfAnInterval()
    {
        LoadCounters before, after;
        before.processors = after.processors = 4;
        before.seconds = 100;
        after.seconds = 110;
        before.busyS = 1000;
        after.busyS = 1025; // 2.5 processors
        before.stolenS = 7;
        after.stolenS = 8;
        before.swapPages = 1;
        after.swapPages = 3;
        const auto load = hostLoad(before, after, 19);
        QVERIFY(load);
        QCOMPARE(load->seconds, 10.0);
        QCOMPARE(load->own, 1.9);
        QVERIFY(std::abs(load->others - 0.6) < 1e-12);
        QCOMPARE(load->stolen, 0.1);
        QCOMPARE(load->swappedBytes, int64_t{2 * ::sysconf(_SC_PAGESIZE)});
    }

    void ownWorkIsNotOthers()
    {
        LoadCounters before, after;
        before.processors = after.processors = 2;
        after.seconds = 1;
        after.busyS = 0.98; // ticks lag behind
        QCOMPARE(hostLoad(before, after, 1.0)->others, 0.0);
    }

    /// Beside two busy processes, work of this one is its own and theirs is the others'.
    void seesOtherProcesses()
    {
        const LoadCounters before = LoadCounters::read();
        if (before.processors == 0)
            QSKIP("/proc/stat tells nothing here");
        const double began = processSeconds();
        {
            const BusyProcess one, two;
            work(0.5);
        }
        const auto load = hostLoad(before, LoadCounters::read(), processSeconds() - began);
        QVERIFY(load);
        QVERIFY2(load->own * load->seconds >= 0.49, qPrintable(QString::number(load->own)));
        // However many processors there are, two that always want one get half a one each at least.
        QVERIFY2(load->others > 0.2, qPrintable(QString::number(load->others)));
        QVERIFY(load->own + load->others <= load->processors + 0.2);
    }
};

QTEST_GUILESS_MAIN(HostLoadTest)
#include "host_load_test.moc"
