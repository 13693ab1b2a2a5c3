// SPDX-License-Identifier: GPL-3.0-or-later
// The SSD workload as the training loop sees it: shares of workers, augmentation, how outputs
// become detections, what is refused.

#include "engine/detection/open_annotated.h"
#include "engine/models/ssd/ssd.h"
#include "engine/models/ssd/ssd_detect.h"
#include "engine/train/trainer.h"
#include "engine/workloads/device_input.h"
#include "engine/workloads/ssd/detection_batches.h"
#include "engine/workloads/ssd/ssd_workload.h"
#include "tests/engine/workloads/run_json.h"
#include "tests/engine/workloads/worker_runs.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::tests;
using namespace scalebench::workloads;
using Json = nlohmann::json;

class SsdWorkloadTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Json example() const
    {
        Json json = sceneRun(m_folder, "ssd", {{"name", "ssd_small"}}, 24, 11);
        json["data"]["augment"] = {{"crop", true}, {"flip", true}, {"colour", true}};
        return json;
    }

private slots:
    /// Odd shares: every picture counts once, and the quality is the same to the last bit when the
    /// weights are.
    void anyNumberOfWorkersCountsEachPictureOnce()
    {
        Json json = example();
        json["model"]["score_threshold"] = 0.01; // untrained: that there are detections at all
        const RunConfig config = parsed(json);
        std::map<int, Evaluation> results;
        std::map<int, std::multiset<int64_t>> seen;
        size_t found = 0;
        for (const int workers : {1, 2, 3}) {
            const Measured measured = measuredBy(config, workers, [&](const Batch& batch) {
                for (const PictureNote& note :
                     std::any_cast<const std::vector<PictureNote>&>(batch.notes))
                    if (note.real)
                        seen[workers].insert(note.picture);
            });
            QCOMPARE(measured.evalSamples, 11);
            for (const std::string& partial : measured.partials)
                found += partial.size();
            results[workers] = measured.result;
            QCOMPARE(seen[workers].size(), size_t(11));
            QCOMPARE(std::set<int64_t>(seen[workers].begin(), seen[workers].end()).size(),
                     size_t(11));
            for (size_t m = 0; m < 2; ++m)
                QCOMPARE(results[workers].metrics[m].value, results[1].metrics[m].value);
        }
        QVERIFY(found > 0);
        QCOMPARE(results[1].metrics[0].name, std::string("box_map"));
        QCOMPARE(results[1].metrics[1].name, std::string("box_ap50"));
    }

    /// Together the workers see the pictures, crops and colours of one.
    void workersShareTheSamplesOfAStep()
    {
        const RunConfig config = parsed(example());
        const auto pictures = [](const Batch& batch) {
            std::vector<std::vector<float>> all;
            const std::span<float> pixels = batch.tensors[0].f32();
            const size_t each = pixels.size() / size_t(batch.samples);
            for (size_t i = 0; i < size_t(batch.samples); ++i) {
                const auto own = pixels.subspan(i * each, each);
                all.emplace_back(own.begin(), own.end());
            }
            return all;
        };
        const auto one = samplesBy(config, 1, 1, pictures);
        QCOMPARE(one.size(), size_t{4});
        QCOMPARE(one.front().size(), size_t{6});
        QVERIFY(samplesBy(config, 2, 1, pictures) == one);
        QVERIFY(samplesBy(config, 3, 1, pictures) == one);
    }

    /// What a device gets warm with.
    void warmUpBatchIsShapedAsTraining()
    {
        CachingAllocator memory;
        const RunConfig config = parsed(example());
        const auto workload = openedBy(config, 0, 1, memory);
        auto* input = dynamic_cast<WarmUpInput*>(workload.get());
        QVERIFY(input != nullptr);
        Batch batch;
        workload->training().fill(1, 0, batch);
        const Batch warm = input->warmUpBatch(batch.samples, memory);
        QCOMPARE(warm.samples, batch.samples);
        QCOMPARE(warm.tensors.size(), batch.tensors.size());
        for (size_t i = 0; i < batch.tensors.size(); ++i) {
            QCOMPARE(warm.tensors[i].shape(), batch.tensors[i].shape());
            QVERIFY(warm.tensors[i].dtype() == batch.tensors[i].dtype());
        }
        const auto backend = makeCpuBackend();
        const auto network = workload->makeNetwork(*backend, {});
        Tape tape(*backend);
        QCOMPARE(network->loss(tape, warm, {}, true).sums.get().lossSum, 0.0);
    }

    /// A drawn part's boxes lie where its picture shows them.
    void augmentationMovesBoxesWithThePicture()
    {
        const detection::ScenesSpec spec{.edge = 96};
        int mirrored = 0, cropped = 0;
        for (int64_t i = 0; i < 40; ++i) {
            const detection::Scene scene = drawScene(spec, 0, i);
            detection::AnnotatedPicture picture;
            picture.width = picture.height = spec.edge;
            picture.objects = scene.objects;
            data::HashRandom random({3, uint64_t(i)});
            const detection::PicturePart part = drawPart(picture, {true, true, false}, random);
            QVERIFY(!part.boxes.categories.empty());
            mirrored += part.mirrored;
            cropped += part.crop.width < 96;
            for (size_t k = 0; k < part.boxes.categories.size(); ++k) {
                const float* unit = &part.boxes.corners[4 * k];
                QVERIFY(unit[0] >= 0 && unit[1] >= 0 && unit[2] <= 1 && unit[3] <= 1 &&
                        unit[0] < unit[2] && unit[1] < unit[3]);
                // Back to the picture: within a box of that category there.
                const double x1 = part.mirrored ? 1 - double(unit[2]) : double(unit[0]);
                const double x2 = part.mirrored ? 1 - double(unit[0]) : double(unit[2]);
                const auto fits = [&](const detection::AnnotatedObject& object) {
                    const detection::Box& b = object.box;
                    const data::CropBox& c = part.crop;
                    constexpr double kNear = 1e-3;
                    return object.category == part.boxes.categories[k] &&
                           c.x + x1 * c.width > b.x - kNear &&
                           c.x + x2 * c.width < b.x + b.width + kNear &&
                           c.y + double(unit[1]) * c.height > b.y - kNear &&
                           c.y + double(unit[3]) * c.height < b.y + b.height + kNear;
                };
                QVERIFY(std::ranges::any_of(scene.objects, fits));
            }
        }
        QVERIFY(mirrored > 8 && mirrored < 32 && cropped > 15);
    }

    /// Outputs that say what assignBoxes() asks for give the true boxes back.
    void decodesWhatItAskedFor()
    {
        const SsdConfig config = SsdConfig::byName("ssd_small", 3);
        const std::vector<float> defaults = makeDefaultBoxes(config.boxes);
        const size_t anchors = defaults.size() / 4;
        const detection::TrueBoxes truth{{0.1f, 0.2f, 0.35f, 0.4f, 0.5f, 0.5f, 0.95f, 0.8f},
                                         {2, 0}};
        std::vector<int32_t> labels(anchors);
        std::vector<float> targets(defaults.size()), logits(anchors * 4, 0.0f);
        assignBoxes(defaults, truth, 0.5f, labels, targets);
        QVERIFY(std::ranges::count_if(labels, [](int32_t l) { return l > 0; }) >= 2);
        for (size_t a = 0; a < anchors; ++a)
            logits[4 * a + size_t(labels[a])] = 9.0f;
        const auto found = ssdDetections(logits, targets, defaults, 200, {});
        QCOMPARE(found.size(), size_t{2}); // duplicates are suppressed
        for (const FoundObject& d : found) {
            const float* box = &truth.corners[d.category == 2 ? 0 : 4];
            const float corners[] = {d.x1, d.y1, d.x2, d.y2};
            for (int i = 0; i < 4; ++i)
                QVERIFY(std::abs(corners[i] - 200.0f * box[i]) < 1e-2f);
            QVERIFY(d.score > 0.99f);
        }
        QVERIFY(ssdDetections(std::vector<float>(anchors * 4, 0.0f), targets, defaults, 9,
                              {.scoreThreshold = 0.5})
                    .empty());
    }

    void trains()
    {
        Json json = example();
        json["epochs"] = 3;
        const auto comm = dist::makeSelfCommunicator();
        const train::Outcome outcome = train::Trainer(parsed(json), *comm, nullptr).run();
        QCOMPARE(outcome.reason, std::string("epochs_done"));
        QCOMPARE(train::Trainer(parsed(onSyntheticData(example())), *comm, nullptr).run().reason,
                 std::string("epochs_done"));
    }

    void refusesWhatCannotBe()
    {
        const auto with = [&](const char* pointer, const Json& value) {
            return refusalWith(example(), pointer, value);
        };
        QVERIFY(with("/model/name", "yolo").find("unknown network \"yolo\"") != std::string::npos);
        QVERIFY(with("/model/nms_overlap", 2).find("nms_overlap") != std::string::npos);
        QVERIFY(with("/data/augment/zoom", true).find("zoom") != std::string::npos);
        QVERIFY(with("/data/categories", 11).find("categories") != std::string::npos);
        QVERIFY(with("/global_batch", 60).find("do not fill one global batch of 60") !=
                std::string::npos);
        QVERIFY(with("/data/source", "files").empty()); // the drawn set is a COCO set
    }
};

QTEST_GUILESS_MAIN(SsdWorkloadTest)
#include "ssd_workload_test.moc"
