// SPDX-License-Identifier: GPL-3.0-or-later
// Pascal VOC's annotations: what is read, and what each damage is called.

#include "detection_fixture.h"
#include "picture_tree.h"

#include "engine/detection/voc_xml.h"
#include "engine/detection/xml_document.h"

#include <QTest>

using namespace scalebench;
using namespace scalebench::detection;
using namespace scalebench::test;

namespace {

const std::string kDocument = R"(<?xml version="1.0"?>
<!-- made up -->
<annotation verified='yes'>
  <size><width>20</width><height>10</height><depth>3</depth></size>
  <object>
    <name>bolt &amp; &#110;ut</name>
    <difficult>1</difficult>
    <bndbox><xmin>1</xmin><ymin>2</ymin><xmax>5.5</xmax><ymax>6</ymax></bndbox>
  </object>
  <object>
    <name>bolt</name>
    <bndbox><xmin>3</xmin><ymin>3</ymin><xmax>3</xmax><ymax>9</ymax></bndbox>
  </object>
</annotation>
)";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const size_t at = text.find(from);
    if (at == std::string::npos)
        qFatal("nothing to replace");
    return text.replace(at, from.size(), to);
}

/// A tree with a picture of each name, whose one object is of the category of that name.
void putPictures(Tree& tree, const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        tree.put("JPEGImages/" + name + ".png", picture());
        tree.put("Annotations/" + name + ".xml",
                 QByteArray::fromStdString(
                     "<annotation><size><width>12</width><height>8</height></size><object><name>" +
                     name +
                     "</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>5</xmax><ymax>4</ymax>"
                     "</bndbox></object></annotation>"));
    }
}

/// "a|b" of what was read for training.
std::string trained(const AnnotatedParts& parts)
{
    std::string names;
    for (const AnnotatedPicture& picture : parts.train.pictures)
        names += (names.empty() ? "" : "|") +
                 parts.train.categories[size_t(picture.objects.at(0).category)].name;
    return names;
}

} // namespace

class VocXmlTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads()
    {
        const VocPicture voc = parseVoc(kDocument, "a.xml");
        QCOMPARE(voc.picture.width, 20);
        QCOMPARE(voc.picture.objects.size(), size_t{1});
        QCOMPARE(voc.names.at(0), std::string("bolt & nut"));
        const AnnotatedObject& object = voc.picture.objects[0];
        QVERIFY((object.box == Box{1, 2, 4.5, 4}));
        QVERIFY(object.difficult && object.ignored());
        QCOMPARE(object.area, 18.0);
        QCOMPARE(voc.emptyBoxes, std::vector<std::string>{"a.xml:10"});
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
        row("no size", "<size>", "<sighs>", "</size> ends <sighs>");
        row("no width", "<width>20</width>", "", "a.xml:4: <size> has no <width>");
        row("word", "<xmin>1<", "<xmin>one<", "a.xml:8: <xmin> is not a number");
        row("infinite", "<xmin>1<", "<xmin>inf<", "<xmin> is not a number");
        row("inside out", "<xmin>1<", "<xmin>9<", "negative size");
        row("outside", "5.5", "55", "a.xml:5: the box");
        row("unknown entity", "&amp;", "&amp2;", "\"&amp2;\" is unknown");
        row("zero character", "&#110;", "&#0;", "is unknown");
        row("document type", "<!-- made up -->", "<!DOCTYPE a [<!ENTITY b \"c\">]>",
            "document type");
        row("wrong root", "<annotation verified='yes'>", "<other>", "</annotation> ends <other>");
        row("no name", "<name>bolt</name>", "<name> </name>", "a.xml:10: an object has no name");
        row("no quotes", "'yes'", "yes", "no quotes");
    }
    void namesDamage()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, message);
        const Caught caught = caughtFrom(
            [&] { parseVoc(replaced(kDocument, from.toStdString(), to.toStdString()), "a.xml"); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.has(message.toStdString()), caught.message.c_str());
    }

    void utf16IsToldSo()
    {
        const Caught caught = caughtFrom([] { parseVoc("\xfe\xff\x01<", "a.xml"); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.has("a.xml: the file is UTF-16; convert it"), caught.message.c_str());
    }

    void survivesEveryCut()
    {
        for (size_t length = 0; length + 2 < kDocument.size(); ++length)
            QCOMPARE(caughtFrom([&] { parseVoc(kDocument.substr(0, length), "a.xml"); }).code,
                     std::string("data_damaged"));
    }

    void readsLists_data()
    {
        QTest::addColumn<QByteArray>("list");
        QTest::addColumn<QByteArray>("pictures");
        const auto row = [](const char* name, const QByteArray& list, const char* pictures) {
            QTest::newRow(name) << list << QByteArray(pictures);
        };
        row("blank in a name", "cat\ncat (2)\ndog 1\n", "cat|cat (2)|dog 1");
        row("second column", "cat  1\ncat (2) -1\ndog 1 0\ndog\t1\n", "cat|cat (2)|dog 1|dog");
        row("name like a column", "dog 1\ndog\n", "dog 1|dog");
        row("byte order mark",
            "\xEF\xBB\xBF"
            "cat\ndog\n",
            "cat|dog");
        row("line ends", "  cat \r\n\r\n\tdog 1\r\n\n", "cat|dog 1");
    }
    void readsLists()
    {
        QFETCH(QByteArray, list);
        QFETCH(QByteArray, pictures);
        Tree tree;
        putPictures(tree, {"cat", "cat (2)", "dog", "dog 1"});
        tree.put("ImageSets/Main/train.txt", list);
        tree.put("ImageSets/Main/val.txt", "cat\n");
        QCOMPARE(trained(tree.open(false)), pictures.toStdString());
    }

    void refusesPicturesListedTwice()
    {
        Tree tree;
        putPictures(tree, {"cat", "dog"});
        tree.put("ImageSets/Main/train.txt", "cat\ndog\n\ncat 1\n");
        tree.put("ImageSets/Main/val.txt", "cat\n");
        const Caught caught = caughtFrom([&] { tree.open(false); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.has("train.txt:4: \"cat\" is listed already, on line 1"),
                 caught.message.c_str());
        int told = 0;
        QCOMPARE(trained(tree.open(false, [&](const std::string&) { ++told; })),
                 std::string("cat|dog"));
        QCOMPARE(told, 1);
    }

    void namesLinesWithoutPicture()
    {
        Tree tree;
        putPictures(tree, {"photo"});
        tree.put("ImageSets/Main/train.txt", "photo\nphoto (2)\n");
        tree.put("ImageSets/Main/val.txt", "photo\n");
        const Caught caught = caughtFrom([&] { tree.open(false); });
        QCOMPARE(caught.code, std::string("data_missing"));
        QVERIFY2(caught.has("lists \"photo (2)\", which has no XML"), caught.message.c_str());
    }

    void boundsDepth()
    {
        std::string deep;
        for (int i = 0; i < 100000; ++i)
            deep += "<a>";
        QVERIFY(caughtFrom([&] { parseXml(deep, "d.xml"); }).has("nested more than 32"));
    }
};

QTEST_GUILESS_MAIN(VocXmlTest)
#include "voc_xml_test.moc"
