// SPDX-License-Identifier: GPL-3.0-or-later
// Threads bound for real, on the processors that there are.
#include "engine/placement/binding.h"

#include "engine/core/processors.h"
#include "support/thread_communicator.h"

#include <QScopeGuard>
#include <QTest>

#include <mutex>
#include <set>
#include <thread>

#include <omp.h>

using namespace scalebench;
using namespace scalebench::placement;

class BindingTest : public QObject
{
    Q_OBJECT

    /// In threads of their own, so that nothing stays bound.
    static void apart(const std::function<void()>& body) { std::thread(body).join(); }

private slots:
    void initTestCase()
    {
        for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"})
            qunsetenv(name);
    }

    void lists()
    {
        QCOMPARE(processorList({}), std::string());
        QCOMPARE(processorList({3}), std::string("3"));
        QCOMPARE(processorList({0, 1, 2, 3, 8, 10, 11}), std::string("0-3,8,10-11"));
    }

    void computeOnBindsTheTeam()
    {
        const Processors all = processorsOfProcess();
        if (all.size() < 2)
            QSKIP("one processor only: there is nothing to choose");
        apart([&] {
            const Processors one{all.back()};
            std::mutex mutex;
            std::set<Processors> before, bound, later;
            const auto look = [&](std::set<Processors>& seen, int threads) {
#pragma omp parallel num_threads(threads)
                {
                    const Processors mine = processorsOfThread();
                    const std::lock_guard lock(mutex);
                    seen.insert(mine);
                }
            };
            omp_set_num_threads(2);
            look(before, 2);
            const bool done = computeOn(one);
            look(bound, 2);
            look(later, 4); // threads that did not exist yet
            Processors helper;
            helperThread([&] { helper = processorsOfThread(); }).join();
            QVERIFY(done);
            QCOMPARE(before, std::set<Processors>{all});
            QCOMPARE(bound, std::set<Processors>{one});
            QCOMPARE(later, std::set<Processors>{one});
            QCOMPARE(helper, all);
            QCOMPARE(processorsOfProcess(), all);
        });
    }

    void whatIsNotThereIsRefused()
    {
        apart([] {
            const Processors before = processorsOfThread();
            QVERIFY(!computeOn({1 << 15}));
            QVERIFY(!computeOn({}));
            QVERIFY(!computeOn({-1}));
            QCOMPARE(processorsOfThread(), before);
        });
    }

    /// Where each processor has a cache for itself, as hwloc is made to tell.
    void workersKeepToTheirCaches()
    {
        const Processors all = processorsOfProcess();
        if (all.size() < 2)
            QSKIP("one processor only: there is nothing to share");
        qputenv("HWLOC_SYNTHETIC",
                QByteArray("l3:%1 core:1 pu:1").replace("%1", QByteArray::number(all.back() + 1)));
        const QByteArray components = qgetenv("HWLOC_COMPONENTS");
        qputenv("HWLOC_COMPONENTS", "synthetic,stop"); // what is chosen there goes first
        const auto asItIs = qScopeGuard([&] {
            qunsetenv("HWLOC_SYNTHETIC");
            qputenv("HWLOC_COMPONENTS", components);
        });
        std::mutex mutex;
        std::vector<Processors> places(2);
        std::vector<std::string> told(2);
        test::runThreads(2, [&](dist::Communicator& comm) {
            const std::string note = bindWorker(comm, 1, "");
            const std::lock_guard lock(mutex);
            places[std::size_t(comm.rank())] = processorsOfThread();
            told[std::size_t(comm.rank())] = note;
        });
        QCOMPARE(told, (std::vector<std::string>{"on", "on"}));
        QCOMPARE(places[0].size(), std::size_t(1));
        QCOMPARE(places[1].size(), std::size_t(1));
        QVERIFY(places[0] != places[1]);
    }

    void reasonsOfOneHoldForAll()
    {
        const Processors all = processorsOfProcess();
        test::runThreads(3, [&](dist::Communicator& comm) {
            const std::string note = bindWorker(comm, 1, comm.rank() == 1 ? "it is not to be" : "");
            QCOMPARE(note, std::string("off: it is not to be"));
            QCOMPARE(processorsOfThread(), all);
        });
        test::runThreads(2, [&](dist::Communicator& comm) {
            const std::string note = bindWorker(comm, int(all.size()), "");
            QCOMPARE(note, std::string("off: more threads than processors"));
            QCOMPARE(processorsOfThread(), all);
        });
    }

    void theEnvironmentGoesFirst()
    {
        qputenv("OMP_PROC_BIND", "close");
        QCOMPARE(whyNotHere(), std::string("OMP_PROC_BIND says where threads go"));
        qunsetenv("OMP_PROC_BIND");
        qputenv("SLURM_CPUS_ON_NODE", QByteArray::number(processorCount()));
        QVERIFY(jobOwnsProcessors());
        qputenv("SLURM_CPUS_ON_NODE", QByteArray::number(processorCount() + 1));
        QVERIFY(!jobOwnsProcessors());
        qunsetenv("SLURM_CPUS_ON_NODE");
        QVERIFY(!jobOwnsProcessors());
    }
};

QTEST_APPLESS_MAIN(BindingTest)
#include "binding_test.moc"
