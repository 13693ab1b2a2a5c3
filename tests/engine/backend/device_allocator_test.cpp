// SPDX-License-Identifier: GPL-3.0-or-later
// Device memory in pieces: none overlaps another, neighbours become one again, and tensors whose
// shapes change do not fill the card.

#include "engine/backend/cuda/block_pool.h"
#include "engine/backend/cuda/device_allocator.h"
#include "kernels/check.h"
#include "support/cuda_emulation/emulation.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <vector>

using namespace scalebench;
using cuda_backend::BlockPool;
using cuda_backend::DeviceAllocator;

namespace {

constexpr std::size_t kMiB = std::size_t(1) << 20;

} // namespace

class DeviceAllocatorTest : public QObject
{
    Q_OBJECT

private slots:
    void piecesDoNotOverlap()
    {
        std::vector<char> first(64 * 1024), second(32 * 1024);
        BlockPool pool(512);
        pool.add({first.data(), first.size()});
        pool.add({second.data(), second.size()});
        const std::size_t all = first.size() + second.size();
        std::mt19937 random(7);
        std::map<char*, std::size_t> taken;
        std::size_t inUse = 0;
        for (int i = 0; i < 20000; ++i) {
            if (!taken.empty() && random() % 2 == 0) {
                auto it = std::next(taken.begin(), std::ptrdiff_t(random() % taken.size()));
                inUse -= it->second;
                pool.giveBack(it->first);
                taken.erase(it);
            } else if (void* p = pool.take(512 * (1 + random() % 16))) {
                auto* at = static_cast<char*>(p);
                const std::size_t size = pool.sizeOf(p);
                const auto next = taken.lower_bound(at);
                QVERIFY(next == taken.end() || at + size <= next->first);
                QVERIFY(next == taken.begin() ||
                        std::prev(next)->first + std::prev(next)->second <= at);
                taken[at] = size;
                inUse += size;
            }
            QCOMPARE(pool.freeBytes() + inUse, all);
        }
        QVERIFY(pool.removeFree().size() < 2);
        for (const auto& [at, size] : taken)
            pool.giveBack(at);
        QCOMPARE(pool.largestFree(),
                 pool.freeBytes() > second.size() ? first.size() : second.size());
    }

    void theBestFitIsSplit()
    {
        std::vector<char> memory(16 * 512);
        BlockPool pool(512);
        pool.add({memory.data(), memory.size()});
        void* a = pool.take(4 * 512);
        void* b = pool.take(512);
        void* c = pool.take(2 * 512);
        void* d = pool.take(512);
        pool.giveBack(a);
        pool.giveBack(c); // free: 4, 2 and 8
        QCOMPARE(pool.take(2 * 512), c);
        QCOMPARE(pool.take(3 * 512), a);
        QCOMPARE(pool.largestFree(), std::size_t(8 * 512));
        QCOMPARE(pool.take(9 * 512), nullptr);
        Q_UNUSED(b)
        Q_UNUSED(d)
    }

    /// Long-lived tensors between short-lived ones of many shapes: with a block for each size, the
    /// card would hold all of them at once.
    void changingShapesDoNotFillTheCard()
    {
        emulation::setDeviceMemory(400 * kMiB);
        {
            DeviceAllocator allocator("GPU 0");
            std::vector<std::shared_ptr<void>> weights, step;
            std::mt19937 random(3);
            for (int i = 0; i < 20; ++i)
                weights.push_back(allocator.allocate(kMiB / 2));
            for (int number = 0; number < 300; ++number) {
                const std::size_t length = 10 + random() % 90; // of this step's batch
                for (std::size_t layer = 1; layer <= 8; ++layer)
                    step.push_back(allocator.allocate(length * layer * 32 * 1024));
                step.clear();
            }
            const AllocatorStats stats = allocator.stats();
            QVERIFY2(stats.bytesReserved < 2 * stats.peakBytesInUse,
                     qPrintable(QString::number(stats.bytesReserved / kMiB)));
            QVERIFY(stats.systemRequests < 40);
            QVERIFY(allocator.largestFreeBytes() > stats.bytesReserved / 8);
            weights.clear();
            allocator.trim();
            QCOMPARE(allocator.stats().bytesReserved, std::size_t(0));
        }
        emulation::setDeviceMemory(std::size_t(4) << 30);
    }

    void fragmentationIsTold()
    {
        emulation::setDeviceMemory(64 * kMiB);
        {
            DeviceAllocator allocator("GPU 0");
            std::vector<std::shared_ptr<void>> all;
            for (int i = 0; i < 18; ++i)
                all.push_back(allocator.allocate(3 * kMiB));
            for (std::size_t i = 0; i < all.size(); i += 2)
                all[i].reset();
            try {
                const auto p = allocator.allocate(30 * kMiB);
                QFAIL("30 MiB in one piece");
            } catch (const Error& e) {
                QCOMPARE(QByteArray(e.code().c_str()), QByteArray("out_of_memory"));
                QVERIFY2(std::strstr(e.what(), "more are reserved by this worker and free, in "
                                               "pieces of at most ") != nullptr,
                         e.what());
            }
        }
        emulation::setDeviceMemory(std::size_t(4) << 30);
    }
};

QTEST_GUILESS_MAIN(DeviceAllocatorTest)
#include "device_allocator_test.moc"
