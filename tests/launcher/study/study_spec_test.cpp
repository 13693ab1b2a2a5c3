// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/machine_info.h"
#include "study/run_config.h"
#include "study/study_spec.h"
#include "study/workload_catalog.h"
#include "support/launcher_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTest>

using namespace scalebench;
using namespace scalebench::test;

class StudySpecTest : public QObject
{
    Q_OBJECT
private slots:
    void roundTrip()
    {
        StudySpec spec;
        spec.name = QStringLiteral("ein Übungs-„Name“");
        spec.workers = {1, 2, 4};
        spec.precisions = {QStringLiteral("fp32"), QStringLiteral("bf16")};
        spec.batchPolicy = QStringLiteral("table");
        spec.batchTable = {{1, 128}, {2, 256}, {4, 512}};
        spec.target = 0.84;
        spec.seed = (1ull << 60) + 1;
        spec.learningRate = 0.1;
        spec.data = QStringLiteral("/data/with space");
        spec.options.gradAccum = 4;
        spec.options.allreduce = QStringLiteral("mpi");
        const auto back =
            StudySpec::fromJson(QJsonDocument(spec.toJson()).toJson(), QStringLiteral("s"));
        QVERIFY(back);
        QVERIFY(back.value() == spec);
        spec.target.reset();
        spec.noTarget = true;
        const auto again =
            StudySpec::fromJson(QJsonDocument(spec.toJson()).toJson(), QStringLiteral("s"));
        QVERIFY(again.value() == spec);
    }

    void exampleOfTheProtocol()
    {
        QFile file(QStringLiteral(SB_SOURCE_DIR "/resources/protocol/run_folder.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        const auto from = text.indexOf("{\"format\":\"scalebench.study\"");
        const auto to = text.indexOf("```", from);
        const auto spec =
            StudySpec::fromJson(text.mid(from, to - from), QStringLiteral("run_folder.md"));
        QVERIFY2(spec, spec ? "" : qPrintable(spec.failure().message));
        QCOMPARE(spec.value().workers, (QList<int>{1, 2}));
        const auto runFrom = text.indexOf("{\"format\":\"scalebench.run\"");
        const auto run = RunConfig::fromJson(
            text.mid(runFrom, text.indexOf("```", runFrom) - runFrom), QStringLiteral("run"));
        QVERIFY(run);
        QCOMPARE(run.value().model, QStringLiteral("resnet20"));
        QCOMPARE(run.value().learningRate, 0.1);
        QCOMPARE(*run.value().target, 0.8);
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* json, const char* code,
                            const char* message) {
            QTest::newRow(name) << QByteArray(json) << QString::fromLatin1(code)
                                << QString::fromUtf8(message);
        };
        row("damaged", "{\n  \"workload\": resnet\n}", "json_damaged",
            "my.json:2:15: this is not valid JSON: illegal number.");
        row("no object", "[1]", "json_damaged",
            "my.json:1:1: a JSON object { … } is expected here.");
        row("key twice", "{\"repeats\":2,\n \"repeats\":3}", "path_twice",
            "my.json:2:2: \"repeats\" is given twice. Leave one of them out.");
        row("path twice", R"({"settings":{"epochs":2,"workers":"epochs","epochs":[3]}})",
            "path_twice", "my.json:1:44: \"epochs\" is given twice. Leave one of them out.");
        row("key twice, written otherwise", "{\"name\":\"\\\"{\",\"n\\u0061me\":\"\"}",
            "path_twice", "my.json:1:15: \"name\" is given twice. Leave one of them out.");
        row("unknown key", R"({"wrokers":[1]})", "unknown_key",
            "my.json: the key \"wrokers\" is not known (did you mean \"workers\"?).");
        row("unknown option", R"({"options":{"sync_bm":true}})", "unknown_key",
            "my.json: the key \"options.sync_bm\" is not known (did you mean \"sync_bn\"?).");
        row("nothing near", R"({"zzzzzzzz":1})", "unknown_key",
            "my.json: the key \"zzzzzzzz\" is not known.");
        row("text for list", R"({"workers":"two"})", "wrong_type",
            "my.json: \"workers\" must be a list of whole numbers, found the text \"two\".");
        row("text in list", R"({"workers":[1,"two"]})", "wrong_type",
            "my.json: \"workers\" must be a list of whole numbers, found the text \"two\" in it.");
        row("fraction", R"({"epochs":1.5})", "wrong_type",
            "my.json: \"epochs\" must be a whole number, found the number 1.5.");
        row("text for number", R"({"target":"80%"})", "wrong_type",
            "my.json: \"target\" must be a number, found the text \"80%\".");
        row("number for bool", R"({"oversubscribe":1})", "wrong_type",
            "my.json: \"oversubscribe\" must be true or false, found the number 1.");
        row("null", R"({"scale":null})", "wrong_type",
            "my.json: \"scale\" must be a text, found null.");
        row("option type", R"({"options":{"bucket_mb":"4"}})", "wrong_type",
            "my.json: \"options.bucket_mb\" must be a whole number, found the text \"4\".");
        row("options list", R"({"options":[]})", "wrong_type",
            "my.json: \"options\" must be an object { … }, found a list.");
        row("table key", R"({"batch_table":{"one":128}})", "wrong_type",
            "my.json: \"batch_table\" maps worker counts to batches; \"one\" is not a worker "
            "count.");
        row("hostile table key", "{\"batch_table\":{\"\\u0000\\u001b[2Jx\":128}}", "wrong_type",
            "my.json: \"batch_table\" maps worker counts to batches; \"\\x00\\x1b[2Jx\" is not a "
            "worker count.");
        row("hostile table value", "{\"batch_table\":{\"\\n1\":\"x\"}}", "wrong_type",
            "my.json: \"batch_table.\\x0a1\" must be a whole number, found the text \"x\".");
        row("newer", R"({"version":7})", "newer_version",
            "my.json: the file has version 7; this program reads up to version 2. Update "
            "Scalebench.");
        row("other format", R"({"format":"scalebench.run"})", "wrong_format",
            "my.json: this is a \"scalebench.run\" file; \"scalebench.study\" is expected.");
        row("no precision", R"({"precisions":[]})", "precision_missing",
            "my.json: \"precisions\" is empty. Give at least one precision, or leave it out.");
        row("negative seed", R"({"seed":-1})", "seed_invalid",
            "my.json: \"seed\" must not be negative.");
        row("no workload", "{}", "workload_missing",
            "my.json: no workload is named. Add for example \"workload\": \"resnet\".");
        row("out of all range", R"({"repeats":3000000000})", "out_of_range",
            "my.json: \"repeats\" cannot be 3000000000: that is out of all range.");
    }
    void refusals()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, code);
        QFETCH(QString, message);
        const auto spec = StudySpec::fromJson(json, QStringLiteral("my.json"));
        QVERIFY(!spec);
        QCOMPARE(spec.failure().message, message);
        QCOMPARE(spec.failure().code, code);
    }

    /// bf16 without the processor's arithmetic for it is said before the start.
    void whatWillBeComputedOtherwise()
    {
        StudySpec spec;
        spec.precisions = {QStringLiteral("fp32"), QStringLiteral("bf16")};
        MachineInfo machine = goodMachine();
        QVERIFY(validate(spec, machine).isEmpty()); // the engine was not asked
        const auto probed = [&](const QJsonArray& precisions) {
            machine.engineProbe = {
                {QStringLiteral("devices"),
                 QJsonArray{QJsonObject{{QStringLiteral("device"), QStringLiteral("cpu")},
                                        {QStringLiteral("bf16_note"),
                                         QStringLiteral("bf16 is computed in fp32: it is slow")},
                                        {QStringLiteral("precisions"), precisions}}}}};
            return validate(spec, machine);
        };
        QVERIFY(probed({QStringLiteral("fp32"), QStringLiteral("bf16")}).isEmpty());
        const QList<Problem> problems = probed({QStringLiteral("fp32")});
        QCOMPARE(problems.size(), 1);
        QCOMPARE(problems[0].code, QStringLiteral("precision_not_computed"));
        QVERIFY(problems[0].level == Problem::Level::Warning);
        QVERIFY(problems[0].message.contains(QStringLiteral("computed in fp32: it is slow")));
        spec.precisions.removeLast();
        QVERIFY(probed({QStringLiteral("fp32")}).isEmpty());
    }

    void workersThatShareAGpu()
    {
        StudySpec spec;
        spec.device = QStringLiteral("cuda");
        spec.workers = {1, 2};
        MachineInfo machine = goodMachine();
        machine.cudaReason.clear();
        machine.gpus = {QStringLiteral("NVIDIA H200")};
        QList<Problem> found = validate(spec, machine);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found[0].code, QStringLiteral("workers_too_many"));
        QVERIFY(found[0].message.contains(QStringLiteral("staged")));

        spec.oversubscribe = true;
        QCOMPARE(validate(spec, machine).value(0).code, QStringLiteral("workers_too_many"));
        spec.options.allreduce = QStringLiteral("staged");
        found = validate(spec, machine);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found[0].code, QStringLiteral("workers_oversubscribed"));
        QVERIFY(found[0].level == Problem::Level::Warning);
        const auto runs = planRuns(spec, machine, QStringLiteral("s"), QStringLiteral("/d"));
        QVERIFY(runs);
        QCOMPARE(runs.value().size(), 2);
        QVERIFY(!runs.value()[0].oversubscribed);
        QVERIFY(runs.value()[1].oversubscribed);
    }

    void problems_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const QByteArray& json, const char* code,
                            const char* part) {
            QTest::newRow(name) << json << QString::fromLatin1(code) << QString::fromUtf8(part);
        };
        row("workload", R"({"workload":"resent"})", "workload_unknown",
            "The workload \"resent\" is not known (did you mean \"resnet\"?). Known: ");
        row("scale", R"({"scale":"dekc"})", "scale_unknown",
            "Known: desk, lab, lab_fast, lab_resnet18, mlperf, mlperf_lars.");
        row("model", R"({"model":"resnet21"})", "model_unknown", "did you mean \"resnet2");
        row("device", R"({"device":"gpu"})", "device_unknown", "Known: cpu, cuda.");
        row("cuda", R"({"device":"cuda"})", "cuda_unavailable",
            "CUDA cannot be used here: the NVIDIA driver is not loaded.");
        row("precision", R"({"precisions":["fp64"]})", "precision_unknown", "Known: fp32, bf16.");
        row("fp16 on cpu", R"({"precisions":["fp16"]})", "precision_unavailable",
            "The device \"cpu\" does not train in fp16. It has: fp32, bf16.");
        row("precision twice", R"({"precisions":["fp32","fp32"]})", "precision_duplicate", "twice");
        row("no workers", R"({"workers":[]})", "workers_missing", "at least one worker count");
        row("zero", R"({"workers":[0]})", "workers_invalid",
            "at least 1 worker; 0 is not possible");
        row("negative", R"({"workers":[-2]})", "workers_invalid", "-2");
        row("twice", R"({"workers":[2,2]})", "workers_duplicate", "worker count 2 is given twice");
        row("too many", R"({"workers":[8]})", "workers_too_many",
            "You ask for 8 workers; this machine has 4 processor(s). Use at most 4");
        row("absurd", R"({"workers":[100000],"oversubscribe":true})", "workers_too_many", "100000");
        row("policy", R"({"batch_policy":"stong"})", "batch_policy_unknown",
            "did you mean \"strong\"?");
        row("batch negative", R"({"global_batch":-1})", "batch_invalid", "at least 1");
        row("batch uneven", R"({"workers":[3],"global_batch":128})", "batch_not_divisible",
            "A batch of 128 cannot be divided evenly among 3 workers. The nearest that fits is "
            "129.");
        row("batch accum", R"({"workers":[2],"global_batch":100,"options":{"grad_accum":8}})",
            "batch_not_divisible",
            "2 workers × 8 accumulation steps. The nearest that fits is 96.");
        row("batch small", R"({"workers":[4],"global_batch":2})", "batch_too_small",
            "A batch of 2 is smaller than 4 workers: every worker needs at least one sample. Use "
            "4.");
        row("table gap", R"({"workers":[1,2],"batch_policy":"table","batch_table":{"1":128}})",
            "batch_table_missing",
            "The batch table has no batch for 2 workers. Add it, such as 2:128.");
        row("table gap of one",
            R"({"workers":[1,2],"batch_policy":"table","batch_table":{"2":128}})",
            "batch_table_missing",
            "The batch table has no batch for 1 worker. Add it, such as 1:128.");
        row("no table", R"({"workers":[2],"batch_policy":"table"})", "batch_table_missing",
            "There is no batch table. Give each number of workers its batch, such as 2:128 (in a "
            "terminal: --batch 2:128).");
        row("epochs", R"({"epochs":-3})", "epochs_invalid", "-3");
        row("repeats", R"({"repeats":0})", "repeats_invalid", "between 1 and 1000");
        row("target high", R"({"target":80})", "target_invalid", "0.8 means 80 %");
        row("target zero", R"({"target":0})", "target_invalid", "greater than 0");
        row("synthetic target", R"({"target":0.8,"data":"synthetic"})", "target_with_synthetic",
            "cannot have a target");
        row("rate", R"({"learning_rate":0})", "learning_rate_invalid", "greater than 0");
        row("threads", R"({"threads_per_worker":-1})", "threads_invalid",
            "\"Threads per worker\" must be a whole number from 1 to 4096; -1 is not possible.");
        row("checkpoints too rare", R"({"options":{"checkpoint_every":1000001}})",
            "checkpoint_every_invalid", "from 0 to 1000000; 1000001 is not possible");
        row("time-out too long", R"({"options":{"collective_timeout_s":86401}})",
            "collective_timeout_invalid", "from 0 to 86400; 86401 is not possible");
        row("warm-up without an end", R"({"epochs":2,"settings":{"schedule.warmup_epochs":[5]}})",
            "value_invalid",
            "A warm-up (\"schedule.warmup_epochs\") of 5 epochs leaves nothing of a training of "
            "2.");
        row("warm-up of the recipe's epochs", R"({"settings":{"schedule.warmup_epochs":[9]}})",
            "value_invalid", "of 9 epochs leaves nothing of a training of 9.");
        row("batch of more than all", R"({"workers":[1],"global_batch":6401})", "batch_invalid",
            "A batch of 6401 is larger than the 6400 samples there are to train on.");
        row("batch of more than all, by worker",
            R"({"workers":[2],"batch_policy":"weak","global_batch":3201})", "batch_invalid",
            "A batch of 6402 is larger");
        row("batch of more than the setting",
            R"({"global_batch":128,"settings":{"data.train_samples":[100]}})", "batch_invalid",
            "larger than the 100 samples");
        row("ratings of more than half the items",
            R"({"workload":"ncf","settings":{"data.ratings_per_user":[60,200],"data.items":[500]}})",
            "value_invalid", "need at least 600 items (\"data.items\"), twice");
        row("long name", "{\"name\":\"" + QByteArray(201, 'n') + "\"}", "out_of_range",
            "at most 200 characters; this one has 201");
        row("accum", R"({"options":{"grad_accum":0}})", "grad_accum_invalid", "from 1 to 1024");
        row("bucket", R"({"options":{"bucket_mb":0}})", "bucket_mb_invalid", "from 1 to 4096");
        row("allreduce", R"({"options":{"allreduce":"ring"}})", "allreduce_unknown",
            "Known: auto, shm, mpi.");
        row("data missing", R"({"data":"/does/not/exist"})", "data_missing",
            "The data folder or file /does/not/exist does not exist.");
        row("data required", R"({"scale":"lab"})", "data_required", "trains on real data");
    }
    void problems()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, code);
        QFETCH(QString, part);
        const auto spec = StudySpec::fromJson(withWorkload(json), QStringLiteral("s"));
        QVERIFY2(spec, spec ? "" : qPrintable(spec.failure().message));
        const auto found = validate(spec.value(), goodMachine());
        QVERIFY2(!found.isEmpty(), "no problem found");
        QCOMPARE(found.first().code, code);
        QVERIFY2(found.first().message.contains(part), qPrintable(found.first().message));
        QVERIFY(!planRuns(spec.value(), goodMachine(), QStringLiteral("s"), QStringLiteral("/d")));
    }

    void emptyData()
    {
        QTemporaryDir dir;
        StudySpec spec;
        spec.data = dir.path();
        auto found = validate(spec, goodMachine());
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.first().code, QStringLiteral("data_empty"));
        QFile file(dir.filePath(QStringLiteral("a.bin")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(validate(spec, goodMachine()).isEmpty());
        spec.data = file.fileName();
        QCOMPARE(validate(spec, goodMachine()).first().code, QStringLiteral("data_empty"));
    }

    void missingPrograms()
    {
        MachineInfo machine = goodMachine();
        machine.enginePath.clear();
        machine.mpirunPath.clear();
        const auto found = validate(StudySpec(), machine);
        QCOMPARE(found.size(), 2);
        QCOMPARE(found[0].code, QStringLiteral("engine_missing"));
        QCOMPARE(found[1].code, QStringLiteral("mpirun_missing"));
        MachineInfo broken = goodMachine();
        broken.mpirunVersion = QStringLiteral("HYDRA build details:");
        broken.engineFault = QStringLiteral("libmpi.so.40: no such file");
        const QList<Problem> told = validate(StudySpec(), broken);
        QCOMPARE(told.size(), 2);
        QCOMPARE(told[0].code, QStringLiteral("mpi_broken"));
        QVERIFY(told[0].message.contains(broken.mpirunVersion));
        QCOMPARE(told[1].code, QStringLiteral("engine_broken"));
        QVERIFY(told[1].message.contains(broken.engineFault));
        QVERIFY(found[1].message.contains(QStringLiteral("apt install openmpi-bin")));
    }

    void switchesOfAnotherDevice()
    {
        StudySpec spec;
        QVERIFY(validate(spec, goodMachine()).isEmpty()); // what is on by default is nobody's wish
        spec.options.cudaGraphs = true;
        spec.options.overlap = true; // makes one on both
        const auto found = validate(spec, goodMachine());
        QCOMPARE(found.size(), 1);
        QVERIFY(found.first().level == Problem::Level::Warning);
        QCOMPARE(found.first().field, QStringLiteral("options.cuda_graphs"));
        spec.device = QStringLiteral("cuda");
        for (const Problem& problem : validate(spec, goodMachine()))
            QVERIFY(problem.code != QStringLiteral("switch_without_effect"));
    }

    /// Workers of one node have one copy of the parameters, asked for or not.
    void optimizerSharedOutAnyway()
    {
        StudySpec spec;
        spec.options.shardOptimizer = true;
        const auto found = validate(spec, goodMachine());
        QCOMPARE(found.size(), 1);
        QVERIFY(found.first().level == Problem::Level::Warning);
        QCOMPARE(found.first().field, QStringLiteral("options.shard_optimizer"));
        QCOMPARE(found.first().code, QStringLiteral("switch_without_effect"));
        spec.options.allreduce = QStringLiteral("mpi");
        QVERIFY(validate(spec, goodMachine()).isEmpty());
        spec.options.allreduce = QStringLiteral("auto");
        MachineInfo cluster = goodMachine();
        cluster.hosts = {{QStringLiteral("node1"), 1}, {QStringLiteral("node2"), 1}};
        for (const Problem& problem : validate(spec, cluster)) // two workers lie on two nodes
            QVERIFY2(problem.code != QStringLiteral("switch_without_effect"),
                     qPrintable(problem.message));
    }

    void otherWorkIsToldBeforeTheStart()
    {
        MachineInfo machine = goodMachine(2);
        QVERIFY(validate(StudySpec(), machine).isEmpty()); // not measured
        machine.processors = 2;
        machine.busyProcessors = 0.2;
        QVERIFY(validate(StudySpec(), machine).isEmpty());
        machine.busyProcessors = 1.04;
        const auto found = validate(StudySpec(), machine);
        QCOMPARE(found.size(), 1);
        QVERIFY(found.first().level == Problem::Level::Warning);
        QCOMPARE(found.first().code, QStringLiteral("machine_busy"));
        QVERIFY(found.first().message.startsWith(
            QStringLiteral("Other processes keep 1.0 of 2 processors busy")));
        machine.hosts = {{QStringLiteral("node1"), 4}}; // then this computer does not train
        for (const Problem& problem : validate(StudySpec(), machine))
            QVERIFY(problem.code != QStringLiteral("machine_busy"));
    }

    void oversubscribed()
    {
        StudySpec spec;
        spec.workers = {1, 8};
        spec.oversubscribe = true;
        const auto found = validate(spec, goodMachine(2));
        QCOMPARE(found.size(), 1);
        QVERIFY(found.first().level == Problem::Level::Warning);
        const auto runs = planRuns(spec, goodMachine(2), QStringLiteral("s"), QStringLiteral("/d"));
        QVERIFY(runs);
        QVERIFY(!runs.value()[0].oversubscribed);
        QVERIFY(runs.value()[1].oversubscribed);
        QVERIFY(runs.value()[1].json.value(QStringLiteral("oversubscribed")).toBool());
    }

    void plan()
    {
        StudySpec spec;
        spec.workers = {1, 2, 4};
        spec.precisions = {QStringLiteral("fp32"), QStringLiteral("bf16")};
        spec.repeats = 2;
        spec.seed = 5;
        const auto planned =
            planRuns(spec, goodMachine(9), QStringLiteral("demo"), QStringLiteral("/lib/data"));
        QVERIFY(planned);
        const QList<RunConfig>& runs = planned.value();
        QCOMPARE(runs.size(), 12);
        QStringList ids;
        for (const RunConfig& run : runs) {
            ids << run.runId;
            QCOMPARE(run.threadsPerWorker, 2); // 9 / 4, for all of them
            QCOMPARE(run.study, QStringLiteral("demo"));
        }
        MachineInfo twoThreadsEach = goodMachine(16);
        twoThreadsEach.physicalCores = 8;
        for (const RunConfig& run :
             planRuns(spec, twoThreadsEach, QStringLiteral("demo"), QStringLiteral("/lib/data"))
                 .value())
            QCOMPARE(run.threadsPerWorker, 2); // 8 / 4
        QCOMPARE(ids.removeDuplicates(), 0);
        QCOMPARE(ids[0], QStringLiteral("resnet-desk-cpu-fp32-1x1-b128-s5-r1"));
        QCOMPARE(ids[1], QStringLiteral("resnet-desk-cpu-fp32-1x2-b128-s5-r1"));
        QCOMPARE(ids[6],
                 QStringLiteral("resnet-desk-cpu-fp32-1x1-b128-s6-r2")); // repeats interleaved
        QCOMPARE(runs[0].dataSource, QStringLiteral("generated"));
        QVERIFY(runs[0].dataPath.startsWith(QStringLiteral("/lib/data/")));
        QVERIFY(runs[0].target.has_value());
        const QStringList keys = runs[0].json.keys();
        for (const char* key : {"title", "description", "parameters", "data_hint"})
            QVERIFY2(!keys.contains(QLatin1StringView(key)), key);
    }

    void batchPolicies()
    {
        StudySpec spec;
        spec.workers = {1, 2, 4};
        spec.batchPolicy = QStringLiteral("weak");
        spec.globalBatch = 64;
        spec.learningRate = 0.05;
        const auto weak =
            planRuns(spec, goodMachine(), QStringLiteral("s"), QStringLiteral("/d")).value();
        QCOMPARE(weak[2].globalBatch, 256);
        QCOMPARE(weak[2].learningRate, 0.2);
        spec.batchPolicy = QStringLiteral("table");
        spec.batchTable = {{1, 100}, {2, 150}, {4, 400}};
        const auto table =
            planRuns(spec, goodMachine(), QStringLiteral("s"), QStringLiteral("/d")).value();
        QCOMPARE(table[1].globalBatch, 150);
        QCOMPARE(table[1].learningRate, 0.05 * 150 / 100);
    }

    /// The published runs' batches for 1, 4 and 8 GPUs; the recipe's rate is the one of its own.
    void recipesBringBatchTables()
    {
        StudySpec spec;
        spec.scale = QStringLiteral("mlperf");
        spec.precisions = {QStringLiteral("fp32")};
        spec.data = QStringLiteral("synthetic");
        spec.noTarget = true;
        spec.workers = {4, 8};
        spec.oversubscribe = true;
        spec.batchPolicy = QStringLiteral("table");
        const auto runs = planRuns(spec, goodMachine(), QStringLiteral("s"), QStringLiteral("/d"));
        QVERIFY2(runs.ok(), qPrintable(runs.ok() ? QString() : runs.failure().message));
        for (const RunConfig& run : runs.value()) {
            QCOMPARE(run.globalBatch, 1664);
            QCOMPARE(run.learningRate, 0.2 * 1664 / 512);
            QVERIFY(!run.json.contains(QStringLiteral("batch_table")));
        }
        spec.workers = {2};
        const auto none = planRuns(spec, goodMachine(), QStringLiteral("s"), QStringLiteral("/d"));
        QCOMPARE(none.failure().code, QStringLiteral("batch_table_missing"));
    }

    /// The paper's three files have a common beginning, which is given as the data.
    void dataMayBeTheStemOfFiles()
    {
        QTemporaryDir dir;
        QFile file(dir.filePath(QStringLiteral("ml-1m.train.rating")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("x") == 1);
        file.close();
        StudySpec spec;
        spec.workload = QStringLiteral("ncf");
        spec.data = dir.filePath(QStringLiteral("ml-1m"));
        const auto runs = planRuns(spec, goodMachine(), QStringLiteral("s"), QStringLiteral("/d"));
        QVERIFY2(runs.ok(), qPrintable(runs.ok() ? QString() : runs.failure().message));
        QCOMPARE(runs.value()[0].dataSource, QStringLiteral("files"));
        QCOMPARE(runs.value()[0].dataPath, spec.data);
        spec.data = dir.filePath(QStringLiteral("ml-20m"));
        QCOMPARE(validate(spec, goodMachine())[0].code, QStringLiteral("data_missing"));
        spec.workload = QStringLiteral("resnet");
        spec.data = dir.filePath(QStringLiteral("ml-1m"));
        QCOMPARE(validate(spec, goodMachine())[0].code, QStringLiteral("data_missing"));
    }

    void ncfHasNoSampleCounts()
    {
        StudySpec spec;
        spec.workload = QStringLiteral("ncf");
        const auto runs = planRuns(spec, goodMachine(), QStringLiteral("s"), QStringLiteral("/d"));
        QVERIFY(runs);
        const QJsonObject json = runs.value()[0].json;
        const QJsonObject data = json.value(QStringLiteral("data")).toObject();
        QVERIFY(data.value(QStringLiteral("users")).toInt() > 0);
        QVERIFY(!data.contains(QStringLiteral("train_samples")));
        QVERIFY(!data.contains(QStringLiteral("generator")));
        QVERIFY(!json.contains(QStringLiteral("forward_flops_per_sample")));
    }

    void aTargetIsTheLeadingMetrics()
    {
        StudySpec spec;
        spec.workload = QStringLiteral("maskrcnn");
        spec.target = 0.3;
        const auto runs = planRuns(spec, goodMachine(), QStringLiteral("s"), QStringLiteral("/d"));
        QVERIFY(runs);
        const QJsonObject target = runs.value()[0].json[u"target"].toObject();
        QCOMPARE(target[u"box_map"].toDouble(), 0.3);
        QCOMPARE(target[u"mask_map"].toDouble(), 0.55);
    }

    /// So that no study waits for, or replaces, what another one trains on.
    void eachGeneratedSetHasItsFolder()
    {
        const auto folderOf = [](const char* workload, const Settings& settings) {
            StudySpec spec;
            spec.workload = QLatin1StringView(workload);
            spec.settings = settings;
            const auto runs =
                planRuns(spec, goodMachine(), QStringLiteral("s"), QStringLiteral("/d"));
            return runs ? runs.value()[0].dataPath : runs.failure().message;
        };
        const QString usual = folderOf("ssd", {});
        static const QRegularExpression name(
            QStringLiteral("^/d/scalebench-scenes-v1-[0-9a-f]{16}$"));
        QVERIFY2(name.match(usual).hasMatch(), qPrintable(usual));
        QVERIFY(folderOf("ssd", {{QStringLiteral("data.categories"), {2}}}) != usual);
        QVERIFY(folderOf("ssd", {{QStringLiteral("data.train_samples"), {32}}}) != usual);
        // Of the same pictures there is one set.
        QCOMPARE(folderOf("ssd", {{QStringLiteral("data.augment.flip"), {false}}}), usual);
        QCOMPARE(folderOf("ssd", {{QStringLiteral("model.score_threshold"), {0.1}}}), usual);
        QCOMPARE(folderOf("retinanet", {}), usual);
    }

    void syntheticHasNoTarget()
    {
        StudySpec spec;
        spec.scale = QStringLiteral("mlperf");
        spec.data = QStringLiteral("synthetic");
        spec.workers = {1};
        const auto runs = planRuns(spec, goodMachine(), QStringLiteral("s"), QStringLiteral("/d"));
        QVERIFY(runs);
        QVERIFY(!runs.value()[0].target);
        QVERIFY(runs.value()[0].json.value(QStringLiteral("target")).isNull());
        const QJsonObject data = runs.value()[0].json.value(QStringLiteral("data")).toObject();
        QVERIFY(data.value(QStringLiteral("train_samples")).toInt() > 0);
        QVERIFY(!data.contains(QStringLiteral("path")));
    }

    void catalog()
    {
        const Workload* resnet = WorkloadCatalog::builtin().find(QStringLiteral("resnet"));
        QVERIFY(resnet);
        QStringList ids;
        for (const WorkloadScale& scale : resnet->scales)
            ids << scale.id;
        QCOMPARE(ids,
                 QStringLiteral("desk lab lab_fast lab_resnet18 mlperf mlperf_lars").split(u' '));
        for (const WorkloadScale& scale : resnet->scales) {
            QVERIFY(scale.parameters > 0);
            QVERIFY(scale.target > 0 && scale.target < 1);
            QVERIFY(scale.epochs > 0 && scale.globalBatch > 0);
        }
        QVERIFY(resnet->model(QStringLiteral("resnet50"))->parameters == 25557032);
    }
};

QTEST_GUILESS_MAIN(StudySpecTest)
#include "study_spec_test.moc"
