// SPDX-License-Identifier: GPL-3.0-or-later
// Which files are taken for the parts of a set, and what is said of both parts together.

#include "detection_fixture.h"
#include "picture_tree.h"

#include "engine/detection/open_annotated.h"

#include <QTest>

#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::detection;
using namespace scalebench::test;

namespace {

/// COCO's annotations with one object in each of the pictures.
QByteArray coco(const std::vector<std::string>& pictures)
{
    std::string images, objects;
    for (size_t i = 0; i < pictures.size(); ++i) {
        const std::string id = std::to_string(i + 1), comma = i == 0 ? "" : ",";
        images += comma + R"({"id":)" + id + R"(,"width":12,"height":8,"file_name":")" +
                  pictures[i] + "\"}";
        objects += comma + R"({"id":)" + id + R"(,"image_id":)" + id +
                   R"(,"category_id":1,"bbox":[1,1,4,3],"area":12,"iscrowd":0})";
    }
    return QByteArray::fromStdString(R"({"categories":[{"id":1,"name":"cat"}],"images":[)" +
                                     images + R"(],"annotations":[)" + objects + "]}");
}

/// Pictures a.png, b.png to train on and c.png to evaluate with.
void putCoco(Tree& tree)
{
    for (const char* name : {"a", "b", "c"})
        tree.put(std::string("images/") + name + ".png", picture());
    tree.put("annotations/instances_train.json", coco({"a.png", "b.png"}));
    tree.put("annotations/instances_val.json", coco({"c.png"}));
}

} // namespace

class OpenAnnotatedTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void instancesBeatOthers()
    {
        Tree tree;
        putCoco(tree);
        tree.put("annotations/captions_train.json", "{}");
        tree.put("annotations/panoptic_train.json", "{}");
        tree.put("annotations/a_train.json", "{}");
        QCOMPARE(tree.open(false).train.pictures.size(), size_t{2});
    }
    void twoAnnotationsOfAPartAreRefused_data()
    {
        QTest::addColumn<QString>("second");
        QTest::addColumn<bool>("refused");
        QTest::newRow("beside") << "annotations/instances_train_old.json" << true;
        QTest::newRow("before") << "a/instances_train.json" << true;
        QTest::newRow("of val") << "instances_val2.json" << true;
        QTest::newRow("hidden folder") << ".trash/instances_train.json" << false;
        QTest::newRow("of a Mac") << "annotations/._instances_train.json" << false;
    }
    void twoAnnotationsOfAPartAreRefused()
    {
        QFETCH(QString, second);
        QFETCH(bool, refused);
        Tree tree;
        putCoco(tree);
        tree.put(second.toStdString(), coco({"a.png"}));
        const Caught caught = caughtFrom([&] { tree.open(false); });
        QCOMPARE(caught.code, std::string(refused ? "data_damaged" : "none"));
        if (refused)
            QVERIFY2(caught.has(second.toStdString()) && caught.has("/annotations/instances_"),
                     caught.message.c_str());
    }
};

QTEST_GUILESS_MAIN(OpenAnnotatedTest)
#include "open_annotated_test.moc"
