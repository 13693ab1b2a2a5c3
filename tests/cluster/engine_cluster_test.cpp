// SPDX-License-Identifier: GPL-3.0-or-later
// The real engine over real hosts that share no files: host names, the same result however the
// workers are spread, a slower network that shows, and going on from a checkpoint.
#include "analysis/speedup_table.h"
#include "machine/open_mpi.h"
#include "run/resume.h"
#include "supervise/requeue.h"
#include "support/campaign.h"
#include "support/remote_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QScopeGuard>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

class EngineClusterTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<RemoteCluster> m;

    Study make(const TargetMachine& machine, const StudySpec& spec)
    {
        return m->createFrom(machine, spec, {});
    }

    static StudySpec speedOnly(const QList<Shape>& shapes)
    {
        StudySpec spec;
        spec.shapes = shapes;
        spec.data = u"synthetic"_s;
        spec.noTarget = true;
        spec.epochs = 1;
        spec.globalBatch = 640;
        spec.threadsPerWorker = 1;
        spec.oversubscribe = true;
        return spec;
    }

    static StudySpec translations()
    {
        StudySpec spec;
        spec.workload = u"transformer"_s;
        spec.scale = u"seconds"_s; // ours, below
        spec.oversubscribe = true; // the hosts are this machine's processors
        spec.shapes = {{2, 1}};
        spec.noTarget = true;
        spec.epochs = 3;
        spec.threadsPerWorker = 1;
        spec.options.packSequences = true;
        return spec;
    }

    static QByteArray faultOf(const RunRecord& run)
    {
        return run.state == RunState::Completed
                   ? QByteArray()
                   : (runStateName(run.state) + u": "_s + run.failure.message).toUtf8();
    }

    struct RowTimes {
        double rowsMs = 0, stepMs = 0;
        double share() const { return rowsMs / stepMs; }
    };
    /// Medians of rank 0's steps on four hosts; not a number where the run did not end well.
    RowTimes rowTimes(const QByteArray& network)
    {
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        StudySpec spec;
        spec.workload = u"dlrm"_s;
        spec.scale = u"rows"_s; // ours, below
        spec.shapes = {{4, 1}};
        spec.oversubscribe = true;
        spec.noTarget = true;
        spec.epochs = 2;
        spec.threadsPerWorker = 1;
        if (!m->fault(network.constData()))
            return {kNone, kNone};
        const Study study = make(m->machine(Kind::Ssh), spec);
        Followed f(study.dir);
        if (!f.begin() || !f.ends(240) || !faultOf(f.run()).isEmpty() || f.run().steps.isEmpty()) {
            qWarning("%s: %s", network.constData(), faultOf(f.run()).constData());
            return {kNone, kNone};
        }
        const auto median = [&](double StepPoint::*quantity) {
            QList<double> values;
            for (const StepPoint& point : f.run().steps)
                values << point.*quantity;
            std::ranges::sort(values);
            return values[values.size() / 2];
        };
        return {median(&StepPoint::rowsMs), median(&StepPoint::stepMs)};
    }

private Q_SLOTS:
    void initTestCase()
    {
        m = std::make_unique<RemoteCluster>();
        // A recipe of one's own, read from the fixture's data folder: an epoch is seconds.
        const QString recipes = m->folder.filePath(u"data/scalebench/workloads"_s);
        QVERIFY(QDir().mkpath(recipes));
        RemoteCluster::write(recipes + u"/seconds.json"_s, R"({
            "id": "transformer", "scales": {"seconds": {
            "model": {"name": "transformer_tiny", "dropout": 0.0, "beam": 1},
            "data": {"source": "generated", "generator": "scalebench-language-pair-v1",
                     "train_samples": 600, "eval_samples": 20, "nouns": 30, "merges": 150,
                     "batch_unit": "tokens"},
            "global_batch": 512, "optimizer": {"name": "adam"},
            "schedule": {"name": "constant", "base_lr": 0.002, "warmup_epochs": 0.5},
            "epochs": 3}}})");
        RemoteCluster::write(recipes + u"/rows.json"_s, R"({
            "id": "dlrm", "scales": {"rows": {
            "model": {"name": "dlrm", "dim": 32, "bottom": [16], "top": [32],
                      "sparse_gradients": true, "tables": "owned"},
            "data": {"source": "generated", "generator": "scalebench-clicks-v1",
                     "train_samples": 24000, "eval_samples": 800, "table_rows": [300]},
            "global_batch": 2400, "optimizer": {"name": "sgd", "momentum": 0.0},
            "schedule": {"name": "constant", "base_lr": 0.1},
            "epochs": 2}}})");
        for (const QString& host : m->cluster.hosts())
            RemoteCluster::writeProgram(
                m->cluster.fileOf(host, u"/root/.local/share/scalebench/engine/b/bin/"
                                        "scalebench-engine"_s),
                "exec '" SB_BIN_DIR "/scalebench-engine' \"$@\"\n");
    }
    void init() { SB_NEED_CLUSTER(m->cluster); }
    void cleanupTestCase() { m.reset(); }

    /// Behind a login node: the hosts are named in system.json, and how a global batch is spread
    /// does not change what is learnt.
    void everyShapeLearnsTheSame()
    {
        StudySpec spec = translations();
        spec.epochs = 1;
        spec.options.packSequences = false;
        spec.shapes = {{1, 2}, {2, 1}};
        const Study study = make(m->machine(Kind::Login), spec);
        Followed f(study.dir);
        QVERIFY(f.begin());
        QVERIFY(f.ends(240));
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(faultOf(f.run(i)), QByteArray());
            const QJsonObject system =
                QJsonDocument::fromJson(RemoteCluster::read(f.run(i).runDir + u"/system.json"_s))
                    .object();
            QStringList hosts;
            for (const QJsonValue& node : system.value("nodes"_L1).toArray())
                hosts << node["host"_L1].toString();
            QCOMPARE(hosts, m->cluster.hosts().first(f.run(i).config.nodes));
            QCOMPARE(f.run(i).workers.size(), 2);
            QCOMPARE(f.run(i).workers[1].host, m->cluster.host(i));
        }
        // The sums of gradients differ in their order only, wherever they meet. Both have learnt,
        // or they would agree anyhow.
        const double together = f.run(0).epochs.last().trainLoss;
        const double apart = f.run(1).epochs.last().trainLoss;
        QVERIFY2(together < f.run(0).steps.first().loss - 0.1 &&
                     std::abs(together - apart) < 1e-3 * together,
                 qPrintable(u"%1 and %2, at first %3"_s.arg(together).arg(apart).arg(
                     f.run(0).steps.first().loss)));
    }

    /// Two launchers that know nothing of each other: crossing sets of hosts, of which one is in
    /// both.
    void runsFromElsewhereTakeTurns()
    {
        qunsetenv("SCALEBENCH_MACHINE_LOCKS"); // which other tests have off
        const QByteArray runtime = qgetenv("XDG_RUNTIME_DIR");
        const auto restore = qScopeGuard([&] {
            qputenv("SCALEBENCH_MACHINE_LOCKS", "off");
            qputenv("XDG_RUNTIME_DIR", runtime);
        });
        StudySpec spec = translations();
        spec.epochs = 1000;
        TargetMachine machine = m->machine(Kind::Ssh);
        machine.hosts = u"sb1,sb2"_s;
        const Study one = make(machine, spec);
        Followed first(one.dir);
        QVERIFY(first.begin());
        QVERIFY(first.trains(0, 120));

        const QString elsewhere = m->folder.filePath(u"elsewhere"_s);
        QVERIFY(QDir().mkpath(elsewhere) &&
                QFile::setPermissions(elsewhere,
                                      QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        qputenv("XDG_RUNTIME_DIR", elsewhere.toUtf8());
        spec.epochs = 1;
        machine.hosts = u"sb2,sb3"_s;
        const Study two = make(machine, spec);
        Followed second(two.dir);
        QVERIFY(second.begin());
        QVERIFY(Followed::waitFor(
            [&] { return second.run().waiting.contains("sb2 is used by the study "_L1 + one.id); },
            60));
        QVERIFY(second.run().steps.isEmpty());
        first.controller.stopNow();
        QVERIFY(first.ends(60));
        QVERIFY(second.ends(240));
        QCOMPARE(faultOf(second.run()), QByteArray());
        QVERIFY(second.run().waiting.isEmpty());
        QVERIFY(second.run().runStartMs >= first.run().runStopMs);
    }

    /// A matter of speed, which other programs on the machine change.
    void slowerNetworkGivesLowerSpeedup()
    {
        if (!fullCampaign())
            QSKIP("part of packaging/check --full");
        QList<double> ratios, exposed;
        for (const char* network : {"shape off", "shape 5mbit"}) {
            QVERIFY(m->fault(network));
            const Study study = make(m->machine(Kind::Ssh), speedOnly({{1, 1}, {2, 1}}));
            Followed f(study.dir);
            QVERIFY(f.begin());
            QVERIFY(f.ends(240));
            for (int i = 0; i < 2; ++i)
                QCOMPARE(faultOf(f.run(i)), QByteArray());
            const QList<SpeedupRow> rows = speedupTable(f.controller.study().runs);
            QCOMPARE(rows.size(), 2);
            QCOMPARE(rows[1].nodes, 2);
            ratios << rows[1].throughputRatio;
            double communication = 0, step = 0;
            for (const EpochSplit& split : f.run(1).splits) {
                communication += split.commMs;
                step += split.stepMs;
            }
            exposed << communication / step;
        }
        QVERIFY(m->fault("shape off"));
        qInfo("2 hosts against 1: %.2f, over 5 Mbit/s %.2f; exposed communication %.0f %% and "
              "%.0f %% of a step",
              ratios[0], ratios[1], exposed[0] * 100, exposed[1] * 100);
        QVERIFY(ratios[1] < 0.8 * ratios[0]);
        QVERIFY(exposed[1] > exposed[0]);
    }

    /// Four owners of 26 tables of 32 numbers, 600 clicks each: what their cables add to a step,
    /// and the share of it in which rows travel, follow from bytes and bandwidth.
    void rowsOfTablesOverASlowLink()
    {
        if (!fullCampaign())
            QSKIP("part of packaging/check --full");
        constexpr int kOwn = 7; // tables of rank 0: one of those with most
        constexpr double kIds = kOwn * 3 * 600 * 4.0, kRows = kIds * 32;
        constexpr double kBits = 8 * (kIds + 2 * kRows); // ids come, rows go, gradients come
        const auto restore = qScopeGuard([&] { m->fault("shape off"); });
        const RowTimes free = rowTimes("shape off");
        QList<double> added; // by the slow link
        double before = free.share();
        for (const int mbit : {200, 50}) {
            const RowTimes times = rowTimes("shape " + QByteArray::number(mbit) + "mbit");
            const double bytesMs = kBits / (mbit * 1000.0);
            const RowTimes predicted{free.rowsMs + bytesMs, free.stepMs + bytesMs};
            qInfo("%d Mbit/s: rows %.0f ms of %.0f, predicted %.0f of %.0f", mbit, times.rowsMs,
                  times.stepMs, predicted.rowsMs, predicted.stepMs);
            added << times.rowsMs - free.rowsMs;
            // Three senders into one cable reach 0.6 of it: frames are dropped and sent again.
            QVERIFY(added.last() > 0.9 * bytesMs && added.last() < 2.2 * bytesMs);
            QVERIFY(times.share() > before);
            QVERIFY(std::abs(times.share() - predicted.share()) < 0.15);
            before = times.share();
        }
        const double growth = added[1] / added[0]; // 4, by bandwidth
        QVERIFY2(growth > 2.5 && growth < 6, qPrintable(QString::number(growth)));
    }

    /// Rank 1's host has never seen the checkpoint that rank 0 wrote.
    void goesOnFromACheckpointOnHostsThatShareNothing()
    {
        const Study whole = make(m->machine(Kind::Ssh), translations());
        Followed reference(whole.dir);
        QVERIFY(reference.begin());
        QVERIFY(reference.ends(300));
        QCOMPARE(faultOf(reference.run()), QByteArray());

        const Study study = make(m->machine(Kind::Ssh), translations());
        {
            Followed f(study.dir);
            QVERIFY(f.begin());
            QVERIFY(Followed::waitFor([&] { return !f.run().evals.isEmpty(); }, 120));
            QVERIFY(Followed::waitFor(
                [&] {
                    return QFile::exists(m->cluster.fileOf(
                        m->cluster.host(0),
                        u"/root/.local/share/scalebench/remote/%1/runs/%2/checkpoint/latest.sbckpt"_s
                            .arg(study.id, study.runs.first().config.runId)));
                },
                60));
            m->cluster.in(m->cluster.host(1),
                          {u"pkill"_s, u"-9"_s, u"-f"_s, u"scalebench-engine --run"_s});
            QVERIFY(f.ends(60));
            QStringList told{u"rank_killed"_s};
            if (!OpenMpi::versionOf(u"mpirun"_s).startsWith("4."_L1))
                told << u"rank_failed"_s; // 5 may tell only of the one that lost its connection
            QVERIFY2(told.contains(f.run().failure.code), qPrintable(f.run().failure.message));
        }
        QVERIFY(hasCheckpoint(study.runs.first().runDir));
        QVERIFY(requeueRuns(study.dir).ok());
        Followed f(study.dir);
        QVERIFY(f.begin());
        QVERIFY(f.ends(300));
        QCOMPARE(faultOf(f.run()), QByteArray());
        QCOMPARE(f.run().evals.size(), reference.run().evals.size());
        for (qsizetype i = 0; i < f.run().evals.size(); ++i)
            QCOMPARE(f.run().evals[i].value, reference.run().evals[i].value);
        QVERIFY(m->nothingLeft());
    }
};

QTEST_GUILESS_MAIN(EngineClusterTest)
#include "engine_cluster_test.moc"
