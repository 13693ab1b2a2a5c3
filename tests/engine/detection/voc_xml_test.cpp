// SPDX-License-Identifier: GPL-3.0-or-later
// Pascal VOC's annotations: what is read, and what each damage is called.

#include "detection_fixture.h"

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

    void survivesEveryCut()
    {
        for (size_t length = 0; length + 2 < kDocument.size(); ++length)
            QCOMPARE(caughtFrom([&] { parseVoc(kDocument.substr(0, length), "a.xml"); }).code,
                     std::string("data_damaged"));
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
