// SPDX-License-Identifier: GPL-3.0-or-later
// run.json: what is accepted, and that every refusal names the key.

#include "engine/config/run_config.h"
#include "engine/dist/comm_error.h"
#include "engine/train/agreement.h"
#include "engine/train/load_run_config.h"
#include "engine/workloads/resnet/resnet_workload.h"
#include "kernels/check.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace scalebench;
using namespace scalebench::train;
using Json = nlohmann::json;

namespace {

Json example()
{
    return Json::parse(R"({"format":"scalebench.run","version":1,"study":"demo","run_id":"r1",
 "workload":"resnet","scale":"desk","model":{"name":"resnet20","classes":10,"image_size":32},
 "data":{"source":"generated","path":"/tmp/x","train_samples":6400,"eval_samples":2000,
         "augment":{"pad_crop":4,"flip":true}},
 "device":"cpu","precision":"fp32","nodes":1,"workers":2,"threads_per_worker":1,"oversubscribed":true,
 "batch_policy":"strong","global_batch":128,
 "optimizer":{"name":"sgd","momentum":0.9,"nesterov":true,"weight_decay":0.0005,"label_smoothing":0.0},
 "schedule":{"name":"one_cycle","base_lr":0.1,"warmup_epochs":2.0,"end_lr":0.0,"milestones":[],"gamma":0.1,"power":2.0},
 "epochs":12,"target":0.80,"eval_every":1,"seed":1,"repeat":1,
 "options":{"sync_bn":false,"bucket_mb":4,"overlap":false,"grad_accum":1,"allreduce":"auto"}})");
}

} // namespace

class RunConfigTest : public QObject
{
    Q_OBJECT
private slots:
    /// The figures of MLPerf's published runs.
    void bertIsEvaluatedAsItsRulesAsk()
    {
        for (const auto& [batch, samples] : {std::pair<int64_t, int64_t>{92, 150'000},
                                             {448, 150'000},
                                             {3072, 175'000},
                                             {16'384, 325'000}}) {
            const EvalCadence cadence = EvalCadence::ofBert(batch);
            QCOMPARE(cadence.every, samples);
            QCOMPARE(cadence.first, samples);
            QVERIFY(cadence.unit == EvalUnit::Samples);
        }
    }

    void exampleOfTheProtocol()
    {
        const RunConfig run = parseRunConfig(example().dump());
        QCOMPARE(run.model, std::string("resnet20"));
        const auto& recipe = dynamic_cast<const workloads::ResNetRecipe&>(*run.recipe);
        QCOMPARE(recipe.augment.padCrop, 4);
        QCOMPARE(recipe.classes, 10);
        QCOMPARE(run.localBatch(), 64);
        QCOMPARE(run.targets.size(), size_t(1));
        QCOMPARE(run.targets[0].metric, std::string("top1_accuracy"));
        QCOMPARE(run.targets[0].value, 0.8);
        QCOMPARE(run.scheduleLengths.warmup, 2.0);
        Json noTarget = example();
        noTarget["target"] = nullptr;
        QVERIFY(parseRunConfig(noTarget.dump()).targets.empty());
        Json byName = example();
        byName["target"] = {{"top1_accuracy", 0.7}};
        QCOMPARE(parseRunConfig(byName.dump()).targets[0].value, 0.7);
        QVERIFY(run.options.autotune); // unless it is switched off
        Json asProposed = example();
        asProposed["options"]["autotune"] = false;
        QVERIFY(!parseRunConfig(asProposed.dump()).options.autotune);
    }
    void refusals_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("names");
        const auto row = [](const char* name, const char* pointer, const char* value,
                            const char* code, const char* names) {
            QTest::newRow(name) << QString::fromLatin1(pointer) << QString::fromLatin1(value)
                                << QString::fromLatin1(code) << QString::fromLatin1(names);
        };
        row("unknown key", "/epoch", "3", "usage", "\"epoch\"");
        row("unknown nested key", "/options/sync", "true", "usage", "options.sync");
        row("wrong type", "/epochs", "\"ten\"", "usage", "\"epochs\"");
        row("fraction for an integer", "/workers", "1.5", "usage", "\"workers\"");
        row("no epochs", "/epochs", "0", "usage", "\"epochs\"");
        row("text for an object", "/optimizer", "\"sgd\"", "usage", "optimizer");
        row("unknown workload", "/workload", "\"gpt\"", "usage", "gpt");
        row("unknown precision", "/precision", "\"int8\"", "usage", "int8");
        row("unknown schedule", "/schedule/name", "\"steps\"", "usage", "steps");
        row("falling milestones", "/schedule/milestones", "[3, 2]", "usage", "milestones");
        row("negative rate", "/schedule/base_lr", "-1", "usage", "schedule.base_lr");
        row("newer version", "/version", "2", "usage", "version 2");
        row("foreign format", "/format", "\"x\"", "usage", "scalebench.run");
        row("batch not divisible", "/global_batch", "127", "batch", "127");
        row("batch below workers", "/global_batch", "1", "batch", "smaller than the 2 workers");
        row("warm-up too long", "/schedule/warmup_epochs", "12", "usage", "warmup_epochs");
        row("no path", "/data/path", "\"\"", "usage", "data.path");
        row("no samples", "/data/train_samples", "0", "usage", "train_samples");
        row("target above the best", "/target", "76", "usage", "\"target\"");
        row("metric of another workload", "/target", "{\"bleu\": 0.2}", "usage", "target.bleu");
        row("key of another workload", "/model/vocabulary", "64", "usage", "model.vocabulary");
        row("number beyond all", "/schedule/start_warmup_step", "18446744073709551615", "usage",
            "start_warmup_step");
        row("Nesterov without momentum", "/optimizer/momentum", "0", "usage", "Nesterov");
        row("unknown cadence", "/eval_unit", "\"minutes\"", "usage", "minutes");
        row("synthetic with target", "/data/source", "\"synthetic\"", "usage", "target");
    }
    void refusals()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, code);
        QFETCH(QString, names);
        Json json = example();
        json[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
        try {
            parseRunConfig(json.dump());
            QFAIL("accepted");
        } catch (const InvalidArgument& e) {
            QCOMPARE(QString::fromStdString(e.code()), code);
            QVERIFY2(QString::fromUtf8(e.what()).contains(names), e.what());
            QCOMPARE(exitCodeOf(e.code()), 2);
        }
    }
    void missingKeyAndBrokenJson()
    {
        Json json = example();
        json.erase("model");
        for (const std::string& text :
             {json.dump(), std::string("{\"format\":"), std::string("[]"), std::string()}) {
            bool refused = false;
            try {
                parseRunConfig(text);
            } catch (const InvalidArgument& e) {
                refused = e.code() == "usage";
            }
            QVERIFY(refused);
        }
    }
    void failuresHaveProtocolCodes()
    {
        const auto comm = dist::makeSelfCommunicator();
        const auto codeOf = [&](const std::exception_ptr& e) {
            return describeFailure(e, *comm).code;
        };
        QCOMPARE(codeOf(std::make_exception_ptr(InvalidArgument("x"))), std::string("usage"));
        QCOMPARE(codeOf(std::make_exception_ptr(DeviceError("x"))), std::string("device_error"));
        QCOMPARE(codeOf(std::make_exception_ptr(Error("gone", "x"))), std::string("internal"));
        QCOMPARE(codeOf(std::make_exception_ptr(std::bad_alloc())), std::string("out_of_memory"));
        QCOMPARE(codeOf(std::make_exception_ptr(Error("disk_full", "x"))),
                 std::string("disk_full"));
        QCOMPARE(codeOf(std::make_exception_ptr(CommError("x", "nccl"))), std::string("nccl"));
        QCOMPARE(codeOf(std::make_exception_ptr(Unsupported("x", "precision_unavailable"))),
                 std::string("precision_unavailable"));
        QCOMPARE(exitCodeOf("precision_unavailable"), 2);
        QCOMPARE(exitCodeOf("nccl"), 3);
        QCOMPARE(exitCodeOf("disk_full"), 3);
        QCOMPARE(exitCodeOf("data_damaged"), 2);
    }
};

QTEST_GUILESS_MAIN(RunConfigTest)
#include "run_config_test.moc"
