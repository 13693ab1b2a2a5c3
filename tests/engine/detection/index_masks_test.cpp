// SPDX-License-Identifier: GPL-3.0-or-later
// Masks that are pictures with a number per object: how PNGs store them, the layouts, Pascal VOC's
// SegmentationObject, and what each mistake is called.

#include "detection_fixture.h"
#include "picture_tree.h"

#include "engine/data/image.h"
#include "engine/detection/index_masks.h"
#include "engine/detection/open_annotated.h"

#include <QTest>

#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::detection;
using namespace scalebench::test;

namespace {

/// fixtures/make_masks.py's two rectangles.
bool inFirst(int x, int y)
{
    return x >= 1 && x < 5 && y >= 1 && y < 4;
}
bool inSecond(int x, int y)
{
    return x >= 6 && x < 10 && y >= 2 && y < 7;
}

data::IndexImage mask(const char* name)
{
    const QByteArray file = annotationFixture(name);
    return data::decodeIndices(bytesOf(file), name);
}

QByteArray vocXml(int objects)
{
    QByteArray text = "<annotation><size><width>12</width><height>8</height></size>";
    const char* const boxes[] = {"<xmin>1</xmin><ymin>1</ymin><xmax>5</xmax><ymax>4</ymax>",
                                 "<xmin>6</xmin><ymin>2</ymin><xmax>10</xmax><ymax>7</ymax>",
                                 "<xmin>0</xmin><ymin>0</ymin><xmax>2</xmax><ymax>2</ymax>"};
    for (int i = 0; i < objects; ++i)
        text += QByteArray("<object><name>") + (i == 1 ? "cat" : "dog") + "</name><bndbox>" +
                boxes[i] + "</bndbox></object>";
    return text + "</annotation>";
}

void putVoc(Tree& tree, int objects = 2)
{
    for (const char* stem : {"a", "b"}) {
        tree.put((std::string("VOC/JPEGImages/") + stem + ".png").c_str(), picture());
        tree.put((std::string("VOC/Annotations/") + stem + ".xml").c_str(), vocXml(objects));
        tree.put((std::string("VOC/SegmentationObject/") + stem + ".png").c_str(),
                 annotationFixture("masks/voc.png"));
    }
    tree.put("VOC/ImageSets/Segmentation/train.txt", "a\n");
    tree.put("VOC/ImageSets/Segmentation/val.txt", "b\n");
}

} // namespace

class IndexMasksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEveryKindOfPng_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::newRow("palette") << "masks/palette.png" << 1 << 2;
        QTest::newRow("grey, 8 bit") << "masks/grey8.png" << 1 << 2;
        QTest::newRow("grey, 16 bit") << "masks/grey16.png" << 300 << 65535;
        QTest::newRow("one bit") << "masks/bit.png" << 1 << 1;
    }
    void readsEveryKindOfPng()
    {
        QFETCH(QString, file);
        QFETCH(int, first);
        QFETCH(int, second);
        const data::IndexImage ids = mask(file.toLatin1().constData());
        QCOMPARE(ids.width, kWidth);
        QCOMPARE(ids.height, kHeight);
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
                QCOMPARE(int(ids.ids[size_t(y * kWidth + x)]), inFirst(x, y)    ? first
                                                               : inSecond(x, y) ? second
                                                                                : 0);
        const std::vector<IndexMask> masks = masksOf(ids);
        QCOMPARE(masks.size(), size_t(first == second ? 1 : 2));
        for (const IndexMask& one : masks) {
            const std::vector<uint8_t> pixels = decodeMask(one.mask);
            for (int y = 0; y < kHeight; ++y)
                for (int x = 0; x < kWidth; ++x)
                    QCOMPARE(pixels[size_t(y * kWidth + x)] != 0,
                             (inFirst(x, y) && one.id == first) ||
                                 (inSecond(x, y) && one.id == second));
        }
    }

    void refusesOtherPictures()
    {
        QVERIFY(caughtFrom([] { mask("masks/colour.png"); }).has("has colours where a mask"));
        QVERIFY(caughtFrom([] { mask("truth.json"); }).has("does not start like a PNG"));
        const QByteArray whole = annotationFixture("masks/grey16.png");
        for (qsizetype length = 0; length < whole.size(); length += 3) {
            const QByteArray cut = whole.first(length);
            QCOMPARE(caughtFrom([&] { data::decodeIndices(bytesOf(cut), "m.png"); }).code,
                     std::string("data_damaged"));
        }
    }

    void masksWithoutAnObjectAreEmpty()
    {
        QVERIFY(masksOf({3, 2, std::vector<uint16_t>(6)}).empty());
        const std::vector<IndexMask> full = masksOf({3, 2, std::vector<uint16_t>(6, 9)});
        QCOMPARE(full.size(), size_t{1});
        QCOMPARE(full[0].mask.runs, (std::vector<uint32_t>{0, 6}));
    }

    void layouts_data()
    {
        QTest::addColumn<QByteArrayList>("pictures");
        QTest::addColumn<QByteArrayList>("masks");
        QTest::newRow("parts above") << QByteArrayList{"train/images/a.png", "val/images/a.png"}
                                     << QByteArrayList{"train/masks/a.png", "val/masks/a.png"};
        QTest::newRow("parts below")
            << QByteArrayList{"set/images/train/a.png", "set/images/test/b.png"}
            << QByteArrayList{"set/masks/train/a.png", "set/masks/test/b.png"};
        QTest::newRow("PennFudan")
            << QByteArrayList{"P/PNGImages/1.png", "P/PNGImages/2.png", "P/PNGImages/3.png",
                              "P/PNGImages/4.png", "P/PNGImages/5.png"}
            << QByteArrayList{"P/PedMasks/1_mask.png", "P/PedMasks/2_mask.png",
                              "P/PedMasks/3_mask.png", "P/PedMasks/4_mask.png",
                              "P/PedMasks/5_mask.png"};
    }
    void layouts()
    {
        QFETCH(QByteArrayList, pictures);
        QFETCH(QByteArrayList, masks);
        Tree tree;
        for (const QByteArray& name : pictures)
            tree.put(name.constData(), picture());
        for (const QByteArray& name : masks)
            tree.put(name.constData(), annotationFixture("masks/palette.png"));
        const AnnotatedParts parts = tree.open();
        QCOMPARE(parts.format, std::string("index masks"));
        QCOMPARE(parts.train.pictures.size(), size_t(pictures.size() - 1));
        QCOMPARE(parts.eval.pictures.size(), size_t{1});
        QVERIFY(parts.eval.pictures[0].file.name.ends_with(pictures.last().toStdString()));
        QCOMPARE(parts.train.categories.size(), size_t{1});
        const AnnotatedPicture& first = parts.train.pictures[0];
        QCOMPARE(first.objects.size(), size_t{2});
        QVERIFY((first.objects[1].box == Box{6, 2, 4, 5}));
        QCOMPARE(first.objects[1].area, 20.0);
        QCOMPARE(maskArea(first.objects[1].mask), int64_t{20});
        QVERIFY(tree.open(false).train.pictures[0].objects[1].mask.empty());
        decodePicture(first);
    }

    void namesMistakes()
    {
        const auto refused = [](const char* name, const QByteArray& bytes) {
            Tree tree;
            for (const char* part : {"train", "val"}) {
                tree.put((std::string(part) + "/images/a.png").c_str(), picture());
                tree.put((std::string(part) + "/masks/a.png").c_str(),
                         annotationFixture("masks/palette.png"));
            }
            tree.put(name, bytes);
            return caughtFrom([&] { tree.open(); });
        };
        const Caught alone = refused("train/images/b.png", picture());
        QCOMPARE(alone.code, std::string("data_missing"));
        QVERIFY2(alone.has("b.png has no mask"), alone.message.c_str());
        QVERIFY(refused("val/masks/b.png", annotationFixture("masks/palette.png"))
                    .has("b.png is a mask without a picture"));
        QVERIFY(refused("val/images/a.jpg", picture()).has("another picture of that name"));
        QVERIFY(refused("train/images/a.png", picture(13, 8))
                    .has("the mask has 12x8 pixels, but its picture has 13x8"));
        QVERIFY(
            refused("train/masks/a.png", annotationFixture("masks/colour.png")).has("has colours"));
        const Caught empty = refused("val/masks/a.png", annotationFixture("masks/zeros.png"));
        QCOMPARE(empty.code, std::string("data_empty"));
        QVERIFY2(empty.has("no mask of the part \"val\" has an object"), empty.message.c_str());
    }

    void aCheckFindsAllMistakes()
    {
        Tree tree;
        for (const char* part : {"train", "val"})
            for (const char* stem : {"a", "b", "c"}) {
                const std::string folder(part);
                tree.put((folder + "/images/" + stem + ".png").c_str(), picture());
                tree.put((folder + "/masks/" + stem + ".png").c_str(),
                         annotationFixture("masks/palette.png"));
            }
        tree.put("train/images/alone.png", picture());
        tree.put("train/masks/b.png", annotationFixture("masks/colour.png"));
        tree.put("val/images/c.png", picture(5, 5));
        std::vector<std::string> told;
        const AnnotatedParts parts = openAnnotated(
            tree.path(), {.evalPart = {}, .masks = true, .problem = [&](const std::string& text) {
                              told.push_back(text);
                          }});
        QCOMPARE(told.size(), size_t{3});
        QCOMPARE(parts.train.pictures.size(), size_t{2});
        QCOMPARE(parts.eval.pictures.size(), size_t{2});
    }

    void readsVocsMasks()
    {
        Tree tree;
        putVoc(tree);
        const AnnotatedParts parts = tree.open();
        QCOMPARE(parts.format, std::string("Pascal VOC XML"));
        QCOMPARE(parts.eval.pictures.size(), size_t{1});
        const std::vector<AnnotatedObject>& objects = parts.train.pictures.at(0).objects;
        QCOMPARE(objects.size(), size_t{2});
        QCOMPARE(parts.train.categories.at(size_t(objects[1].category)).name, std::string("cat"));
        QVERIFY((objects[1].box == Box{6, 2, 4, 5})); // of the XML
        QCOMPARE(maskArea(objects[1].mask), int64_t{20});
        QCOMPARE(objects[1].area, 20.0);
    }

    void namesVocsMistakes()
    {
        Tree fewer, more, none, noMasks;
        putVoc(fewer, 1);
        QVERIFY(caughtFrom([&] {
                    fewer.open();
                }).has("the mask has an object 2, which its annotations do not list"));
        putVoc(more, 3);
        QVERIFY(caughtFrom([&] {
                    more.open();
                }).has("the mask has no pixel of object 3 of its annotations"));
        putVoc(none);
        QFile::remove(QString::fromStdString(none.path()) +
                      QStringLiteral("/VOC/SegmentationObject/b.png"));
        QVERIFY(caughtFrom([&] { none.open(); }).has("lists \"b\", which has no PNG"));
        noMasks.put("ImageSets/Main/train.txt", "a\n");
        QVERIFY(caughtFrom([&] { noMasks.open(); }).has("a Pascal VOC tree without masks"));
    }
};

QTEST_GUILESS_MAIN(IndexMasksTest)
#include "index_masks_test.moc"
