// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on four hosts through real ssh and real mpirun whose connections, links, hosts and processes
// are lost in mid-run.
#include "support/campaign.h"
#include "support/remote_fixture.h"

#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

class RemoteLostClusterTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<RemoteCluster> m;

private slots:
    void initTestCase() { m = std::make_unique<RemoteCluster>(); }
    void init() { SB_NEED_CLUSTER(m->cluster); }
    void cleanupTestCase() { m.reset(); }

    // ---- The connection

    void connectionCutAgainAndAgain_data() { oneMachineKind(Kind::Login); }
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
            QCOMPARE(m->differences(study), QString());
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
        QCOMPARE(m->differences(study), QString());
    }

    /// The program that followed is gone; another one finds the study, twice at once.
    void followedByOthers_data() { oneMachineKind(Kind::Login); }
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
            QCOMPARE(m->differences(study), QString());
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
};

QTEST_GUILESS_MAIN(RemoteLostClusterTest)
#include "remote_lost_cluster_test.moc"
