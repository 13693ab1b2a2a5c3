// SPDX-License-Identifier: GPL-3.0-or-later
// Runs through real ssh and real mpirun that cannot begin: each tells which host and why, and
// leaves nothing there.
#include "support/campaign.h"
#include "support/remote_fixture.h"

#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

class RemoteStartClusterTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<RemoteCluster> m;

private slots:
    void initTestCase() { m = std::make_unique<RemoteCluster>(); }
    void init() { SB_NEED_CLUSTER(m->cluster); }
    void cleanupTestCase() { m.reset(); }

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
};

QTEST_GUILESS_MAIN(RemoteStartClusterTest)
#include "remote_start_cluster_test.moc"
