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
    void picturesOfBothPartsAreTold()
    {
        Tree tree;
        putCoco(tree);
        QVERIFY(tree.open(false).eval.remarks.empty());
        tree.put("annotations/instances_val.json", coco({"c.png", "b.png"}));
        const std::vector<std::string> remarks = tree.open(false).eval.remarks;
        QCOMPARE(remarks.size(), size_t{1});
        QVERIFY2(remarks[0].starts_with("1 of the 2 pictures to evaluate with are trained on too, "
                                        "the first: " +
                                        tree.path() + "/images/b.png"),
                 remarks[0].c_str());
    }
};

QTEST_GUILESS_MAIN(OpenAnnotatedTest)
#include "open_annotated_test.moc"
