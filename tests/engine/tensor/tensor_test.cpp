// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cstdint>
#include <thread>
#include <vector>

#include "engine/tensor/tensor.h"
#include "kernels/check.h"

using namespace scalebench;

class TensorTest : public QObject
{
    Q_OBJECT
private slots:
    void handleSharesStorage()
    {
        CachingAllocator allocator;
        const Tensor a = Tensor::zeros({2, 3}, DType::F32, allocator);
        const Tensor b = a;
        a.f32()[4] = 2.0f;
        QCOMPARE(b.f32()[4], 2.0f);
        QVERIFY(!a.unique());
        QCOMPARE(a.bytes(), std::size_t(24));
        QCOMPARE(std::uintptr_t(a.data()) % 64, std::uintptr_t(0));
        QCOMPARE(QString::fromStdString(a.describe()), QString("f32[2,3]"));
        QCOMPARE(a.reshaped({6}).data(), a.data());
        QCOMPARE(a.firstRows(1).count(), std::int64_t(3));
    }

    void misuseIsRefused()
    {
        CachingAllocator allocator;
        const Tensor a = Tensor::empty({2, 3}, DType::BF16, allocator);
        QVERIFY_EXCEPTION_THROWN(a.f32(), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(a.reshaped({7}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(a.firstRows(3), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(Tensor::empty({-1}, DType::F32, allocator), InvalidArgument);
        QVERIFY(!Tensor().defined());
    }

    void viewKeepsItsOwner()
    {
        auto owner = std::make_shared<std::vector<float>>(8, 1.0f);
        const std::weak_ptr<void> watch = owner;
        Tensor t = Tensor::view(owner->data(), {8}, DType::F32, owner);
        owner.reset();
        QVERIFY(!watch.expired());
        t = Tensor();
        QVERIFY(watch.expired());
    }

    void freedMemoryIsUsedAgain()
    {
        CachingAllocator allocator;
        void* first = nullptr;
        {
            const Tensor t = Tensor::empty({1000}, DType::F32, allocator);
            first = t.data();
        }
        for (int step = 0; step < 10; ++step)
            QCOMPARE(Tensor::empty({1000}, DType::F32, allocator).data(), first);
        const auto s = allocator.stats();
        QCOMPARE(s.systemRequests, std::uint64_t(1));
        QCOMPARE(s.requests, std::uint64_t(11));
        QCOMPARE(s.bytesInUse, std::size_t(0));
        QVERIFY(s.peakBytesInUse >= 4000 && s.peakBytesInUse <= 4000 * 9 / 8 + 64);
        allocator.trim();
        QCOMPARE(allocator.stats().bytesReserved, std::size_t(0));
    }

    /// A block serves for what is smaller by up to a third: shapes that differ from step to step
    /// would else each leave one behind.
    void largerBlocksServe()
    {
        CachingAllocator allocator;
        constexpr std::int64_t kMost = 3 << 20, kLeast = 2 << 20;
        for (std::int64_t n = kMost; n >= kLeast; n -= 1 << 16)
            QVERIFY(allocator.stats().bytesInUse == 0 &&
                    Tensor::zeros({n}, DType::U8, allocator).defined());
        QCOMPARE(allocator.stats().systemRequests, std::uint64_t(1));
        QCOMPARE(allocator.stats().bytesReserved, std::size_t(kMost));
        allocator.resetPeak();
        {
            const Tensor a = Tensor::empty({kLeast}, DType::U8, allocator);
            QCOMPARE(allocator.stats().peakBytesInUse, std::size_t(kLeast)); // what was asked for
            const Tensor b = Tensor::empty({kLeast}, DType::U8, allocator);  // a's is in use
            QCOMPARE(allocator.stats().systemRequests, std::uint64_t(2));
        }
        const Tensor exact = Tensor::empty({kLeast}, DType::U8, allocator); // the smaller of two
        const Tensor larger = Tensor::empty({kMost}, DType::U8, allocator);
        QCOMPARE(allocator.stats().systemRequests, std::uint64_t(2));
    }
    void muchLargerBlocksDoNot()
    {
        CachingAllocator allocator;
        (void)Tensor::empty({3 << 20}, DType::U8, allocator);
        (void)Tensor::empty({1 << 20}, DType::U8, allocator);
        QCOMPARE(allocator.stats().systemRequests, std::uint64_t(2));
    }

    void peakAndLargeBlocks()
    {
        CachingAllocator allocator;
        Tensor a = Tensor::empty({3 << 20}, DType::U8, allocator);
        QCOMPARE(std::uintptr_t(a.data()) % 64, std::uintptr_t(0));
        const auto peak = allocator.stats().peakBytesInUse;
        a = Tensor();
        QCOMPARE(allocator.stats().peakBytesInUse, peak);
        allocator.resetPeak();
        QCOMPARE(allocator.stats().peakBytesInUse, std::size_t(0));
    }

    void memoryOutlivesTheAllocator()
    {
        Tensor t;
        {
            CachingAllocator allocator;
            t = Tensor::zeros({100}, DType::I32, allocator);
        }
        t.i32()[99] = 5;
        QCOMPARE(t.i32()[99], 5);
    }

    void outOfMemoryNamesTheSize()
    {
        CachingAllocator allocator;
        try {
            (void)Tensor::empty({std::int64_t(1) << 46}, DType::U8, allocator);
            QFAIL("64 TiB were given");
        } catch (const Error& e) {
            QCOMPARE(QString::fromStdString(e.code()), QString("out_of_memory"));
            QVERIFY(QString(e.what()).contains("MiB"));
        }
    }

    /// What others took counts, and what is cached is given back before anything is refused.
    void noMoreThanTheSystemHas()
    {
        std::size_t free = std::size_t(160) << 20;
        CachingAllocator allocator([&] { return free; });
        Tensor first = Tensor::empty({64 << 20}, DType::U8, allocator);
        free = std::size_t(40) << 20; // of which 10 are the rest
        const auto refused = [&] {
            try {
                (void)Tensor::empty({96 << 20}, DType::U8, allocator);
                return QString();
            } catch (const Error& e) {
                return QString::fromStdString(e.what());
            }
        };
        const QString told = refused();
        QVERIFY2(told.contains("64 MiB in use; the system leaves this process 30 MiB."),
                 qPrintable(told));
        first = Tensor();
        (void)refused();
        QCOMPARE(allocator.stats().bytesReserved, std::size_t(0));
        free = std::size_t(107) << 20;
        QCOMPARE(refused(), QString());
    }

    void threadsShareIt()
    {
        CachingAllocator allocator;
        auto work = [&] {
            for (int i = 1; i < 500; ++i)
                Tensor::zeros({i}, DType::F32, allocator);
        };
        std::thread other(work);
        work();
        other.join();
        QCOMPARE(allocator.stats().bytesInUse, std::size_t(0));
    }
};

QTEST_APPLESS_MAIN(TensorTest)
#include "tensor_test.moc"
