// SPDX-License-Identifier: GPL-3.0-or-later
// Every chunk of a loop runs once, whatever team comes; a thread that is held up holds up none but
// the chunk it is in.
#include <omp.h>

#include <QTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "kernels/cpu/chunk_shares.h"
#include "kernels/cpu/parallel.h"

namespace cpu = scalebench::kernels::cpu;

namespace {

using Counts = std::vector<std::atomic<int>>;

bool allOnce(const Counts& counts)
{
    return std::ranges::all_of(counts, [](const auto& n) { return n == 1; });
}

/// Runs each thread of the team, all at once or one after the other.
void runTeam(cpu::ChunkShares& shares, int team, bool together, Counts& counts)
{
    std::vector<std::jthread> threads;
    for (int t = 0; t < team; ++t) {
        threads.emplace_back([&, t] { shares.run(t, team, [&](std::int64_t i) { ++counts[i]; }); });
        if (!together)
            threads.clear();
    }
}

} // namespace

class ChunkSharesTest : public QObject
{
    Q_OBJECT
private slots:
    void everyChunkOnce()
    {
        for (const int threads : {1, 2, 3, 7, 64, 100})
            for (const int team : {1, 2, 3, 5, 80})
                for (const std::int64_t chunks : {0, 1, 2, 3, 63, 1000})
                    for (const bool together : {false, true}) {
                        cpu::ChunkShares shares(chunks, threads);
                        Counts counts(std::size_t(chunks) + 1);
                        counts.back() = 1;
                        runTeam(shares, team, together, counts);
                        QVERIFY2(allOnce(counts), qPrintable(QString("%1 chunks, %2 threads, %3")
                                                                 .arg(chunks)
                                                                 .arg(threads)
                                                                 .arg(team)));
                    }
    }
    void moreThanCanBeCounted()
    {
        for (const std::int64_t chunks : {9, 10, 11, 95, 100, 101}) {
            cpu::ChunkShares shares(chunks, 3, 10);
            auto counts = Counts(std::size_t(chunks));
            runTeam(shares, 2, true, counts);
            QVERIFY(allOnce(counts));
        }
    }
    void aThreadThatWaitsHoldsUpOneChunk()
    {
        constexpr std::int64_t kChunks = 40;
        for (const int threads : {2, 5}) {
            cpu::ChunkShares shares(kChunks, threads);
            std::atomic<std::int64_t> done{0}, seen{-1};
            const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
            std::vector<std::jthread> team;
            for (int t = 0; t < threads; ++t)
                team.emplace_back([&, t] {
                    shares.run(t, threads, [&](std::int64_t) {
                        if (t == 1 && seen == -1) {
                            while (done < kChunks - 1 &&
                                   std::chrono::steady_clock::now() < deadline)
                                std::this_thread::yield();
                            seen = done.load();
                        }
                        ++done;
                    });
                });
            team.clear();
            QCOMPARE(done.load(), kChunks);
            // Unless the others were done before this one began.
            QVERIFY2(seen == -1 || seen == kChunks - 1, qPrintable(QString::number(seen)));
        }
    }
    void whoStartsFirstHasTheFirstOfItsOwn()
    {
        cpu::ChunkShares shares(10, 2);
        std::vector<std::int64_t> order;
        shares.run(1, 2, [&](std::int64_t i) { order.push_back(i); });
        QCOMPARE(order, (std::vector<std::int64_t>{5, 6, 7, 8, 9, 4, 3, 2, 1, 0}));
    }
    /// Room that a worker has is in use by one thread at a time.
    void workers()
    {
        for (const int workers : {1, 2, 3, 8}) {
            Counts counts(500);
            auto inUse = std::vector<std::atomic<bool>>(std::size_t(workers));
            std::atomic<bool> shared{false};
            cpu::parallelWorkers(workers, std::int64_t(counts.size()),
                                 [&](std::int64_t i, int worker) {
                                     if (inUse.at(std::size_t(worker)).exchange(true))
                                         shared = true;
                                     ++counts[std::size_t(i)];
                                     inUse[std::size_t(worker)] = false;
                                 });
            QVERIFY(allOnce(counts));
            QVERIFY(!shared);
        }
    }
    void insideAParallelLoop()
    {
        Counts counts(60);
#pragma omp parallel for num_threads(3)
        for (int outer = 0; outer < 3; ++outer)
            cpu::parallelFor(20, [&](std::int64_t i) { ++counts[std::size_t(outer * 20 + i)]; });
        QVERIFY(allOnce(counts));
    }
    void ranges()
    {
        for (const std::int64_t n : {0, 1, 5, 100}) {
            Counts counts(std::size_t(n) + 1);
            counts.back() = 1;
            cpu::parallelRanges(n, 7, [&](std::int64_t begin, std::int64_t end) {
                for (; begin < end; ++begin)
                    ++counts[std::size_t(begin)];
            });
            QVERIFY(allOnce(counts));
        }
    }
    void pieces()
    {
        QCOMPARE(cpu::piecesOf(1, 100), 1);
        QCOMPARE(cpu::piecesOf(2, 0), 2);
        QCOMPARE(cpu::piecesOf(2, 5), 5);
        QCOMPARE(cpu::piecesOf(2, 100), 8);
    }
    void sharesOfAProduct()
    {
        QCOMPARE(cpu::sharesApart(1, 2048, 512), 0);
        QCOMPARE(cpu::sharesApart(2, 2048, 512), 4);
        QCOMPARE(cpu::sharesApart(2, 512, 2048), 4);
        QCOMPARE(cpu::sharesApart(2, 100, 100), 2);
        QCOMPARE(cpu::sharesApart(4, 100, 100), 0);
    }
};

QTEST_APPLESS_MAIN(ChunkSharesTest)
#include "chunk_shares_test.moc"
