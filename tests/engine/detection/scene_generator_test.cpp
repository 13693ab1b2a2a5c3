// SPDX-License-Identifier: GPL-3.0-or-later
// Drawn scenes: reproducible, annotated exactly, and readable as any COCO set.

#include "detection_fixture.h"

#include "engine/data/hash_random.h"
#include "engine/detection/open_annotated.h"
#include "engine/detection/scene_generator.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

using namespace scalebench;
using namespace scalebench::detection;
using namespace scalebench::test;

class SceneGeneratorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void annotatesWhatIsVisible()
    {
        const ScenesSpec spec;
        std::set<int32_t> categories;
        size_t most = 0, objects = 0;
        for (int64_t i = 0; i < 60; ++i) {
            const Scene scene = drawScene(spec, 0, i);
            QCOMPARE(scene.image.rgb.size(), size_t{128 * 128 * 3});
            QVERIFY(!scene.objects.empty());
            most = std::max(most, scene.objects.size());
            objects += scene.objects.size();
            for (size_t a = 0; a < scene.objects.size(); ++a) {
                const AnnotatedObject& object = scene.objects[a];
                categories.insert(object.category);
                const MaskBox box = maskBox(object.mask);
                QVERIFY((object.box ==
                         Box{double(box.x), double(box.y), double(box.width), double(box.height)}));
                QVERIFY(object.area >= 30);
                for (size_t b = 0; b < a; ++b) // a pixel belongs to one object
                    QCOMPARE(maskIntersection(object.mask, scene.objects[b].mask), 0);
            }
        }
        QCOMPARE(categories.size(), size_t(spec.categories));
        QCOMPARE(most, size_t(spec.mostObjects));
        QVERIFY(objects > 150);
    }

    void isAPureFunction()
    {
        const ScenesSpec spec{.edge = 64};
        const Scene a = drawScene(spec, 1, 7), b = drawScene(spec, 1, 7);
        QCOMPARE(a.image.rgb, b.image.rgb);
        QVERIFY(drawScene(spec, 0, 7).image.rgb != a.image.rgb);
        QVERIFY(drawScene(spec, 1, 8).image.rgb != a.image.rgb);
    }

    void isReadBack()
    {
        QTemporaryDir dir;
        const std::string path = dir.filePath(QStringLiteral("scenes")).toStdString();
        const ScenesSpec spec{.trainSamples = 7, .evalSamples = 3, .edge = 64};
        ensureScenes(path, spec, 2);
        const AnnotatedParts parts = openAnnotated(path, {.evalPart = {}, .masks = true});
        QCOMPARE(parts.format, std::string("COCO JSON"));
        QCOMPARE(parts.train.pictures.size(), size_t{7});
        QCOMPARE(parts.eval.pictures.size(), size_t{3});
        QCOMPARE(parts.train.categories.size(), size_t(spec.categories));
        for (size_t i = 0; i < 3; ++i) {
            const Scene scene = drawScene(spec, 1, int64_t(i));
            const AnnotatedPicture& picture = parts.eval.pictures[i];
            QCOMPARE(decodePicture(picture).rgb, scene.image.rgb);
            QCOMPARE(picture.objects.size(), scene.objects.size());
            for (size_t k = 0; k < scene.objects.size(); ++k) {
                QVERIFY(picture.objects[k].box == scene.objects[k].box);
                QVERIFY(picture.objects[k].mask == scene.objects[k].mask);
            }
        }
        refusesWhatDoesNotFit(path);
    }

    void readsTheBloodCells()
    {
        const QString path = qEnvironmentVariable("SB_SHARED_DATA",
                                                  QStringLiteral(SB_SOURCE_DIR "/../shared/data")) +
                             QStringLiteral("/bccd");
        if (!QDir(path).exists())
            QSKIP("../shared/data/bccd is not here");
        const AnnotatedParts json = openAnnotated(path.toStdString(), {.evalPart = "test"});
        const AnnotatedParts voc =
            openAnnotated(path.toStdString() + "/bccd_voc.tar", {.evalPart = "test"});
        QCOMPARE(json.format, std::string("COCO JSON"));
        QCOMPARE(voc.format, std::string("Pascal VOC XML"));
        QCOMPARE(json.train.pictures.size(), size_t{205});
        QCOMPARE(json.train.objects(), 2804);
        QCOMPARE(voc.train.objects(), json.train.objects());
        QCOMPARE(voc.eval.objects(), json.eval.objects());
        QCOMPARE(voc.eval.categories.at(1).name, std::string("RBC"));
        QCOMPARE(decodePicture(json.eval.pictures.at(0)).width, 640);
    }

private:
    static void refusesWhatDoesNotFit(const std::string& path)
    {
        namespace fs = std::filesystem;
        const auto opened = [&] { return openAnnotated(path, {}); };
        const fs::path train = fs::path(path) / "train";
        // A picture of another size than its annotations say.
        fs::copy_file(train / "000002.png", train / "kept.png");
        const ScenesSpec small{.trainSamples = 1, .evalSamples = 1, .edge = 32};
        ensureScenes(path + "_small", small, 1);
        fs::copy_file(fs::path(path + "_small") / "train" / "000001.png", train / "000002.png",
                      fs::copy_options::overwrite_existing);
        const AnnotatedParts parts = opened();
        const Caught size = caughtFrom([&] { decodePicture(parts.train.pictures[1]); });
        QVERIFY2(size.code == "data_damaged" &&
                     size.has("32x32 pixels, but its annotations say 64x64"),
                 size.message.c_str());
        // A picture that is not there.
        fs::remove(train / "000002.png");
        const Caught missing = caughtFrom(opened);
        QCOMPARE(missing.code, std::string("data_missing"));
        QVERIFY(missing.has("000002.png"));
        fs::remove(fs::path(path) / "annotations" / "instances_val.json");
        QCOMPARE(caughtFrom(opened).code, std::string("data_empty"));
        QCOMPARE(caughtFrom([&] { openAnnotated(path + "_none", {}); }).code,
                 std::string("data_missing"));
    }

    /// As many pictures as the set's label says are its own.
    void aPictureAddedToASetIsKept()
    {
        QTemporaryDir dir;
        const std::string path = dir.filePath(QStringLiteral("s")).toStdString();
        ensureScenes(path, {.trainSamples = 2, .evalSamples = 1, .edge = 32}, 1);
        ensureScenes(path, {.trainSamples = 3, .evalSamples = 1, .edge = 32}, 1);
        const std::filesystem::path train = std::filesystem::path(path) / "train";
        std::filesystem::copy_file(train / "000003.png", train / "000004.png");
        QVERIFY_EXCEPTION_THROWN(
            ensureScenes(path, {.trainSamples = 5, .evalSamples = 1, .edge = 32}, 1), Error);
        QVERIFY(std::filesystem::exists(train / "000004.png"));
    }
};

QTEST_GUILESS_MAIN(SceneGeneratorTest)
#include "scene_generator_test.moc"
