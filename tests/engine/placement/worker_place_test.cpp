// SPDX-License-Identifier: GPL-3.0-or-later
// Places on hosts that hwloc makes up: known processors, and every count of workers and threads on
// some shapes, where the properties that worker_place.h promises are looked for.
#include "engine/placement/worker_place.h"

#include <QTest>

#include <hwloc.h>

#include <algorithm>
#include <climits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>

using namespace scalebench;
using namespace scalebench::placement;

namespace {

using Topology = std::unique_ptr<hwloc_topology, void (*)(hwloc_topology_t)>;

Topology madeUp(const char* description)
{
    hwloc_topology_t topology = nullptr;
    hwloc_topology_init(&topology);
    hwloc_topology_set_synthetic(topology, description);
    hwloc_topology_load(topology);
    return {topology, hwloc_topology_destroy};
}

Processors firstProcessors(int count)
{
    Processors all(std::size_t(count), 0);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::vector<Core> coresLike(const char* description, int processors)
{
    return coresOf(madeUp(description).get(), firstProcessors(processors));
}

Processors from(int first, int last)
{
    Processors all;
    for (int i = first; i <= last; ++i)
        all.push_back(i);
    return all;
}

/// Of hwloc itself, for a check that does not go through coresOf().
hwloc_obj_t lastCacheOf(hwloc_topology_t topology, int processor)
{
    hwloc_obj_t at = hwloc_get_pu_obj_by_os_index(topology, unsigned(processor));
    hwloc_obj_t cache = nullptr;
    for (; at; at = at->parent)
        if (hwloc_obj_type_is_dcache(at->type))
            cache = at;
    return cache;
}

} // namespace

class WorkerPlaceTest : public QObject
{
    Q_OBJECT
private slots:
    void places_data()
    {
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<int>("processors");
        QTest::addColumn<int>("workers");
        QTest::addColumn<int>("threads");
        QTest::addColumn<QStringList>("expected"); // by worker; "": none
        const auto row = [](const char* name, const char* host, int processors, int workers,
                            int threads, const QStringList& expected) {
            QTest::newRow(name) << QByteArray(host) << processors << workers << threads << expected;
        };
        const char* desk = "l3:1 core:2 pu:1";
        row("two processors, one worker", desk, 2, 1, 1, {"0-1"});
        row("two processors, two workers share them", desk, 2, 2, 1, {"0-1", "0-1"});
        row("two processors, too many threads", desk, 2, 2, 2, {"", ""});
        const char* smt = "l3:1 core:4 pu:2"; // processors 2k and 2k + 1 are one core's
        row("four cores of two threads, one of each", smt, 8, 2, 2, {"0,2,4,6", "0,2,4,6"});
        row("the same, every processor", smt, 8, 2, 4, {"0-7", "0-7"});
        row("the same, five threads", smt, 8, 1, 5, {"0-7"});
        row("the same, one thread too many", smt, 8, 3, 3, {"", "", ""});
        const char* twoCaches = "l3:2 core:4 pu:2"; // two chiplets of four cores
        row("two chiplets, one worker stays in one", twoCaches, 16, 1, 4, {"0,2,4,6"});
        row("two chiplets, two workers spread", twoCaches, 16, 2, 2, {"0,2,4,6", "8,10,12,14"});
        row("two chiplets, three workers", twoCaches, 16, 3, 2,
            {"0,2,4,6", "0,2,4,6", "8,10,12,14"});
        row("two chiplets, a worker larger than one", twoCaches, 16, 1, 6, {"0,2,4,6,8,10,12,14"});
        row("two chiplets, every processor", twoCaches, 16, 2, 8, {"0-7", "8-15"});
        const char* server = "pack:2 numa:1 l3:2 core:4 pu:1";
        row("two packages, two workers", server, 16, 2, 4, {"0-3", "8-11"});
        row("two packages, two workers of a package each", server, 16, 2, 8, {"0-7", "8-15"});
        row("two packages, six threads", server, 16, 2, 6, {"0-7", "8-15"});
        row("two packages, three workers", server, 16, 3, 4, {"0-3", "4-7", "8-11"});
        row("two packages, three of five cross them", server, 16, 3, 5, {"0-4", "5-9", "10-15"});
        row("two packages, all", server, 16, 1, 16, {"0-15"});
    }
    void places()
    {
        QFETCH(QByteArray, host);
        QFETCH(int, processors);
        QFETCH(int, workers);
        QFETCH(int, threads);
        QFETCH(QStringList, expected);
        const std::vector<Core> cores = coresLike(host, processors);
        for (int w = 0; w < workers; ++w)
            QCOMPARE(QString::fromStdString(processorList(placeOf(w, {workers, threads}, cores))),
                     expected[w]);
    }

    void everyCrew_data()
    {
        QTest::addColumn<QByteArray>("host");
        for (const char* host :
             {"core:1 pu:1", "core:7 pu:1", "l3:3 core:4 pu:2", "pack:2 numa:2 l3:2 core:3 pu:2",
              "numa:4 l2:2 core:2 pu:1", "pack:3 l3:1 core:5 pu:1", "pack:2 core:2 pu:4"})
            QTest::newRow(host) << QByteArray(host);
    }
    void everyCrew()
    {
        QFETCH(QByteArray, host);
        const Topology topology = madeUp(host);
        const int processors = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PU);
        const int count = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE);
        const std::vector<Core> cores = coresOf(topology.get(), firstProcessors(processors));
        QCOMPARE(int(cores.size()), count);
        std::map<hwloc_obj_t, int> inCache; // cores
        for (const Core& core : cores)
            ++inCache[lastCacheOf(topology.get(), core.processors.front())];
        for (int workers = 1; workers <= processors + 1; ++workers)
            for (int threads = 1; threads <= processors + 1; ++threads) {
                std::map<Processors, int> sharing; // threads by place
                int bound = 0, room = 0;           // room of all caches, in workers
                for (const auto& [cache, has] : inCache)
                    room += has / threads;
                for (int w = 0; w < workers; ++w) {
                    const Processors place = placeOf(w, {workers, threads}, cores);
                    if (place.empty())
                        continue;
                    ++bound;
                    sharing[place] += threads;
                    std::set<hwloc_obj_t> coresUsed, cachesUsed;
                    for (const int p : place) {
                        coresUsed.insert(
                            hwloc_get_pu_obj_by_os_index(topology.get(), unsigned(p))->parent);
                        cachesUsed.insert(lastCacheOf(topology.get(), p));
                    }
                    if (workers * threads > count)
                        continue;
                    QCOMPARE(coresUsed.size(), place.size()); // one processor of each core
                    if (room >= workers)
                        QCOMPARE(int(cachesUsed.size()), 1);
                }
                QCOMPARE(bound, workers * threads <= processors ? workers : 0);
                std::set<int> used;
                for (const auto& [place, sharingThreads] : sharing) {
                    QVERIFY(int(place.size()) >= sharingThreads);
                    for (const int p : place)
                        QVERIFY(used.insert(p).second); // places are the same or apart
                }
            }
    }

    /// A worker in each package where there is one for each, as hwloc itself would spread them.
    void spreadAsHwlocDoes()
    {
        const Topology topology = madeUp("pack:4 numa:1 l3:2 core:4 pu:1");
        const std::vector<Core> cores = coresOf(topology.get(), firstProcessors(32));
        for (int workers = 1; workers <= 8; ++workers) {
            std::vector<hwloc_bitmap_t> sets(std::size_t(workers), nullptr);
            hwloc_obj_t root = hwloc_get_root_obj(topology.get());
            hwloc_distrib(topology.get(), &root, 1, sets.data(), unsigned(workers), INT_MAX, 0);
            std::multiset<int> theirs, ours; // workers of each package
            std::map<int, int> theirsIn, oursIn;
            for (int w = 0; w < workers; ++w) {
                ++theirsIn[hwloc_bitmap_first(sets[std::size_t(w)]) / 8];
                ++oursIn[placeOf(w, {workers, 3}, cores).front() / 8];
                hwloc_bitmap_free(sets[std::size_t(w)]);
            }
            for (int package = 0; package < 4; ++package)
                theirs.insert(theirsIn[package]), ours.insert(oursIn[package]);
            QCOMPARE(ours, theirs);
        }
    }

    /// Eight small cores and sixteen fast ones.
    void fastAndSmallCores()
    {
        const Topology topology = madeUp("l3:1 core:24 pu:1");
        const auto kind = [&](int first, int last, int efficiency) {
            hwloc_bitmap_t set = hwloc_bitmap_alloc();
            hwloc_bitmap_set_range(set, unsigned(first), last);
            hwloc_cpukinds_register(topology.get(), set, efficiency, 0, nullptr, 0);
            hwloc_bitmap_free(set);
        };
        kind(0, 7, 0), kind(8, 23, 1);
        const std::vector<Core> cores = coresOf(topology.get(), firstProcessors(24));
        QCOMPARE(placeOf(0, {1, 16}, cores), from(8, 23)); // the fast ones do
        QCOMPARE(placeOf(1, {2, 4}, cores), from(8, 23));
        QCOMPARE(placeOf(0, {1, 17}, cores), from(0, 23));
        const Processors one = placeOf(0, {2, 12}, cores), two = placeOf(1, {2, 12}, cores);
        const auto fast = [](const Processors& p) {
            return std::ranges::count_if(p, [](int i) { return i >= 8; });
        };
        QCOMPARE(one.size(), two.size());
        QCOMPARE(fast(one), fast(two));
    }

    void onlyAllowedOnes()
    {
        const Topology topology = madeUp("pack:2 l3:1 core:4 pu:2");
        const std::vector<Core> cores = coresOf(topology.get(), {2, 3, 4, 9, 11, 15});
        QCOMPARE(int(cores.size()), 5);
        QCOMPARE(cores[0].processors, (Processors{2, 3}));
        QCOMPARE(placeOf(0, {2, 2}, cores), (Processors{2, 4}));
        QCOMPARE(placeOf(1, {2, 2}, cores), (Processors{9, 11, 15}));
        QCOMPARE(placeOf(0, {1, 1}, {}), Processors());
    }

    void busyOnesAreLeftOut()
    {
        const char* before = "cpu  9 9 9 9\ncpu0 100 0 0 900 0 0 0 0\ncpu1 5 5 5 900 0 0 0 0\n"
                             "cpu2 0 0 0 0 0 0 0 0\nintr 5\n";
        const char* after = "cpu  9 9 9 9\ncpu0 101 0 0 905 0 0 0 0\ncpu1 8 5 6 902 0 0 0 0\n"
                            "cpu2 0 0 0 6 0 0 0 0\nintr 9\n";
        QCOMPARE(busyProcessors(before, after, {0, 1, 2, 3}), (Processors{1}));
        QCOMPARE(busyProcessors("", "rubbish\ncpux 1\n", {0, 1}), Processors());
        const std::vector<Core> cores = coresLike("l3:2 core:2 pu:2", 8);
        const Crew crew{1, 2};
        QCOMPARE(placeOf(0, crew, cores), (Processors{0, 2}));
        QCOMPARE(placeOf(0, crew, withoutBusy(cores, {1}, crew)), (Processors{4, 6}));
        QCOMPARE(placeOf(0, {1, 4}, withoutBusy(cores, {1}, {1, 4})),
                 (Processors{0, 2, 4, 6})); // all are needed
    }

    void thisHost()
    {
        const std::vector<Core> cores = coresOfHost(processorsOfProcess());
        QVERIFY(!cores.empty());
        Processors all;
        for (const Core& core : cores)
            all.insert(all.end(), core.processors.begin(), core.processors.end());
        std::ranges::sort(all);
        QCOMPARE(all, processorsOfProcess());
    }
};

QTEST_APPLESS_MAIN(WorkerPlaceTest)
#include "worker_place_test.moc"
