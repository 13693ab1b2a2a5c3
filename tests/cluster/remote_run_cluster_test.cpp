// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on four hosts through real ssh and real mpirun, from here and behind a login node: what a
// good run leaves, and every way in which hosts, links and connections fail.
#include "mirror/folder_protocol.h"
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

    static void bothKinds()
    {
        QTest::addColumn<Kind>("kind");
        QTest::newRow("ssh") << Kind::Ssh;
        QTest::newRow("login") << Kind::Login;
    }
    /// What is the same code for both kinds: the full campaign alone has the other one.
    static void oneKind(Kind which)
    {
        if (fullCampaign())
            return bothKinds();
        QTest::addColumn<Kind>("kind");
        QTest::addRow("%s", qPrintable(machineKindName(which))) << which;
    }
    /// The stream is whole, in order, and nothing is in it twice.
    static QByteArray streamFault(const Followed& f, int index = 0)
    {
        const RunRecord& run = f.run(index);
        const QByteArray text = RemoteCluster::read(run.runDir + u"/result_0.txt"_s);
        if (run.sequenceGaps || run.sequenceRepeats || run.foreignLines || run.stopStatus.isEmpty())
            return "gaps " + QByteArray::number(run.sequenceGaps) + ", repeats " +
                   QByteArray::number(run.sequenceRepeats) + ", ended \"" +
                   run.stopStatus.toUtf8() + "\", " + QByteArray::number(text.size()) + " bytes";
        return text.count("\"run_stop\"") == 1 ? QByteArray() : QByteArray("not one run_stop");
    }
    /// Names of files that differ between the login node's study and the copy. run.json, whose "~/"
    /// is another folder over there, stays as it was planned here: it is not taken back.
    QString differences(const Study& study) const
    {
        const QString there = m->remoteStudy(m->cluster.host(0), study.id);
        QStringList differ;
        for (const QString& file : filesBelow(there))
            if (file.startsWith("runs/"_L1) && !file.endsWith("/run.json"_L1) &&
                RemoteCluster::read(there + u'/' + file) !=
                    RemoteCluster::read(study.dir + u'/' + file))
                differ << file;
        return filesBelow(there).isEmpty() ? u"nothing there"_s : differ.join(u' ');
    }

private slots:
    void initTestCase() { m = std::make_unique<RemoteCluster>(); }
    void init() { SB_NEED_CLUSTER(m->cluster); }
    void cleanupTestCase() { m.reset(); }

    void completes_data() { bothKinds(); }
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
            QCOMPARE(differences(study), QString());
        QVERIFY(m->nothingLeft());
    }

    // ---- The connection

    void connectionCutAgainAndAgain_data() { oneKind(Kind::Login); }
    void connectionCutAgainAndAgain()
    {
        QFETCH(Kind, kind);
        const Study study = m->create(m->machine(kind, 26, 100));
        Followed f(study.dir);
        QVERIFY(f.begin());
        QVERIFY(f.trains());
        for (int i = 0; i < 4; ++i) {
            QVERIFY(m->cutSsh() > 0);
            const auto steps = f.run().steps.size();
            QVERIFY(Followed::waitFor([&] { return f.run().steps.size() > steps + 3; }, 12));
            if (kind == Kind::Login)
                QCOMPARE(f.disconnections(), i + 1);
        }
        QVERIFY(f.ends());
        QVERIFY2(f.run().state == RunState::Completed, qPrintable(f.run().failure.message));
        QCOMPARE(streamFault(f), QByteArray());
        if (kind == Kind::Login) {
            QCOMPARE(differences(study), QString());
            QVERIFY(f.connections.first().remote);
        }
        QVERIFY(m->nothingLeft());
    }

    /// Only this computer is cut off: the study goes on, and everything arrives afterwards.
    void cutOffFromTheLoginNode()
    {
        const Study study = m->create(m->machine(Kind::Login, 40, 50), {{2, 1}});
        Followed f(study.dir);
        QVERIFY(f.begin());
        QVERIFY(f.trains());
        QVERIFY(m->fault("drop sb1"));
        QVERIFY(Followed::waitFor([&] { return !f.isConnected(); }, 20));
        QVERIFY(!f.finished);
        QVERIFY2(f.connections.last().text.contains("sb1"_L1),
                 qPrintable(f.connections.last().text));
        QVERIFY(m->fault("drop sb1 off"));
        f.controller.reconnectNow();
        QVERIFY(f.ends());
        QVERIFY2(f.run().state == RunState::Completed, qPrintable(f.run().failure.message));
        QVERIFY(f.isConnected());
        QCOMPARE(streamFault(f), QByteArray());
        QCOMPARE(differences(study), QString());
    }

    /// The program that followed is gone; another one finds the study, twice at once.
    void followedByOthers_data() { oneKind(Kind::Login); }
    void followedByOthers()
    {
        QFETCH(Kind, kind);
        const Study study = m->create(m->machine(kind, 12, 80), {{2, 1}});
        auto first = std::make_unique<Followed>(study.dir);
        QVERIFY(first->begin());
        QVERIFY(first->trains());
        first.reset();
        Followed second(study.dir), third(study.dir);
        QVERIFY(second.begin(true));
        QVERIFY(third.begin(true));
        QVERIFY(second.ends() && third.ends());
        for (const Followed* f : {&second, &third}) {
            QVERIFY2(f->run().state == RunState::Completed, qPrintable(f->run().failure.message));
            QCOMPARE(streamFault(*f), QByteArray());
            QCOMPARE(int(f->run().steps.size()), 60);
        }
        if (kind == Kind::Login)
            QCOMPARE(differences(study), QString());
    }

    void stopped_data() { bothKinds(); }
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
    void commandKilledAndFollowed_data() { oneKind(Kind::Ssh); }
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
        QVERIFY(command.waitForStarted());
        const auto steps = [&] {
            qsizetype count = 0;
            for (const QString& file : filesBelow(out + u"/runs"_s))
                if (file.endsWith("result_0.txt"_L1))
                    count += RemoteCluster::read(out + u"/runs/"_s + file).count("\"step\":");
            return count;
        };
        QVERIFY(Followed::waitFor([&] { return steps() > 5; }));
        command.kill();
        QVERIFY(command.waitForFinished());
        const Said said = runProgram(program, {u"follow"_s, out, u"--no-pictures"_s});
        QVERIFY2(said.exitCode == 0, (said.output + said.errors).constData());
        QVERIFY(said.output.contains("completed"));
        Followed f(out);
        QVERIFY(f.begin(true) && f.ends());
        QCOMPARE(streamFault(f), QByteArray());
        QCOMPARE(int(f.run().steps.size()), 60);
    }

    void commandTellsTheQueue_data() { oneKind(Kind::Login); }
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

    void failedRunIsTriedAgain_data() { oneKind(Kind::Ssh); }
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

    /// Nobody goes on with a paused queue that is then stopped: it has to empty all the same.
    void pausedThenStopped()
    {
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
        const Said said =
            runProgram(QStringLiteral(SB_BIN_DIR "/scalebench"),
                       {u"follow"_s, study.dir, u"--stop-after-run"_s, u"--no-pictures"_s}, 15);
        QCOMPARE(said.exitCode, 130);
    }

    // ---- Hosts that go away

    void hostGoesAway_data()
    {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("host");
        QTest::newRow("ssh, rank 0's link down") << Kind::Ssh << u"link sb1 down"_s << u"sb1"_s;
        if (fullCampaign()) {
            QTest::newRow("ssh, link down") << Kind::Ssh << u"link sb3 down"_s << u"sb3"_s;
            QTest::newRow("login, link down") << Kind::Login << u"link sb3 down"_s << u"sb3"_s;
            QTest::newRow("ssh, crash") << Kind::Ssh << u"crash sb2"_s << u"sb2"_s;
        }
        QTest::newRow("login, crash") << Kind::Login << u"crash sb4"_s << u"sb4"_s;
    }
    void hostGoesAway()
    {
        QFETCH(Kind, kind);
        QFETCH(QString, fault);
        QFETCH(QString, host);
        const Study study = m->create(m->machine(kind, 1000, 50));
        Followed f(study.dir);
        QVERIFY(f.begin());
        QVERIFY(f.hasAnEpoch());
        QElapsedTimer clock;
        clock.start();
        QVERIFY(m->fault(fault.toLatin1()));
        const bool ended = f.ends(60);
        const qint64 took = clock.elapsed();
        const QStringList onOthers = m->left();
        const bool crashed = fault.startsWith("crash"_L1);
        QVERIFY(m->fault(qPrintable(crashed ? u"start "_s + host : u"link %1 up"_s.arg(host))));
        qInfo("reported after %.1f s: %s", double(took) / 1000,
              qPrintable(f.run().failure.message));
        QVERIFY(ended);
        QCOMPARE(f.run().state, RunState::Failed);
        QCOMPARE(f.run().failure.code, u"node_lost"_s);
        QVERIFY2(f.run().failure.message.startsWith(host + u" was lost ("_s),
                 qPrintable(f.run().failure.message));
        for (const NodeEnd& end : f.run().nodeEnds)
            QVERIFY2(end.clean == (end.host != host), qPrintable(end.host + u' ' + end.text));
        for (const QString& line : onOthers)
            QVERIFY2(line.startsWith(host), qPrintable(line));
        QVERIFY(m->nothingLeft(host, 20));  // also there, once it is back
        QVERIFY(!f.run().epochs.isEmpty()); // what was measured is kept
    }

    void rankStruck_data()
    {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("signal");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("begin");
        QTest::addColumn<QString>("part");
        QTest::newRow("killed") << u"sb2"_s << u"KILL"_s << u"rank_killed"_s
                                << u"Rank 1 on sb2 was killed (signal 9"_s << u""_s;
        QTest::newRow("suspended") << u"sb1"_s << u"STOP"_s << u"stalled"_s
                                   << u"Rank 0 on sb1 (process "_s << u"was suspended (SIGSTOP)"_s;
    }
    void rankStruck()
    {
        QFETCH(QString, host);
        QFETCH(QString, signal);
        QFETCH(QString, code);
        QFETCH(QString, begin);
        QFETCH(QString, part);
        const Study study = m->create(m->machine(Kind::Ssh, 1000, 50));
        Followed f(study.dir);
        QVERIFY(f.begin());
        QVERIFY(f.trains());
        const Said said =
            m->cluster.in(host, {u"sh"_s, u"-c"_s, u"kill -%1 $(pidof fake_engine)"_s.arg(signal)});
        QVERIFY2(said.ok(), said.errors.constData());
        QVERIFY(f.ends(60));
        QCOMPARE(f.run().failure.code, code);
        QVERIFY2(f.run().failure.message.startsWith(begin) &&
                     f.run().failure.message.contains(part),
                 qPrintable(f.run().failure.message));
        for (const NodeEnd& end : f.run().nodeEnds)
            QVERIFY2(end.clean, qPrintable(end.host + u' ' + end.text));
        QVERIFY(m->nothingLeft());
    }

    /// What starts the daemon of a host and holds the connection to it is killed here.
    void agentKilled_data()
    {
        QTest::addColumn<bool>("trains");
        QTest::newRow("at its start") << false;
        QTest::newRow("in mid-run") << true;
    }
    void agentKilled()
    {
        QFETCH(bool, trains);
        const Study study = m->create(m->machine(Kind::Ssh, 1000, 50));
        Followed f(study.dir);
        QVERIFY(f.begin());
        if (trains)
            QVERIFY(f.trains());
        // Other tests have hosts of these names too.
        const auto agents = [&] {
            QList<qint64> found;
            for (const qint64 pid : processesMentioning(u"sb2"_s)) {
                const QString of = u"/proc/%1/"_s.arg(pid);
                if (RemoteCluster::read(of + u"cmdline"_s).contains(QByteArray("rsh\0sb2\0", 8)) &&
                    RemoteCluster::read(of + u"environ"_s).contains(study.dir.toUtf8() + '/'))
                    found << pid;
            }
            return found;
        };
        QVERIFY(QTest::qWaitFor([&] { return !agents().isEmpty(); }, kHangMs));
        for (const qint64 pid : agents())
            ::kill(pid_t(pid), SIGKILL);
        QVERIFY(f.ends(60));
        QVERIFY2(f.run().failure.code == "mpi_daemon"_L1 || f.run().failure.code == "node_lost"_L1,
                 qPrintable(f.run().failure.code + u' ' + f.run().failure.details));
        for (const NodeEnd& end : f.run().nodeEnds)
            QVERIFY2(end.clean, qPrintable(end.host + u' ' + end.text));
        QVERIFY(m->nothingLeft());
    }

    void loginNodeRestarts()
    {
        const Study study = m->create(m->machine(Kind::Login, 1000, 50));
        Followed f(study.dir);
        QVERIFY(f.begin());
        QVERIFY(f.hasAnEpoch());
        QVERIFY(m->fault("crash sb1"));
        QVERIFY(Followed::waitFor([&] { return !f.isConnected(); }, 20));
        QVERIFY(m->fault("start sb1"));
        QVERIFY(f.ends(60));
        QCOMPARE(f.run().state, RunState::Failed);
        QCOMPARE(f.run().failure.code, u"supervisor_lost"_s);
        QVERIFY(!f.run().epochs.isEmpty());
        QVERIFY(m->nothingLeft({}, 20));
    }

    /// Whoever cannot follow a run because of another version must not declare it failed.
    void otherVersionMeanwhile()
    {
        const Study study = m->create(m->machine(Kind::Login, 1000, 50), {{1, 1}});
        {
            Followed f(study.dir);
            QVERIFY(f.begin() && f.trains());
        }
        const QString program =
            m->cluster.fileOf(u"sb1"_s, u"/root/.local/share/scalebench/engine/b/bin/scalebench"_s);
        const QByteArray real = RemoteCluster::read(program);
        RemoteCluster::writeProgram(program, R"(echo '{"is":"hello","protocol":1,)"
                                             R"("version":"0.0.1","exists":true}'; exec sleep 5)");
        {
            Followed f(study.dir);
            QVERIFY(f.begin(true) && f.ends());
            QVERIFY2(f.run().failure.code.isEmpty(), qPrintable(f.run().failure.message));
            QVERIFY(f.connections.last().text.contains("0.0.1"_L1));
        }
        RemoteCluster::write(program, real);
        Followed f(study.dir);
        QVERIFY(f.begin(true));
        const qsizetype before = f.run().steps.size();
        QVERIFY(Followed::waitFor([&] { return f.run().steps.size() > before + 5; }));
        f.controller.stopNow();
        QVERIFY(f.ends());
        QCOMPARE(f.run().state, RunState::Cancelled);
        QCOMPARE(streamFault(f), QByteArray());
        QVERIFY(m->nothingLeft());
    }

    // ---- What goes wrong at the start

    void cannotStart_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("undo");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("about");
        const auto row = [](const char* name, const char* fault, const char* undo, const char* code,
                            const char* about) {
            QTest::newRow(name) << QString::fromLatin1(fault) << QString::fromLatin1(undo)
                                << QString::fromLatin1(code) << QString::fromLatin1(about);
        };
        row("off", "link sb3 down", "link sb3 up", "host_timeout", "sb3 does not answer");
        row("dropped", "drop sb3", "drop sb3 off", "host_timeout", "sb3 does not answer");
        row("refused", "refuse sb3", "refuse sb3 off", "ssh_refused", "sb3 refuses ssh");
        row("key unknown", "forget-key sb3", "learn-key sb3", "host_key_unknown",
            "sb3 is not known to ssh yet");
        row("key changed", "change-key sb3", "learn-key sb3", "host_key_changed",
            "of sb3 has changed");
        row("login refused", "revoke sb3", "allow sb3", "login_refused", "sb3 refuses the login");
        row("no engine", "in sb3 mv /root/.local/share/scalebench/engine /root/e",
            "in sb3 mv /root/e /root/.local/share/scalebench/engine", "engine_missing",
            "missing on sb3");
        row("other build",
            "in sb3 sed -i s/abc0/abc1/ /root/.local/share/scalebench/engine/current/manifest.json",
            "in sb3 sed -i s/abc1/abc0/ /root/.local/share/scalebench/engine/current/manifest.json",
            "engine_version", "sb1 and sb3 have different builds");
        row("folder not writable", "in sb3 touch /root/.local/share/scalebench/remote",
            "in sb3 rm /root/.local/share/scalebench/remote", "not_writable",
            "could not be made on sb3");
        row("disk full", "small-disk sb3 /root/.local/share/scalebench/remote 4m",
            "small-disk sb3 /root/.local/share/scalebench/remote off", "disk_full", "sb3 has only");
    }
    void cannotStart()
    {
        QFETCH(QString, fault);
        QFETCH(QString, undo);
        QFETCH(QString, code);
        QFETCH(QString, about);
        m->cutSsh(); // a shared connection that is open needs no key and no login
        const Study study = m->create(m->machine(Kind::Ssh));
        for (const QString& host : m->cluster.hosts())
            QDir(m->cluster.fileOf(host, u"/root/.local/share/scalebench/remote"_s))
                .removeRecursively();
        QVERIFY(m->fault(fault.toLatin1()));
        Followed f(study.dir);
        const bool began = f.begin(), ended = f.ends(40);
        QVERIFY(m->fault(undo.toLatin1()));
        QVERIFY(began && ended);
        const Failure& failure = f.run().failure;
        QCOMPARE(f.run().state, RunState::Failed);
        QCOMPARE(failure.code, code);
        QVERIFY2(failure.message.contains(about), qPrintable(failure.message));
        if (code != "engine_version"_L1)
            QVERIFY2(failure.message.endsWith(" The other 3 hosts are fine."_L1),
                     qPrintable(failure.message));
        for (const QString& host : m->cluster.hosts())
            QVERIFY2(!QFile::exists(m->remoteStudy(host, study.id)), qPrintable(host));
        QVERIFY(m->nothingLeft());
    }

    void nameUnknown()
    {
        TargetMachine machine = m->machine(Kind::Ssh);
        machine.hosts = u"sb1,no-such-host"_s;
        Followed f(m->create(machine, {{2, 1}}).dir);
        QVERIFY(f.begin() && f.ends());
        QCOMPARE(f.run().failure.code, u"host_not_found"_s);
        QVERIFY(f.run().failure.message.startsWith("no-such-host cannot be found"_L1));
    }
    /// The same behind a login node: the sentence comes from there.
    void cannotStartBehindLogin()
    {
        m->cutSsh();
        const Study study = m->create(m->machine(Kind::Login));
        QVERIFY(m->fault("refuse sb3"));
        Followed f(study.dir);
        const bool done = f.begin() && f.ends();
        QVERIFY(m->fault("refuse sb3 off"));
        QVERIFY(done);
        QCOMPARE(f.run().failure.code, u"ssh_refused"_s);
        QVERIFY(f.run().failure.message.startsWith("sb3 refuses ssh"_L1));
    }
    /// The login node itself: every run says why, nothing was sent.
    void loginCannotBeReached_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("undo");
        QTest::addColumn<QString>("code");
        QTest::newRow("refused") << u"refuse sb1"_s << u"refuse sb1 off"_s << u"ssh_refused"_s;
        QTest::newRow("key changed")
            << u"change-key sb1"_s << u"learn-key sb1"_s << u"host_key_changed"_s;
        QTest::newRow("no engine")
            << u"in sb1 mv /root/.local/share/scalebench/engine /root/e"_s
            << u"in sb1 mv /root/e /root/.local/share/scalebench/engine"_s << u"engine_missing"_s;
    }
    void loginCannotBeReached()
    {
        QFETCH(QString, fault);
        QFETCH(QString, undo);
        QFETCH(QString, code);
        m->cutSsh();
        const Study study = m->create(m->machine(Kind::Login), {{1, 1}, {2, 1}});
        QVERIFY(m->fault(fault.toLatin1()));
        Followed f(study.dir);
        const bool done = f.begin() && f.ends();
        QVERIFY(m->fault(undo.toLatin1()));
        QVERIFY(done);
        for (int i : {0, 1}) {
            QCOMPARE(f.run(i).state, RunState::Failed);
            QCOMPARE(f.run(i).failure.code, code);
            QVERIFY(f.run(i).failure.message.contains("sb1"_L1));
        }
    }

    void firewallDrops()
    {
        qputenv("SCALEBENCH_START_S", "5");
        const Study study = m->create(m->machine(Kind::Ssh));
        QVERIFY(m->fault("firewall sb3 workstation drop"));
        Followed f(study.dir);
        const bool done = f.begin() && f.ends(60);
        QVERIFY(m->fault("firewall sb3 workstation open"));
        qunsetenv("SCALEBENCH_START_S");
        QVERIFY(done);
        // Which is seen first, mpirun's words or that nobody starts, is the machine's speed.
        QVERIFY2(f.run().failure.code == "stalled"_L1 ||
                     f.run().failure.code == "network_blocked"_L1,
                 qPrintable(f.run().failure.code));
        QVERIFY2(f.run().failure.message.contains("firewall"_L1),
                 qPrintable(f.run().failure.message));
        QVERIFY(m->nothingLeft());
    }
    void firewallRejects()
    {
        const Study study = m->create(m->machine(Kind::Ssh));
        QVERIFY(m->fault("firewall sb3 workstation reject"));
        Followed f(study.dir);
        const bool done = f.begin() && f.ends(60);
        QVERIFY(m->fault("firewall sb3 workstation open"));
        QVERIFY(done);
        QCOMPARE(f.run().failure.code, u"network_blocked"_s);
        QVERIFY2(f.run().failure.message.contains("firewall"_L1),
                 qPrintable(f.run().failure.message));
        QVERIFY(m->nothingLeft());
    }
    void wrongMpiFolder()
    {
        TargetMachine machine = m->machine(Kind::Ssh);
        machine.mpiPrefix = u"/opt/no-mpi"_s;
        Followed f(m->create(machine).dir);
        QVERIFY(f.begin() && f.ends());
        QCOMPARE(f.run().failure.code, u"mpi_missing"_s);
        QVERIFY2(f.run().failure.message.contains("could not be started on sb"_L1) &&
                     f.run().failure.message.contains("/opt/no-mpi/bin/"_L1),
                 qPrintable(f.run().failure.message));
        QVERIFY(m->nothingLeft());
    }
    void rightMpiFolder()
    {
        TargetMachine machine = m->machine(Kind::Ssh);
        machine.mpiPrefix = u"/usr"_s;
        Followed f(m->create(machine).dir);
        QVERIFY(f.begin() && f.ends());
        QVERIFY2(f.run().state == RunState::Completed, qPrintable(f.run().failure.message));
    }
    void interfaceMissing()
    {
        TargetMachine machine = m->machine(Kind::Ssh);
        machine.interface = u"ib7"_s;
        const Study study = m->create(machine, {{2, 1}});
        Followed f(study.dir);
        QVERIFY(f.begin() && f.ends());
        QCOMPARE(f.run().failure.code, u"interface_missing"_s);
        QVERIFY(!QFile::exists(m->remoteStudy(u"sb1"_s, study.id)));
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
