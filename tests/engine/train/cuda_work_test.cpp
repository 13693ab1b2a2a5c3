// SPDX-License-Identifier: GPL-3.0-or-later
// What the CUDA backend does beside training, its kernels run by the emulation: pictures made by
// the device, and benchmarks.

#include "engine/backend/batch_pictures.h"
#include "engine/backend/cuda/batch_uploads.h"
#include "engine/backend/host_copy.h"
#include "engine/bench/collective_bench.h"
#include "engine/bench/device_bench.h"
#include "engine/data/pipeline.h"
#include "engine/data/synthetic.h"
#include "engine/dist/communicator.h"
#include "support/cuda_emulation/emulation.h"
#include "support/emulated_devices.h"

#include <QTest>

#include <algorithm>
#include <cstring>

using namespace scalebench;

namespace {

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

class CudaWorkTest : public QObject
{
    Q_OBJECT

private slots:
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
};

QTEST_GUILESS_MAIN(CudaWorkTest)
#include "cuda_work_test.moc"
