// SPDX-License-Identifier: GPL-3.0-or-later
// The RetinaNet workload as the training loop sees it: any number of workers measures the same and
// does the update of one, pictures without objects train on, what is refused.

#include "engine/models/retinanet/retinanet.h"
#include "engine/train/load_run_config.h"
#include "engine/train/trainer.h"
#include "engine/workloads/workload.h"
#include "kernels/check.h"
#include "tests/engine/workloads/worker_runs.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::workloads;
using Json = nlohmann::json;

namespace {

std::string refusal(const std::function<void()>& body)
{
    try {
        body();
    } catch (const Error& e) {
        return e.what();
    }
    return {};
}

} // namespace

class RetinaNetWorkloadTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Json example() const
    {
        Json json = Json::parse(R"({"format":"scalebench.run","version":1,"run_id":"r",
 "workload":"retinanet","model":{"name":"retinanet_small","shorter":64,"longest":64},
 "data":{"source":"generated","train_samples":24,"eval_samples":11,"edge":64,"categories":3,
         "augment":{"flip":true}},
 "workers":1,"global_batch":6,"optimizer":{"name":"adam"},
 "schedule":{"name":"constant","base_lr":0.002},"epochs":1})");
        json["data"]["path"] = m_folder.filePath(QStringLiteral("set")).toStdString();
        return json;
    }
    static RunConfig parsed(const Json& json) { return train::parseRunConfig(json.dump()); }

private slots:
    void anyNumberOfWorkersMeasuresTheSame()
    {
        Json json = example();
        json["model"]["score_threshold"] = 0.001; // untrained: that there are detections at all
        const RunConfig config = parsed(json);
        const tests::Measured one = tests::measuredBy(config, 1);
        QCOMPARE(one.evalSamples, 11);
        QVERIFY(one.leastBytes() > 0);
        QCOMPARE(one.result.metrics.size(), size_t{2});
        for (const int workers : {2, 3}) {
            const tests::Measured several = tests::measuredBy(config, workers);
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
        const RunConfig config = parsed(json);
        const std::vector<double> one = tests::gradientBy(config, 1, 1, 2);
        QVERIFY(!one.empty());
        for (const int workers : {2, 3})
            QVERIFY(tests::relativeGap(tests::gradientBy(config, workers, 1, 2), one) < 1e-5);
    }

    void trains()
    {
        Json json = example();
        json["epochs"] = 2;
        const auto comm = dist::makeSelfCommunicator();
        QCOMPARE(train::Trainer(parsed(json), *comm, nullptr).run().reason,
                 std::string("epochs_done"));
        json["data"]["source"] = "synthetic";
        json["data"].erase("path");
        json["epochs"] = 1;
        QCOMPARE(train::Trainer(parsed(json), *comm, nullptr).run().reason,
                 std::string("epochs_done"));
    }

    void refusesWhatCannotBe()
    {
        const auto with = [&](const char* pointer, const Json& value) {
            Json json = example();
            json[Json::json_pointer(pointer)] = value;
            return refusal([&] {
                const RunConfig config = parsed(json);
                const auto workload = config.recipe->make(config);
                workload->prepareNode(1, {});
                workload->measure();
            });
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
