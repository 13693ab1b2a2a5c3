// SPDX-License-Identifier: GPL-3.0-or-later
// A group of one by NCCL's stand-in, and what goes wrong in NCCL: calls in progress, asynchronous
// errors, collectives that hang, issued or in a recorded step, and calls that block.

#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/host_copy.h"
#include "engine/dist/comm_error.h"
#include "engine/dist/nccl/device_arena.h"
#include "support/cuda_emulation/emulation.h"

#include <QElapsedTimer>
#include <QTest>

#include <memory>
#include <vector>

using namespace scalebench;

class NcclGroupTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<dist::Communicator> comm_ = dist::makeSelfCommunicator();
    std::unique_ptr<Backend> backend_ = cuda_backend::makeCudaBackend(0, false);

    std::unique_ptr<dist::DeviceGroup> group(const emulation::NcclFaults& faults)
    {
        comm_->setTimeout(1);
        auto made = dist::makeDeviceGroup(*backend_, *comm_, dist::AllReduceKind::Nccl);
        emulation::setNcclFaults(faults);
        return made;
    }

    static QByteArray codeOf(const std::function<void()>& body)
    {
        try {
            body();
        } catch (const Error& e) {
            return QByteArray(e.code().c_str()) + ": " + e.what();
        }
        return "nothing thrown";
    }

private slots:
    void cleanup()
    {
        emulation::setNcclFaults({});
        qunsetenv("NCCL_COMM_BLOCKING");
    }

    /// One GPU trains where NCCL or its network does not work at all.
    void oneWorkerNeedsNoNccl()
    {
        emulation::setNcclFaults({.errorAt = 0});
        const auto arena = dist::makeDeviceArena(*backend_, *comm_, 100, dist::AllReduceKind::Auto);
        QCOMPARE(QByteArray(arena->method()), QByteArray("self"));
        arena->allReduce(0, 100);
        arena->join();
        QCOMPARE(arena->takeExposedMs(), 0.0);
    }

    void sumsWhatIsInProgress_data()
    {
        QTest::addColumn<int>("questions");
        QTest::addColumn<bool>("blocking");
        QTest::newRow("done at once") << 0 << false;
        QTest::newRow("in progress") << 5 << false;
        QTest::newRow("blocking") << 5 << true;
    }
    void sumsWhatIsInProgress()
    {
        QFETCH(int, questions);
        QFETCH(bool, blocking);
        if (blocking)
            qputenv("NCCL_COMM_BLOCKING", "1");
        const auto g = group({.inProgress = questions});
        const std::vector<float> values{1, 2, 3, 4};
        Tensor t = backend_->zeros({4}, DType::F32);
        fromHost(*backend_, values, t.f32());
        g->allReduceSum(t.data(), 4, DType::F32);
        g->begin();
        g->allReduceSum(t.data(), 2, DType::F32);
        g->broadcast(t.data(), 16, 0);
        g->end();
        g->join();
        QCOMPARE(toHost(*backend_, t.f32()), values);
        QVERIFY(g->takeExposedMs() >= 0);
    }

    void brokenBySomebodyElse()
    {
        const long before = emulation::ncclAborts();
        Tensor t = backend_->zeros({4}, DType::F32);
        {
            const auto g = group({.errorAt = 1});
            g->allReduceSum(t.data(), 4, DType::F32);
            QElapsedTimer passed;
            passed.start();
            const QByteArray told = codeOf([&] {
                g->allReduceSum(t.data(), 4, DType::F32);
                g->join();
                backend_->synchronize(); // hangs until the watchdog sees the error
                g->join();
            });
            QVERIFY2(told.startsWith("nccl: NCCL on rank 0: "), told.constData());
            QVERIFY(passed.elapsed() < 5000);
        }
        QCOMPARE(emulation::ncclAborts(), before + 1);
    }

    void hangs()
    {
        const auto g = group({.hangAt = 0});
        Tensor t = backend_->zeros({4}, DType::F32);
        g->allReduceSum(t.data(), 4, DType::F32);
        g->join();
        QElapsedTimer passed;
        passed.start();
        backend_->synchronize();
        QVERIFY(passed.elapsed() < 10000);
        const QByteArray told = codeOf([&] { (void)g->takeExposedMs(); });
        QVERIFY2(told.startsWith("collective_timeout: An NCCL collective on rank 0 did not end "
                                 "within 1 s and was aborted"),
                 told.constData());
        QVERIFY(codeOf([&] { g->begin(); }).startsWith("collective_timeout"));
    }

    /// The abort waits for the graph, whose owner must be able to leave meanwhile.
    void hangsInARecordedStep()
    {
        const auto g = group({.hangAt = 0});
        Tensor t = backend_->zeros({4}, DType::F32);
        auto graph = backend_->record([&] {
            g->allReduceSum(t.data(), 4, DType::F32);
            g->join();
        });
        graph->replay();
        g->join();
        QElapsedTimer passed;
        passed.start();
        backend_->synchronize();
        QVERIFY(codeOf([&] { (void)g->takeExposedMs(); }).startsWith("collective_timeout"));
        graph.reset();
        QVERIFY2(passed.elapsed() < 10000, "somebody waited for the abort");
    }

    void aBlockingCallIsEnded()
    {
        qputenv("NCCL_COMM_BLOCKING", "1");
        const auto g = group({.blockAt = 0});
        Tensor t = backend_->zeros({4}, DType::F32);
        QElapsedTimer passed;
        passed.start();
        const QByteArray told = codeOf([&] { g->allReduceSum(t.data(), 4, DType::F32); });
        QVERIFY2(told.startsWith("collective_timeout"), told.constData());
        QVERIFY(passed.elapsed() < 10000);
    }
};

QTEST_GUILESS_MAIN(NcclGroupTest)
#include "nccl_group_test.moc"
