// SPDX-License-Identifier: GPL-3.0-or-later
// The batch that is told after an out-of-memory: it fits, and a somewhat larger one does not.

#include "engine/backend/backend.h"
#include "engine/core/memory_info.h"
#include "engine/core/thread_count.h"
#include "engine/data/prefetcher.h"
#include "engine/data/sampled_source.h"
#include "engine/dist/communicator.h"
#include "engine/models/resnet/resnet.h"
#include "engine/train/largest_batch.h"
#include "engine/train/replica.h"
#include "kernels/check.h"

#include <QRegularExpression>
#include <QTest>

using namespace scalebench;

class LargestBatchTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<Backend> backend_ = makeCpuBackend();
    std::unique_ptr<Network> network_ = std::make_unique<ResNet>(
        ResNetConfig::byName("resnet8", 10), *backend_, Precision::Fp32, 1, ArenaAllocator());

    Batch batchOf(int64_t samples) const
    {
        const Tensor images =
            Tensor::zeros({samples, 16, 16, 3}, DType::F32, backend_->allocator());
        const Tensor labels = Tensor::zeros({samples}, DType::I32, backend_->allocator());
        return {{images, labels}, samples};
    }

    bool fits(const Batch& batch, int64_t samples)
    {
        Batch part{{}, samples};
        for (const Tensor& t : batch.tensors)
            part.tensors.push_back(t.firstRows(samples));
        backend_->allocator().trim();
        try {
            Tape tape(*backend_);
            tape.backward(network_->loss(tape, part, {}, true).loss);
            return true;
        } catch (const Error& e) {
            if (e.code() != "out_of_memory")
                throw;
            return false;
        }
    }

private slots:
    void initTestCase() { setComputeThreads(1); }

    /// Whoever takes all that is free is killed by what else the process needs.
    void aWorkerLeavesRoom()
    {
        const std::unique_ptr<dist::Communicator> alone = dist::makeSelfCommunicator();
        RunConfig config;
        config.globalBatch = 2;
        config.optimizer = optimizerDefaults(OptimizerKind::Sgd);
        train::Replica replica(
            config, *alone, train::cpuDevices(), [](Backend& backend, const ArenaAllocator& arena) {
                return std::make_unique<ResNet>(ResNetConfig::byName("resnet8", 10), backend,
                                                Precision::Fp32, 1, arena);
            });
        const double share =
            double(replica.backend().allocator().limit()) / double(availableMemoryBytes());
        QVERIFY2(share > 0.5 && share < 0.95, qPrintable(QString::number(share)));
    }

    /// A batch of several micro-batches is as many times what fits.
    void tellsTheGlobalBatch()
    {
        const std::unique_ptr<dist::Communicator> alone = dist::makeSelfCommunicator();
        RunConfig config;
        config.globalBatch = 128;
        config.options.gradAccum = 2;
        config.options.memoryLimitMb = 6;
        train::Replica replica(
            config, *alone, train::cpuDevices(), [](Backend& backend, const ArenaAllocator& arena) {
                return std::make_unique<ResNet>(ResNetConfig::byName("resnet8", 10), backend,
                                                Precision::Fp32, 1, arena);
            });
        const data::OrderedSource source(
            128, 64, {}, [this](const data::SampleList&, Batch& batch) { batch = batchOf(64); });
        data::Prefetcher batches(source, {}, 0);
        std::optional<train::Failure> failure;
        train::Replica::Step step;
        replica.trainStep(step, 0.1, batches, failure);
        QVERIFY(failure && failure->code == "out_of_memory");
        const QString message = QString::fromStdString(failure->message);
        const auto told =
            QRegularExpression("fit has (\\d+): use a global batch of (\\d+) ").match(message);
        QVERIFY2(told.hasMatch(), qPrintable(message));
        QCOMPARE(told.captured(2).toInt(), 2 * told.captured(1).toInt());
    }

    void isSeenToFit_data()
    {
        QTest::addColumn<int>("room"); // for about so many samples
        for (const int room : {3, 20, 50})
            QTest::addRow("%d", room) << room;
    }
    void isSeenToFit()
    {
        QFETCH(int, room);
        const Batch batch = batchOf(64);
        Allocator& memory = backend_->allocator();
        memory.setLimit(0);
        QVERIFY(fits(batch, room));
        memory.trim();
        memory.resetPeak();
        QVERIFY(fits(batch, room));
        memory.trim();
        memory.setLimit(memory.stats().peakBytesInUse);
        const int64_t found = largestBatch(batch);
        QVERIFY(fits(batch, found));
        QVERIFY2(!fits(batch, found + found / 16 + 2), qPrintable(QString::number(found)));
        memory.setLimit(0);
    }

    void nothingFits()
    {
        const Batch batch = batchOf(64);
        backend_->allocator().trim();
        backend_->allocator().setLimit(backend_->allocator().stats().bytesInUse + 1024);
        QCOMPARE(largestBatch(batch), 0);
        backend_->allocator().setLimit(0);
    }

private:
    int64_t largestBatch(const Batch& batch)
    {
        return train::largestBatchThatFits(*backend_, *network_, batch, {});
    }
};

QTEST_GUILESS_MAIN(LargestBatchTest)
#include "largest_batch_test.moc"
