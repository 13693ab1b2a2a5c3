// SPDX-License-Identifier: GPL-3.0-or-later
// Training on the CUDA backend, its kernels run by the emulation: networks of every family against
// the CPU, several workers (NCCL's stand-in, and staged) against one, recorded steps against issued
// ones, a checkpoint resumed.

#include "engine/backend/batch_pictures.h"
#include "engine/backend/cuda/batch_uploads.h"
#include "engine/backend/host_copy.h"
#include "engine/bench/collective_bench.h"
#include "engine/bench/device_bench.h"
#include "engine/data/pipeline.h"
#include "engine/data/prefetcher.h"
#include "engine/data/synthetic.h"
#include "engine/dist/communicator.h"
#include "engine/models/resnet/resnet.h"
#include "engine/train/families.h"
#include "engine/train/load_run_config.h"
#include "engine/train/replica.h"
#include "engine/train/trainer.h"
#include "support/cuda_emulation/emulation.h"
#include "support/emulated_devices.h"
#include "support/mpi_runner.h"
#include "support/replica_steps.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>

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

/// Pictures made by the device, ahead of their use and when they are wanted.
class PicturesThere
{
public:
    /// Labels, where there are some, come along.
    void compare(const Batch& raw, const Batch& expected)
    {
        QCOMPARE(raw.tensors[0].bytes() * 4, expected.tensors[0].bytes());
        const std::span<const float> host = expected.tensors[0].f32();
        const std::vector<float> floats(host.begin(), host.end());
        const Batch made = withPictures(*backend_, raw);
        QVERIFY(made.tensors[0].onDevice() && !made.pictures);
        QCOMPARE(toHost(*backend_, made.tensors[0].f32()), floats);
        uploads_->start(raw);
        std::memset(raw.tensors[0].data(), 7, raw.tensors[0].bytes()); // it is free again
        const Batch& batch = uploads_->take();
        QCOMPARE(batch.samples, raw.samples);
        QVERIFY(!batch.pictures);
        QCOMPARE(toHost(*backend_, batch.tensors[0].f32()), floats);
        if (batch.tensors.size() < 2)
            return;
        const Tensor labels = backend_->download(batch.tensors[1]);
        QVERIFY(std::ranges::equal(labels.i32(), expected.tensors[1].i32()));
    }

private:
    std::unique_ptr<Backend> backend_ = cuda_backend::makeCudaBackend(0, false);
    std::unique_ptr<BatchUploads> uploads_ = cuda_backend::makeBatchUploads(*backend_);
};

} // namespace

class CudaTrainingTest : public QObject
{
    Q_OBJECT

    QTemporaryDir dir_;

    static std::vector<float> trained(const std::string& options, bool onDevice,
                                      const std::string& precision = "fp32", double rate = 0.05,
                                      OptimizerKind optimizer = OptimizerKind::Sgd)
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
    void families_data()
    {
        QTest::addColumn<QString>("family");
        for (const std::string& name : test::familyNames())
            QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
    }
    /// Ten steps of sums in another order: as far apart as workers on the CPU may be.
    void families()
    {
        QFETCH(QString, family);
        const auto comm = dist::makeSelfCommunicator();
        test::FamilySetting setting;
        setting.family = family.toStdString();
        const test::FamilyResult cpu = test::trainFamily(*comm, setting);
        setting.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        const long before = emulation::kernelsRun();
        const test::FamilyResult cuda = test::trainFamily(*comm, setting);
        QVERIFY(emulation::kernelsRun() > before);
        QCOMPARE(cuda.initial, cpu.initial);
        QVERIFY2(largestGap(cuda.losses, cpu.losses) < 2e-3,
                 qPrintable(QString::number(largestGap(cuda.losses, cpu.losses))));
        const double gap = largestGap(cuda.parameters, cpu.parameters);
        QVERIFY2(gap < 2e-3, qPrintable(QString::number(gap)));
        const double moved = largestGap(cpu.initial, cpu.parameters);
        QVERIFY2(moved > 10 * gap, "the comparison could not see a wrong step");
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

    /// Every replay has the masks of its own step: those of steps that are issued, and the CPU's.
    void replayedDropout()
    {
        const auto comm = dist::makeSelfCommunicator();
        test::FamilySetting setting;
        setting.family = "lstm";
        const test::FamilyResult without = test::trainFamily(*comm, setting);
        setting.dropout = 0.3f;
        const test::FamilyResult cpu = test::trainFamily(*comm, setting);
        setting.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        setting.whole = true;
        const long before = emulation::kernelsIssued();
        const test::FamilyResult issued = test::trainFamily(*comm, setting);
        const long between = emulation::kernelsIssued();
        setting.graphs = true;
        const test::FamilyResult replayed = test::trainFamily(*comm, setting);
        const long after = emulation::kernelsIssued();
        QVERIFY2(2 * (after - between) < between - before, "nothing was replayed");
        QCOMPARE(replayed.losses, issued.losses);
        QCOMPARE(replayed.parameters, issued.parameters);
        const double gap = largestGap(replayed.parameters, cpu.parameters);
        const double masks = largestGap(without.parameters, cpu.parameters);
        QVERIFY2(gap < 2e-3 && masks > 10 * gap,
                 qPrintable(QStringLiteral("%1, by dropout %2").arg(gap).arg(masks)));
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

    void lateLoss_data()
    {
        QTest::addColumn<QString>("family");
        for (const char* family : {"resnet", "mlp", "lstm", "bert", "ncf"})
            QTest::newRow(family) << family;
    }
    /// A step whose loss is read when the next one is on its way: the losses and weights of steps
    /// that are waited for, bit for bit.
    void lateLoss()
    {
        QFETCH(QString, family);
        const auto comm = dist::makeSelfCommunicator();
        test::FamilySetting setting;
        setting.family = family.toStdString();
        setting.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        const test::FamilyResult waited = test::trainFamily(*comm, setting);
        setting.whole = true;
        const test::FamilyResult late = test::trainFamily(*comm, setting);
        QCOMPARE(late.late, family != "ncf"); // its tables are not updated before it is known
        QCOMPARE(late.losses, waited.losses);
        QCOMPARE(late.parameters, waited.parameters);
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

    /// Pictures go to the device as bytes and are cropped, mirrored, blanked and normalised there:
    /// the numbers of the host, bit for bit, in whatever order streams get to it.
    void picturesAreMadeOnTheDevice()
    {
        const auto set = data::makeSyntheticDataset(64, 24, 10, 3);
        const data::ChannelStatistics statistics{{0.4f, 0.5f, 0.6f}, {0.2f, 0.25f, 0.3f}};
        CachingAllocator memory;
        for (const int size : {24, 16}) { // as they are, and resized first
            const data::ImagePipeline pipeline(*set, size, statistics, {4, true, false, 6}, 9,
                                               memory);
            PicturesThere there;
            std::vector<int64_t> samples{3, 1, 4, 1, 5, 9, 2, 6};
            for (int64_t epoch = 0; epoch < 4; ++epoch) {
                samples[0] = 10 + epoch;
                Batch raw, expected;
                pipeline.fillTrain(samples, epoch, raw, true);
                pipeline.fillTrain(samples, epoch, expected);
                there.compare(raw, expected);
            }
            Batch raw, expected;
            pipeline.fillEval(samples, 5, raw, true);
            pipeline.fillEval(samples, 5, expected);
            there.compare(raw, expected);
        }
    }

    /// Those of detectors: smaller than their rows, mirrored within their width, with other
    /// colours.
    void smallerPicturesAreMadeOnTheDevice()
    {
        CachingAllocator memory;
        const float mean[3] = {0.4f, 0.5f, 0.6f}, deviation[3] = {0.2f, 0.25f, 0.3f};
        const PictureScale scale(mean, deviation);
        PicturesThere there;
        for (const int coloured : {0, 1}) {
            Batch raw, expected;
            data::PictureRows bytes(raw, 4, {11, 17, true}, scale, memory);
            data::PictureRows floats(expected, 4, {11, 17, false}, scale, memory);
            for (int i = 0; i < 4; ++i) {
                PictureChange change;
                change.width = 17 - 3 * i;
                change.height = 11 - 2 * i;
                change.mirror = i % 2;
                change.coloured = coloured;
                change.colour = {1.1f, 0.7f, 1.4f, 0.96f, 0.28f, 0.45f};
                std::vector<uint8_t> rgb(3 * size_t(change.width) * size_t(change.height));
                for (size_t k = 0; k < rgb.size(); ++k)
                    rgb[k] = uint8_t(k * 37 + size_t(i));
                bytes.add(rgb, change);
                floats.add(rgb, change);
            }
            there.compare(raw, expected);
        }
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

    void workers_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("way");
        QTest::addColumn<bool>("shard");
        QTest::addColumn<bool>("overlap");
        for (const char* way : {"nccl", "staged"})
            for (const char* family : {"mlp", "ncf", "dlrm"})
                QTest::addRow("%s %s", family, way) << family << way << false << true;
        QTest::newRow("mlp nccl sharded") << "mlp"
                                          << "nccl" << true << true;
        QTest::newRow("dlrm nccl, no overlap") << "dlrm"
                                               << "nccl" << false << false;
    }
    /// Two processes with a GPU each give the update of one worker on the CPU; rows of DLRM's
    /// tables go from device to device.
    void workers()
    {
        if (!test::haveMpirun())
            QSKIP("mpirun is not installed");
        QFETCH(QString, family);
        QFETCH(QString, way);
        QFETCH(bool, shard);
        QFETCH(bool, overlap);
        const QString out = dir_.filePath(QString::fromLatin1(QTest::currentDataTag()));
        const auto run =
            test::runUnderMpi(2, QStringLiteral(SB_CUDA_FAMILY_CHECKS),
                              {out, family, QStringLiteral("1"), QString::number(overlap),
                               QString::number(shard), way, QStringLiteral("0")});
        QVERIFY2(run.exitCode == 0, run.output.constData());
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        std::vector<float> numbers(size_t(bytes.size()) / sizeof(float));
        std::memcpy(numbers.data(), bytes.constData(), numbers.size() * sizeof(float));
        const auto comm = dist::makeSelfCommunicator();
        test::FamilySetting setting;
        setting.family = family.toStdString();
        const test::FamilyResult alone = test::trainFamily(*comm, setting);
        std::vector<float> expected = alone.losses;
        expected.insert(expected.end(), alone.parameters.begin(), alone.parameters.end());
        const double gap = largestGap(numbers, expected);
        QVERIFY2(gap < 2e-3, qPrintable(QString::number(gap)));
    }

    void faults_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QStringList>("words");
        const QString told = QStringLiteral("data_damaged | a fault of the test");
        QTest::newRow("nothing wrong") << "same" << QStringList{"same bits", "same bits"};
        for (const char* kind : {"record-forward", "record-backward", "backward"})
            QTest::newRow(kind) << kind << QStringList{told, told};
        const QString graph = QStringLiteral("device_error | instantiating a CUDA graph");
        QTest::newRow("record-end") << "record-end" << QStringList{graph, graph};
        QTest::newRow("hang") << "hang" << QStringList{"collective_timeout | "};
    }
    /// What one of two workers cannot do the other learns at once, wherever it happened, and nobody
    /// waits for buckets that were recorded and never sent.
    void faults()
    {
        if (!test::haveMpirun())
            QSKIP("mpirun is not installed");
        QFETCH(QString, kind);
        QFETCH(QStringList, words);
        const QString out = dir_.filePath("faults-" + kind);
        QElapsedTimer passed;
        passed.start();
        const auto run = test::runUnderMpi(2, QStringLiteral(SB_CUDA_FAULT_CHECKS), {kind, out});
        QVERIFY2(run.finished, "a worker waits for ever");
        QFile file(out);
        QVERIFY2(file.open(QIODevice::ReadOnly), run.output.constData());
        QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
        lines.sort();
        QVERIFY2(lines.size() == words.size(), qPrintable(lines.join('\n') + run.output));
        for (qsizetype i = 0; i < lines.size(); ++i)
            QVERIFY2(lines[i].startsWith(QStringLiteral("rank %1: ").arg(i) + words[i]),
                     qPrintable(lines[i]));
        QVERIFY2(passed.elapsed() < 50000, "they waited for a time-out"); // which is a minute
    }

    /// nccl-tests' columns, and sums that are right.
    void benchAllReduce()
    {
        const auto comm = dist::makeSelfCommunicator();
        const auto backend = cuda_backend::makeCudaBackend(0, false);
        const auto group = dist::makeDeviceGroup(*backend, *comm, dist::AllReduceKind::Staged);
        bench::Options options;
        options.sizes = "4,4K,100K";
        options.maxSeconds = 0.05;
        bench::Report report("allreduce", {}, nullptr);
        bench::runDeviceAllReduceBench(options, *comm, *backend, *group, report);
        const auto rows = report.json()["results"];
        QCOMPARE(rows.size(), size_t(3));
        QCOMPARE(report.wrong(), std::int64_t(0));
        for (const auto& row : rows)
            QVERIFY(row.at("us").get<double>() > 0 && row.at("algbw_gbs").get<double>() > 0);
    }

    void benchOnADevice_data()
    {
        QTest::addColumn<QString>("benchmark");
        QTest::addColumn<QString>("sizes");
        QTest::addColumn<int>("rows");
        QTest::newRow("gemm") << "gemm"
                              << "48x24x40,17x33x5:TN" << 2;
        QTest::newRow("conv") << "conv"
                              << "8x8x8x2x16x3x3x2x1" << 3;
        QTest::newRow("attention") << "attention"
                                   << "2x2x16x16,1x2x9x16:causal" << 4;
        QTest::newRow("memory") << "memory"
                                << "4K,100K" << 4;
    }
    /// Every problem has its time, its share of the peak of this run, and results that are right.
    void benchOnADevice()
    {
        QFETCH(QString, benchmark);
        QFETCH(QString, sizes);
        QFETCH(int, rows);
        const auto backend = cuda_backend::makeCudaBackend(0, false);
        bench::Options options;
        options.sizes = sizes.toStdString();
        options.quick = true; // a small product for the peak
        if (benchmark == "gemm" || benchmark == "attention")
            options.problems = "1,2"; // not a sample of them
        options.maxSeconds = 0.01;
        options.repeats = 1;
        bench::Report report(benchmark.toStdString(), {}, nullptr);
        bench::runDeviceBench(benchmark.toStdString(), options, *backend, report);
        const auto found = report.json()["results"];
        QCOMPARE(int(found.size()), rows);
        QCOMPARE(report.wrong(), std::int64_t(0));
        for (const auto& row : found) {
            QVERIFY(row.at("median_ms").get<double>() > 0);
            QVERIFY(row.at("gb_per_s").get<double>() > 0);
            if (benchmark != "memory")
                QVERIFY(row.at("share_of_peak_percent").get<double>() > 0);
        }
        QVERIFY_EXCEPTION_THROWN(bench::runDeviceBench("rnn", options, *backend, report),
                                 InvalidArgument);
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

QTEST_GUILESS_MAIN(CudaTrainingTest)
#include "cuda_training_test.moc"
