// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of an evaluation for people: which ones, the file, hostile files, and what is drawn.

#include "detection_fixture.h"

#include "engine/detection/draw_pictures.h"
#include "engine/detection/shown_pictures.h"

#include <QTest>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::detection;
using namespace scalebench::test;
using Json = nlohmann::json;

namespace {

RunLengthMask square(int width, int height, int x, int y, int edge)
{
    std::vector<uint8_t> pixels(size_t(width) * size_t(height));
    for (int row = y; row < y + edge; ++row)
        for (int column = x; column < x + edge; ++column)
            pixels[size_t(row) * size_t(width) + size_t(column)] = 1;
    return encodeMask(pixels, width, height);
}

/// Pictures of 40x30 with an object each, but every third.
AnnotatedSet truth(int pictures)
{
    AnnotatedSet set;
    set.categories = {{1, "cat"}, {2, "d\xc3\xb6g"}};
    for (int i = 0; i < pictures; ++i) {
        AnnotatedPicture picture;
        picture.id = i + 1;
        picture.width = 40;
        picture.height = 30;
        picture.file.name = "val/" + std::to_string(i) + ".png";
        if (i % 3 != 0) {
            AnnotatedObject object;
            object.category = 1;
            object.box = {10, 5, 8, 8};
            object.mask = square(40, 30, 10, 5, 8);
            picture.objects = {object};
        }
        set.pictures.push_back(std::move(picture));
    }
    return set;
}

Detection found(int picture, double score, Box box = {10.004, 5, 8, 8})
{
    return {picture, 1, score, box, {}};
}

Json parsed(const ShownPictures& shown)
{
    return Json::parse(printShown(shown));
}

Caught refusal(const Json& json)
{
    return caughtFrom([&] { parseShown(json.dump(), "p.json"); });
}

} // namespace

class ShownPicturesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void choosesPicturesWithObjectsEvenly()
    {
        const ShownPictures shown = choosePictures(truth(60), {}, 2.5);
        QCOMPARE(shown.pictures.size(), size_t(kMostShown));
        std::vector<std::string> files;
        for (const ShownPicture& picture : shown.pictures) {
            QCOMPARE(picture.truth.size(), size_t{1});
            files.push_back(picture.file);
        }
        QCOMPARE(files.front(), std::string("val/1.png"));
        QCOMPARE(files.back(), std::string("val/53.png"));
        QCOMPARE(choosePictures(truth(4), {}, 1).pictures.size(), size_t{2});
        QVERIFY(choosePictures(truth(1), {}, 1).pictures.empty());
    }

    void keepsTheBestFound()
    {
        std::vector<Detection> all;
        for (int i = 0; i < 2 * kMostFoundShown; ++i)
            all.push_back(found(1, i / 100.0));
        all.push_back(found(0, 0.99)); // of a picture that is not shown
        const ShownPictures shown = choosePictures(truth(4), all, 1);
        QCOMPARE(shown.pictures[0].found.size(), size_t(kMostFoundShown));
        QCOMPARE(shown.pictures[0].found[0].score, 0.39);
        QVERIFY(shown.pictures[1].found.empty());
    }

    void readsWhatItWrites()
    {
        Detection masked = found(1, 0.87654);
        masked.mask = square(40, 30, 11, 6, 7);
        const ShownPictures shown = choosePictures(truth(4), std::vector{masked}, 2.5);
        const ShownPictures again = parseShown(printShown(shown), "p.json");
        QCOMPARE(again.epoch, 2.5);
        QCOMPARE(again.categories.at(1), std::string("d\xc3\xb6g"));
        QCOMPARE(again.pictures.size(), size_t{2});
        const ShownPicture& picture = again.pictures[0];
        QCOMPARE(picture.file, std::string("val/1.png"));
        QCOMPARE(picture.found.at(0).score, 0.8765);
        QCOMPARE(picture.found[0].box.x, 10.0);
        QVERIFY(picture.found[0].mask == masked.mask);
        QVERIFY(picture.truth.at(0).mask == shown.pictures[0].truth[0].mask);
    }

    void isBounded()
    {
        // Masks of noise have about as many runs as pixels.
        const int edge = 1000;
        AnnotatedSet set = truth(4);
        std::vector<uint8_t> pixels(size_t(edge) * edge);
        for (size_t i = 0; i < pixels.size(); ++i)
            pixels[i] = uint8_t(i * i * 2654435761u >> 20 & 1);
        for (AnnotatedPicture& picture : set.pictures) {
            picture.width = picture.height = edge;
            for (AnnotatedObject& object : picture.objects)
                object.mask = encodeMask(pixels, edge, edge);
            for (int i = 0; i < 8 && !picture.objects.empty(); ++i)
                picture.objects.push_back(picture.objects[0]);
        }
        const std::string text = printShown(choosePictures(set, {}, 1));
        QVERIFY(text.size() < size_t{4} << 20);
        const ShownPictures again = parseShown(text, "p.json");
        QVERIFY(again.masksLeftOut > 0);
        QVERIFY(!again.pictures[0].truth[0].mask.empty());
        QVERIFY(again.pictures[1].truth[8].mask.empty());
    }

    void refusesHostileFiles()
    {
        const Json good = parsed(choosePictures(truth(4), std::vector{found(1, 0.5)}, 1));
        QCOMPARE(refusal(good).code, std::string("none"));
        const auto with = [&](const char* pointer, const Json& value) {
            Json changed = good;
            changed[Json::json_pointer(pointer)] = value;
            return refusal(changed);
        };
        const std::pair<const char*, Json> wrong[] = {
            {"/format", "other"},
            {"/version", 2},
            {"/epoch", "x"},
            {"/categories", 3},
            {"/categories/0", 3},
            {"/pictures", Json::object()},
            {"/pictures/0", 1},
            {"/pictures/0/file", 1},
            {"/pictures/0/file", std::string(2000, 'x')},
            {"/pictures/0/width", 0},
            {"/pictures/0/width", 1e9},
            {"/pictures/0/found/0/category", 2},
            {"/pictures/0/found/0/category", -1},
            {"/pictures/0/found/0/score", 1.5},
            {"/pictures/0/found/0/box", {1, 2, 3}},
            {"/pictures/0/found/0/box/0", 1e300},
            {"/pictures/0/found/0/box/2", -1},
            {"/pictures/0/found/0/mask", "zz"},
            {"/pictures/0/true/0/mask", 7},
        };
        for (const auto& [pointer, value] : wrong) {
            const Caught caught = with(pointer, value);
            QVERIFY2(caught.code == "pictures" && caught.has("p.json cannot be used: "), pointer);
        }
        Json many = good;
        for (int i = 0; i < 20; ++i)
            many["pictures"].push_back(many["pictures"][0]);
        QCOMPARE(refusal(many).code, std::string("pictures"));
        const std::string text = good.dump();
        for (size_t length = 0; length < text.size(); length += 11)
            QCOMPARE(caughtFrom([&] { parseShown(text.substr(0, length), "p.json"); }).code,
                     std::string("pictures"));
        QCOMPARE(caughtFrom([] { parseShown(std::string(5 << 20, ' '), "p.json"); }).code,
                 std::string("pictures"));
    }

    void draws()
    {
        const AnnotatedSet set = truth(2);
        Detection sure = found(1, 0.9, {25, 20, 10, 6}), doubtful = found(1, 0.2, {1, 20, 6, 6});
        const ShownPictures shown = choosePictures(set, std::vector{sure, doubtful}, 1);
        const data::Image grey{40, 30, std::vector<uint8_t>(40 * 30 * 3, uint8_t{100})};
        const data::Image drawn = drawPicture(grey, shown.pictures.at(0), shown.categories);
        QCOMPARE(drawn.width, 320); // eight times
        QCOMPARE(drawn.height, 240);
        const auto at = [&](double x, double y) {
            const uint8_t* p = &drawn.rgb[(size_t(y * 8) * 320 + size_t(x * 8)) * 3];
            return std::array<int, 3>{p[0], p[1], p[2]};
        };
        const std::array<int, 3> green{46, 184, 79}, orange{255, 140, 26}, plain{100, 100, 100};
        QCOMPARE(at(10, 9), green);   // the true box's left edge
        QCOMPARE(at(25, 23), orange); // the found one's
        QCOMPARE(at(1, 23), plain);   // that of a doubtful one
        QCOMPARE(at(39, 1), plain);
        const std::array<int, 3> inside = at(14, 9); // the true mask's tint
        QVERIFY(inside[1] > inside[0] && inside != green);
        // Labels: letters in the field above the found box, and below the true one.
        const auto inked = [&](int x1, int y1, int x2, int y2) {
            int dark = 0;
            for (int y = y1; y < y2; ++y)
                for (int x = x1; x < x2; ++x)
                    dark += drawn.rgb[(size_t(y) * 320 + size_t(x)) * 3] == 16 ? 1 : 0;
            return dark;
        };
        QVERIFY(inked(190, 140, 320, 160) > 20);
        QVERIFY(inked(80, 104, 200, 120) > 10);
    }

    void drawsBoxesBeyondThePicture()
    {
        ShownPictures shown = choosePictures(
            truth(2),
            std::vector{found(1, 0.9, {-1e6, -1e6, 2e6, 2e6}), found(1, 0.9, {0, 0, 0, 0})}, 1);
        const data::Image image{1, 1, std::vector<uint8_t>(3)};
        shown.pictures[0].truth.clear();
        QCOMPARE(drawPicture(image, shown.pictures[0], shown.categories).width, 8);
    }
};

QTEST_GUILESS_MAIN(ShownPicturesTest)
#include "shown_pictures_test.moc"
