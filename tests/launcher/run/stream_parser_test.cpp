// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/input_times.h"
#include "run/run_record.h"
#include "run/stream_parser.h"
#include "support/file_content.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTest>

#include <cmath>

using namespace scalebench;
using scalebench::test::contentOf;

static QByteArray line(const char* space, qint64 ms, const char* key, const QByteArray& value,
                       const QByteArray& metadata)
{
    return QByteArray(":::MLLOG {\"namespace\":\"") + space +
           "\",\"time_ms\":" + QByteArray::number(ms) +
           ",\"event_type\":\"POINT_IN_TIME\",\"key\":\"" + key + "\",\"value\":" + value +
           ",\"metadata\":{" + metadata + "}}\n";
}

static RunRecord recordOf(const QByteArray& bytes)
{
    StreamParser parser;
    RunRecord record;
    record.apply(parser.feed(bytes));
    return record;
}

class StreamParserTest : public QObject
{
    Q_OBJECT
private slots:
    void pausesOfResumedRunsAreKept()
    {
        const auto line = [](const char* space, const char* key, int time, int pause) {
            const QJsonObject record{
                {QStringLiteral("namespace"), QLatin1String(space)},
                {QStringLiteral("time_ms"), time},
                {QStringLiteral("key"), QLatin1String(key)},
                {QStringLiteral("value"), QJsonObject{{QStringLiteral("pause_ms"), pause}}},
                {QStringLiteral("metadata"), QJsonObject()}};
            return ":::MLLOG " + QJsonDocument(record).toJson(QJsonDocument::Compact) + '\n';
        };
        StreamParser parser;
        RunRecord run;
        run.apply(parser.feed(
            line("", "run_start", 10'000, 0) + line("scalebench", "resume", 20'000, 4000) +
            line("scalebench", "resume", 22'000, -7) + line("", "run_stop", 40'000, 0)));
        QCOMPARE(run.resumes, 2);
        QCOMPARE(run.timeToTrainS(), 26.0);
        QCOMPARE(run.elapsedS(), 30.0);
    }
    void gpusTellTheirEnergy()
    {
        const auto gpu = [](int time, const char* value) {
            return QByteArray(":::MLLOG {\"namespace\":\"scalebench\",\"time_ms\":") +
                   QByteArray::number(time) + ",\"key\":\"gpu\",\"value\":" + value +
                   ",\"metadata\":{}}\n";
        };
        StreamParser parser;
        RunRecord run;
        run.config.workers = 4;
        run.apply(parser.feed(
            ":::MLLOG {\"namespace\":\"\",\"time_ms\":1000,\"key\":\"run_start\",\"value\":null,"
            "\"metadata\":{}}\n" +
            gpu(2000, "{\"power_w\":300,\"energy_j\":5000,\"throttle\":[\"thermal\"]}") +
            gpu(12'000, "{\"utilization\":50,\"energy_j\":8000,\"temperature_c\":\"hot\"}") +
            ":::MLLOG {\"namespace\":\"\",\"time_ms\":13000,\"key\":\"run_stop\",\"value\":null,"
            "\"metadata\":{}}\n"));
        QCOMPARE(run.gpu.size(), 2);
        QCOMPARE(run.gpu[0].powerW, 300.0);
        QVERIFY(run.gpu[0].slowed && !run.gpu[1].slowed);
        QCOMPARE(run.gpu[1].use, 0.5);
        QCOMPARE(run.gpu[1].seconds, 11.0);
        QVERIFY(std::isnan(run.gpu[1].temperatureC));
        QCOMPARE(run.energyJ(), 300.0 * 12 * 4); // over the whole run, of four GPUs
    }

    /// 500 W over 60 s on 2 GPUs; what others took while it stood still does not count.
    void energyOfResumedRuns()
    {
        const auto gpu = [](int time, int joules) {
            return line("scalebench", time, "gpu",
                        "{\"energy_j\":" + QByteArray::number(joules) + "}", {});
        };
        const QByteArray start = line("", 1000, "run_start", "null", {}),
                         first = gpu(2000, 1000) + gpu(27'000, 13'500),
                         resume =
                             line("scalebench", 1'031'000, "resume", "{\"pause_ms\":1000000}", {}),
                         second = gpu(1'032'000, 900'000) + gpu(1'052'000, 910'000),
                         stop = line("", 1'061'000, "run_stop", "null", {});
        const auto energyOf = [](const QByteArray& stream) {
            RunRecord run = recordOf(stream);
            run.config.workers = 2;
            return run.energyJ();
        };
        QCOMPARE(energyOf(start + first + resume + second + stop), 500.0 * 60 * 2);
        // A counter that began anew.
        QCOMPARE(energyOf(start + first + resume + gpu(1'032'000, 0) + gpu(1'042'000, 5000) +
                          gpu(1'047'000, 100) + gpu(1'052'000, 2600) + stop),
                 500.0 * 60 * 2);
        // One reading, or none, tells nothing of its attempt.
        QCOMPARE(energyOf(start + first + resume + gpu(1'032'000, 900'000) + stop), 0.0);
        QCOMPARE(energyOf(start + first + resume + stop), 0.0);
        QCOMPARE(energyOf(start + gpu(2000, 1000) + stop), 0.0);
        QCOMPARE(energyOf(start + stop), 0.0);
    }

    /// An epoch's samples are those at its end, not those of the last step that was recorded.
    void samplesOfEpochs()
    {
        const RunRecord run = recordOf(
            line("", 1, "global_batch_size", "64", {}) + line("", 1000, "run_start", "null", {}) +
            line("scalebench", 2000, "step", "{\"step\":9,\"epoch\":0.9,\"samples\":576}", {}) +
            line("", 3000, "epoch_stop", "null", "\"epoch_num\":1") +
            line("", 4000, "eval_accuracy", "0.5", "\"epoch_num\":1,\"samples_count\":630") +
            line("", 4100, "tracked_stats", "{\"throughput\":9}", "\"epoch_num\":1,\"step\":10") +
            line("scalebench", 5000, "step", "{\"step\":19,\"epoch\":1.9,\"samples\":1206}", {}) +
            line("", 6000, "epoch_stop", "null", "\"epoch_num\":2") +
            line("", 6100, "tracked_stats", "{\"throughput\":9}", "\"epoch_num\":2,\"step\":20") +
            line("", 7000, "eval_accuracy", "0.5", "\"epoch_num\":2.5,\"samples_count\":1600") +
            line("", 8000, "epoch_stop", "null", "\"epoch_num\":3") +
            line("", 8100, "tracked_stats", "{\"throughput\":9}", "\"epoch_num\":3,\"step\":25"));
        QCOMPARE(run.epochs.size(), 3);
        QCOMPARE(run.epochs[0].samples, 630);
        QCOMPARE(run.epochs[1].samples, 20 * 64); // without an evaluation
        QCOMPARE(run.epochs[2].samples, 25 * 64); // ended within by its target
        QCOMPARE(run.unknownKeys, 0);
    }

    void goldenFiles_data()
    {
        QTest::addColumn<QString>("path");
        const QDir dir(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams"));
        const QStringList names = dir.entryList({QStringLiteral("*.txt")});
        QVERIFY(!names.isEmpty());
        for (const QString& name : names)
            QTest::newRow(qPrintable(name)) << dir.filePath(name);
    }
    void goldenFiles()
    {
        QFETCH(QString, path);
        const QByteArray bytes = contentOf(path);
        const RunRecord record = recordOf(bytes);
        QCOMPARE(record.foreignLines, 0);
        QCOMPARE(record.unknownKeys, 0);
        QCOMPARE(record.sequenceGaps, 0);
        QCOMPARE(record.sequenceRepeats, 0);
        const QString name = path.section(QLatin1Char('/'), -1);
        if (name.startsWith(QStringLiteral("reached"))) {
            QCOMPARE(record.stopStatus, QStringLiteral("success"));
            QCOMPARE(record.stopReason, QStringLiteral("target_reached"));
            QVERIFY(record.timeToTrainS() > 0);
            QVERIFY(!record.steps.isEmpty() && !record.evals.isEmpty() && !record.splits.isEmpty());
            QVERIFY(record.throughput > 0);
            QCOMPARE(record.workers.size(), name.contains(QLatin1Char('2')) ? 2 : 1);
            for (const StepPoint& p : record.steps)
                QVERIFY(qAbs(p.computeMs + p.commMs + p.inputMs + p.otherMs - p.stepMs) <
                        0.02 * p.stepMs + 0.2);
        }
        if (name == QStringLiteral("diverged.txt")) {
            QVERIFY(record.streamError);
            QCOMPARE(record.streamError->code, QStringLiteral("diverged"));
        }
        if (name == QStringLiteral("torn.txt"))
            QCOMPARE(record.runStopMs, 0.0);
    }

    void anyPortionsGiveTheSame()
    {
        const QByteArray bytes = contentOf(
            QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/reached_2_workers.txt"));
        const RunRecord whole = recordOf(bytes);
        QRandomGenerator random(7);
        for (int round = 0; round < 20; ++round) {
            StreamParser parser;
            RunRecord record;
            for (qsizetype at = 0; at < bytes.size();) {
                const qsizetype n =
                    qMin<qsizetype>(bytes.size() - at, round == 0 ? 1 : random.bounded(1, 700));
                record.apply(parser.feed(QByteArrayView(bytes).sliced(at, n)));
                at += n;
            }
            QCOMPARE(parser.bytesConsumed(), bytes.size());
            QCOMPARE(record.steps.size(), whole.steps.size());
            QCOMPARE(record.evals.size(), whole.evals.size());
            QCOMPARE(record.epochs.size(), whole.epochs.size());
            QCOMPARE(record.throughput, whole.throughput);
            QCOMPARE(record.sequenceGaps + record.sequenceRepeats + record.foreignLines, 0);
        }
    }

    void toleratesWhatIsNotOurs()
    {
        StreamParser parser;
        const RunDelta d = parser.feed(
            "hello\n\n" + QByteArray("[1,0]<stdout>: ") +
            line("", 1000, "run_start", "null", "\"seq\":0") +
            "warning: something :::MLLOG {\"key\":" +
            line("", 2500, "eval_accuracy", "0.5", "\"epoch_num\":1,\"seq\":1") +
            ":::MLLOG {\"namespace\":\"\",\"key\":\"step\",\"value\":NaN}\n" +
            line("", 3000, "a_new_key", "1", "\"seq\":2") +
            line("scalebench", 3000, "new", "{}", "\"seq\":3") + ":::MLLOG [1]\n" + "\xff\xfe\n");
        QCOMPARE(d.foreignLines, 4);
        QCOMPARE(d.unknownKeys, 2);
        QCOMPARE(d.evals.size(), 1);
        QCOMPARE(d.evals[0].seconds, 1.5);
        QCOMPARE(*d.runStartMs, 1000.0);
    }

    void countsGapsAndDropsRepeats()
    {
        StreamParser parser;
        const QByteArray eval = line("", 1, "eval_accuracy", "0.5", "\"epoch_num\":1,\"seq\":0");
        RunRecord record;
        record.apply(parser.feed(eval + eval +
                                 line("", 2, "eval_accuracy", "0.6", "\"epoch_num\":2,\"seq\":3")));
        QCOMPARE(record.evals.size(), 2);
        QCOMPARE(record.sequenceRepeats, 1);
        QCOMPARE(record.sequenceGaps, 2);
    }

    void endlessLineIsDropped()
    {
        StreamParser parser;
        qint64 foreign = 0;
        for (int i = 0; i < 40; ++i)
            foreign += parser.feed(QByteArray(100'000, 'x')).foreignLines;
        QVERIFY(foreign >= 1);
        QCOMPARE(parser.feed("\n" + line("", 1, "run_start", "null", "")).runStartMs.value_or(0),
                 1.0);
    }

    void windowsLineEnds()
    {
        StreamParser parser;
        QByteArray text = line("", 5, "run_start", "null", "");
        text.insert(text.size() - 1, '\r');
        QCOMPARE(*parser.feed(text).runStartMs, 5.0);
    }

    /// Start-up is no measure of the work, nor are the first steps.
    void timeLeftRestsOnMeasuredWork()
    {
        RunRecord record;
        record.config.epochs = 10;
        record.state = RunState::Running;
        const auto step = [&record](double epoch, double seconds) {
            StepPoint point;
            point.epoch = epoch;
            point.seconds = seconds;
            record.steps << point;
        };
        step(0.01, 3);
        QCOMPARE(record.etaSeconds(), -1.0);
        step(0.11, 3.5); // 5 s an epoch
        QCOMPARE(record.etaSeconds(), -1.0);
        step(1.01, 8);
        QVERIFY2(qAbs(record.etaSeconds() - 8.99 * 5) < 1e-6,
                 qPrintable(QString::number(record.etaSeconds())));
    }

    void recordAnswers()
    {
        RunRecord record;
        record.config.epochs = 10;
        record.config.target = 0.7;
        record.state = RunState::Running;
        StreamParser parser;
        record.apply(parser.feed(
            line("", 1'000, "run_start", "null", "") +
            line("", 11'000, "eval_accuracy", "0.5", "\"epoch_num\":1") +
            line("", 21'000, "eval_accuracy", "0.75", "\"epoch_num\":2") +
            line("", 21'000, "tracked_stats", "{\"throughput\":100}", "\"epoch_num\":1") +
            line("", 21'000, "tracked_stats", "{\"throughput\":300}", "\"epoch_num\":2")));
        QVERIFY(record.targetReached());
        QCOMPARE(record.epochsToTarget(), 2.0);
        QCOMPARE(record.bestQuality(), 0.75);
        QCOMPARE(record.timeToTrainS(), 0.0);
        QCOMPARE(record.throughput, 150.0); // 2 epochs of n samples: 2n / (n/100 + n/300)
        QCOMPARE(record.progress(), 1.0);   // the targets are met, so the run ends here
        QCOMPARE(record.etaSeconds(), 0.0);
        record.config.target = 0.9;
        QCOMPARE(record.progress(), 0.2);
        QCOMPARE(record.etaSeconds(), 80.0);
        record.apply(parser.feed(line("", 31'000, "run_stop", "null", "\"status\":\"success\"")));
        QCOMPARE(record.timeToTrainS(), 30.0);
        QCOMPARE(record.progress(), 1.0);
    }

    /// The target ends the second epoch at its half: that is what was trained, and the mean speed
    /// is samples by seconds.
    void anEpochThatTheTargetEnds()
    {
        RunRecord record;
        record.config.epochs = 10;
        record.config.target = 0.7;
        StreamParser parser;
        record.apply(parser.feed(
            line("", 1'000, "run_start", "null", "") +
            line("", 11'000, "tracked_stats", "{\"throughput\":100}", "\"epoch_num\":1") +
            line("scalebench", 11'000, "epoch_split", "{\"epoch\":1,\"train_s\":10}", "") +
            line("", 13'000, "eval_accuracy", "0.75", "\"epoch_num\":1.5") +
            line("", 13'000, "tracked_stats", "{\"throughput\":250}", "\"epoch_num\":2") +
            line("scalebench", 13'000, "epoch_split", "{\"epoch\":2,\"train_s\":2}", "") +
            line("", 13'000, "epoch_stop", "null", "\"epoch_num\":2")));
        QCOMPARE(record.epochsTrained(), 1.5);
        QCOMPARE(record.throughput, 125.0); // 1000 and 500 samples in 12 s
        record.config.target = 0.8;
        QCOMPARE(record.epochsTrained(), 2.0);
    }

    /// The leading metric is at its target one evaluation before the other.
    void twoMetrics()
    {
        RunRecord record = recordOf(
            contentOf(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/two_metrics.txt")));
        QCOMPARE(record.evals.size(), 5);
        const EvalPoint& last = record.evals.last();
        QCOMPARE(last.value, 0.72);
        const QList<MetricValue> values{{QStringLiteral("hit_rate"), 0.72},
                                        {QStringLiteral("ndcg"), 0.72 * 0.625}};
        QCOMPARE(last.metrics, values);
        QCOMPARE(record.setup.value(QStringLiteral("metrics")).toArray().size(), 2);
        const auto config = RunConfig::fromJson(
            R"({"workload":"ncf","epochs":12,"target":{"hit_rate":0.6,"ndcg":0.44}})",
            QStringLiteral("run.json"));
        QVERIFY(config.ok());
        record.config = config.value();
        QVERIFY(!record.meetsTargets(record.evals[3]));
        QVERIFY(record.targetReached());
        QCOMPARE(record.epochsToTarget(), 5.0);
        QCOMPARE(*record.bestOf(QStringLiteral("ndcg")), 0.72 * 0.625);
        QVERIFY(!record.bestOf(QStringLiteral("map")));
        record.config.furtherTargets.last().value = 0.46;
        QVERIFY(!record.targetReached());
    }

    /// What making batches took, where the engine tells: means by steps, without the start.
    void inputTimes()
    {
        const auto golden = [](const char* name) {
            return recordOf(contentOf(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/") +
                                      QLatin1StringView(name)));
        };
        const RunRecord told = golden("two_metrics.txt");
        QCOMPARE(told.steps.last().readMs, 0.75);
        QCOMPARE(told.steps.last().decodeMs, 31.5);
        QCOMPARE(told.steps.last().augmentMs, 12.5);
        QCOMPARE(inputTimesText(told),
                 QStringLiteral("read 0.75, decoded 31.5, augmented 12.5 ms"));
        QCOMPARE(inputSumText(told), QStringLiteral("44.8 ms"));
        QVERIFY(inputTimesText(golden("not_reached.txt")).isEmpty());
        QVERIFY(inputSumText(golden("not_reached.txt")).isEmpty());
        RunRecord two;
        StepPoint step;
        step.step = 1, step.decodeMs = 1000; // start-up
        two.steps << step;
        step.step = 4, step.decodeMs = 10;
        two.steps << step;
        step.step = 5, step.decodeMs = 30;
        two.steps << step;
        QCOMPARE(inputTimesText(two), QStringLiteral("read 0.00, decoded 15.0, augmented 0.00 ms"));
    }

    void targetsAtDifferentEvaluationsDoNotCount()
    {
        RunRecord record =
            recordOf(line("", 1, "eval_accuracy", "0.9", "\"metrics\":{\"a\":0.9,\"b\":0.1}") +
                     line("", 2, "eval_accuracy", "0.1", "\"metrics\":{\"a\":0.1,\"b\":0.9}"));
        record.config.furtherTargets = {{QStringLiteral("a"), 0.5}, {QStringLiteral("b"), 0.5}};
        QVERIFY(!record.targetReached());
        record.config.furtherTargets.removeLast();
        QVERIFY(record.targetReached());
    }

    void valuesOfOtherLogs_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<double>("leading");
        QTest::addColumn<QStringList>("names");
        const QStringList both{QStringLiteral("BBOX"), QStringLiteral("SEGM")};
        QTest::newRow("number") << QByteArray("0.5") << 0.5 << QStringList();
        QTest::newRow("text") << QByteArray("\"25.27\"") << 25.27 << QStringList();
        QTest::newRow("text without number") << QByteArray("\"good\"") << 0.0 << QStringList();
        QTest::newRow("nan as a text") << QByteArray("\"nan\"") << 0.0 << QStringList();
        QTest::newRow("object") << QByteArray(R"({"BBOX":0.377,"SEGM":0.339})") << 0.377 << both;
        QTest::newRow("nested") << QByteArray(R"({"accuracy":{"BBOX":"0.4","SEGM":0.3}})") << 0.4
                                << both;
        QTest::newRow("too deep") << QByteArray(R"({"a":{"b":{"c":1}}})") << 0.0 << QStringList();
        QTest::newRow("one of an object") << QByteArray(R"({"AUC":0.8})") << 0.8 << QStringList();
    }
    void valuesOfOtherLogs()
    {
        QFETCH(QByteArray, value);
        QFETCH(double, leading);
        QFETCH(QStringList, names);
        const RunRecord record = recordOf(line("", 5, "eval_accuracy", value, ""));
        QCOMPARE(record.evals.size(), 1);
        QCOMPARE(record.evals[0].value, leading);
        QStringList found;
        for (const MetricValue& metric : record.evals[0].metrics)
            found << metric.metric;
        QCOMPARE(found, names);
    }

    void sharesOfMoreThanOne()
    {
        const auto valueOf = [](const QByteArray& metadata) {
            return recordOf(line("", 5, "eval_accuracy", "0.4102", metadata)).evals.at(0).value;
        };
        QCOMPARE(valueOf("\"epoch_num\":1,\"out_of\":100"), 41.02);
        for (const char* nonsense : {"0", "-3", "1e300", "\"x\"", "null"})
            QCOMPARE(valueOf(QByteArray("\"out_of\":") + nonsense), 0.4102);
    }

    void metricsAreBounded()
    {
        QByteArray many = "\"metrics\":{\"\":1,\"a b\":1,\"red\\u001b[31m\":1,\"text\":\"x\",\"" +
                          QByteArray(65, 'n') + "\":1";
        for (int i = 0; i < 40; ++i)
            many += ",\"m" + QByteArray::number(i) + "\":" + QByteArray::number(i);
        const RunRecord record = recordOf(line("", 5, "eval_accuracy", "0.5", many + '}'));
        const QList<MetricValue>& metrics = record.evals.at(0).metrics;
        QCOMPARE(metrics.size(), kMostMetrics);
        for (const MetricValue& metric : metrics)
            QVERIFY(metric.metric.startsWith(QLatin1Char('m')));
    }

    void targetsAreChecked_data()
    {
        QTest::addColumn<QByteArray>("target");
        QTest::newRow("text") << QByteArray("\"0.8\"");
        QTest::newRow("text in it") << QByteArray(R"({"hit_rate":"0.8"})");
        QTest::newRow("name") << QByteArray(R"({"hit rate":0.8})");
        QByteArray many = "{\"m\":1";
        for (int i = 0; i < kMostMetrics; ++i)
            many += ",\"m" + QByteArray::number(i) + "\":1";
        QTest::newRow("too many") << many + '}';
    }
    void targetsAreChecked()
    {
        QFETCH(QByteArray, target);
        const auto config = RunConfig::fromJson(R"({"workload":"ncf","target":)" + target + '}',
                                                QStringLiteral("run.json"));
        QVERIFY(!config.ok());
        QVERIFY(config.failure().message.contains(QStringLiteral("\"target")));
    }

    void mlperfLogs_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("evals");
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("last");
        QTest::addColumn<double>("minutes");
        QTest::addColumn<QString>("status");
        QTest::addColumn<double>("epoch");
        const auto row = [](const char* name, int evals, double first, double last, double minutes,
                            const char* status, double epoch) {
            QTest::newRow(name) << QString::fromLatin1(name) << evals << first << last << minutes
                                << QString::fromLatin1(status) << epoch;
        };
        row("v0.7_nvidia_dgxa100_1x8_gnmt_r0", 5, 0.1989, 0.2426, 9.76, "success", 5);
        row("v2.0_nvidia_dgxa100_1x8_resnet_r0", 9, 0.32436, 0.7606, 28.4105, "success", 35);
        row("v2.0_nvidia_dgxa100_1x8_resnet_r2_aborted", 9, 0.31138, 0.75844, 30.3419, "aborted",
            35);
        row("v2.0_dell_xe8545_2x4_resnet_r0", 9, 0.31314, 0.75996, 28.6539, "success", 35);
        row("v2.0_nvidia_dgxa100_8x8_retinanet_r0", 4, 0.195241, 0.346397, 14.4596, "success", 4);
        row("v2.0_h3c_r4900g5_1x1_bert_r1", 28, 0.395162, 0.720369, 264.8067, "success", 4200076);
        row("v2.0_dell_xe8545_32x4_bert_r0", 19, 0.370122, 0.720217, 2.8234, "success", 3326976);
        row("v2.0_nvidia_dgxa100_14x8_dlrm_r0", 20, 0.768967, 0.802658, 0.5867, "success", 1.99988);
        row("v2.0_nvidia_dgxa100_48x8_maskrcnn_r0", 17, 0.08942, 0.37824, 3.0731, "success", 17);
    }
    void mlperfLogs()
    {
        QFETCH(QString, name);
        QFETCH(int, evals);
        QFETCH(double, first);
        QFETCH(double, last);
        QFETCH(double, minutes);
        QFETCH(QString, status);
        QFETCH(double, epoch);
        const QString path =
            QStringLiteral(SB_SOURCE_DIR "/../shared/reference/mlperf_logs/%1.txt").arg(name);
        if (!QFile::exists(path))
            QSKIP("the public MLPerf logs are not beside this checkout");
        const RunRecord record = recordOf(contentOf(path));
        QCOMPARE(record.evals.size(), evals);
        QVERIFY(qAbs(record.evals.first().value - first) < 1e-5);
        QVERIFY(qAbs(record.evals.last().value - last) < 1e-5);
        QVERIFY(qAbs(record.timeToTrainS() / 60 - minutes) < 1e-3);
        QCOMPARE(record.stopStatus, status);
        QVERIFY(qAbs(record.evals.last().epoch - epoch) < 1e-4);
        const bool both = name.contains(QStringLiteral("maskrcnn")); // boxes and masks
        QCOMPARE(record.evals.last().metrics.size(), both ? 2 : 0);
    }
};

QTEST_GUILESS_MAIN(StreamParserTest)
#include "stream_parser_test.moc"
