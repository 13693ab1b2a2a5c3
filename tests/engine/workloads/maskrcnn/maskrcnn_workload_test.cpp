// SPDX-License-Identifier: GPL-3.0-or-later
// The Mask R-CNN workload as the training loop sees it: any number of workers measures the same
// boxes and masks and does the update of one; masks as they are measured; what is refused.

#include "engine/models/maskrcnn/mask_targets.h"
#include "engine/models/maskrcnn/maskrcnn.h"
#include "engine/train/trainer.h"
#include "engine/workloads/detection/detection_evaluator.h"
#include "engine/workloads/workload.h"
#include "kernels/check.h"
#include "tests/engine/workloads/run_json.h"
#include "tests/engine/workloads/worker_runs.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <any>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::tests;
using namespace scalebench::workloads;
using Json = nlohmann::json;

namespace {

/// Finds what it is told, whatever the images show.
class Oracle final : public Detector
{
public:
    std::vector<std::vector<FoundObject>> found;

    std::vector<std::vector<FoundObject>>
    detect(Backend&, const Tensor&, const std::vector<PictureNote>&, const DetectOptions&) override
    {
        return found;
    }
    LossResult loss(Tape&, const Batch&, const LossParams&, bool) override { return {}; }
    ParameterSet& parameters() noexcept override { return parameters_; }
    const ComputePrecision& precision() const noexcept override { return precision_; }

private:
    ParameterSet parameters_;
    ComputePrecision precision_;
};

} // namespace

class MaskRcnnWorkloadTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Json example() const
    {
        return sceneRun(m_folder, "maskrcnn",
                        {{"name", "maskrcnn_small"},
                         {"shorter", 64},
                         {"longest", 64},
                         {"train_proposals", 40},
                         {"test_proposals", 20},
                         {"proposal_samples", 32},
                         {"region_samples", 16}},
                        12, 7);
    }

private slots:
    void anyNumberOfWorkersMeasuresTheSame()
    {
        Json json = example();
        json["model"]["score_threshold"] = 0.001; // untrained: that there are detections at all
        const RunConfig config = parsed(json);
        const Measured one = measuredBy(config, 1);
        QCOMPARE(one.evalSamples, 7);
        QVERIFY(one.leastBytes() > 0);
        QCOMPARE(one.result.metrics.size(), size_t{4});
        for (const int workers : {2, 3}) {
            const Measured several = measuredBy(config, workers);
            QVERIFY(several.leastBytes() > 0);
            for (size_t m = 0; m < 4; ++m)
                QCOMPARE(several.result.metrics[m].value, one.result.metrics[m].value);
        }
        QCOMPARE(one.result.metrics[0].name, std::string("box_map"));
        QCOMPARE(one.result.metrics[1].name, std::string("mask_map"));
    }

    /// With fixed batch norms the loss of a picture is its own: the sum of the workers' gradients
    /// of a step is the gradient of one.
    void workersDoTheUpdateOfOne()
    {
        Json json = example();
        json["model"]["norm"] = "frozen";
        QVERIFY(gradientGap(parsed(json), 1, 1) < 1e-5);
    }

    /// Scaled and mirrored, an object's mask lies within its box.
    void masksLieWhereTheirBoxesAre()
    {
        Json json = example();
        json["model"]["shorter"] = json["model"]["longest"] = 96;
        const RunConfig config = parsed(json);
        CachingAllocator memory;
        const auto workload = openedBy(config, 0, 1, memory);
        std::map<bool, int> objects;
        for (int64_t b = 0; b < 2; ++b) {
            Batch batch;
            workload->training().fill(0, b, batch);
            for (const auto& note : std::any_cast<const std::vector<PictureNote>&>(batch.notes))
                for (size_t i = 0; i < note.objects.size(); ++i) {
                    ++objects[note.mirrored];
                    const float whole[] = {0, 0, float(note.width), float(note.height)};
                    std::vector<float> mask(96 * 96);
                    maskTargets(note, int32_t(i), whole, 96, mask);
                    double inside = 0, all = 0;
                    const float* box = &note.corners[4 * i];
                    for (int y = 0; y < 96; ++y)
                        for (int x = 0; x < 96; ++x) {
                            const double share = double(mask[size_t(96 * y + x)]);
                            all += share;
                            // A cell is a mean of pixels up to one further.
                            const bool within = x > box[0] - 2 && x < box[2] + 1 &&
                                                y > box[1] - 2 && y < box[3] + 1;
                            inside += within ? share : 0;
                        }
                    QVERIFY(all > 20);
                    QVERIFY2(inside > 0.999 * all, qPrintable(QString::number(inside / all)));
                }
        }
        QVERIFY(objects[true] > 3 && objects[false] > 3);
    }

    /// The picture is stored at half the size it is looked at; what is drawn in its box is measured
    /// in stored pixels.
    void measuresMasksWhereTheyAreStored()
    {
        detection::AnnotatedSet truth;
        truth.categories = {{1, "one"}};
        detection::AnnotatedPicture picture;
        picture.id = 3, picture.width = 40, picture.height = 30;
        detection::AnnotatedObject object;
        object.box = {8, 6, 16, 12};
        std::vector<uint8_t> left(40 * 30, 0), whole = left;
        for (size_t y = 6; y < 18; ++y)
            for (size_t x = 8; x < 24; ++x)
                whole[40 * y + x] = 1, left[40 * y + x] = x < 16;
        object.mask = detection::encodeMask(left, 40, 30);
        object.area = 96;
        picture.objects = {object};
        truth.pictures = {picture};

        const auto backend = makeCpuBackend();
        Oracle oracle;
        FoundObject found;
        found.score = 0.9f;
        found.x1 = 16, found.y1 = 12, found.x2 = 48, found.y2 = 36;
        found.mask.assign(28 * 28, 0.0f);
        for (size_t y = 0; y < 28; ++y)
            for (size_t x = 0; x < 14; ++x)
                found.mask[28 * y + x] = 1.0f;
        PictureNote note;
        note.width = 80, note.height = 60, note.scaleX = note.scaleY = 2;
        PictureNote filling = note;
        filling.real = false;
        Batch batch;
        batch.notes = std::vector<PictureNote>{note, filling};
        batch.tensors = {Tensor()};
        const auto measured = [&](const FoundObject& of) {
            oracle.found = {{of}, {of}};
            DetectionEvaluator evaluator(truth, {}, true);
            evaluator.add(*backend, oracle, batch);
            const std::vector<std::string> partials = {evaluator.partial(), std::string()};
            return evaluator.merge(partials).metrics;
        };
        const std::vector<MetricValue> right = measured(found);
        QVERIFY(std::abs(right[0].value - 1) < 1e-9); // boxes
        QVERIFY2(right[1].value > 0.7, qPrintable(QString::number(right[1].value)));
        QVERIFY(std::abs(right[3].value - 1) < 1e-9); // masks that overlap by half
        // The whole box is drawn: half of it is right, the box still is.
        std::ranges::fill(found.mask, 1.0f);
        const std::vector<MetricValue> rough = measured(found);
        QVERIFY(std::abs(rough[0].value - 1) < 1e-9);
        QVERIFY2(rough[1].value < 0.2, qPrintable(QString::number(rough[1].value)));
    }

    void refusesDetectionsThatAreCutOff()
    {
        detection::AnnotatedSet truth;
        truth.categories = {{1, "one"}};
        truth.pictures.resize(1);
        const DetectionEvaluator evaluator(truth, {}, true);
        const std::vector<std::string> partials = {std::string(9, 'x')};
        QVERIFY_EXCEPTION_THROWN(evaluator.merge(partials), InvalidArgument);
    }

    void trains()
    {
        Json json = example();
        json["epochs"] = 2;
        json["target"] = {{"box_map", 0.9}, {"mask_map", 0.9}};
        const auto comm = dist::makeSelfCommunicator();
        QCOMPARE(train::Trainer(parsed(json), *comm, nullptr).run().reason,
                 std::string("target_not_reached"));
        QCOMPARE(train::Trainer(parsed(onSyntheticData(example())), *comm, nullptr).run().reason,
                 std::string("epochs_done"));
    }

    void refusesWhatCannotBe()
    {
        const auto with = [&](const char* pointer, const Json& value) {
            return refusalWith(example(), pointer, value);
        };
        QVERIFY(with("/model/name", "yolo").find("unknown network \"yolo\"") != std::string::npos);
        QVERIFY(with("/model/region_samples", 1).find("region_samples") != std::string::npos);
        QVERIFY(with("/model/test_proposals", 0).find("test_proposals") != std::string::npos);
        QVERIFY(with("/target", Json{{"mask_ap", 0.5}}).find("mask_ap") != std::string::npos);
        QVERIFY(with("/data/source", "files").empty()); // the drawn set is a COCO set
    }

    /// Objects may be outlined by polygons; one without any outline is named.
    void needsAMaskOfEveryObject()
    {
        const QDir folder(m_folder.filePath(QStringLiteral("own")));
        QVERIFY(folder.mkpath(QStringLiteral("annotations")));
        const RunConfig drawn = parsed(example());
        drawn.recipe->make(drawn)->prepareNode(1, {});
        const QString pictures = m_folder.filePath(QStringLiteral("set"));
        const auto outlined = [&](bool all) -> Json {
            Json coco = {{"images", Json::array()},
                         {"annotations", Json::array()},
                         {"categories", {{{"id", 1}, {"name", "one"}}}}};
            for (int i = 0; i < 6; ++i) {
                const std::string name = std::to_string(i) + ".png";
                coco["images"].push_back(
                    {{"id", i}, {"file_name", name}, {"width", 64}, {"height", 64}});
                Json object = {{"id", i},
                               {"image_id", i},
                               {"category_id", 1},
                               {"iscrowd", 0},
                               {"area", 300},
                               {"bbox", {10, 10, 20, 30}},
                               {"segmentation", {{10, 10, 30, 10, 20, 40}}}};
                if (i == 4 && !all)
                    object.erase("segmentation");
                coco["annotations"].push_back(object);
                copyPicture(pictures, folder.filePath(QString::fromStdString(name)));
            }
            for (const char* part : {"train", "val"}) {
                QFile file(folder.filePath(
                    QStringLiteral("annotations/instances_%1.json").arg(QLatin1String(part))));
                if (file.open(QIODevice::WriteOnly | QIODevice::Truncate))
                    file.write(QByteArray::fromStdString(coco.dump()));
            }
            Json json = example();
            json["data"]["source"] = "files";
            json["data"]["path"] = folder.path().toStdString();
            return json;
        };
        const RunConfig config = parsed(outlined(true));
        QCOMPARE(config.recipe->make(config)->measure().trainSamples, 6);
        const std::string said = refusalOf(outlined(false));
        QVERIFY2(said.find("object 1 of picture 4 has a box but no mask") != std::string::npos,
                 said.c_str());
    }

private:
    /// Any picture of the drawn set, where there is none yet.
    static void copyPicture(const QString& set, const QString& to)
    {
        const QDir train(set + QStringLiteral("/train"));
        const QStringList names = train.entryList({QStringLiteral("*.png")});
        if (!names.isEmpty())
            QFile::copy(train.filePath(names.first()), to);
    }
};

QTEST_GUILESS_MAIN(MaskRcnnWorkloadTest)
#include "maskrcnn_workload_test.moc"
