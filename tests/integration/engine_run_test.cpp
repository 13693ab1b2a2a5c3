// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as a process, under the real mpirun: whole runs, stopping, losing a rank, bad input.

#include "engine/report/mlperf_rules.h"
#include "support/campaign.h"
#include "support/file_content.h"
#include "support/mpi_runner.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <csignal>
#include <functional>
#include <sys/mount.h>
#include <unistd.h>

using scalebench::test::contentOf;
using scalebench::test::MpiRun;

namespace {

const QString kEngine = QStringLiteral(SB_BIN_DIR "/scalebench-engine");

/// The records of a stream, in order; unfinished last lines are left out.
QList<QJsonObject> recordsOf(const QString& folder)
{
    QList<QJsonObject> records;
    const QByteArray text = contentOf(folder + QStringLiteral("/result_0.txt"));
    for (const QByteArray& line : text.left(text.lastIndexOf('\n') + 1).split('\n'))
        if (line.startsWith(":::MLLOG "))
            records << QJsonDocument::fromJson(line.mid(9)).object();
    return records;
}

QJsonObject last(const QList<QJsonObject>& records, const char* key)
{
    for (auto it = records.rbegin(); it != records.rend(); ++it)
        if ((*it)[QStringLiteral("key")].toString() == QLatin1String(key))
            return *it;
    return {};
}

QString meta(const QJsonObject& record, const char* name)
{
    return record[QStringLiteral("metadata")][QLatin1String(name)].toVariant().toString();
}

/// Processes of the engine that work in `folder`.
QList<qint64> enginesIn(const QString& folder)
{
    QList<qint64> pids;
    const QStringList processes = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
    for (const QString& name : processes) {
        const QByteArray command = contentOf(QStringLiteral("/proc/%1/cmdline").arg(name));
        if (command.startsWith(kEngine.toUtf8()) && command.contains(folder.toUtf8()))
            pids << name.toLongLong();
    }
    return pids;
}

bool waitFor(const std::function<bool()>& condition)
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < scalebench::test::kHangMs) {
        if (condition())
            return true;
        QTest::qWait(20);
    }
    return condition();
}

} // namespace

class EngineRunTest : public QObject
{
    Q_OBJECT

    QTemporaryDir dir_;
    int count_ = 0;

    /// A run of a second or two.
    QJsonObject config(int workers) const
    {
        const QJsonObject augment{{"pad_crop", 4}, {"flip", true}};
        return {{"format", "scalebench.run"},
                {"version", 1},
                {"study", "test"},
                {"run_id", "tiny"},
                {"workload", "resnet"},
                {"scale", "desk"},
                {"model", QJsonObject{{"name", "resnet8"}, {"classes", 10}, {"image_size", 32}}},
                {"data", QJsonObject{{"source", "generated"},
                                     {"path", dir_.filePath(QStringLiteral("data/shapes"))},
                                     {"train_samples", 325},
                                     {"eval_samples", 101},
                                     {"augment", augment}}},
                {"device", "cpu"},
                {"precision", "fp32"},
                {"nodes", 1},
                {"workers", workers},
                {"threads_per_worker", 1},
                {"batch_policy", "strong"},
                {"global_batch", 32},
                {"optimizer",
                 QJsonObject{{"name", "sgd"}, {"momentum", 0.9}, {"weight_decay", 0.0005}}},
                {"schedule",
                 QJsonObject{{"name", "cosine"}, {"base_lr", 0.05}, {"warmup_epochs", 0.5}}},
                {"epochs", 2},
                {"target", QJsonValue::Null},
                {"seed", 1}};
    }
    QString makeRun(const QJsonObject& json)
    {
        const QString folder = dir_.filePath(QStringLiteral("run%1").arg(++count_));
        QDir().mkpath(folder);
        writeJson(folder, json);
        return folder;
    }
    static void writeJson(const QString& folder, const QJsonObject& json)
    {
        QFile file(folder + QStringLiteral("/run.json"));
        if (file.open(QIODevice::WriteOnly))
            file.write(QJsonDocument(json).toJson());
    }
    static QJsonObject with(QJsonObject json, const char* object, const char* key,
                            const QJsonValue& value)
    {
        QJsonObject inner = json[QLatin1String(object)].toObject();
        inner[QLatin1String(key)] = value;
        json[QLatin1String(object)] = inner;
        return json;
    }
    static MpiRun run(const QString& folder, int ranks)
    {
        return scalebench::test::runUnderMpi(ranks, kEngine, {QStringLiteral("--run"), folder});
    }
    /// Starts a run that takes long and waits for its third step record.
    void startLong(QProcess& mpirun, const QString& folder, int ranks)
    {
        scalebench::test::prepareMpirun(mpirun, ranks, kEngine, {QStringLiteral("--run"), folder});
        mpirun.start();
        QVERIFY(waitFor([&] {
            return contentOf(folder + QStringLiteral("/result_0.txt")).count("\"key\":\"step\"") >=
                   3;
        }));
    }
    QJsonObject longConfig(int workers) const
    {
        QJsonObject json = config(workers);
        json[QStringLiteral("epochs")] = 100000;
        return json;
    }

private slots:
    void initTestCase()
    {
        if (!scalebench::test::haveMpirun())
            QSKIP("mpirun is not installed");
    }

    /// Else the first run of a study would pay for the others.
    void dataIsGeneratedBeforeTheClock()
    {
        QJsonObject json = with(config(1), "data", "path", dir_.filePath(QStringLiteral("fresh")));
        json = with(json, "data", "train_samples", 3000);
        json[QStringLiteral("epochs")] = 1;
        const QString folder = makeRun(json);
        const MpiRun result = run(folder, 1);
        QVERIFY2(result.exitCode == 0, result.output.constData());
        const QFileInfo made(dir_.filePath(QStringLiteral("fresh/GENERATED.txt")));
        QVERIFY(made.exists());
        QVERIFY(made.lastModified().toMSecsSinceEpoch() <=
                last(recordsOf(folder), "run_start")[QStringLiteral("time_ms")].toInteger());
    }

    void wholeRun_data()
    {
        QTest::addColumn<int>("workers");
        for (const int workers : {1, 2, 4})
            QTest::addRow("%d workers", workers) << workers;
    }
    void wholeRun()
    {
        QFETCH(int, workers);
        const QString folder = makeRun(config(workers));
        const MpiRun result = run(folder, workers);
        QVERIFY2(result.exitCode == 0, result.output.constData());
        const QList<QJsonObject> records = recordsOf(folder);
        const QByteArray text = contentOf(folder + QStringLiteral("/result_0.txt"));
        QCOMPARE(scalebench::test::openDivisionProblems(text.toStdString()),
                 std::vector<std::string>{});
        int workerRecords = 0;
        for (int i = 0; i < records.size(); ++i) {
            QCOMPARE(meta(records[i], "seq").toInt(), i);
            workerRecords +=
                records[i][QStringLiteral("key")].toString() == QLatin1String("worker");
        }
        QCOMPARE(workerRecords, workers);
        const QJsonObject accuracy = last(records, "eval_accuracy");
        QCOMPARE(meta(accuracy, "total").toInt(), 101);
        QCOMPARE(accuracy[QStringLiteral("value")].toDouble(),
                 meta(accuracy, "correct").toDouble() / 101.0);
        const QJsonObject setup = last(records, "setup")[QStringLiteral("value")].toObject();
        QCOMPARE(setup[QStringLiteral("steps_per_epoch")].toInt(), 10);
        QCOMPARE(setup[QStringLiteral("dropped_per_epoch")].toInt(), 5);
        const QJsonObject step = last(records, "step")[QStringLiteral("value")].toObject();
        const double parts = step[QStringLiteral("compute_ms")].toDouble() +
                             step[QStringLiteral("comm_ms")].toDouble() +
                             step[QStringLiteral("input_ms")].toDouble() +
                             step[QStringLiteral("other_ms")].toDouble();
        QVERIFY(std::abs(parts - step[QStringLiteral("step_ms")].toDouble()) < 0.01 * parts + 1e-6);
        const QJsonObject split = last(records, "epoch_split")[QStringLiteral("value")].toObject();
        QCOMPARE(split[QStringLiteral("ranks")].toArray().size(), workers);
        const QJsonObject stop = records.last();
        QCOMPARE(stop[QStringLiteral("key")].toString(), QStringLiteral("run_stop"));
        QCOMPARE(meta(stop, "status"), QStringLiteral("success"));
        QCOMPARE(meta(stop, "reason"), QStringLiteral("epochs_done"));
        QCOMPARE(meta(stop, "samples_count").toInt(), 640);
        const QJsonObject system =
            QJsonDocument::fromJson(contentOf(folder + QStringLiteral("/system.json"))).object();
        QCOMPARE(system[QStringLiteral("nodes")].toArray().size(), 1);
        QVERIFY(QFile::exists(folder + QStringLiteral("/stderr_%1.txt").arg(workers - 1)));
    }
    void withoutMpirun()
    {
        const QString folder = makeRun(config(1));
        QCOMPARE(QProcess::execute(kEngine, {QStringLiteral("--run"), folder}), 0);
        QCOMPARE(meta(recordsOf(folder).last(), "status"), QStringLiteral("success"));
    }
    void targetEndsTheRun()
    {
        QJsonObject json = config(2);
        json[QStringLiteral("target")] = 0.0;
        const QString folder = makeRun(json);
        QCOMPARE(run(folder, 2).exitCode, 0);
        QCOMPARE(meta(recordsOf(folder).last(), "reason"), QStringLiteral("target_reached"));
        QCOMPARE(meta(recordsOf(folder).last(), "epoch_num"), QStringLiteral("1"));
        json[QStringLiteral("target")] = 1.0;
        const QString missed = makeRun(json);
        QCOMPARE(run(missed, 2).exitCode, 0);
        QCOMPARE(meta(recordsOf(missed).last(), "status"), QStringLiteral("aborted"));
        QCOMPARE(meta(recordsOf(missed).last(), "reason"), QStringLiteral("target_not_reached"));
    }
    /// Also where each worker has parameters of its own, as by MPI's all-reduce.
    void sameSeedSameLosses()
    {
        const QJsonObject one = config(2);
        const QJsonObject own = with(one, "options", "allreduce", QStringLiteral("mpi"));
        QList<QList<double>> losses;
        QStringList shards;
        for (const QJsonObject& json : {one, one, own}) {
            const QString folder = makeRun(json);
            QCOMPARE(run(folder, 2).exitCode, 0);
            losses.emplaceBack();
            for (const QJsonObject& record : recordsOf(folder))
                if (record[QStringLiteral("key")].toString() == QLatin1String("epoch_split"))
                    losses.last()
                        << record[QStringLiteral("value")][QStringLiteral("train_loss")].toDouble();
            shards << last(recordsOf(folder), "setup")[QStringLiteral("value")][QStringLiteral(
                "switches")][QStringLiteral("shard_optimizer")]
                          .toString();
        }
        QCOMPARE(losses[0].size(), 2);
        QCOMPARE(losses[0], losses[1]);
        QCOMPARE(losses[0], losses[2]);
        const auto common = QStringLiteral("on: the workers have one copy of the parameters in "
                                           "common");
        QCOMPARE(shards, (QStringList{common, common, QStringLiteral("off")}));
    }
    /// While a run has its turn on the host, its workers keep to their caches: here, as hwloc is
    /// made to tell, each processor has one for itself.
    void workersKeepToTheirProcessors()
    {
        qputenv("HWLOC_SYNTHETIC", "l3:1024 core:1 pu:1");
        const QByteArray components = qgetenv("HWLOC_COMPONENTS");
        qputenv("HWLOC_COMPONENTS", "synthetic,stop"); // what is chosen there goes first
        const auto asItIs = qScopeGuard([&] {
            qunsetenv("HWLOC_SYNTHETIC");
            qputenv("HWLOC_COMPONENTS", components);
        });
        const auto placesOf = [&](const QJsonObject& json) {
            const QString folder = makeRun(json);
            qputenv("SCALEBENCH_TURN", "a test");
            const int code = run(folder, 2).exitCode;
            qunsetenv("SCALEBENCH_TURN");
            QStringList told{QString::number(code)};
            for (const QJsonObject& record : recordsOf(folder))
                if (record[QStringLiteral("key")].toString() == QLatin1String("worker"))
                    told << record[QStringLiteral("value")][QStringLiteral("cpus")].toString();
            told << last(recordsOf(folder), "setup")[QStringLiteral("value")][QStringLiteral(
                "switches")][QStringLiteral("bind_threads")]
                        .toString();
            return told;
        };
        const QStringList free =
            placesOf(with(config(2), "options", "bind_threads", QJsonValue(false)));
        QCOMPARE(free.size(), 4);
        QCOMPARE(free[1], free[2]);
        QCOMPARE(free[3], QStringLiteral("off"));
        if (QThread::idealThreadCount() < 2)
            QSKIP("one processor only: two workers cannot have their own");
        const QStringList bound = placesOf(config(2));
        QCOMPARE(bound[0], QStringLiteral("0"));
        if (bound[3].startsWith(QLatin1String("off: a quota")))
            QSKIP("a quota gives this container less time than it has processors");
        QCOMPARE(bound[3], QStringLiteral("on"));
        QVERIFY2(bound[1] != bound[2], qPrintable(bound.join(u' ')));
    }
    void syntheticData()
    {
        QJsonObject json = with(config(2), "data", "source", QStringLiteral("synthetic"));
        const QString folder = makeRun(json);
        QCOMPARE(run(folder, 2).exitCode, 0);
        QCOMPARE(meta(last(recordsOf(folder), "train_samples"), "data"),
                 QStringLiteral("synthetic"));
    }

    void stopSignal_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGUSR1") << SIGUSR1;
        QTest::newRow("SIGTERM") << SIGTERM;
    }
    void stopSignal()
    {
        QFETCH(int, signal);
        // mpirun waits a second before it passes SIGTERM on and another before it kills, which is
        // short on a busy machine. It waits for as long as it is told to, also when they have
        // ended.
        if (signal == SIGTERM)
            qputenv("OMPI_MCA_odls_base_sigkill_timeout", "4");
        const auto asUsual = qScopeGuard([] { qunsetenv("OMPI_MCA_odls_base_sigkill_timeout"); });
        const QString folder = makeRun(longConfig(2));
        QProcess mpirun;
        startLong(mpirun, folder, 2);
        ::kill(pid_t(mpirun.processId()), signal);
        QVERIFY(mpirun.waitForFinished(scalebench::test::kHangMs));
        if (signal == SIGUSR1) // mpirun itself answers SIGTERM with exit code 1
            QCOMPARE(mpirun.exitCode(), 0);
        const QString reason = meta(recordsOf(folder).last(), "reason");
        if (signal == SIGUSR1 || !scalebench::test::mpirunKillsAtOnce() || !reason.isEmpty())
            QCOMPARE(reason, QStringLiteral("stopped"));
        QVERIFY(waitFor([&] { return enginesIn(folder).isEmpty(); }));
    }
    void killedRankEndsAll()
    {
        const QString folder = makeRun(longConfig(2));
        QProcess mpirun;
        startLong(mpirun, folder, 2);
        const QList<qint64> ranks = enginesIn(folder);
        QCOMPARE(ranks.size(), 2);
        ::kill(pid_t(ranks.last()), SIGKILL);
        QVERIFY(mpirun.waitForFinished(scalebench::test::kHangMs));
        QVERIFY(mpirun.exitCode() != 0);
        QVERIFY(waitFor([&] { return enginesIn(folder).isEmpty(); }));
        // mpirun may be quicker than rank 0.
        const QJsonObject error =
            last(recordsOf(folder), "error")[QStringLiteral("value")].toObject();
        if (!error.isEmpty()) {
            QCOMPARE(error[QStringLiteral("code")].toString(), QStringLiteral("rank_lost"));
            QVERIFY(error[QStringLiteral("message")].toString().contains(
                QStringLiteral(" ended before the others were done")));
        }
    }
    /// A rank that does not move for the time-out: the record names it and what it misses.
    void stoppedRankEndsAll()
    {
        const QString folder = makeRun(with(longConfig(2), "options", "collective_timeout_s", 3.0));
        QProcess mpirun;
        startLong(mpirun, folder, 2);
        const QList<qint64> ranks = enginesIn(folder);
        QCOMPARE(ranks.size(), 2);
        const auto isRank1 = [&](qint64 pid) {
            return contentOf(QStringLiteral("/proc/%1/environ").arg(pid))
                .split('\0')
                .contains("OMPI_COMM_WORLD_RANK=1");
        };
        const qint64 rank1 = isRank1(ranks[0]) ? ranks[0] : ranks[1];
        ::kill(pid_t(rank1), SIGSTOP);
        QVERIFY(mpirun.waitForFinished(scalebench::test::kHangMs));
        QVERIFY(mpirun.exitCode() != 0);
        QVERIFY(waitFor([&] { return enginesIn(folder).isEmpty(); }));
        const QJsonObject error =
            last(recordsOf(folder), "error")[QStringLiteral("value")].toObject();
        QCOMPARE(error[QStringLiteral("code")].toString(), QStringLiteral("collective_timeout"));
        QCOMPARE(error[QStringLiteral("rank")].toInt(), 1);
        const QString message = error[QStringLiteral("message")].toString();
        QVERIFY2(message.contains(QStringLiteral("rank 1")) &&
                     message.contains(QStringLiteral("stopped by a signal")),
                 qPrintable(message));
        QCOMPARE(meta(recordsOf(folder).last(), "reason"), QStringLiteral("error"));
    }
    void killedMpirunEndsAll()
    {
        const QString folder = makeRun(longConfig(2));
        QProcess mpirun;
        startLong(mpirun, folder, 2);
        ::kill(pid_t(mpirun.processId()), SIGKILL);
        QVERIFY(mpirun.waitForFinished(scalebench::test::kHangMs));
        QVERIFY(waitFor([&] { return enginesIn(folder).isEmpty(); }));
    }

    void divergence()
    {
        const QString folder = makeRun(with(config(2), "schedule", "base_lr", 1e12));
        const MpiRun result = run(folder, 2);
        QVERIFY2(result.exitCode == 3, result.output.constData());
        const QJsonObject error =
            last(recordsOf(folder), "error")[QStringLiteral("value")].toObject();
        QCOMPARE(error[QStringLiteral("code")].toString(), QStringLiteral("diverged"));
        QVERIFY(error[QStringLiteral("message")].toString().contains(QStringLiteral("step")));
        QCOMPARE(meta(recordsOf(folder).last(), "reason"), QStringLiteral("error"));
    }

    void badInput_data()
    {
        QTest::addColumn<QJsonObject>("json");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("names");
        QJsonObject json = config(2);
        json[QStringLiteral("epohcs")] = 3;
        QTest::newRow("unknown key") << json << "usage"
                                     << "epohcs";
        json = config(4);
        QTest::newRow("wrong number of workers") << json << "workers"
                                                 << "4 workers";
        json = config(2);
        json[QStringLiteral("global_batch")] = 33;
        QTest::newRow("batch not divisible") << json << "batch"
                                             << "33";
        json = config(2);
        json[QStringLiteral("global_batch")] = 4096;
        QTest::newRow("batch larger than the data") << json << "batch"
                                                    << "325";
        json = config(2);
        json[QStringLiteral("device")] = QStringLiteral("cuda");
        QTest::newRow("cuda") << json << "device_unavailable"
                              << "cuda";
        json = config(2);
        json[QStringLiteral("precision")] = QStringLiteral("fp16");
        QTest::newRow("fp16 on the CPU") << json << "precision_unavailable"
                                         << "fp16";
        QTest::newRow("unknown model")
            << with(config(2), "model", "name", QStringLiteral("vgg")) << "usage"
            << "vgg";
        QTest::newRow("too few classes") << with(config(2), "model", "classes", 4) << "usage"
                                         << "10 classes";
        json = with(config(2), "data", "source", QStringLiteral("files"));
        QTest::newRow("no data") << with(json, "data", "path", QStringLiteral("/no/such/folder"))
                                 << "data_missing"
                                 << "/no/such/folder";
        QTest::newRow("no pictures")
            << with(json, "data", "path", QStringLiteral("/proc/self/net")) << "data_empty"
            << "data_batch";
    }
    void badInput()
    {
        QFETCH(QJsonObject, json);
        QFETCH(QString, code);
        QFETCH(QString, names);
        const QString folder = makeRun(json);
        const MpiRun result = run(folder, 2);
        QVERIFY2(result.exitCode == 2, result.output.constData());
        const QList<QJsonObject> records = recordsOf(folder);
        const QJsonObject error = last(records, "error")[QStringLiteral("value")].toObject();
        QCOMPARE(error[QStringLiteral("code")].toString(), code);
        QVERIFY2(error[QStringLiteral("message")].toString().contains(names),
                 qPrintable(error[QStringLiteral("message")].toString()));
        QCOMPARE(meta(records.last(), "status"), QStringLiteral("aborted"));
        QVERIFY(result.output.contains("scalebench-engine: [rank"));
    }
    void damagedRecord()
    {
        const QString data = dir_.filePath(QStringLiteral("cut"));
        QDir().mkpath(data);
        for (const char* name : {"data_batch_1.bin", "test_batch.bin"}) {
            QFile file(data + QLatin1Char('/') + QLatin1String(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            QByteArray records(3073 * 64, '\0');
            if (name[0] == 't')
                records[3073 * 5] = char(99);
            file.write(records);
        }
        QJsonObject json = with(config(2), "data", "source", QStringLiteral("files"));
        json = with(with(json, "data", "path", data), "data", "train_samples", 0);
        const QString folder = makeRun(json);
        QCOMPARE(run(folder, 2).exitCode, 2);
        const QJsonObject error =
            last(recordsOf(folder), "error")[QStringLiteral("value")].toObject();
        QCOMPARE(error[QStringLiteral("code")].toString(), QStringLiteral("data_damaged"));
        QVERIFY(error[QStringLiteral("message")].toString().contains(
            QStringLiteral("test_batch.bin is damaged: record 5")));
    }
    void missingFolders()
    {
        const MpiRun none = run(dir_.filePath(QStringLiteral("nowhere")), 2);
        QCOMPARE(none.exitCode, 2);
        QVERIFY(none.output.contains("nowhere"));
        const QString empty = dir_.filePath(QStringLiteral("empty"));
        QDir().mkpath(empty);
        const MpiRun noJson = run(empty, 2);
        QCOMPARE(noJson.exitCode, 2);
        QVERIFY(noJson.output.contains("run.json"));
    }
    void fullDisk()
    {
        const QString folder = dir_.filePath(QStringLiteral("full"));
        QDir().mkpath(folder);
        if (::mount("tmpfs", folder.toLocal8Bit().constData(), "tmpfs", 0, "size=64k") != 0)
            QSKIP("needs the right to mount a small file system");
        writeJson(folder, longConfig(2));
        const MpiRun result = run(folder, 2);
        const QByteArray text = contentOf(folder + QStringLiteral("/stderr_0.txt")) + result.output;
        ::umount2(folder.toLocal8Bit().constData(), MNT_DETACH);
        QVERIFY2(result.exitCode == 3, result.output.constData());
        QVERIFY2(text.contains("the disk is full"), text.constData());
    }

    void commandLine()
    {
        QCOMPARE(QProcess::execute(kEngine, {QStringLiteral("--nonsense")}), 2);
        QProcess help;
        help.start(kEngine, {QStringLiteral("--help")});
        QVERIFY(help.waitForFinished(scalebench::test::kHangMs) && help.exitCode() == 0);
        QVERIFY(help.readAll().contains("--run"));
        QProcess probe;
        probe.start(kEngine, {QStringLiteral("--probe")});
        QVERIFY(probe.waitForFinished(scalebench::test::kHangMs) && probe.exitCode() == 0);
        const QJsonObject json = QJsonDocument::fromJson(probe.readAll()).object();
        QVERIFY(!json[QStringLiteral("engine")].toString().isEmpty());
        QVERIFY(json[QStringLiteral("mpi")].toString().contains(QStringLiteral("MPI")));
        QVERIFY(json[QStringLiteral("cuda")].toObject().contains(QStringLiteral("reason")));
    }
};

QTEST_GUILESS_MAIN(EngineRunTest)
#include "engine_run_test.moc"
