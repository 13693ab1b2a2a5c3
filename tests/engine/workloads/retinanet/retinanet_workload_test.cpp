// SPDX-License-Identifier: GPL-3.0-or-later
// The RetinaNet workload as the training loop sees it: any number of workers measures the same and
// does the update of one, pictures without objects train on, what is refused.

#include "engine/models/retinanet/retinanet.h"
#include "engine/train/trainer.h"
#include "engine/workloads/workload.h"
#include "tests/engine/workloads/run_json.h"
#include "tests/engine/workloads/worker_runs.h"

#include <QTemporaryDir>
#include <QTest>

#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::tests;
using namespace scalebench::workloads;
using Json = nlohmann::json;

class RetinaNetWorkloadTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Json example() const
    {
        return sceneRun(m_folder, "retinanet",
                        {{"name", "retinanet_small"}, {"shorter", 64}, {"longest", 64}}, 24, 11);
    }

private slots:
    void anyNumberOfWorkersMeasuresTheSame()
    {
        Json json = example();
        json["model"]["score_threshold"] = 0.001; // untrained: that there are detections at all
        const RunConfig config = parsed(json);
        const Measured one = measuredBy(config, 1);
        QCOMPARE(one.evalSamples, 11);
        QVERIFY(one.leastBytes() > 0);
        QCOMPARE(one.result.metrics.size(), size_t{2});
        for (const int workers : {2, 3}) {
            const Measured several = measuredBy(config, workers);
            QVERIFY(several.leastBytes() > 0);
            for (size_t m = 0; m < 2; ++m)
                QCOMPARE(several.result.metrics[m].value, one.result.metrics[m].value);
        }
        QCOMPARE(one.result.metrics[0].name, std::string("box_map"));
    }

    /// With fixed batch norms the loss of a picture is its own: the sum of the workers' gradients
    /// of a step is the gradient of one.
    void workersDoTheUpdateOfOne()
    {
        Json json = example();
        json["model"]["norm"] = "frozen";
        QVERIFY(gradientGap(parsed(json), 1, 2) < 1e-5);
    }

    void trains()
    {
        Json json = example();
        json["epochs"] = 2;
        const auto comm = dist::makeSelfCommunicator();
        QCOMPARE(train::Trainer(parsed(json), *comm, nullptr).run().reason,
                 std::string("epochs_done"));
        QCOMPARE(train::Trainer(parsed(onSyntheticData(example())), *comm, nullptr).run().reason,
                 std::string("epochs_done"));
    }

    void refusesWhatCannotBe()
    {
        const auto with = [&](const char* pointer, const Json& value) {
            return refusalWith(example(), pointer, value);
        };
        QVERIFY(with("/model/name", "yolo").find("unknown network \"yolo\"") != std::string::npos);
        QVERIFY(with("/model/norm", "group").find("use batch or frozen") != std::string::npos);
        QVERIFY(with("/model/frozen_stages", 6).find("frozen_stages") != std::string::npos);
        QVERIFY(with("/model/shorter", 5).find("shorter") != std::string::npos);
        QVERIFY(with("/data/augment/crop", true).find("crop") != std::string::npos);
        QVERIFY(with("/data/source", "files").empty()); // the drawn set is a COCO set
    }
};

QTEST_GUILESS_MAIN(RetinaNetWorkloadTest)
#include "retinanet_workload_test.moc"
