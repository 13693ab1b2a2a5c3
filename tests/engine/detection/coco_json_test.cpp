// SPDX-License-Identifier: GPL-3.0-or-later
// COCO's annotation files: what is read, and what each damage is called.

#include "detection_fixture.h"

#include "engine/detection/coco_json.h"
#include "engine/detection/object_checks.h"

#include <QTest>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::detection;
using namespace scalebench::test;

namespace {

const std::string kAnnotation =
    R"({"id": 7, "image_id": 5, "category_id": 3, "bbox": [1, 2, 4, 3], "area": 10.5, "iscrowd": 0,
        "segmentation": [[1, 2, 5, 2, 5, 5, 1, 5]]})";

/// One picture of 20x10, one category, and the given annotations.
std::string document(const std::string& annotations)
{
    return R"({"info": {"x": [1, {"y": 2}]}, "annotations": [)" + annotations +
           R"(], "categories": [{"id": 9, "name": "b"}, {"id": 3, "name": "a"}],
              "images": [{"id": 5, "width": 20, "height": 10, "file_name": "dir/p.png"}]})";
}

AnnotatedSet parsed(const std::string& text, bool masks = true)
{
    return parseCoco({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, "x.json", masks);
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const size_t at = text.find(from);
    if (at == std::string::npos)
        qFatal("nothing to replace");
    return text.replace(at, from.size(), to);
}

} // namespace

class CocoJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsInAnyOrder()
    {
        const AnnotatedSet set = parsed(document(kAnnotation));
        QCOMPARE(set.categories.size(), size_t{2});
        QCOMPARE(set.categories[0].name, std::string("a"));
        const AnnotatedPicture& picture = set.pictures.at(0);
        QCOMPARE(picture.width, 20);
        const AnnotatedObject& object = picture.objects.at(0);
        QCOMPARE(object.category, 0);
        QVERIFY((object.box == Box{1, 2, 4, 3}));
        QCOMPARE(object.area, 10.5);
        QCOMPARE(maskArea(object.mask), 12);
        QVERIFY(parsed(document(kAnnotation), false).pictures[0].objects[0].mask.empty());
        QVERIFY(parsed(document("")).pictures.at(0).objects.empty());
    }

    void writesWhatItReads()
    {
        const AnnotatedSet set = parsed(document(kAnnotation));
        const AnnotatedSet again = parsed(printCoco(set));
        QCOMPARE(again.pictures[0].file.name, std::string("dir/p.png"));
        const AnnotatedObject &a = set.pictures[0].objects[0], &b = again.pictures[0].objects[0];
        QVERIFY(a.box == b.box && a.mask == b.mask && a.area == b.area);
    }

    void readsRunLengths()
    {
        const auto with = [&](const std::string& shape) {
            return document(replaced(replaced(kAnnotation, R"("iscrowd": 0)", R"("iscrowd": 1)"),
                                     "[[1, 2, 5, 2, 5, 5, 1, 5]]", shape));
        };
        const AnnotatedSet set = parsed(with(R"({"size": [10, 20], "counts": [12, 3, 185]})"));
        QVERIFY(set.pictures[0].objects[0].crowd);
        QCOMPARE(maskArea(set.pictures[0].objects[0].mask), 3);
        QVERIFY(caughtFrom([&] {
                    parsed(with(R"({"size": [20, 10], "counts": [200]})"));
                }).has("annotation 7: the mask is for a picture of 10x20 pixels, but picture 5"));
        QVERIFY(caughtFrom([&] {
                    parsed(with(R"({"size": [10, 20], "counts": [12, 3]})"));
                }).has("cover 15 pixels"));
        QVERIFY(caughtFrom([&] {
                    parsed(with(R"({"size": [10, 20], "counts": [-1, 201]})"));
                }).has("no run length"));
        QVERIFY(caughtFrom([&] {
                    parsed(with(R"({"size": [10, 20], "counts": "zz"})"));
                }).has("annotation 7: "));
    }

    void leavesOutBoxesWithoutSize()
    {
        const AnnotatedSet set =
            parsed(document(replaced(kAnnotation, "[1, 2, 4, 3]", "[1, 2, 0, 3]")));
        QVERIFY(set.pictures[0].objects.empty());
        QCOMPARE(set.remarks.size(), size_t{1});
        QVERIFY(set.remarks[0].find("1 box without width or height left out") == 0);
    }

    void namesDamage_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* from, const char* to, const char* part) {
            QTest::newRow(name) << QString::fromLatin1(from) << QString::fromLatin1(to)
                                << QString::fromLatin1(part);
        };
        row("negative size", "[1, 2, 4, 3]", "[1, 2, -4, 3]",
            "annotation 7: the box [1, 2, -4, 3] has a negative size");
        row("outside", "[1, 2, 4, 3]", "[1, 2, 40, 3]", "reaches outside its picture of 20x10");
        row("three numbers", "[1, 2, 4, 3]", "[1, 2, 4]", "four numbers");
        row("huge number", "[1, 2, 4, 3]", "[1, 2, 1e300, 3]", "no coordinate");
        row("number beyond all", "[1, 2, 4, 3]", "[1, 2, 1e999, 3]", "cannot be read as JSON");
        row("NaN", "[1, 2, 4, 3]", "[NaN, 2, 4, 3]", " stands NaN, which is no number");
        row("nan", "[1, 2, 4, 3]", "[nan, 2, 4, 3]", " stands nan, which is no number");
        row("infinity", "[1, 2, 4, 3]", "[1, -Infinity, 4, 3]",
            " stands -Infinity, which is no number");
        row("some word", "[1, 2, 4, 3]", "[1, Two, 4, 3]", "not whole JSON, from byte");
        row("two points", "[[1, 2, 5, 2, 5, 5, 1, 5]]", "[[1, 2, 5, 2]]",
            "polygon 1 of \"segmentation\" has 4 numbers");
        row("odd polygon", "[[1, 2, 5, 2, 5, 5, 1, 5]]", "[[1, 2, 5, 2, 5, 5, 1]]", "7 numbers");
        row("polygon far away", "[[1, 2, 5, 2, 5, 5, 1, 5]]", "[[1, 2, 5000, 2, 5, 5]]",
            "reaches far outside its picture of 20x10");
        row("flat polygon", "[[1, 2, 5, 2, 5, 5, 1, 5]]", "[1, 2]", "no numbers");
        row("unknown category", "\"category_id\": 3", "\"category_id\": 4",
            "annotation 7: has category 4, which");
        row("unknown picture", "\"image_id\": 5", "\"image_id\": 6",
            "annotation 7: belongs to picture 6, which");
        row("no id", "\"id\": 7,", "", "\"id\" is missing");
        row("area of text", "10.5", "\"big\"", "\"area\" is not");
        row("picture without pixels", "\"width\": 20", "\"width\": 0", "cannot have 0x10 pixels");
        row("giant picture", "\"width\": 20", "\"width\": 99999999", "99999999x10");
        row("fraction", "\"width\": 20", "\"width\": 20.5", "not a whole number");
        row("no file name", "dir/p.png", "", "\"file_name\" is not a name");
        row("category twice", "\"id\": 9", "\"id\": 3", "category 3 is listed twice");
        row("no list", "\"images\": [", "\"pictures\": [", "not a COCO instances file");
        row("list of numbers", "\"categories\": [", "\"categories\": [1, ",
            "not a list of objects");
    }
    void namesDamage()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, message);
        const Caught caught = caughtFrom(
            [&] { parsed(replaced(document(kAnnotation), from.toStdString(), to.toStdString())); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.has(message.toStdString()) && caught.has("x.json"), caught.message.c_str());
    }

    void utf16IsToldSo()
    {
        const Caught caught = caughtFrom([] { parsed("\xff\xfe{"); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.has("x.json: the file is UTF-16; convert it"), caught.message.c_str());
    }

    void aCheckFindsAllProblems()
    {
        const auto annotation = [](const std::string& from, const std::string& to, int id) {
            const std::string other =
                replaced(kAnnotation, "\"id\": 7", "\"id\": " + std::to_string(id));
            return from.empty() ? other : replaced(other, from, to);
        };
        std::string text = document(
            annotation("", "", 1) + "," + annotation("[1, 2, 4, 3]", "[1, 2, 40, 3]", 2) + "," +
            annotation("\"image_id\": 5", "\"image_id\": 6", 3) + "," +
            annotation("\"category_id\": 3", "\"category_id\": 4", 4) + "," +
            annotation("\"image_id\": 5", "\"image_id\": \"x\"", 5) + "," + annotation("", "", 1));
        text = replaced(text, "\"images\": [",
                        "\"images\": [{\"id\": 8, \"width\": 9, \"height\": 9, \"file_name\": "
                        "\"empty.png\"}, {\"id\": 9, \"width\": 0, \"height\": 9, "
                        "\"file_name\": \"flat.png\"}, ");
        text = replaced(text, "{\"id\": 9, \"name\": \"b\"}", "{\"id\": 3, \"name\": \"again\"}");
        std::vector<std::string> told;
        const ProblemSink sink = [&](const std::string& problem) { told.push_back(problem); };
        const AnnotatedSet set = parseCoco(
            {reinterpret_cast<const uint8_t*>(text.data()), text.size()}, "x.json", true, sink);
        const char* const expected[] = {"annotation 5: \"image_id\" is not a whole number",
                                        "picture 9: a picture cannot have 0x9",
                                        "category 3 is listed twice",
                                        "annotation 1 is listed twice",
                                        "annotation 2: the box [1, 2, 40, 3] reaches outside",
                                        "annotation 3: belongs to picture 6",
                                        "annotation 4: has category 4"};
        for (const char* part : expected)
            QVERIFY2(std::ranges::any_of(told,
                                         [&](const std::string& problem) {
                                             return problem.starts_with("x.json") &&
                                                    problem.find(part) != std::string::npos;
                                         }),
                     part);
        QCOMPARE(told.size(), std::size(expected));
        QCOMPARE(set.objects(), int64_t{2});
        QCOMPARE(set.remarks,
                 (std::vector<std::string>{"pictures without annotation: 1, the first: "
                                           "x.json, picture 8 (empty.png)"}));
        AnnotatedSet attached = set;
        data::StoredFile json, file;
        json.name = "x.json";
        file.name = "dir/p.png";
        told.clear();
        attachPictures(attached, {file}, json, sink);
        QCOMPARE(told.size(), size_t{1});
        QVERIFY(told[0].find("lists the picture \"empty.png\"") != std::string::npos);
        QCOMPARE(attached.pictures.size(), size_t{1});
    }

    void namesWhereTheFileEnds()
    {
        const std::string whole = document(kAnnotation);
        for (size_t length = 0; length + 1 < whole.size(); length += 13) {
            const Caught caught = caughtFrom([&] { parsed(whole.substr(0, length)); });
            QCOMPARE(caught.code, std::string("data_damaged"));
            QVERIFY2(caught.has("not whole JSON, from byte " + std::to_string(length + 1)),
                     caught.message.c_str());
        }
        QCOMPARE(caughtFrom([] { parsed(std::string(200000, '[')); }).code,
                 std::string("data_damaged"));
        QCOMPARE(caughtFrom([] { parsed("[]"); }).code, std::string("data_damaged"));
    }

    void findsPictureFiles()
    {
        const AnnotatedSet set = parsed(document(""));
        std::vector<data::StoredFile> files(2);
        files[0].name = "other/p.png";
        files[1].name = "root/dir/p.png";
        data::StoredFile json;
        json.name = "root/x.json";
        const auto attached = [&] {
            AnnotatedSet fresh = set;
            attachPictures(fresh, files, json);
            return fresh.pictures[0].file.name;
        };
        QCOMPARE(attached(), std::string("root/dir/p.png"));
        files[0].name = "a/dir/p.png"; // the one beside the annotations
        QCOMPARE(attached(), std::string("root/dir/p.png"));
        json.name = "x.json";
        QVERIFY(caughtFrom(attached).has("is there twice"));
        files[0].name = files[1].name = "q.png";
        const Caught caught = caughtFrom(attached);
        QCOMPARE(caught.code, std::string("data_missing"));
        QVERIFY(caught.has("lists the picture \"dir/p.png\""));
    }

    void findsPictureFilesAsOthersNameThem_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("found");
        QTest::newRow("Windows") << "images\\p.png"
                                 << "set/images/p.png";
        QTest::newRow("from the annotations up") << "../images/p.png"
                                                 << "set/images/p.png";
        QTest::newRow("from elsewhere up") << "../../x/../images/p.png"
                                           << "set/images/p.png";
        QTest::newRow("this folder") << "./q.png"
                                     << "set/other/q.png";
        QTest::newRow("Windows, this folder") << ".\\q.png"
                                              << "set/other/q.png";
        QTest::newRow("a backslash in the name") << "r\\s.png"
                                                 << "set/other/r\\s.png";
        QTest::newRow("another folder") << "..\\pictures\\p.png"
                                        << "";
        QTest::newRow("beyond all") << "../../../.."
                                    << "";
    }
    void findsPictureFilesAsOthersNameThem()
    {
        QFETCH(QString, name);
        QFETCH(QString, found);
        AnnotatedSet set = parsed(document(""));
        set.pictures[0].file.name = name.toStdString();
        std::vector<data::StoredFile> files(4);
        files[0].name = "set/images/p.png";
        files[1].name = "set/more/images/p.png";
        files[2].name = "set/other/q.png";
        files[3].name = "set/other/r\\s.png";
        data::StoredFile json;
        json.name = "set/annotations/x.json";
        if (name.contains(QLatin1Char('x')) || name.contains(QLatin1Char('\\')))
            files.erase(files.begin() + 1); // only "../" says which of the two
        const Caught caught = caughtFrom([&] { attachPictures(set, files, json); });
        QCOMPARE(caught.code, std::string(found.isEmpty() ? "data_missing" : "none"));
        if (!found.isEmpty())
            QCOMPARE(set.pictures[0].file.name, found.toStdString());
    }

    void picturesOfOtherFormatsAreNamed()
    {
        AnnotatedSet set = parsed(document(""));
        set.pictures[0].file.name = "dir/p.bmp";
        data::StoredFile json;
        json.name = "x.json";
        const Caught caught = caughtFrom([&] { attachPictures(set, {}, json); });
        QCOMPARE(caught.code, std::string("data_missing"));
        QVERIFY2(caught.has("lists the picture \"dir/p.bmp\", but BMP is not read; convert"),
                 caught.message.c_str());
    }

    /// Parts that number their pictures alike, as COCO's folders have them.
    void findsPictureFilesOfItsPart()
    {
        AnnotatedSet set = parsed(document(""));
        set.pictures[0].file.name = "1.png";
        std::vector<data::StoredFile> files(2);
        files[0].name = "train2017/1.png";
        files[1].name = "val2017/1.png";
        data::StoredFile json;
        const auto attached = [&](const char* annotations) {
            json.name = annotations;
            AnnotatedSet fresh = set;
            attachPictures(fresh, files, json);
            return fresh.pictures[0].file.name;
        };
        QCOMPARE(attached("annotations/instances_train2017.json"), files[0].name);
        QCOMPARE(attached("annotations/instances_val2017.json"), files[1].name);
        // Below the folder too, and in another's only with its name.
        files[0].name = "set/train2017/a/1.png";
        QCOMPARE(attached("instances_train2017.json"), files[0].name);
        files[0].name = "train2017/2.png";
        const Caught caught = caughtFrom([&] { attached("instances_train2017.json"); });
        QCOMPARE(caught.code, std::string("data_missing"));
        QVERIFY2(caught.has("not in train2017/"), caught.message.c_str());
        set.pictures[0].file.name = "val2017/1.png";
        QCOMPARE(attached("instances_train2017.json"), files[1].name);
        // No folder of that name.
        set.pictures[0].file.name = "1.png";
        QCOMPARE(attached("instances_small.json"), files[1].name);
    }
};

QTEST_GUILESS_MAIN(CocoJsonTest)
#include "coco_json_test.moc"
