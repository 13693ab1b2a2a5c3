// SPDX-License-Identifier: GPL-3.0-or-later
// Pre-flight against real hosts: everything that can be wrong with one is really made wrong.
#include "deploy/deployment.h"
#include "preflight/host_keys.h"
#include "preflight/preflight.h"
#include "support/campaign.h"
#include "support/cluster.h"
#include "support/fake_bundle.h"
#include "support/file_content.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <functional>
#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class PreflightClusterTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<Cluster> m_cluster;
    QTemporaryDir m_folder;
    FakeBundle m_bundle;
    QList<HostReport> m_reports;
    const QString m_installed = u"/root/.local/share/scalebench"_s;

    TargetMachine machine(const QString& hosts = u"sb1:2,sb2:2,sb3:2,sb4:2"_s) const
    {
        TargetMachine m;
        m.name = u"cluster"_s;
        m.kind = TargetMachine::Kind::Ssh;
        m.hosts = hosts;
        m.sshConfig = m_cluster->sshConfig();
        return m;
    }
    TargetMachine behindLogin(const QString& hosts = u"sb2,sb3"_s) const
    {
        TargetMachine m = machine(hosts);
        m.kind = TargetMachine::Kind::Login;
        m.login = u"sb1"_s;
        return m;
    }

    /// Runs the check and keeps the reports.
    bool check(const TargetMachine& m, PreflightOptions options = {})
    {
        Preflight preflight(m, options);
        QSignalSpy finished(&preflight, &Preflight::finished);
        preflight.start();
        const bool done = finished.wait(120'000);
        m_reports = preflight.reports();
        return done && preflight.finishedOk();
    }
    HostCheck cell(int host, const char* test) const
    {
        for (const HostCheck& c : m_reports.value(host).checks)
            if (c.test == QLatin1StringView(test))
                return c;
        return {};
    }
    /// Codes of all problems: "sb2.engine:engine_missing".
    QString problems() const
    {
        QStringList found;
        for (const HostReport& report : m_reports)
            for (const HostCheck& c : report.checks)
                if (c.level == HostCheck::Level::Problem)
                    found << u"%1.%2:%3"_s.arg(report.host, c.test, c.code);
        return found.join(u' ');
    }
    void sh(const char* host, const QString& line) const
    {
        const Said said = m_cluster->in(QString::fromLatin1(host), {u"sh"_s, u"-c"_s, line});
        if (!said.ok())
            qWarning("%s: %s", qPrintable(line), said.errors.constData());
    }
    void fault(const QStringList& words) const
    {
        const Said said = m_cluster->command(words);
        if (!said.ok())
            qFatal("cluster %s: %s", qPrintable(words.join(u' ')), said.errors.constData());
    }
    QString engineFolder() const { return m_installed + u"/engine/"_s + m_bundle.folderName(); }

    void deploy()
    {
        Deployment deployment(machine());
        QSignalSpy finished(&deployment, &Deployment::finished);
        deployment.start();
        QVERIFY(finished.wait(120'000));
        for (const DeployReport& report : deployment.reports())
            QVERIFY2(report.ok, qPrintable(report.failure.message + report.failure.details));
    }

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        m_cluster = std::make_unique<Cluster>();
        if (!m_cluster->isUp())
            return;
        qputenv("SCALEBENCH_BUNDLE", QFile::encodeName(m_bundle.make(m_folder.path())));
        deploy();
    }
    void init() { SB_NEED_CLUSTER(*m_cluster); }
    void cleanupTestCase() { m_cluster.reset(); }

    void everythingIsFine()
    {
        QVERIFY2(check(machine()), qPrintable(problems()));
        QCOMPARE(m_reports.size(), 4);
        for (int i = 0; i < 4; ++i) {
            QStringList tests;
            for (const HostCheck& c : m_reports[i].checks) {
                tests << c.test;
                QVERIFY(!c.text.isEmpty());
                // The emulated hosts share a computer that others use.
                if (c.test != "busy"_L1 && c.test != "slots"_L1)
                    QVERIFY2(c.level == HostCheck::Level::Ok ||
                                 c.level == HostCheck::Level::Skipped,
                             qPrintable(c.test + u": "_s + c.text));
            }
            QCOMPARE(tests + QStringList(u"slurm"_s), preflightTests());
            QCOMPARE(cell(i, "name").text, m_cluster->address(i));
            QCOMPARE(cell(i, "peers").level, HostCheck::Level::Skipped);
            const QJsonObject facts = m_reports[i].facts;
            QCOMPARE(facts["hostname"_L1].toString(), m_cluster->host(i));
            QCOMPARE(facts["subnet"_L1].toString(), m_cluster->subnet());
            QCOMPARE(facts["engine"_L1].toString(), m_bundle.version);
            QVERIFY(facts["cores"_L1].toInt() > 0 && facts["memory"_L1].toDouble() > 1e8);
            QVERIFY(m_reports[i].seconds < 15);
        }
        QVERIFY(knownFacts(u"cluster"_s).contains(u"sb4"_s));
        const QJsonObject json = preflightJson(machine(), m_reports);
        QVERIFY(json["ok"_L1].toBool());
        QCOMPARE(json["hosts"_L1].toArray().size(), 4);
    }

    void wrongKey()
    {
        fault({u"revoke"_s, u"sb2"_s});
        QVERIFY(!check(machine()));
        fault({u"allow"_s, u"sb2"_s});
        QCOMPARE(problems(), u"sb2.login:login_refused"_s);
        QVERIFY(cell(1, "login").fix.contains(u"ssh-copy-id"_s));
        QVERIFY(cell(1, "login").details.contains(u"Permission denied"_s));
        QCOMPARE(cell(1, "host_key").level, HostCheck::Level::Ok);
        QCOMPARE(cell(1, "engine").level, HostCheck::Level::Skipped);
    }

    void unknownKey()
    {
        const QString known = m_cluster->value("CLUSTER_KNOWN_HOSTS");
        fault({u"forget-key"_s, u"sb3"_s});
        const QByteArray before = contentOf(known);
        QVERIFY(!check(machine()));
        QCOMPARE(problems(), u"sb3.host_key:host_key_unknown"_s);
        QVERIFY(cell(2, "host_key").fix.contains(u"--trust"_s));
        const Result<HostKey> key = fetchHostKey(machine(), u"sb3"_s);
        QVERIFY2(key.ok(), qPrintable(key.failure().message));
        QCOMPARE(contentOf(known), before); // looked at, not trusted
        const Said shown = runProgram(
            u"sh"_s, {u"-c"_s, u"ssh-keyscan -t ed25519 %1 2>/dev/null | ssh-keygen -lf -"_s.arg(
                                   m_cluster->address(2))});
        QVERIFY2(shown.output.contains(key.value().fingerprint.toLatin1()), shown.output);
        QCOMPARE(key.value().type, u"ED25519"_s);
        QVERIFY(trustHostKey(key.value()).ok());
        QVERIFY(trustHostKey(key.value()).ok()); // twice changes nothing
        QCOMPARE(contentOf(known).count('\n'), before.count('\n') + 1);
        QVERIFY2(check(machine()), qPrintable(problems()));
        QCOMPARE(fetchHostKey(machine(), u"sb3"_s).failure().code, u"host_key_known"_s);
    }

    void changedKey()
    {
        fault({u"change-key"_s, u"sb3"_s});
        QVERIFY(!check(machine()));
        const QString found = problems();
        const Result<HostKey> key = fetchHostKey(machine(), u"sb3"_s);
        fault({u"learn-key"_s, u"sb3"_s});
        QCOMPARE(found, u"sb3.host_key:host_key_changed"_s);
        QVERIFY(!key.ok());
        QCOMPARE(key.failure().code, u"host_key_changed"_s);
    }

    void unreachable()
    {
        fault({u"refuse"_s, u"sb2"_s});
        fault({u"link"_s, u"sb3"_s, u"down"_s});
        fault({u"drop"_s, u"sb4"_s});
        QVERIFY(!check(machine(u"sb1,sb2,sb3,sb4,nosuchhost"_s)));
        fault({u"refuse"_s, u"sb2"_s, u"off"_s});
        fault({u"link"_s, u"sb3"_s, u"up"_s});
        fault({u"drop"_s, u"sb4"_s, u"off"_s});
        QCOMPARE(cell(1, "ssh").code, u"ssh_refused"_s);
        QVERIFY2(cell(2, "ssh").code == "host_unreachable"_L1 ||
                     cell(2, "ssh").code == "host_timeout"_L1,
                 qPrintable(problems()));
        QCOMPARE(cell(3, "ssh").code, u"host_timeout"_s);
        QCOMPARE(cell(4, "name").code, u"host_not_found"_s);
        QVERIFY(m_reports[0].ok()); // the others do not suffer
    }

    void brokenEngines_data()
    {
        QTest::addColumn<QString>("damage"); // in engine/<version>
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("word");
        const auto script = [](const char* text) {
            return u"printf '#!/bin/sh\\n%1\\n' > bin/scalebench-engine"_s.arg(
                QString::fromUtf8(text));
        };
        QTest::newRow("not there") << u"rm -r bin"_s << u"engine_missing"_s << u"deploy cluster"_s;
        QTest::newRow("link to nowhere")
            << u"mv . ../gone 2>/dev/null || mv \"$PWD\" \"$PWD.gone\""_s << u"engine_missing"_s
            << u"not there"_s;
        QTest::newRow("no right") << u"chmod a-x bin/scalebench-engine"_s
                                  << u"engine_not_executable"_s << u"not executable"_s;
        QTest::newRow("other processor")
            << u"printf '\\177ELF\\002\\001\\001\\000\\000\\000\\000\\000\\000\\000\\000\\000\\002\\000\\267\\000' > bin/scalebench-engine"_s
            << u"engine_format"_s << u"another kind of processor"_s;
        QTest::newRow("old glibc")
            << script(
                   "echo \"$0: /lib/libc.so.6: version \\`GLIBC_2.99'\\'' not found\" >&2; exit 1")
            << u"engine_glibc"_s << u"2.99"_s;
        QTest::newRow("library") << script("echo \"$0: error while loading shared libraries: "
                                           "libmpi.so.40: cannot open shared object file: No such "
                                           "file or directory\" >&2; exit 127")
                                 << u"engine_library"_s << u"libmpi.so.40"_s;
        QTest::newRow("instruction")
            << script("kill -ILL $$") << u"engine_cpu"_s << u"instructions"_s;
        QTest::newRow("other failure")
            << script("echo no luck >&2; exit 5") << u"engine_broken"_s << u"no luck"_s;
        QTest::newRow("other version")
            << script("echo {\\\"engine\\\":\\\"0.0.7\\\"}") << u"engine_version"_s << u"0.0.7"_s;
        QTest::newRow("other build")
            << u"sed -i 's/content_id\": \"[0-9a-f]*/content_id\": \"abcdef123456789/' manifest.json"_s
            << u"engine_build"_s << u"abcdef123456"_s;
    }
    void brokenEngines()
    {
        QFETCH(QString, damage);
        QFETCH(QString, code);
        QFETCH(QString, word);
        sh("sb2", u"cp -a %1 /root/saved && cd %1 && %2"_s.arg(engineFolder(), damage));
        const bool fine = check(machine());
        sh("sb2", u"rm -rf %1 %1.gone && mv /root/saved %1"_s.arg(engineFolder()));
        QVERIFY(!fine);
        QCOMPARE(problems(), u"sb2.engine:"_s + code);
        const HostCheck found = cell(1, "engine");
        QVERIFY2((found.text + found.fix).contains(word), qPrintable(found.text));
        QVERIFY(found.text.contains(u"sb2"_s) && !found.fix.isEmpty());
    }

    void withoutOurBundleHostsAreCompared()
    {
        const QByteArray bundle = qgetenv("SCALEBENCH_BUNDLE");
        qputenv("SCALEBENCH_BUNDLE", "/does/not/exist");
        sh("sb4",
           u"sed -i.saved 's/content_id\": \"[0-9a-f]*/content_id\": \"abc/' %1/manifest.json"_s
               .arg(engineFolder()));
        const bool fine = check(machine());
        sh("sb4", u"mv %1/manifest.json.saved %1/manifest.json"_s.arg(engineFolder()));
        qputenv("SCALEBENCH_BUNDLE", bundle);
        QVERIFY(!fine);
        QCOMPARE(problems(), u"sb4.engine:engine_mismatch"_s);
        QVERIFY(cell(3, "engine").text.contains(u"sb1"_s));
    }

    void hungEngine()
    {
        sh("sb2", u"cp -a %1 /root/saved && printf '#!/bin/sh\\nexec sleep 100\\n' > "
                  "%1/bin/scalebench-engine"_s.arg(engineFolder()));
        QVERIFY(!check(machine(u"sb1,sb2"_s)));
        PreflightOptions options;
        options.hostTimeoutS = 3;
        const QString slow = problems();
        QVERIFY(!check(machine(u"sb1,sb2"_s), options));
        sh("sb2", u"rm -rf %1 && mv /root/saved %1"_s.arg(engineFolder()));
        QCOMPARE(slow, u"sb2.engine:engine_hangs"_s);
        QCOMPARE(problems(), u"sb2.engine:probe_timeout"_s);
        QCOMPARE(cell(1, "login").level, HostCheck::Level::Ok); // it was reached
    }

    void fullDisk()
    {
        TargetMachine m = machine();
        m.folder = u"/var/small/sb"_s;
        fault({u"small-disk"_s, u"sb2"_s, u"/var/small"_s, u"4m"_s});
        check(m);
        const HostCheck small = cell(1, "disk");
        fault({u"fill-disk"_s, u"sb2"_s, u"/var/small"_s});
        check(m);
        const HostCheck full = cell(1, "disk");
        fault({u"small-disk"_s, u"sb2"_s, u"/var/small"_s, u"off"_s});
        QCOMPARE(small.code, u"disk_full"_s);
        QVERIFY2(small.text.contains(u"4.2 MB left, about 256 MB"_s), qPrintable(small.text));
        QCOMPARE(full.code, u"disk_full"_s);
        QVERIFY2(full.text.contains(u"0 bytes left"_s), qPrintable(full.text));
        QCOMPARE(cell(0, "disk").level, HostCheck::Level::Ok);
    }

    void folderThatCannotBeWritten()
    {
        TargetMachine m = machine(u"sb1"_s);
        m.folder = u"/usr/share/scalebench"_s; // read-only in these hosts
        check(m);
        QCOMPARE(cell(0, "disk").code, u"disk_not_writable"_s);
        sh("sb1", u"touch /root/file"_s);
        m.folder = u"~/file/sub"_s;
        check(m);
        QCOMPARE(cell(0, "disk").code, u"disk_not_writable"_s);
        QVERIFY(cell(0, "disk").text.contains(u"a file is in the way"_s));
    }

    void otherOpenMpi()
    {
        TargetMachine m = machine(u"sb1,sb2"_s);
        m.mpiPrefix = u"/opt/no-such"_s;
        QVERIFY(!check(m));
        QCOMPARE(problems(), u"sb1.mpi:mpi_missing sb2.mpi:mpi_missing"_s);
        QVERIFY2(cell(0, "mpi").fix.contains(u"in /usr"_s), qPrintable(cell(0, "mpi").fix));
        m.mpiPrefix = u"/usr"_s;
        QVERIFY2(check(m), qPrintable(problems()));
        sh("sb2",
           u"mkdir -p /root/mpi/bin && cd /root/mpi/bin && printf '#!/bin/sh\\necho \"mpirun "
           "(Open MPI) 3.1.6\"\\n' | tee mpirun > orted && chmod +x *"_s);
        sh("sb1", u"mkdir -p /root/mpi && ln -sfn /usr/bin /root/mpi/bin"_s);
        m.mpiPrefix = u"~/mpi"_s;
        QVERIFY(!check(m));
        QCOMPARE(problems(), u"sb2.mpi:mpi_mismatch"_s);
        QVERIFY(cell(1, "mpi").text.contains(u"3.1.6"_s));
    }

    void hostileNames_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::newRow("blanks") << u"~/a  b"_s;
        QTest::newRow("command") << u"~/$(touch /root/BAD)"_s;
        QTest::newRow("backticks") << u"~/`touch /root/BAD`"_s;
        QTest::newRow("quotes") << u"~/it's \"so\"; touch /root/BAD; '"_s;
        QTest::newRow("others") << u"~/* ? [a] {b} & | < > # ! \\ ~ größe 名前"_s;
        QTest::newRow("home itself") << u"~"_s;
    }
    void hostileNames()
    {
        QFETCH(QString, folder);
        TargetMachine m = machine(u"sb1"_s);
        m.folder = folder;
        m.dataFolder = folder + u"/data"_s;
        QVERIFY(!check(m));
        QCOMPARE(problems(), u"sb1.engine:engine_missing sb1.data:data_missing"_s);
        const QString whole = u"/root"_s + folder.mid(1);
        QVERIFY2(cell(0, "engine").text.contains(whole + u"/engine"_s),
                 qPrintable(cell(0, "engine").text));
        QVERIFY(!QFile::exists(m_cluster->fileOf(u"sb1"_s, u"/root/BAD"_s)));
        QVERIFY(!QFile::exists(m_cluster->fileOf(u"sb1"_s, whole + u"/x"_s)));
    }

    void hostileHosts()
    {
        for (const char* host : {"-oProxyCommand=touch /tmp/sb-bad", "$(touch /tmp/sb-bad)",
                                 "a;touch /tmp/sb-bad", "nöde", "a\nb;c"}) {
            QVERIFY(!check(machine(QString::fromUtf8(host))));
            QCOMPARE(m_reports.size(), 1);
            QVERIFY(m_reports[0].checks[0].code.startsWith("host_"_L1));
        }
        TargetMachine m = machine();
        for (const QString& folder : {u"/a\nb"_s, u"/a:b"_s}) {
            m.folder = folder;
            QVERIFY(!check(m));
            QCOMPARE(m_reports[0].checks[0].code, u"path_invalid"_s);
        }
        m = machine();
        m.mpiPrefix = u"/opt/no such $(touch /tmp/sb-bad)"_s;
        QVERIFY(!check(m));
        QCOMPARE(m_reports[0].checks[0].code, u"path_invalid"_s);
        QVERIFY(!QFile::exists(u"/tmp/sb-bad"_s));
    }

    void loginScripts()
    {
        const QString file = m_cluster->fileOf(u"sb2"_s, u"/root/.bashrc"_s);
        const auto with = [&](const char* text) {
            FakeBundle::write(QFileInfo(file).path(), ".bashrc", text, false);
            const bool fine = check(machine(u"sb1,sb2"_s));
            QFile::remove(file);
            return fine;
        };
        QVERIFY2(with("echo Welcome=yes\nprintf 'no line end'\n"), qPrintable(problems()));
        QCOMPARE(cell(1, "path").code, u"shell_noise"_s);
        QCOMPARE(cell(1, "path").level, HostCheck::Level::Warning);
        QVERIFY(cell(1, "path").text.contains(u"Welcome=yes"_s));
        QVERIFY(!with("echo 'This account is closed.' >&2; exit 3\n"));
        QCOMPARE(problems(), u"sb2.login:shell_unusable"_s);
        QVERIFY2(cell(1, "login").text.contains(u"This account is closed."_s),
                 qPrintable(cell(1, "login").text));
        QVERIFY(!with("PATH=/nowhere\n"));
        QVERIFY2(problems().contains(u"sb2."_s), qPrintable(problems()));
    }

    void dataSets()
    {
        TargetMachine m = machine(u"sb1,sb2,sb3"_s);
        for (const char* host : {"sb1", "sb2"})
            sh(host,
               u"mkdir -p /var/data/sub && cd /var/data && echo one > a && echo two > sub/b"_s);
        m.dataFolder = u"/var/data"_s;
        QVERIFY(!check(m));
        QCOMPARE(problems(), u"sb3.data:data_missing"_s);
        QCOMPARE(cell(0, "data").text, u"2 files, 8 bytes"_s);
        sh("sb3", u"mkdir -p /var/data && echo one > /var/data/a"_s);
        QVERIFY(!check(m));
        QCOMPARE(problems(), u"sb3.data:data_incomplete"_s);
        QVERIFY2(cell(2, "data").text.contains(u"1 files with 4 bytes instead of 2 with 8"_s),
                 qPrintable(cell(2, "data").text));
    }

    void networkInterface()
    {
        TargetMachine m = machine();
        m.interface = u"ib0"_s;
        QVERIFY(!check(m));
        QCOMPARE(problems().count(u"interface_missing"_s), 4);
        m.interface = m_cluster->subnet();
        QVERIFY2(check(m), qPrintable(problems()));
        sh("sb2", u"ip link add ib0 type bridge && ip addr add 10.99.0.2/24 dev ib0 && ip link set "
                  "ib0 up"_s);
        m.interface = u"ib0"_s;
        QVERIFY(!check(m));
        sh("sb2", u"ip link del ib0"_s);
        QCOMPARE(problems().count(u"interface_missing"_s), 3);
        QVERIFY2(cell(0, "interface").text.contains(u"only on sb2"_s),
                 qPrintable(cell(0, "interface").text));
    }

    void leftovers()
    {
        sh("sb3", u"cp /bin/sleep /root/scalebench-engine && (setsid /root/scalebench-engine 300 "
                  ">/dev/null 2>&1 </dev/null &)"_s);
        QVERIFY2(check(machine()), qPrintable(problems()));
        const HostCheck busy = cell(2, "busy");
        sh("sb3",
           u"kill $(cat /proc/[0-9]*/stat | sed -n 's/^\\([0-9]*\\) (scalebench-engi.*/\\1/p')"_s);
        QCOMPARE(busy.code, u"leftover_processes"_s);
        QVERIFY(busy.fix.contains(u"kill "_s));
        QVERIFY(cell(1, "busy").code != "leftover_processes"_L1);
    }

    void sameComputerTwice()
    {
        QVERIFY(check(machine(u"sb1,%1"_s.arg(m_cluster->address(0)))));
        QCOMPARE(cell(1, "name").code, u"same_computer"_s);
    }

    void behindALoginNode()
    {
        QVERIFY2(check(behindLogin()), qPrintable(problems()));
        QCOMPARE(m_reports.size(), 3);
        QCOMPARE(m_reports[0].host, u"sb1"_s);
        QCOMPARE(cell(1, "peers").level, HostCheck::Level::Ok);
        QCOMPARE(m_reports[2].facts["hostname"_L1].toString(), u"sb3"_s);
        fault({u"firewall"_s, u"sb1"_s, u"sb3"_s, u"reject"_s});
        QVERIFY(!check(behindLogin(u"sb2,sb3,nosuch"_s)));
        fault({u"firewall"_s, u"sb1"_s, u"sb3"_s, u"open"_s});
        QCOMPARE(problems(), u"sb3.peers:peer_ssh_refused nosuch.name:host_not_found"_s);
        QVERIFY(cell(2, "peers").text.contains(u"sb1 cannot log in to sb3"_s));
        // The login node alone, as a big machine.
        QVERIFY2(check(behindLogin({})), qPrintable(problems()));
        QCOMPARE(m_reports.size(), 1);
        QVERIFY(cell(0, "slots").level != HostCheck::Level::Skipped);
    }

    void deadLoginNode()
    {
        fault({u"refuse"_s, u"sb1"_s});
        QVERIFY(!check(behindLogin()));
        fault({u"refuse"_s, u"sb1"_s, u"off"_s});
        QCOMPARE(problems(), u"sb1.ssh:ssh_refused"_s); // said once
        QCOMPARE(cell(1, "ssh").level, HostCheck::Level::Skipped);
        QVERIFY(cell(2, "engine").text.contains(u"sb1"_s));
    }

    void noSlurm()
    {
        TargetMachine m = behindLogin({});
        m.kind = TargetMachine::Kind::Slurm;
        m.slurm.partition = u"gpu"_s;
        QVERIFY(!check(m));
        QCOMPARE(m_reports.size(), 1);
        // The cluster's hosts see this computer's /usr, where Slurm may be installed.
        QVERIFY2(cell(0, "slurm").code == "sbatch_missing"_L1 ||
                     cell(0, "slurm").code == "slurm_unreachable"_L1,
                 qPrintable(cell(0, "slurm").text));
        QVERIFY(m_reports[0].seconds < 12);
    }

    void destroyedWhileRunning()
    {
        fault({u"drop"_s, u"sb4"_s});
        QElapsedTimer timer;
        timer.start();
        {
            Preflight preflight(machine());
            preflight.start();
            QTest::qWait(300);
        }
        QVERIFY(timer.elapsed() < 9000); // ssh alone would wait for ten seconds
        fault({u"drop"_s, u"sb4"_s, u"off"_s});
    }

    void twoHundredHosts()
    {
        if (!fullCampaign())
            QSKIP("part of packaging/check --full");
        QByteArray config;
        for (int i = 1; i <= 195; ++i)
            config += "Host h" + QByteArray::number(i) + "\n HostName " +
                      m_cluster->address(i % 4).toLatin1() + "\n HostKeyAlias " +
                      m_cluster->host(i % 4).toLatin1() + '\n';
        const QString net = m_cluster->address(0).section(u'.', 0, 2);
        for (int i = 1; i <= 5; ++i)
            config += "Host dead" + QByteArray::number(i) + "\n HostName " + net.toLatin1() + '.' +
                      QByteArray::number(200 + i) + '\n';
        config +=
            contentOf(m_cluster->sshConfig()).replace("Host sb1 sb2", "Host h* dead* sb1 sb2");
        FakeBundle::write(m_folder.path(), "config", config, false);
        TargetMachine m = machine(u"h[1-195],dead[1-5]"_s);
        m.sshConfig = m_folder.filePath(u"config"_s);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!check(m));
        const double seconds = double(timer.elapsed()) / 1000;
        qInfo("200 hosts, 5 dead: %.1f s", seconds); // 16 s on two idle cores, ssh at both ends
        QCOMPARE(m_reports.size(), 200);
        const QString found = problems();
        for (int i = 0; i < 200; ++i)
            QVERIFY2(m_reports[i].ok() == (i < 195), qPrintable(found.left(500)));
    }
};

QTEST_GUILESS_MAIN(PreflightClusterTest)
#include "preflight_cluster_test.moc"
