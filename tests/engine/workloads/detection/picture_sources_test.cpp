// SPDX-License-Identifier: GPL-3.0-or-later
// Batches of pictures of different shapes: the same pictures in rows of the same size for any
// number of workers, boxes where the pictures show them.

#include "engine/data/image.h"
#include "engine/data/png_writer.h"
#include "engine/workloads/detection/picture_sources.h"

#include <QTest>

#include <algorithm>
#include <any>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

using namespace scalebench;
using namespace scalebench::workloads;

namespace {

/// Every third picture is tall. Black, but for one white object of category i % 2.
detection::AnnotatedSet drawnSet(int pictures)
{
    detection::AnnotatedSet set;
    set.categories = {{1, "one"}, {2, "two"}};
    for (int i = 0; i < pictures; ++i) {
        data::Image image{60 + i, 40, {}};
        if (i % 3 == 0)
            std::swap(image.width, image.height);
        image.rgb.resize(3 * size_t(image.width) * size_t(image.height));
        for (int y = 8; y < 24; ++y)
            for (int x = 4; x < 16; ++x)
                for (size_t c = 0; c < 3; ++c)
                    image.rgb[3 * (size_t(y) * size_t(image.width) + size_t(x)) + c] = 255;
        detection::AnnotatedPicture picture;
        picture.id = i + 1;
        picture.width = image.width;
        picture.height = image.height;
        picture.file.name = "drawn.png";
        picture.file.bytes = std::make_shared<const std::vector<uint8_t>>(data::encodePng(image));
        picture.file.size = int64_t(picture.file.bytes->size());
        picture.objects.push_back({int32_t(i % 2), {4, 8, 12, 16}, 192, false, false, {}});
        picture.objects.push_back({0, {0, 0, 9, 9}, 81, true, false, {}}); // crowd: ignored
        set.pictures.push_back(std::move(picture));
    }
    return set;
}

std::vector<int64_t> numbers(int64_t n)
{
    std::vector<int64_t> all;
    for (int64_t i = 0; i < n; ++i)
        all.push_back(i);
    return all;
}

const std::vector<PictureNote>& notesOf(const Batch& batch)
{
    return std::any_cast<const std::vector<PictureNote>&>(batch.notes);
}

PictureBatches::Options options(bool train)
{
    PictureBatches::Options o;
    o.sizing = {.shorter = 48, .longest = 90};
    o.flip = train;
    o.train = train;
    o.seed = 5;
    return o;
}

} // namespace

class PictureSourcesTest : public QObject
{
    Q_OBJECT

    detection::AnnotatedSet m_set;

private slots:
    void initTestCase() { m_set = drawnSet(23); }

    void scalesAsTorchvision()
    {
        const PictureSizing sizing{.shorter = 800, .longest = 1333};
        QCOMPARE(sizing.scaled(640, 480).width, 1066);
        QCOMPARE(sizing.scaled(640, 480).height, 800);
        QCOMPARE(sizing.scaled(500, 1500).height, 1333); // the longer edge decides
        QCOMPARE(sizing.scaled(500, 1500).width, 444);
        QCOMPARE(sizing.padded({800, 1066}).width, 1088);
        const PictureSizing square{.shorter = 320, .square = true};
        QCOMPARE(square.scaled(640, 111).height, 320);
    }

    void workersSeeWhatOneWouldSee()
    {
        CachingAllocator memory;
        const PictureBatches pictures(m_set, options(true), {}, memory);
        for (const int64_t epoch : {0, 1}) {
            std::map<int, std::vector<std::multiset<int64_t>>> steps;
            std::map<int, std::vector<Shape>> shapes;
            std::multiset<int64_t> all;
            for (const int workers : {1, 2})
                for (int rank = 0; rank < workers; ++rank) {
                    const GroupedTraining source(m_set, numbers(23), pictures,
                                                 {4, 1, {rank, workers}, 5});
                    QCOMPARE(source.batches(epoch), 5);
                    steps[workers].resize(5);
                    shapes[workers].resize(5);
                    for (int64_t b = 0; b < 5; ++b) {
                        Batch batch;
                        source.fill(epoch, b, batch);
                        for (const PictureNote& note : notesOf(batch)) {
                            steps[workers][size_t(b)].insert(note.picture);
                            if (workers == 1)
                                all.insert(note.picture);
                        }
                        Shape shape = batch.tensors[0].shape();
                        shape[0] = 0;
                        if (rank == 1)
                            QVERIFY(shape == shapes[workers][size_t(b)]);
                        shapes[workers][size_t(b)] = shape;
                    }
                }
            QVERIFY(steps[1] == steps[2]);
            QVERIFY(shapes[1] == shapes[2]);
            QCOMPARE(all.size(), size_t{20});
            QCOMPARE(std::set<int64_t>(all.begin(), all.end()).size(), size_t{20}); // none twice
            // One batch at most mixes wide and tall pictures.
            int mixed = 0;
            for (const auto& step : steps[1]) {
                const auto tall = std::ranges::count_if(step, [](int64_t i) { return i % 3 == 0; });
                mixed += tall > 0 && tall < 4;
            }
            QVERIFY(mixed <= 1);
        }
    }

    void evaluationSeesEachPictureOnce()
    {
        CachingAllocator memory;
        const PictureBatches pictures(m_set, options(false), {}, memory);
        std::map<int64_t, Shape> alone;
        for (const int workers : {1, 2, 3}) {
            std::multiset<int64_t> seen;
            for (int rank = 0; rank < workers; ++rank) {
                const GroupedEvaluation source(m_set, pictures, 4, {rank, workers});
                for (int64_t b = 0; b < source.batches(0); ++b) {
                    Batch batch;
                    source.fill(0, b, batch);
                    QCOMPARE(batch.samples, 4);
                    for (const PictureNote& note : notesOf(batch))
                        if (note.real) {
                            seen.insert(note.picture);
                            const Shape& shape = batch.tensors[0].shape();
                            // The row of a picture does not depend on who looks at it.
                            QVERIFY(alone.emplace(note.picture, shape).first->second == shape);
                        }
                }
            }
            QCOMPARE(seen.size(), size_t{23});
            QCOMPARE(std::set<int64_t>(seen.begin(), seen.end()).size(), size_t{23});
        }
    }

    void boxesLieWhereThePictureShowsThem()
    {
        CachingAllocator memory;
        const PictureBatches pictures(m_set, options(true), {}, memory);
        const std::vector<int64_t> all = numbers(23);
        Batch batch;
        pictures.fill({all, 23, 2}, {96, 96}, batch);
        int mirrored = 0;
        for (size_t n = 0; n < 23; ++n) {
            const PictureNote& note = notesOf(batch)[n];
            mirrored += note.mirrored;
            QCOMPARE(note.categories, std::vector<int32_t>{int32_t(n % 2)});
            QCOMPARE(note.objects, std::vector<int32_t>{0});
            // White inside the box, black and then filling outside.
            const float* pixels = batch.tensors[0].f32().data() + n * 96 * 96 * 3;
            const auto at = [&](float x, float y) { return pixels[3 * (int(y) * 96 + int(x))]; };
            const float* box = note.corners.data();
            QVERIFY(at(box[0] + 2, box[1] + 2) > 1.5f && at(box[2] - 3, box[3] - 3) > 1.5f);
            QVERIFY(box[0] < 3 || at(box[0] - 3, box[1] + 2) < -1.5f);
            QVERIFY(at(box[2] + 2, box[1] + 2) < -1.5f || box[2] + 2 > float(note.width));
            QVERIFY(note.width >= 96 || at(float(note.width), 0) == 0.0f);
            QVERIFY(note.height >= 96 || at(0, float(note.height)) == 0.0f);
        }
        QVERIFY(mirrored > 4 && mirrored < 19);
    }
};

QTEST_GUILESS_MAIN(PictureSourcesTest)
#include "picture_sources_test.moc"
