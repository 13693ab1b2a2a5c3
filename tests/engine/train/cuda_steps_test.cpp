// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the CUDA backend, its kernels run by the emulation: recorded ones against issued ones,
// losses that are told late, half precision, and what ends a run.

#include "engine/data/prefetcher.h"
#include "engine/data/synthetic.h"
#include "engine/dist/communicator.h"
#include "engine/models/gnmt/gnmt.h"
#include "engine/models/ncf/ncf.h"
#include "engine/models/resnet/resnet.h"
#include "engine/train/load_run_config.h"
#include "engine/train/replica.h"
#include "engine/train/trainer.h"
#include "support/cuda_emulation/emulation.h"
#include "support/emulated_devices.h"
#include "support/replica_steps.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <map>
#include <tuple>

using namespace scalebench;
using test::largestGap;

namespace {

/// Changes no weight, and is a learning rate.
constexpr double kNoRate = 1e-30;

/// Synthetic pictures for a ResNet-8.
RunConfig runConfig(const std::string& options)
{
    return train::parseRunConfig(R"({"format":"scalebench.run","version":1,"run_id":"r",
        "workload":"resnet","model":{"name":"resnet8","classes":10,"image_size":16},
        "data":{"source":"synthetic","train_samples":32,"eval_samples":16},
        "device":"cuda","precision":"fp32","workers":1,"global_batch":8,"epochs":2,
        "optimizer":{"name":"sgd","momentum":0.9,"weight_decay":0.0005},
        "schedule":{"base_lr":0.05},"options":)" +
                                 options + "}");
}

/// Four pictures a batch, from a formula; one batch has a label that is none.
class Pictures final : public data::BatchSource
{
public:
    explicit Pictures(int64_t bad) : bad_(bad) {}
    int64_t batches(int64_t) const override { return 8; }
    void fill(int64_t, int64_t index, Batch& batch) const override
    {
        Tensor images = Tensor::empty({4, 8, 8, 3}, DType::F32, memory_);
        Tensor labels = Tensor::empty({4}, DType::I32, memory_);
        for (size_t i = 0; i < images.f32().size(); ++i)
            images.f32()[i] = float((i * 37 + size_t(index) * 11) % 19) / 9 - 1;
        for (size_t i = 0; i < labels.i32().size(); ++i)
            labels.i32()[i] = int32_t((i * 3 + size_t(index)) % 10);
        if (index == bad_)
            labels.i32()[1] = 99;
        batch = {{images, labels}, 4};
    }

private:
    int64_t bad_;
    mutable CachingAllocator memory_;
};

/// A ResNet-8 and its next steps. `bad`: the batch with the wrong label.
struct Small : test::ReplicaSteps {
    explicit Small(int64_t bad = -1, bool graphs = false)
        : ReplicaSteps(std::make_unique<Pictures>(bad),
                       test::emulatedDevices(dist::AllReduceKind::Staged), graphs, 0.25, 0.05,
                       [](Backend& backend, const ArenaAllocator& arena) {
                           return std::make_unique<ResNet>(ResNetConfig::byName("resnet8", 10),
                                                           backend, Precision::Fp32, 1, arena);
                       })
    {
    }
};

/// Sentences of three lengths in turn, from a formula.
class Sentences final : public data::BatchSource
{
public:
    int64_t batches(int64_t) const override { return 64; }
    void fill(int64_t, int64_t index, Batch& batch) const override
    {
        const int64_t source = 2 + 2 * (index % 3), target = 4 + index % 3, pairs = 3;
        const auto tokens = [&](const Shape& shape, int64_t from) {
            Tensor t = Tensor::empty(shape, DType::I32, memory_);
            for (int32_t& token : t.i32())
                token = int32_t(3 + (from++ * 7 + index * 5) % 17);
            return t;
        };
        Tensor lengths = Tensor::empty({pairs}, DType::I32, memory_);
        for (int64_t i = 0; i < pairs; ++i)
            lengths.i32()[size_t(i)] = int32_t(1 + (index + i) % source);
        batch = {{tokens({source, pairs}, 1), lengths, tokens({target, pairs}, 2),
                  tokens({target, pairs}, 5)},
                 pairs};
    }

private:
    mutable CachingAllocator memory_;
};

/// Users and items from a formula; some lines come twice in a batch.
class Taken final : public data::BatchSource
{
public:
    int64_t batches(int64_t) const override { return 64; }
    void fill(int64_t, int64_t index, Batch& batch) const override
    {
        constexpr int64_t kPairs = 40;
        const Tensor users = Tensor::empty({kPairs}, DType::I32, memory_),
                     items = Tensor::empty({kPairs}, DType::I32, memory_),
                     labels = Tensor::empty({kPairs}, DType::F32, memory_);
        for (int64_t i = 0; i < kPairs; ++i) {
            users.i32()[size_t(i)] = int32_t((i * 7 + index) % 19);
            items.i32()[size_t(i)] = int32_t((i * 5 + 3 * index) % 23);
            labels.f32()[size_t(i)] = (i + index) % 5 == 0 ? 1.0f : 0.0f;
        }
        batch = {{users, items, labels}, kPairs};
    }

private:
    mutable CachingAllocator memory_;
};

struct Recommending : test::ReplicaSteps {
    explicit Recommending(bool graphs)
        : ReplicaSteps(std::make_unique<Taken>(),
                       test::emulatedDevices(dist::AllReduceKind::Staged), graphs, 1.0 / 40, 0.5,
                       [](Backend& backend, const ArenaAllocator& arena) {
                           NcfConfig config;
                           config.users = 19, config.items = 23, config.factors = 8;
                           config.layers = {16, 8};
                           return std::make_unique<Ncf>(config, backend, Precision::Fp32, 1, arena);
                       })
    {
    }
};

struct Translating : test::ReplicaSteps {
    explicit Translating(bool graphs)
        : ReplicaSteps(
              std::make_unique<Sentences>(), test::emulatedDevices(dist::AllReduceKind::Staged),
              graphs, 0.1, 0.05, [](Backend& backend, const ArenaAllocator& arena) {
                  GnmtConfig config;
                  config.vocabulary = 24, config.hidden = 16, config.layers = 2;
                  return std::make_unique<Gnmt>(config, backend, Precision::Fp32, 1, arena);
              })
    {
    }
};

} // namespace

class CudaStepsTest : public QObject
{
    Q_OBJECT

    using Setting = std::tuple<std::string, bool, std::string, double, OptimizerKind>;
    std::map<Setting, std::vector<float>> trained_;

    /// The weights in the end. What several tests compare with is trained once.
    const std::vector<float>& trained(const std::string& options, bool onDevice,
                                      const std::string& precision = "fp32", double rate = 0.05,
                                      OptimizerKind optimizer = OptimizerKind::Sgd)
    {
        std::vector<float>& weights = trained_[{options, onDevice, precision, rate, optimizer}];
        if (weights.empty())
            weights = train(options, onDevice, precision, rate, optimizer);
        return weights;
    }

    static std::vector<float> train(const std::string& options, bool onDevice,
                                    const std::string& precision, double rate,
                                    OptimizerKind optimizer)
    {
        RunConfig config = runConfig(options);
        config.precision = precision;
        config.schedule.kind = ScheduleKind::Cosine;
        config.schedule.baseLearningRate = rate;
        if (optimizer != OptimizerKind::Sgd) {
            config.optimizer = optimizerDefaults(optimizer);
            config.optimizer.epsilon = 1e-3; // far above rounding, see families.cpp
        }
        const auto comm = dist::makeSelfCommunicator();
        train::TrainerOptions o;
        o.keepParameters = true;
        if (onDevice)
            o.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        else
            config.device = "cpu";
        train::Trainer trainer(config, *comm, nullptr, o);
        return trainer.run().parameters;
    }

private slots:
    /// Each length has a record of its own, in memory that all share; dropout differs by the step.
    void aGraphForEachShape()
    {
        const std::vector<float> issued = Translating(false).weightsAfter(14);
        Translating recorded(true);
        QCOMPARE(recorded.replica.graphsNote(), std::string("on"));
        QVERIFY(!issued.empty());
        QVERIFY(recorded.weightsAfter(14) == issued);
        QCOMPARE(recorded.replica.recordedShapes(), size_t(3));
    }

    void aGraphOfDenseTables()
    {
        const std::vector<float> issued = Recommending(false).weightsAfter(6);
        Recommending recorded(true);
        QCOMPARE(recorded.replica.graphsNote(), std::string("on"));
        QVERIFY(!issued.empty());
        QVERIFY(recorded.weightsAfter(6) == issued);
        QCOMPARE(recorded.replica.recordedShapes(), size_t(1));
    }

    void graphs_data()
    {
        QTest::addColumn<QString>("optimizer");
        for (const char* name : {"sgd", "adam", "lars", "lamb"})
            QTest::newRow(name) << name;
    }
    /// A replayed step does what an issued one does, bit for bit, with an update in it whose rate
    /// and bias corrections are another every time.
    void graphs()
    {
        QFETCH(QString, optimizer);
        const OptimizerKind kind = parseOptimizerKind(optimizer.toStdString());
        const auto run = [&](const char* options, bool onDevice) {
            return trained(options, onDevice, "fp32", kind == OptimizerKind::Sgd ? 0.05 : 0.02,
                           kind);
        };
        const std::vector<float> issued = run("{}", true);
        QVERIFY(!issued.empty());
        const std::vector<float> replayed = run(R"({"cuda_graphs":true})", true);
        QVERIFY2(replayed == issued, qPrintable(QString::number(largestGap(replayed, issued))));
        const double gap = largestGap(run("{}", false), issued);
        QVERIFY2(gap < 5e-3, qPrintable(QString::number(gap)));
    }

    /// The host launches nothing but the graph, and weights move.
    void updatesAreReplayed()
    {
        Small small(-1, true);
        for (int i = 0; i < 4; ++i)
            small.step();
        const std::vector<float> start = small.weights();
        const long issued = emulation::kernelsIssued();
        small.step();
        QCOMPARE(emulation::kernelsIssued(), issued);
        QVERIFY(small.weights() != start);
    }

    /// Plans are made, a step recorded and replayed; and then the first one is what it would have
    /// been without.
    void warmUpChangesNothing()
    {
        const auto weights = [](bool warm) {
            Small small(-1, true);
            if (warm) {
                const Pictures source(-1);
                Batch batch;
                source.fill(0, 5, batch);
                small.replica.warmUp(batch, 0.25, small.failure);
            }
            for (int i = 0; i < 4; ++i)
                small.step();
            return small.failure ? std::vector<float>() : small.weights();
        };
        const std::vector<float> cold = weights(false);
        QVERIFY(!cold.empty());
        QCOMPARE(weights(true), cold);
    }

    /// The device has done nothing of a step when the host has issued all of it.
    void nobodyWaitsForTheLoss()
    {
        Small small;
        small.step();
        const std::vector<float> start = small.weights(); // waits
        const long before = emulation::kernelsRun();
        small.step();
        QCOMPARE(emulation::kernelsRun(), before);
        QVERIFY(!small.failure);
        QVERIFY(small.weights() != start);
        QVERIFY(emulation::kernelsRun() > before);
    }

    /// A label that is none is told with the step after its own, and by readLoss() after the last.
    void badLabelIsToldLater()
    {
        const char* told = "softmax cross-entropy: id 99 at position 1 is outside [0,10)";
        Small small(1);
        small.step();
        small.step();
        QVERIFY(!small.failure);
        small.step();
        QVERIFY(small.failure && small.failure->code == "usage");
        QVERIFY2(std::strstr(small.failure->message.c_str(), told) != nullptr,
                 small.failure->message.c_str());
        Small last(0);
        last.step();
        QVERIFY(!last.failure);
        train::Replica::Step end;
        last.replica.readLoss(end, last.failure);
        QVERIFY(end.sum.failed && last.failure);
        QVERIFY2(std::strstr(last.failure->message.c_str(), told) != nullptr,
                 last.failure->message.c_str());
    }

    /// The loss is known when the next update is issued, yet what is told is what the CPU finds,
    /// which looks before it moves a weight.
    void divergence()
    {
        QString told[2];
        for (const bool onDevice : {false, true}) {
            try {
                trained("{}", onDevice, "fp32", 1e25);
                QFAIL("nothing diverged");
            } catch (const Error& e) {
                QCOMPARE(QByteArray(e.code().c_str()), QByteArray("diverged"));
                told[onDevice] = QString::fromUtf8(e.what());
            }
        }
        QCOMPARE(told[1], told[0]);
    }

    void largeBatchOptimizers_data()
    {
        QTest::addColumn<QString>("optimizer");
        QTest::newRow("lars") << "lars";
        QTest::newRow("lamb") << "lamb";
    }
    /// Their trust ratios are computed on the device, and nobody waits for them.
    void largeBatchOptimizers()
    {
        QFETCH(QString, optimizer);
        const OptimizerKind kind = optimizer == "lars" ? OptimizerKind::Lars : OptimizerKind::Lamb;
        const std::vector<float> device = trained("{}", true, "fp32", 0.02, kind);
        const std::vector<float> host = trained("{}", false, "fp32", 0.02, kind);
        const std::vector<float> start = trained("{}", false, "fp32", kNoRate, kind);
        const double gap = largestGap(device, host), moved = largestGap(start, host);
        QVERIFY2(gap < 5e-3 && moved > 4 * gap,
                 qPrintable(QStringLiteral("%1, moved %2").arg(gap).arg(moved)));
    }

    /// fp16 through the whole trainer: the loss is scaled, gradients come out right, and recorded
    /// steps are the issued ones.
    void halfPrecision()
    {
        const std::string dynamic = R"({"loss_scale":-1})";
        const std::vector<float> half = trained(dynamic, true, "fp16");
        QVERIFY(!half.empty());
        QCOMPARE(trained(R"({"loss_scale":-1,"cuda_graphs":true})", true, "fp16"), half);
        const std::vector<float> single = trained("{}", true);
        const std::vector<float> start = trained("{}", true, "fp32", kNoRate);
        const double gap = largestGap(half, single), moved = largestGap(start, single);
        QVERIFY2(gap > 0 && gap < 0.2 * moved,
                 qPrintable(QStringLiteral("%1 of %2").arg(gap).arg(moved)));
    }

    /// A scale that overflows: no step changes a weight, and none makes it a number that is none.
    void halfPrecisionOverflows()
    {
        const std::string tooLarge = R"({"loss_scale":1073741824})";
        const std::vector<float> start = trained("{}", true, "fp16", kNoRate);
        QVERIFY(!start.empty());
        const std::vector<float> end = trained(tooLarge, true, "fp16");
        const double gap = largestGap(end, start); // what kNoRate moves a bias of 0 by
        QVERIFY2(gap < 1e-20, qPrintable(QString::number(gap)));
    }

    void halfPrecisionNeedsAGpu()
    {
        try {
            trained("{}", false, "fp16");
            QFAIL("fp16 was trained on a processor");
        } catch (const Error& e) {
            QCOMPARE(QByteArray(e.code().c_str()), QByteArray("precision_unavailable"));
            QVERIFY2(std::strstr(e.what(), "use bf16 or fp32") != nullptr, e.what());
        }
    }

    /// What was asked, what is free: and the run ends with it.
    void outOfMemory()
    {
        RunConfig config = runConfig(R"({"memory_limit_mb":1})");
        const auto comm = dist::makeSelfCommunicator();
        train::TrainerOptions o;
        o.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        train::Trainer trainer(config, *comm, nullptr, o);
        try {
            trainer.run();
            QFAIL("a megabyte was enough");
        } catch (const Error& e) {
            QCOMPARE(QByteArray(e.code().c_str()), QByteArray("out_of_memory"));
            QVERIFY2(std::strstr(e.what(), "Out of memory on GPU 0") != nullptr, e.what());
        }
    }

    /// An ECC error in the middle of a step ends the run with the device's own words.
    void stickyError()
    {
        RunConfig config = runConfig("{}");
        const auto comm = dist::makeSelfCommunicator();
        train::TrainerOptions o;
        o.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        train::Trainer trainer(config, *comm, nullptr, o);
        emulation::failAfter(200, cudaErrorECCUncorrectable);
        try {
            trainer.run();
            QFAIL("the error was not seen");
        } catch (const Error& e) {
            QVERIFY2(std::strstr(e.what(), "cudaErrorECCUncorrectable") != nullptr, e.what());
            QVERIFY2(std::strstr(e.what(), "GPU 0 (emulated device)") != nullptr &&
                         std::strstr(e.what(), "last op issued: ") != nullptr,
                     e.what());
        }
        emulation::clearErrors();
    }
};

QTEST_GUILESS_MAIN(CudaStepsTest)
#include "cuda_steps_test.moc"
