// SPDX-License-Identifier: GPL-3.0-or-later
// What detectors refuse of the sets they are given.

#include "support/caught.h"
#include "tests/engine/detection/picture_tree.h"
#include "tests/engine/workloads/run_json.h"

#include "engine/workloads/workload.h"

#include <QTest>

using namespace scalebench;
using namespace scalebench::test;
using namespace scalebench::tests;

class DetectionWorkloadTest : public QObject
{
    Q_OBJECT

    /// What is said of a set with these annotations of the pictures to evaluate with.
    static Caught measured(const QByteArray& annotations)
    {
        Tree tree;
        for (const char* name : {"a", "b", "c"})
            tree.put(std::string(name) + ".png", picture());
        tree.put("train.json", coco({"a.png", "b.png"}));
        tree.put("val.json", annotations);
        nlohmann::json json = sceneRun(QTemporaryDir(), "ssd", {{"name", "ssd_small"}}, 0, 0);
        json["data"] = {{"source", "files"}, {"path", tree.path()}};
        json["global_batch"] = 1;
        return caughtFrom([&] {
            const RunConfig config = parsed(json);
            config.recipe->make(config)->measure();
        });
    }

private slots:
    /// COCO's mAP is undefined there (-1), not 0.
    void nothingToFindIsRefused()
    {
        QCOMPARE(measured(coco({"c.png"})).code, std::string("none"));
        const Caught crowds = measured(coco({"c.png"}, true));
        QCOMPARE(crowds.code, std::string("data_missing"));
        QVERIFY2(crowds.has("no picture of the 1 to evaluate with has an object that counts"),
                 crowds.message.c_str());
        QByteArray none = coco({"c.png"});
        none = none.left(none.indexOf("\"annotations\"")) + "\"annotations\":[]}";
        QCOMPARE(measured(none).code, std::string("data_missing"));
    }
};

QTEST_GUILESS_MAIN(DetectionWorkloadTest)
#include "detection_workload_test.moc"
