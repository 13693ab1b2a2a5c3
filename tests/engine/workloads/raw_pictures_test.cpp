// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures that stay bytes until a device makes them: a quarter of the memory, and the numbers that
// the host makes, for batches of training and evaluation of every workload on pictures.

#include "engine/backend/batch_pictures.h"
#include "engine/core/rng.h"
#include "engine/data/picture_rows.h"
#include "engine/train/evaluation.h"
#include "engine/workloads/device_input.h"
#include "kernels/check.h"
#include "kernels/ref/pictures.h"
#include "support/replica_steps.h"
#include "tests/engine/workloads/run_json.h"
#include "tests/engine/workloads/worker_runs.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <any>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::tests;
using namespace scalebench::workloads;
using Json = nlohmann::json;

namespace {

Json exampleOf(const QString& workload, const QTemporaryDir& folder)
{
    const std::string data =
        R"("data":{"source":"generated","train_samples":24,"eval_samples":11,"edge":64,"categories":3,
 "augment":{"flip":true}},)";
    const auto run = [](const std::string& middle) {
        return Json::parse(R"({"format":"scalebench.run","version":1,"run_id":"r",)" + middle +
                           R"("workers":1,"global_batch":6,"optimizer":{"name":"adam"},
 "schedule":{"name":"constant","base_lr":0.002},"epochs":1})");
    };
    Json json;
    if (workload == "resnet")
        json = run(R"("workload":"resnet","model":{"name":"resnet8","image_size":24},
 "data":{"source":"synthetic","train_samples":24,"eval_samples":11,
 "augment":{"pad_crop":3,"flip":true,"cutout":6}},)");
    else if (workload == "ssd")
        json = run(R"("workload":"ssd","model":{"name":"ssd_small"},)" + data);
    else if (workload == "retinanet")
        json = run(
            R"("workload":"retinanet","model":{"name":"retinanet_small","shorter":48,"longest":60},)" +
            data);
    else
        json = run(
            R"("workload":"maskrcnn","model":{"name":"maskrcnn_small","shorter":48,"longest":60,
 "train_proposals":40,"test_proposals":20,"proposal_samples":32,"region_samples":16},)" +
            data);
    if (workload != "resnet")
        json["data"]["path"] = folder.filePath(workload).toStdString();
    if (workload == "ssd") {
        json["data"]["augment"]["crop"] = true;
        json["data"]["augment"]["colour"] = true;
    }
    return json;
}

std::unique_ptr<Workload> opened(const RunConfig& config, bool raw, Allocator& memory)
{
    auto workload = config.recipe->make(config);
    workload->prepareNode(1, {});
    workload->measure();
    if (raw)
        dynamic_cast<PictureInput&>(*workload).leavePicturesRaw();
    workload->open({{0, 1}, memory, 1, {}});
    return workload;
}

bool sameBytes(const Tensor& a, const Tensor& b)
{
    return a.shape() == b.shape() && a.dtype() == b.dtype() &&
           std::equal(static_cast<const char*>(a.data()),
                      static_cast<const char*>(a.data()) + a.bytes(),
                      static_cast<const char*>(b.data()));
}

} // namespace

class RawPicturesTest : public QObject
{
    Q_OBJECT

private slots:
    /// Floats of the host are what an obvious version in double says, and bytes that the backend
    /// makes are those floats to the last bit.
    void picturesAreWhatTheirChangesSay()
    {
        constexpr int H = 9, W = 13, kPictures = 200;
        const float mean[3] = {0.4f, 0.5f, 0.6f}, deviation[3] = {0.2f, 0.25f, 0.3f};
        const PictureScale scale(mean, deviation);
        CachingAllocator memory;
        const auto backend = makeCpuBackend();
        Batch floats, bytes;
        data::PictureRows rows(floats, kPictures, {H, W, false}, scale, memory);
        data::PictureRows raw(bytes, kPictures, {H, W, true}, scale, memory);
        std::vector<double> expected;
        Rng random(11);
        const auto below = [&](int n) { return int(random.below(std::uint32_t(n))); };
        for (int i = 0; i < kPictures; ++i) {
            PictureChange change;
            change.width = 1 + below(W);
            change.height = 1 + below(H);
            change.mirror = below(2);
            if (below(2) == 0) {
                change.dx = below(9) - 4;
                change.dy = below(9) - 4;
            }
            if (below(2) == 0) {
                change.left = below(W);
                change.right = change.left + below(W - change.left);
                change.top = below(H);
                change.bottom = change.top + below(H - change.top);
            }
            change.coloured = below(2);
            const auto unit = [&] { return float(below(1000)) / 1000.0f; };
            change.colour = {
                0.9f + 0.2f * unit(), 0.5f + unit(), 0.5f + unit(), 0.96f, 0.28f, unit()};
            std::vector<uint8_t> rgb(3 * size_t(change.width) * size_t(change.height));
            for (uint8_t& value : rgb)
                value = uint8_t(below(256));
            rows.add(rgb, change);
            raw.add(rgb, change);
            for (const double value :
                 kernels::ref::normalisePicture(H, W, rgb, change, mean, deviation))
                expected.push_back(value);
        }
        QCOMPARE(bytes.tensors[0].bytes() * 4, floats.tensors[0].bytes());
        const auto made = floats.tensors[0].f32();
        QCOMPARE(made.size(), expected.size());
        double gap = 0;
        for (size_t i = 0; i < expected.size(); ++i)
            gap = std::max(gap, std::abs(double(made[i]) - expected[i]));
        QVERIFY2(gap < 1e-5, qPrintable(QString::number(gap)));
        QVERIFY(sameBytes(withPictures(*backend, bytes).tensors[0], floats.tensors[0]));
    }

    void badPicturesAreRefused()
    {
        CachingAllocator memory;
        const PictureScale scale;
        Batch batch;
        data::PictureRows rows(batch, 1, {4, 4, true}, scale, memory);
        const std::vector<uint8_t> rgb(3 * 16), more(3 * 20);
        PictureChange wide;
        wide.width = 5;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, rows.add(more, wide));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, rows.add(more, {}));
        const auto backend = makeCpuBackend();
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, withPictures(*backend, batch)); // no change told
        rows.add(rgb, {});
        QCOMPARE(withPictures(*backend, batch).tensors[0].dim(0), int64_t{1});
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, rows.add(rgb, {}));
    }

    void everyPictureWorkloadLeavesThem_data()
    {
        QTest::addColumn<QString>("workload");
        for (const char* workload : {"resnet", "ssd", "retinanet", "maskrcnn"})
            QTest::newRow(workload) << workload;
    }
    /// Batches of training and evaluation, targets and notes among them.
    void everyPictureWorkloadLeavesThem()
    {
        QFETCH(QString, workload);
        QTemporaryDir folder;
        const RunConfig config = parsed(exampleOf(workload, folder));
        CachingAllocator memory;
        const auto backend = makeCpuBackend();
        const auto plain = opened(config, false, memory), raw = opened(config, true, memory);
        const auto compare = [&](const data::BatchSource& floats, const data::BatchSource& bytes,
                                 int64_t epoch) {
            QCOMPARE(bytes.batches(epoch), floats.batches(epoch));
            for (int64_t b = 0; b < floats.batches(epoch); ++b) {
                Batch expected, batch;
                floats.fill(epoch, b, expected);
                bytes.fill(epoch, b, batch);
                QVERIFY(!expected.pictures && batch.pictures);
                QCOMPARE(batch.tensors[0].dtype(), DType::U8);
                QCOMPARE(batch.tensors[0].bytes() * 4, expected.tensors[0].bytes());
                const Batch made = withPictures(*backend, batch);
                QVERIFY(!made.pictures);
                QCOMPARE(made.tensors.size(), expected.tensors.size());
                for (size_t i = 0; i < made.tensors.size(); ++i)
                    QVERIFY2(sameBytes(made.tensors[i], expected.tensors[i]),
                             qPrintable(QStringLiteral("tensor %1").arg(i)));
                QCOMPARE(made.samples, expected.samples);
                QCOMPARE(made.bytesRead, expected.bytesRead);
                QCOMPARE(made.notes.has_value(), expected.notes.has_value());
            }
        };
        for (const int64_t epoch : {0, 1})
            compare(plain->training(), raw->training(), epoch);
        compare(plain->evaluation(), raw->evaluation(), 0);
    }

    void trainingAndEvaluationTakeThem_data() { everyPictureWorkloadLeavesThem_data(); }
    /// The product's own steps and evaluation give the weights, and the quality, of floats.
    void trainingAndEvaluationTakeThem()
    {
        QFETCH(QString, workload);
        QTemporaryDir folder;
        const RunConfig config = parsed(exampleOf(workload, folder));
        CachingAllocator memory;
        std::vector<float> weights[2];
        std::string partials[2];
        for (const bool raw : {false, true}) {
            const auto whole = opened(config, raw, memory);
            class Training final : public data::BatchSource
            {
            public:
                explicit Training(const data::BatchSource& of) : of_(of) {}
                int64_t batches(int64_t epoch) const override { return of_.batches(epoch); }
                void fill(int64_t epoch, int64_t index, Batch& batch) const override
                {
                    of_.fill(epoch, index, batch);
                }

            private:
                const data::BatchSource& of_;
            };
            test::ReplicaSteps steps(std::make_unique<Training>(whole->training()),
                                     train::cpuDevices(), false, 1.0 / 6, 0.001,
                                     [&](Backend& backend, const ArenaAllocator& arena) {
                                         return whole->makeNetwork(backend, arena);
                                     });
            weights[raw] = steps.weightsAfter(2);
            QVERIFY(!weights[raw].empty());
            const auto evaluator = whole->makeEvaluator();
            std::atomic<int64_t> done{0};
            train::evaluateShare(whole->evaluation(), *evaluator, steps.replica.backend(),
                                 steps.replica.network(), 1, done, [] { return false; });
            QVERIFY(done >= 11);
            partials[raw] = evaluator->partial();
            // A batch that is too large names the setting of evaluations.
            Allocator& blocks = steps.replica.backend().allocator();
            blocks.setLimit(blocks.stats().bytesInUse + 1024);
            try {
                train::evaluateShare(whole->evaluation(), *evaluator, steps.replica.backend(),
                                     steps.replica.network(), 1, done, [] { return false; });
                QFAIL("evaluated in 1 KiB");
            } catch (const Error& e) {
                QVERIFY2(QString(e.what()).contains("--set eval_batch="), e.what());
            }
        }
        QVERIFY(weights[1] == weights[0]);
        QVERIFY(partials[1] == partials[0]);
    }
};

QTEST_GUILESS_MAIN(RawPicturesTest)
#include "raw_pictures_test.moc"
