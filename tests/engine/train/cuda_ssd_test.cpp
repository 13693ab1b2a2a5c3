// SPDX-License-Identifier: GPL-3.0-or-later
// SSD trained on the CUDA backend, its kernels run by the emulation: against the CPU, and steps
// that were recorded against issued ones, for which the multibox loss has to stay on the device.

#include "engine/models/ssd/ssd.h"
#include "engine/train/load_run_config.h"
#include "engine/train/trainer.h"
#include "support/cuda_emulation/emulation.h"
#include "support/emulated_devices.h"
#include "support/replica_steps.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <vector>

using namespace scalebench;
using test::largestGap;

namespace {

constexpr int64_t kPictures = 3;

/// Three maps of pictures 32x32.
SsdConfig tinySsd()
{
    SsdConfig c = SsdConfig::byName("ssd_small", 3);
    c.stemChannels = 8;
    c.blocks = {1};
    c.channels = {16};
    c.strides = {2};
    c.extras = {{8, 16}, {8, 16}};
    c.boxes = {32, {8, 4, 2}, {4, 8, 16}, {4, 9, 16, 25}, {{2}, {2}, {2}}};
    return c;
}

/// From a formula: the pictures of a batch have from none to many positives.
class Scenes final : public data::BatchSource
{
public:
    int64_t batches(int64_t) const override { return 16; }
    void fill(int64_t, int64_t index, Batch& batch) const override
    {
        const int64_t boxes = tinySsd().boxes.count();
        Tensor images = Tensor::empty({kPictures, 32, 32, 3}, DType::F32, memory_);
        Tensor labels = Tensor::empty({kPictures, boxes}, DType::I32, memory_);
        Tensor targets = Tensor::empty({kPictures, boxes, 4}, DType::F32, memory_);
        for (size_t i = 0; i < images.f32().size(); ++i)
            images.f32()[i] = float((i * 37 + i / 96 + size_t(index) * 11) % 19) / 9 - 1;
        for (int64_t i = 0; i < kPictures * boxes; ++i) {
            const int64_t picture = i / boxes, box = i % boxes;
            const bool positive =
                (picture + index) % 3 > 0 && (box + index) % 41 < picture + index % 3;
            labels.i32()[size_t(i)] = positive ? int32_t(1 + (box + index) % 3) : 0;
        }
        for (size_t i = 0; i < targets.f32().size(); ++i)
            targets.f32()[i] = float((i * 13 + size_t(index)) % 23) / 10 - 1;
        batch = {{images, labels, targets}, kPictures};
    }

private:
    mutable CachingAllocator memory_;
};

struct Training : test::ReplicaSteps {
    explicit Training(const train::DeviceFactory& devices, bool graphs = false)
        : ReplicaSteps(std::make_unique<Scenes>(), devices, graphs, 1.0 / double(kPictures), 0.02,
                       [](Backend& backend, const ArenaAllocator& arena) {
                           return std::make_unique<Ssd>(tinySsd(), backend, Precision::Fp32, 1,
                                                        arena);
                       })
    {
    }
};

} // namespace

class CudaSsdTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asOnTheCpu()
    {
        Training cpu(train::cpuDevices());
        Training cuda(test::emulatedDevices(dist::AllReduceKind::Staged));
        const std::vector<float> initial = cpu.weightsAfter(0), there = cuda.weightsAfter(6);
        const std::vector<float> here = cpu.weightsAfter(6);
        const double gap = largestGap(there, here), moved = largestGap(initial, here);
        QVERIFY2(gap < 2e-3 && moved > 10 * gap && moved < 1e8,
                 qPrintable(QStringLiteral("%1, moved %2").arg(gap).arg(moved)));
    }

    /// Bit for bit; and the host launches nothing but the graph.
    void replayedStepsAreThoseIssued()
    {
        Training issued(test::emulatedDevices(dist::AllReduceKind::Staged));
        Training replayed(test::emulatedDevices(dist::AllReduceKind::Staged), true);
        QCOMPARE(replayed.weightsAfter(4), issued.weightsAfter(4));
        const long before = emulation::kernelsIssued();
        replayed.step();
        QCOMPARE(emulation::kernelsIssued(), before);
        issued.step();
        QVERIFY(emulation::kernelsIssued() > before);
        const std::vector<float> weights = issued.weightsAfter(3);
        QVERIFY(!weights.empty());
        QCOMPARE(replayed.weightsAfter(3), weights);
    }

    /// The workload with its data, warmed before the clock, batches on their way ahead, evaluated.
    void wholeRuns()
    {
        const QTemporaryDir folder;
        RunConfig config = train::parseRunConfig(
            R"({"format":"scalebench.run","version":1,"run_id":"r","workload":"ssd",
                "model":{"name":"ssd_small"},"data":{"source":"generated","train_samples":4,
                "eval_samples":2,"edge":64,"categories":3,"path":")" +
            folder.filePath(QStringLiteral("set")).toStdString() +
            R"("},"device":"cuda","precision":"bf16","workers":1,"global_batch":2,"epochs":1,
                "optimizer":{"name":"sgd"},"schedule":{"name":"constant","base_lr":0.002}})");
        const auto comm = dist::makeSelfCommunicator();
        train::TrainerOptions options;
        options.keepParameters = true;
        options.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        std::vector<float> weights[2];
        for (const bool graphs : {false, true}) {
            config.options.cudaGraphs = graphs;
            train::Trainer trainer(config, *comm, nullptr, options);
            weights[graphs ? 1 : 0] = trainer.run().parameters;
        }
        QVERIFY(!weights[0].empty());
        QCOMPARE(weights[1], weights[0]);
    }
};

QTEST_GUILESS_MAIN(CudaSsdTest)
#include "cuda_ssd_test.moc"
