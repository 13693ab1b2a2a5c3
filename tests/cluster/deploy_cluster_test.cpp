// SPDX-License-Identifier: GPL-3.0-or-later
// Deployment of the engine bundle to real hosts: whole or not at all, only what changed, nothing
// outside of its folder.
#include "deploy/deployment.h"
#include "support/cluster.h"
#include "support/fake_bundle.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class DeployClusterTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<Cluster> m_cluster;
    QTemporaryDir m_folder;
    QList<DeployReport> m_reports;

    TargetMachine machine(const QString& hosts = u"sb1,sb2"_s) const
    {
        TargetMachine m;
        m.name = u"cluster"_s;
        m.kind = TargetMachine::Kind::Ssh;
        m.hosts = hosts;
        m.sshConfig = m_cluster->sshConfig();
        return m;
    }
    bool deploy(const TargetMachine& m, const QString& archive, bool removeOld = false,
                int timeoutS = 60)
    {
        DeployOptions options;
        options.archive = archive;
        options.removeOld = removeOld;
        options.hostTimeoutS = timeoutS;
        Deployment deployment(m, options);
        QSignalSpy finished(&deployment, &Deployment::finished);
        QSignalSpy hosts(&deployment, &Deployment::hostDone);
        deployment.start();
        const bool done = finished.wait(120'000);
        m_reports = deployment.reports();
        bool ok = done && hosts.size() == m_reports.size();
        for (const DeployReport& report : m_reports)
            ok = ok && report.ok;
        return ok;
    }
    QString failures() const
    {
        QStringList texts;
        for (const DeployReport& report : m_reports)
            if (!report.ok)
                texts << u"%1:%2"_s.arg(report.host, report.failure.code);
        return texts.join(u' ');
    }
    QString details() const
    {
        QString text;
        for (const DeployReport& report : m_reports)
            text += report.failure.message + u' ' + report.failure.details + u'\n';
        return text;
    }
    QString pack(const char* marker, QString* name = nullptr, qint64 padding = 0)
    {
        FakeBundle bundle;
        bundle.marker = marker;
        bundle.padding = padding;
        const QString folder = m_folder.filePath(QString::fromLatin1(marker));
        QDir().mkpath(folder);
        const QString archive = bundle.make(folder);
        if (name)
            *name = bundle.folderName();
        return archive;
    }
    QString onHost(const QString& host, const QString& line) const
    {
        return QString::fromUtf8(m_cluster->in(host, {u"sh"_s, u"-c"_s, line}).output).trimmed();
    }
    QString current(const QString& host, const QString& folder = u".local/share/scalebench"_s) const
    {
        return onHost(host, u"readlink '/root/%1/engine/current'"_s.arg(folder));
    }
    /// What lies beside the versions: nothing may stay behind.
    QString litter(const QString& host, const QString& folder = u".local/share/scalebench"_s) const
    {
        return onHost(host,
                      u"cd '/root/%1/engine' && ls -A . .deploy | grep -v -e '^0' -e '^current$' "
                      "-e '^\\.deploy$' -e ':$' -e '^$'"_s.arg(folder));
    }

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        m_cluster = std::make_unique<Cluster>();
    }
    void init() { SB_NEED_CLUSTER(*m_cluster); }
    void cleanup()
    {
        if (m_cluster->isUp())
            for (const QString& host : m_cluster->hosts())
                onHost(host, u"rm -rf /root/.local /root/[!.]*"_s);
    }
    void cleanupTestCase() { m_cluster.reset(); }

    void installsAndKeeps()
    {
        QString one, two;
        const QString first = pack("one", &one), second = pack("two", &two);
        QVERIFY2(deploy(machine(), first), qPrintable(details()));
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(m_reports[i].version, one);
            QVERIFY(!m_reports[i].unchanged && m_reports[i].bytesSent > 0);
            QCOMPARE(current(m_reports[i].host), one);
            QCOMPARE(litter(m_reports[i].host), QString());
        }
        QVERIFY(onHost(u"sb1"_s, u"~/.local/share/scalebench/engine/current/bin/scalebench-engine "
                                 "--probe"_s)
                    .contains(u"\"engine\""_s));
        // Again: only verified.
        QVERIFY(deploy(machine(), first));
        QVERIFY(m_reports[0].unchanged && m_reports[0].bytesSent == 0);
        // Another one goes beside it, and back without sending.
        QVERIFY2(deploy(machine(), second), qPrintable(details()));
        QCOMPARE(current(u"sb1"_s), two);
        QVERIFY(deploy(machine(), first));
        QVERIFY(m_reports[0].unchanged);
        QCOMPARE(current(u"sb1"_s), one);
        QCOMPARE(litter(u"sb1"_s), QString());
    }

    void damagedInstallationIsReplaced()
    {
        QString one;
        const QString archive = pack("one", &one);
        QVERIFY(deploy(machine(), archive));
        onHost(u"sb2"_s, u"echo x >> ~/.local/share/scalebench/engine/%1/marker"_s.arg(one));
        QVERIFY2(deploy(machine(), archive), qPrintable(details()));
        QVERIFY(m_reports[0].unchanged && !m_reports[1].unchanged);
        QCOMPARE(onHost(u"sb2"_s, u"cat ~/.local/share/scalebench/engine/current/marker"_s),
                 u"one"_s);
        QCOMPARE(litter(u"sb2"_s), QString());
    }

    void removesOldVersions()
    {
        QString one, two, three;
        const QString first = pack("one", &one), second = pack("two", &two);
        QVERIFY(deploy(machine(), first) && deploy(machine(), second));
        // Something still runs from the first version on sb2.
        onHost(u"sb2"_s,
               u"cd ~/.local/share/scalebench/engine/%1 && cp /bin/sleep bin/busy && (setsid "
               "$PWD/bin/busy 300 >/dev/null 2>&1 </dev/null &)"_s.arg(one));
        onHost(u"sb1"_s,
               u"mkdir -p ~/.local/share/scalebench/engine/mine ~/.local/share/scalebench/data"_s);
        const QString third = pack("three", &three);
        QVERIFY2(deploy(machine(), third, true), qPrintable(details()));
        QStringList removed = m_reports[0].removed;
        removed.sort();
        QStringList expected{one, two};
        expected.sort();
        QCOMPARE(removed, expected);
        QCOMPARE(m_reports[1].removed, QStringList(two));
        QCOMPARE(onHost(u"sb2"_s, u"ls ~/.local/share/scalebench/engine | grep -c ^0"_s), u"2"_s);
        // What is not a bundle of ours stays.
        QVERIFY(onHost(u"sb1"_s, u"ls ~/.local/share/scalebench/engine"_s).contains(u"mine"_s));
        QVERIFY(onHost(u"sb1"_s, u"ls ~/.local/share/scalebench"_s).contains(u"data"_s));
        onHost(u"sb2"_s,
               u"kill $(cat /proc/[0-9]*/stat | sed -n 's/^\\([0-9]*\\) (busy).*/\\1/p')"_s);
    }

    void fullDisk()
    {
        QString one;
        const QString small = pack("one", &one), big = pack("big", nullptr, 6'000'000);
        TargetMachine m = machine();
        m.folder = u"/var/small/sb"_s;
        m_cluster->command({u"small-disk"_s, u"sb2"_s, u"/var/small"_s, u"24m"_s});
        QVERIFY2(deploy(m, small), qPrintable(details()));
        QVERIFY(!deploy(m, big)); // refused before sending
        const QString early = failures(), message = m_reports[1].failure.message;
        const qint64 sent = m_reports[1].bytesSent;
        const QString kept = onHost(u"sb2"_s, u"readlink /var/small/sb/engine/current"_s);
        m_cluster->command({u"fill-disk"_s, u"sb2"_s, u"/var/small"_s});
        QVERIFY(!deploy(m, big));
        const QString full = failures();
        m_cluster->command({u"small-disk"_s, u"sb2"_s, u"/var/small"_s, u"off"_s});
        onHost(u"sb1"_s, u"rm -rf /var/small"_s);
        QCOMPARE(early, u"sb2:disk_full"_s);
        QCOMPARE(full, u"sb2:disk_full"_s);
        QCOMPARE(sent, 0);
        QVERIFY2(message.contains(u"has 25 MB left"_s) || message.contains(u"MB left"_s),
                 qPrintable(message));
        QCOMPARE(kept, one); // what worked still works
    }

    void fillsUpWhileItArrives()
    {
        QString one;
        const QString small = pack("one", &one), big = pack("big", nullptr, 6'000'000);
        TargetMachine m = machine(u"sb2"_s);
        m.folder = u"/var/small/sb"_s;
        // df tells of room that there is not.
        m_cluster->command({u"small-disk"_s, u"sb2"_s, u"/var/small"_s, u"8m"_s});
        onHost(u"sb2"_s,
               u"mkdir ~/lies && printf '#!/bin/sh\\necho x 9 9 9999999 9%% /\\n' > ~/lies/df && "
               "chmod +x ~/lies/df && echo 'PATH=$HOME/lies:$PATH' > ~/.bashrc"_s);
        QVERIFY2(deploy(m, small), qPrintable(details()));
        QVERIFY(!deploy(m, big));
        const QString kept = onHost(u"sb2"_s, u"readlink /var/small/sb/engine/current"_s);
        const QString files = onHost(u"sb2"_s, u"ls -A /var/small/sb/engine"_s);
        onHost(u"sb2"_s, u"rm ~/.bashrc"_s);
        m_cluster->command({u"small-disk"_s, u"sb2"_s, u"/var/small"_s, u"off"_s});
        QCOMPARE(failures(), u"sb2:disk_full"_s);
        QCOMPARE(kept, one);
        QCOMPARE(files.split(u'\n').size(), 3); // .deploy, the version, current
    }

    void cutWhileItArrives()
    {
        QString one, big;
        QVERIFY(deploy(machine(), pack("one", &one)));
        const QString archive = pack("big", &big, 30'000'000);
        m_cluster->command({u"shape"_s, u"50mbit"_s}); // some 5 s
        QTimer::singleShot(2500, this, [this] {
            m_cluster->command({u"link"_s, u"sb2"_s, u"down"_s});
        });
        QVERIFY(!deploy(machine(), archive));
        m_cluster->command({u"link"_s, u"sb2"_s, u"up"_s});
        m_cluster->command({u"shape"_s, u"off"_s});
        QVERIFY2(failures() == "sb2:host_timeout"_L1, qPrintable(details()));
        QCOMPARE(current(u"sb1"_s), big);
        QCOMPARE(current(u"sb2"_s), one);
        QCOMPARE(onHost(u"sb2"_s, u"ls ~/.local/share/scalebench/engine"_s), one + u"\ncurrent"_s);
        QVERIFY2(deploy(machine(), archive), qPrintable(details()));
        QCOMPARE(current(u"sb2"_s), big);
    }

    void hostileFolder()
    {
        QString one;
        const QString archive = pack("one", &one);
        TargetMachine m = machine();
        m.folder = u"~/it's \"so\"; $(touch /root/BAD) `touch /root/BAD` größe *"_s;
        QVERIFY2(deploy(m, archive), qPrintable(details()));
        QVERIFY(deploy(m, archive));
        QVERIFY(m_reports[0].unchanged);
        QVERIFY(!QFile::exists(m_cluster->fileOf(u"sb1"_s, u"/root/BAD"_s)));
        QVERIFY(QFile::exists(m_cluster->fileOf(u"sb1"_s, u"/root"_s + m.folder.mid(1) +
                                                              u"/engine/current/marker"_s)));
        m.kind = TargetMachine::Kind::Login;
        m.login = u"sb3"_s;
        m.hosts = u"sb4"_s;
        QVERIFY2(deploy(m, archive), qPrintable(details()));
        QVERIFY(!QFile::exists(m_cluster->fileOf(u"sb4"_s, u"/root/BAD"_s)));
        QVERIFY(QFile::exists(m_cluster->fileOf(u"sb4"_s, u"/root"_s + m.folder.mid(1) +
                                                              u"/engine/current/marker"_s)));
    }

    void hostileArchives_data()
    {
        QTest::addColumn<QString>("make"); // in a folder with top/manifest.json
        const QString tar = u"tar --format=gnu -P -czf bad.tar.gz "_s;
        QTest::newRow("dot dot") << tar + u"--transform 's,top/evil,top/../../evil,' top"_s;
        QTest::newRow("absolute") << tar + u"--transform 's,top/evil,/root/evil,' top"_s;
        QTest::newRow("two folders") << tar + u"top other"_s;
        QTest::newRow("link out") << u"ln -s ../../x top/link && "_s + tar + u"top"_s;
        QTest::newRow("absolute link") << u"ln -s /etc/passwd top/link && "_s + tar + u"top"_s;
        QTest::newRow("device") << u"mknod top/null c 1 3 && "_s + tar + u"top"_s;
        QTest::newRow("long name")
            << u"n=$(printf 'x%.0s' $(seq 120)); touch top/$n && "_s + tar +
                   u"--transform \"s,top/xxx,top/../../../../../../../../xxx,\" top"_s;
        QTest::newRow("no archive") << u"echo hello > bad.tar.gz"_s;
        QTest::newRow("cut off") << u"head -c 3000 /dev/urandom > top/noise && "_s + tar +
                                        u"top && truncate -s 2000 bad.tar.gz"_s;
        QTest::newRow("no manifest") << u"rm top/manifest.json && "_s + tar + u"top"_s;
        QTest::newRow("version that is a path")
            << u"sed -i 's/0.1.0/..\\/..\\/x/' top/manifest.json && "_s + tar + u"top"_s;
    }
    void hostileArchives()
    {
        QFETCH(QString, make);
        const QTemporaryDir folder;
        const Said said = runProgram(
            u"sh"_s,
            {u"-c"_s,
             u"cd %1 && mkdir top other && echo x > top/evil && echo y > other/file && echo "
             "'{\"format\":\"scalebench.bundle\",\"format_version\":1,\"version\":\"0.1.0\","
             "\"content_id\":\"0123456789abcdef\",\"architecture\":\"x86_64\"}' > "
             "top/manifest.json && %2"_s.arg(folder.path(), make)});
        QVERIFY2(said.ok(), said.errors);
        QVERIFY(!deploy(machine(u"sb1"_s), folder.filePath(u"bad.tar.gz"_s)));
        QCOMPARE(failures(), u"sb1:bundle_invalid"_s);
        QCOMPARE(m_reports[0].bytesSent, 0);
    }

    void contentsAreCheckedOnTheHost()
    {
        // A good manifest, but a file differs from its checksum.
        FakeBundle bundle;
        const QString archive = bundle.make(m_folder.path());
        const QString top =
            u"scalebench-engine-%1-%2"_s.arg(bundle.version, QSysInfo::currentCpuArchitecture());
        FakeBundle::write(m_folder.path() + u"/tree/"_s + top, "marker", "changed", false);
        QCOMPARE(QProcess::execute(u"tar"_s, {u"--format=gnu"_s, u"-czf"_s, archive, u"-C"_s,
                                              m_folder.path() + u"/tree"_s, top}),
                 0);
        QVERIFY(!deploy(machine(u"sb1"_s), archive));
        QCOMPARE(failures(), u"sb1:deploy_damaged"_s);
        QVERIFY(m_reports[0].failure.details.contains(u"marker"_s));
        QCOMPARE(onHost(u"sb1"_s, u"ls ~/.local/share/scalebench/engine"_s), QString());
    }

    void noBundle()
    {
        QVERIFY(!deploy(machine(u"sb1"_s), u"/does/not/exist"_s));
        QCOMPARE(failures(), u"sb1:bundle_missing"_s);
        TargetMachine local;
        local.name = u"local"_s;
        QVERIFY(!deploy(local, pack("one")));
        QCOMPARE(failures(), u"local:deploy_local"_s);
    }

    void hostsThatFail()
    {
        m_cluster->command({u"refuse"_s, u"sb2"_s});
        m_cluster->command({u"revoke"_s, u"sb3"_s});
        const bool ok = deploy(machine(u"sb1,sb2,sb3"_s), pack("one"));
        m_cluster->command({u"refuse"_s, u"sb2"_s, u"off"_s});
        m_cluster->command({u"allow"_s, u"sb3"_s});
        QVERIFY(!ok);
        QVERIFY(m_reports[0].ok);
        QCOMPARE(failures(), u"sb2:ssh_refused sb3:login_refused"_s);
    }

    void behindALoginNode()
    {
        QString one;
        const QString archive = pack("one", &one);
        TargetMachine m = machine(u"sb2,sb3,sb4"_s);
        m.kind = TargetMachine::Kind::Login;
        m.login = u"sb1"_s;
        m_cluster->command({u"firewall"_s, u"sb1"_s, u"sb4"_s, u"reject"_s});
        const bool all = deploy(m, archive);
        m_cluster->command({u"firewall"_s, u"sb1"_s, u"sb4"_s, u"open"_s});
        QVERIFY(!all);
        QCOMPARE(failures(), u"sb4:ssh_refused"_s);
        QVERIFY(m_reports[3].failure.message.startsWith("From sb1:"_L1));
        for (const char* host : {"sb1", "sb2", "sb3"})
            QCOMPARE(current(QString::fromLatin1(host)), one);
        QVERIFY2(deploy(m, archive), qPrintable(details()));
        QVERIFY(m_reports[1].unchanged && !m_reports[3].unchanged);
        QCOMPARE(litter(u"sb4"_s), QString());
        QCOMPARE(onHost(u"sb1"_s, u"ls -d /tmp/scalebench-* 2>/dev/null"_s), QString());
        m_cluster->command({u"refuse"_s, u"sb1"_s});
        QVERIFY(!deploy(m, archive));
        m_cluster->command({u"refuse"_s, u"sb1"_s, u"off"_s});
        QCOMPARE(failures(),
                 u"sb1:ssh_refused sb2:login_failed sb3:login_failed sb4:login_failed"_s);
    }

    void sharedFolder()
    {
        const QTemporaryDir shared;
        Cluster cluster({u"--hosts"_s, u"3"_s, u"--shared"_s, shared.path()});
        QVERIFY2(cluster.isUp(), qPrintable(cluster.error()));
        QString one;
        const QString archive = pack("one", &one, 2'000'000);
        TargetMachine m = machine(u"sb1,sb2,sb3"_s);
        m.sshConfig = cluster.sshConfig();
        m.folder = cluster.shared() + u"/sb"_s;
        QVERIFY2(deploy(m, archive), qPrintable(details()));
        QCOMPARE(QFile::symLinkTarget(shared.path() + u"/sb/engine/current"_s).section(u'/', -1),
                 one);
        QVERIFY(deploy(m, archive));
        for (const DeployReport& report : m_reports)
            QVERIFY(report.unchanged);
        QCOMPARE(QDir(shared.path() + u"/sb/engine"_s)
                     .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                     .size(),
                 3);
    }
};

QTEST_GUILESS_MAIN(DeployClusterTest)
#include "deploy_cluster_test.moc"
