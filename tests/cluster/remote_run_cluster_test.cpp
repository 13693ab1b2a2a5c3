// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on four hosts through real ssh and real mpirun, from here and behind a login node: what a
// good run leaves whatever it is called, how one is stopped, and what the command does with it.
#include "run/study_lock.h"
#include "support/campaign.h"
#include "support/remote_fixture.h"

#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

class RemoteRunClusterTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<RemoteCluster> m;

private slots:
    void initTestCase() { m = std::make_unique<RemoteCluster>(); }
    void init() { SB_NEED_CLUSTER(m->cluster); }
    void cleanupTestCase() { m.reset(); }

    void completes_data() { bothMachineKinds(); }
    void completes()
    {
        QFETCH(Kind, kind);
        TargetMachine machine = m->machine(kind);
        machine.nccl = {{u"DEBUG"_s, u"a 'b' $(touch /tmp/hit)"_s}};
        const Study study = m->create(machine, {{1, 1}, {2, 1}, {4, 1}, {2, 2}});
        Followed f(study.dir);
        QVERIFY(f.begin());
        QVERIFY(f.ends());
        for (int i = 0; i < 4; ++i) {
            const RunRecord& run = f.run(i);
            QVERIFY2(run.state == RunState::Completed,
                     qPrintable(runStateName(run.state) + run.failure.message));
            QCOMPARE(streamFault(f, i), QByteArray());
            QCOMPARE(run.config.hosts, m->cluster.hosts().first(run.config.nodes));
            const RunStatus status = readRunStatus(run.runDir).value();
            QCOMPARE(status.hosts, run.config.hosts);
            QCOMPARE(run.nodeEnds.size(), run.config.nodes);
            for (const NodeEnd& end : run.nodeEnds)
                QVERIFY2(end.clean, qPrintable(end.host + u' ' + end.text));
            for (int rank = 0; rank < run.config.workers; ++rank) {
                const QByteArray said =
                    RemoteCluster::read(run.runDir + u"/stderr_%1.txt"_s.arg(rank));
                const QString host =
                    run.config.hosts[rank / std::max(1, run.config.workersPerNode())];
                QVERIFY2(said.startsWith(u"rank %1 of %2 on %3 threads "_s.arg(rank)
                                             .arg(run.config.workers)
                                             .arg(host)
                                             .toUtf8()),
                         said.constData());
                QVERIFY2(said.contains("nccl a 'b' $(touch /tmp/hit)"), said.constData());
            }
            // Where the run's folder was only for the run, it is gone.
            for (const QString& host : m->cluster.hosts())
                QVERIFY2((kind == Kind::Login && host == m->cluster.host(0)) ||
                             !QFile::exists(m->remoteStudy(host, study.id)),
                         qPrintable(host));
        }
        if (kind == Kind::Login)
            QCOMPARE(m->differences(study), QString());
        QVERIFY(m->nothingLeft());
    }

    void stopped_data() { bothMachineKinds(); }
    void stopped()
    {
        QFETCH(Kind, kind);
        const Study study = m->create(m->machine(kind, 100, 100), {{4, 1}, {2, 1}});
        Followed f(study.dir);
        QVERIFY(f.begin());
        QVERIFY(f.trains());
        f.controller.stopNow();
        QVERIFY(f.ends(30));
        QCOMPARE(f.run(0).state, RunState::Cancelled);
        QCOMPARE(f.run(1).state, RunState::Cancelled);
        QVERIFY2(f.run(0).failure.message.contains("All of its processes have ended"_L1),
                 qPrintable(f.run(0).failure.message));
        QCOMPARE(streamFault(f), QByteArray()); // the engine itself closed it
        QVERIFY(m->nothingLeft());
    }

    // ---- The command

    /// Killed in mid-run, then followed: nothing is lost.
    void commandKilledAndFollowed_data() { oneMachineKind(Kind::Ssh); }
    void commandKilledAndFollowed()
    {
        QFETCH(Kind, kind);
        TargetMachine machine = m->machine(kind, 12, 80);
        machine.name = machineKindName(kind) + u" ones"_s;
        QVERIFY(MachineFile::open().value().save(machine));
        const QString out = m->folder.filePath(machine.name);
        const QString program = QStringLiteral(SB_BIN_DIR "/scalebench");
        QProcess command;
        command.start(
            program,
            u"run resnet --shapes 2x1 --oversubscribe --target 0.8 --no-pictures"_s.split(u' ') +
                QStringList{u"--machine"_s, machine.name, u"--out"_s, out});
        QVERIFY(command.waitForStarted(kHangMs));
        const auto steps = [&] {
            qsizetype count = 0;
            for (const QString& file : filesBelow(out + u"/runs"_s))
                if (file.endsWith("result_0.txt"_L1))
                    count += RemoteCluster::read(out + u"/runs/"_s + file).count("\"step\":");
            return count;
        };
        QVERIFY(Followed::waitFor([&] { return steps() > 5; }));
        command.kill();
        QVERIFY(command.waitForFinished(kHangMs));
        const Said said = runProgram(program, {u"follow"_s, out, u"--no-pictures"_s});
        QVERIFY2(said.exitCode == 0, (said.output + said.errors).constData());
        QVERIFY(said.output.contains("completed"));
        Followed f(out);
        QVERIFY(f.begin(true) && f.ends());
        QCOMPARE(streamFault(f), QByteArray());
        QCOMPARE(int(f.run().steps.size()), 60);
    }

    void commandTellsTheQueue_data() { oneMachineKind(Kind::Login); }
    void commandTellsTheQueue()
    {
        QFETCH(Kind, kind);
        const QString program = QStringLiteral(SB_BIN_DIR "/scalebench");
        const auto tell = [&](const Study& study, const char* wish) {
            return runProgram(
                program, {u"follow"_s, study.dir, QString::fromLatin1(wish), u"--no-pictures"_s});
        };
        const Study stopped = m->create(m->machine(kind, 1000, 50), {{2, 1}, {1, 1}});
        {
            Followed f(stopped.dir);
            QVERIFY(f.begin() && f.trains());
        }
        QCOMPARE(tell(stopped, "--stop").exitCode, 130);
        const Study after = m->create(m->machine(kind, 25, 100), {{2, 1}, {1, 1}});
        {
            Followed f(after.dir);
            QVERIFY(f.begin() && f.trains());
        }
        QCOMPARE(tell(after, "--stop-after-run").exitCode, 130);
        Followed both(after.dir);
        QVERIFY(both.begin(true) && both.ends());
        QCOMPARE(both.run(0).state, RunState::Completed);
        QCOMPARE(both.run(1).state, RunState::Cancelled);

        const Study paused = m->create(m->machine(kind, 60, 100), {{2, 1}, {1, 1}});
        Followed f(paused.dir);
        QVERIFY(f.begin() && f.trains());
        f.controller.pauseQueue();
        QVERIFY(Followed::waitFor([&] { return f.run(0).state == RunState::Completed; }));
        QTest::qWait(2000);
        QCOMPARE(f.run(1).state, RunState::Queued);
        QVERIFY(!f.finished);
        QCOMPARE(tell(paused, "--continue").exitCode, 0);
        QVERIFY(f.ends());
        QCOMPARE(f.run(1).state, RunState::Completed);
        QVERIFY(m->nothingLeft());
    }

    void failedRunIsTriedAgain_data() { oneMachineKind(Kind::Ssh); }
    void failedRunIsTriedAgain()
    {
        QFETCH(Kind, kind);
        // Long enough to be struck while it trains, on a full machine too.
        const Study study = m->create(m->machine(kind, 25, 100), {{2, 1}}, {}, 1);
        Followed f(study.dir);
        QVERIFY(f.begin() && f.trains());
        QVERIFY(
            m->cluster.in(u"sb2"_s, {u"sh"_s, u"-c"_s, u"kill -9 $(pidof fake_engine)"_s}).ok());
        QVERIFY(f.ends());
        QVERIFY2(f.run().state == RunState::Completed, qPrintable(f.run().failure.message));
        QCOMPARE(readRunStatus(f.run().runDir).value().attempt, 1);
        QCOMPARE(streamFault(f), QByteArray());
        QVERIFY(m->nothingLeft());
    }

    /// Nobody goes on with a paused queue that is then stopped: it has to empty all the same, also
    /// where another window keeps the copy at first and the wish goes its own way.
    void pausedThenStopped_data()
    {
        QTest::addColumn<bool>("otherWindow");
        QTest::newRow("alone") << false;
        QTest::newRow("another window") << true;
    }
    void pausedThenStopped()
    {
        QFETCH(bool, otherWindow);
        // So long that the wish is there before the first run ends, on a full machine too.
        const Study study = m->create(m->machine(Kind::Login, 60, 100), {{2, 1}, {1, 1}});
        {
            Followed f(study.dir);
            QVERIFY(f.begin() && f.trains());
            f.controller.pauseQueue();
            QVERIFY(Followed::waitFor([&] { return f.run(0).state == RunState::Completed; }));
            QTest::qWait(500);
            QCOMPARE(f.run(1).state, RunState::Queued);
        }
        StudyLock window;
        QVERIFY(!otherWindow || window.acquire(study.dir, test::kHangMs));
        QProcess command;
        command.start(QStringLiteral(SB_BIN_DIR "/scalebench"),
                      {u"follow"_s, study.dir, u"--stop-after-run"_s, u"--no-pictures"_s});
        const QString there = m->remoteStudy(m->cluster.host(0), study.id);
        QVERIFY(!otherWindow ||
                Followed::waitFor([&] { return QFile::exists(there + u"/stop_after_run"_s); }));
        window.release();
        QVERIFY(command.waitForFinished(test::kHangMs));
        QCOMPARE(command.exitCode(), 130);
        QCOMPARE(readRunStatus(study.runs[1].runDir).value().state, RunState::Cancelled);
    }

    /// Another computer's copy that has not heard of the end: who opens it there takes nothing
    /// back.
    void cancelledStaysCancelled()
    {
        const Study study = m->create(m->machine(Kind::Login, 12, 100), {{2, 1}, {1, 1}});
        const QString late = study.runs[1].runDir + u"/status.json"_s;
        QByteArray stale;
        {
            Followed f(study.dir);
            QVERIFY(f.begin() && f.trains());
            stale = RemoteCluster::read(late);
            f.controller.stopAfterRun();
            QVERIFY(f.ends());
            QCOMPARE(f.run(1).state, RunState::Cancelled);
        }
        RemoteCluster::write(late, stale);
        QCOMPARE(readRunStatus(study.runs[1].runDir).value().state, RunState::Queued);
        Followed f(study.dir);
        QVERIFY(f.begin(true) && f.ends());
        QCOMPARE(f.run(1).state, RunState::Cancelled);
        QCOMPARE(m->differences(study), QString());
    }

    // ---- Names

    void nastyNames_data()
    {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"it's a \"study\"", "$(touch hit1) `touch hit2`; touch hit3", "größe & 日本", "-rf",
              "a\\b|c>d<e*?[x]",
              "it's \"all\" $(touch hit1) `touch hit2`; touch hit3 & \\ \\\" é !~#"})
            for (const Kind kind : {Kind::Ssh, Kind::Login})
                if (fullCampaign() || QByteArray(name).contains("all"))
                    QTest::addRow("%s %s", qPrintable(machineKindName(kind)), name)
                        << kind << QString::fromUtf8(name);
    }
    void nastyNames()
    {
        QFETCH(Kind, kind);
        QFETCH(QString, name);
        TargetMachine machine = m->machine(kind);
        machine.folder = u"/root/x/"_s + name;
        for (const QString& host : {u"sb1"_s, u"sb2"_s})
            m->install(host, machine.folder);
        const Study study =
            m->create(machine, {{2, 1}}, u"%1 %2"_s.arg(machineKindName(kind), name));
        Followed f(study.dir);
        QVERIFY(f.begin() && f.ends());
        QVERIFY2(f.run().state == RunState::Completed,
                 qPrintable(f.run().failure.message + f.run().failure.details));
        for (const NodeEnd& end : f.run().nodeEnds)
            QVERIFY2(end.clean, qPrintable(end.host + u' ' + end.text));
        for (const QString& host : m->cluster.hosts())
            QVERIFY(!m->cluster
                         .in(host, {u"sh"_s, u"-c"_s,
                                    u"find /root /home /var /tmp -name 'hit[0-9]' | grep ."_s})
                         .ok());
        QVERIFY(m->nothingLeft());
    }
};

QTEST_GUILESS_MAIN(RemoteRunClusterTest)
#include "remote_run_cluster_test.moc"
