// SPDX-License-Identifier: GPL-3.0-or-later
// What pre-flight says to answers that no test host can give: GPUs, clocks, quotas, small shared
// memory, hung drives, hosts that differ. The rest is tested on real hosts (tests/cluster).
#include "preflight/judge.h"

#include <QJsonArray>
#include <QTest>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

class PreflightJudgeTest : public QObject
{
    Q_OBJECT

    /// A host with everything. Later lines win only where they add keys, so `without` drops some.
    static QByteArray answer(const QByteArray& extra = {}, const QByteArrayList& without = {})
    {
        const QByteArray good =
            "begin=1000000000000000000\nstep=shell\nuser=anna\nhome=/home/anna\npath=/usr/bin:/"
            "bin\n"
            "ssh=10.0.0.9 1 10.0.0.1 22\nhostname=node1\nsystem=Linux 6.1 "
            "x86_64\ncores=8\ncpu=Xeon\n"
            "memory_kib=64000000\navailable_kib=60000000\nstep=engine\nfolder=/home/anna/sb\n"
            "engine=0.1.0-abc\nprobe={\"engine\":\"" SB_VERSION
            "\",\"cuda\":{\"available\":true,\"nccl\":\"2.21\"}}\nprobe=@exit 0\nstep=mpi\n"
            "mpi_prefix=/home/anna/sb/engine/current\nmpi=mpirun (Open MPI) 4.1.4\nmpi=@exit 0\n"
            "step=gpus\nstep=interface\naddress=eth0 10.0.0.1/24\nstep=busy\nload=0.10 0 0 1/2 3\n"
            "step=disk\ndisk_place=/home/anna\ndisk_free_kib=90000000\ntmp_free_kib=9000000\n"
            "shm_size_kib=32000000\nend=1000000000100000000\n";
        QByteArray text = "@scalebench-begin\n";
        for (const QByteArray& line : good.split('\n'))
            if (!line.isEmpty() && !without.contains(line.left(line.indexOf('='))))
                text += line + '\n';
        return text + extra + "@scalebench-end\n";
    }
    static TargetMachine machine()
    {
        TargetMachine m;
        m.name = u"lab"_s;
        m.kind = TargetMachine::Kind::Ssh;
        m.hosts = u"node1"_s;
        return m;
    }
    static HostReport judge(const QByteArray& text, int count = 0, double beginS = 999'999'999.9,
                            double endS = 1'000'000'000.2, const QString& name = u"node1"_s)
    {
        HostAnswer host;
        host.host = {name, count};
        host.probe = parseProbe(text);
        host.beginS = beginS;
        host.endS = endS;
        if (!host.probe.complete)
            host.failure = {u"host_timeout"_s, u"late"_s};
        return judgeHost(machine(), {}, {}, host);
    }
    static HostCheck cell(const HostReport& report, const QString& test)
    {
        for (const HostCheck& check : report.checks)
            if (check.test == test)
                return check;
        return {};
    }
    static QByteArray gpu(const char* mode = "Default", const char* driver = "550.54")
    {
        return QByteArray("gpu=NVIDIA H100, 81559, ") + driver + ", " + mode +
               "\ngpu=NVIDIA H100, 81559, " + driver + ", " + mode + "\ngpu=@exit 0\n";
    }

private slots:
    void allGood()
    {
        const HostReport report = judge(answer(gpu()), 2);
        for (const HostCheck& check : report.checks)
            QVERIFY2(check.level == HostCheck::Level::Ok ||
                         check.level == HostCheck::Level::Skipped,
                     qPrintable(check.test + u": "_s + check.text));
        QCOMPARE(cell(report, u"gpus"_s).text, u"2 x NVIDIA H100, driver 550.54"_s);
        QCOMPARE(cell(report, u"slots"_s).text, u"2; 2 GPUs, 8 processors"_s);
        QCOMPARE(report.facts["gpus"_L1].toArray().size(), 2);
        QCOMPARE(report.facts["nccl"_L1].toString(), u"2.21"_s);
    }

    void memoryIsTheContainers()
    {
        const auto memory = [](const QByteArray& limit) {
            return judge(answer(limit)).facts["memory"_L1].toDouble();
        };
        QCOMPARE(memory("memory_limit=max\n"), 64e6 * 1024);
        QCOMPARE(memory("memory_limit=9223372036854771712\n"), 64e6 * 1024);
        QCOMPARE(memory("memory_limit=3000000000\n"), 3e9);
        QCOMPARE(judge(answer("memory_limit=3000000000\n")).facts["memory_available"_L1].toDouble(),
                 3e9);
    }

    void cells_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("test");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* name, const QByteArray& text, const char* test,
                            const char* code, const char* word, int count = 0) {
            QTest::newRow(name) << text << count << QString::fromLatin1(test)
                                << QString::fromLatin1(code) << QString::fromLatin1(word);
        };
        row("driver hangs",
            answer("gpu_pci=0000:01:00.0\ngpu=Unable to determine the device handle\n"
                   "gpu=@exit 15\n"),
            "gpus", "gpu_driver", "Unable to determine");
        row("no driver", answer("gpu_pci=0000:01:00.0\n"), "gpus", "gpu_no_driver", "1 NVIDIA GPU");
        row("no rights", answer("driver=NVRM\ndriver_no_rights=1\n"), "gpus", "gpu_no_rights",
            "/dev/nvidiactl");
        row("exclusive mode", answer(gpu("Exclusive_Process")), "gpus", "gpu_mode",
            "Exclusive_Process");
        row("engine without CUDA",
            answer("probe={\"engine\":\"" SB_VERSION
                   "\",\"cuda\":{\"available\":false,\"reason\":\"no plug-in\"}}\nprobe=@exit 0\n" +
                       gpu(),
                   {"probe"}),
            "gpus", "cuda_unavailable", "no plug-in");
        row("more slots than GPUs", answer(gpu()), "slots", "slots_gpus", "node1:2", 4);
        row("more slots than processors", answer(), "slots", "slots_cores", "node1:8", 9);
        row("container with a part of the processors", answer("quota=200000 100000\n"), "slots",
            "slots_cores", "2 processors", 4);
        row("GPU in use", answer(gpu() + "gpu_process=77, python, 34000\ngpu_process=@exit 0\n"),
            "busy", "gpu_busy", "python");
        row("busy", answer("load=7.5 3 1 1/2 3\n", {"load"}), "busy", "cpu_busy", "7.5");
        row("leftovers", answer("leftover=12\nleftover=13\n"), "busy", "leftover_processes",
            "2 workers");
        row("quota", answer("disk_error=quota\n"), "disk", "disk_quota", "quota");
        row("read-only", answer("disk_error=read_only\n"), "disk", "disk_not_writable",
            "read-only");
        row("/tmp full", answer("tmp_error=full\n"), "disk", "disk_full", "/tmp");
        row("little room", answer("disk_free_kib=1000000\n", {"disk_free_kib"}), "disk", "disk_low",
            "1.0 GB");
        row("container", answer("shm_size_kib=65536\n", {"shm_size_kib"}), "shm", "shm_small",
            "67 MB");
        row("no shared memory", answer({}, {"shm_size_kib"}), "shm", "shm_missing", "/dev/shm");
        row("tools", answer("tool_missing=tar\n"), "path", "path_tools", "tar");
    }
    void cells()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, count);
        QFETCH(QString, test);
        QFETCH(QString, code);
        QFETCH(QString, word);
        const HostReport report = judge(text, count);
        const HostCheck found = cell(report, test);
        QCOMPARE(found.code, code);
        QVERIFY2((found.text + found.fix).contains(word), qPrintable(found.text + found.fix));
        QVERIFY(found.text.endsWith(u'.') || found.text.contains(u": "_s));
        QVERIFY(!found.fix.isEmpty());
        for (const HostCheck& other : report.checks)
            QVERIFY2(other.test == test || other.level != HostCheck::Level::Problem,
                     qPrintable(other.text));
    }

    void clocks_data()
    {
        QTest::addColumn<double>("begin");
        QTest::addColumn<double>("end");
        QTest::addColumn<QString>("text"); // empty: fine
        const double t = 1e9;
        QTest::newRow("same") << t - 0.2 << t + 0.3 << QString();
        QTest::newRow("slow login, same clock") << t - 8 << t + 0.2 << QString();
        QTest::newRow("ahead") << t - 42.2 << t - 41.7 << u"node1's clock is 42 s ahead of"_s;
        QTest::newRow("behind") << t + 99.8 << t + 100.3 << u"100 s behind"_s;
        QTest::newRow("ahead, slow login") << t - 30 << t - 22 << u"ahead"_s;
    }
    void clocks()
    {
        QFETCH(double, begin);
        QFETCH(double, end);
        QFETCH(QString, text);
        const HostCheck clock = cell(judge(answer(), 0, begin, end), u"clock"_s);
        QCOMPARE(clock.code, text.isEmpty() ? QString() : u"clock_skew"_s);
        QVERIFY2(clock.text.contains(text), qPrintable(clock.text));
        // Hosts whose date knows no fractions.
        const QByteArray coarse = answer("begin=1000000000\nend=1000000000\n", {"begin", "end"});
        QCOMPARE(cell(judge(coarse, 0, begin, end), u"clock"_s).code, clock.code);
    }

    void cutOffAnywhere()
    {
        // The answer may end at any byte: never a crash, and what hung is named.
        const QByteArray text = answer(gpu());
        for (qsizetype n = 0; n < text.size() - 1; n += 7) {
            const HostReport report = judge(text.left(n));
            QVERIFY(!report.ok());
            QCOMPARE(report.checks.size(), preflightTests().size() - 1);
        }
        const HostReport report = judge(text.left(text.indexOf("disk_place")));
        QCOMPARE(cell(report, u"disk"_s).code, u"probe_timeout"_s);
        QCOMPARE(cell(report, u"engine"_s).level, HostCheck::Level::Ok);
        QCOMPARE(cell(report, u"clock"_s).level, HostCheck::Level::Skipped);
    }

    void connections_data()
    {
        QTest::addColumn<QString>("code"); // of ssh; empty: it ended well
        QTest::addColumn<bool>("timedOut");
        QTest::addColumn<QString>("errors");
        QTest::addColumn<QString>("test");
        QTest::addColumn<QString>("found");
        QTest::addColumn<QString>("fix"); // a part of it
        const auto row = [](const char* name, const char* code, const char* errors,
                            const char* test, const char* found, const char* fix,
                            bool timedOut = false) {
            QTest::newRow(name) << QString::fromLatin1(code) << timedOut
                                << QString::fromLatin1(errors) << QString::fromLatin1(test)
                                << QString::fromLatin1(found) << QString::fromLatin1(fix);
        };
        row("a login script reads all input", "", "", "login", "shell_unusable", "~/.bashrc");
        row("a login script ends", "remote_failed", "closed\n", "login", "shell_unusable",
            "~/.bashrc");
        row("a login script hangs", "host_timeout", "", "ssh", "host_timeout", "~/.bashrc", true);
        row("nobody answers", "host_timeout", "", "ssh", "host_timeout", "leave it out.");
        row("a bad ssh config", "ssh_failed", "Can't open user config file /none", "ssh",
            "ssh_failed", "its config");
        // As ssh names the key, and the file it looked in.
        row("another key", "host_key_changed",
            "Offending ED25519 key in /home/a b/known:3\nHost key for [10.0.0.3]:2222 has changed "
            "and you have requested strict checking.",
            "host_key", "host_key_changed", "ssh-keygen -f '/home/a b/known' -R '[10.0.0.3]:2222'");
        row("another key, nothing more said", "host_key_changed", "", "host_key",
            "host_key_changed", "ssh-keygen -R node1,");
    }
    void connections()
    {
        QFETCH(QString, code);
        QFETCH(bool, timedOut);
        QFETCH(QString, errors);
        QFETCH(QString, test);
        QFETCH(QString, found);
        QFETCH(QString, fix);
        HostAnswer host;
        host.host = {u"node1"_s, 0};
        host.timedOut = timedOut;
        host.errors = errors;
        host.failure = {code, errors, errors};
        const HostReport report = judgeHost(machine(), {}, {}, host);
        QVERIFY(!report.ok());
        const HostCheck check = cell(report, test);
        QCOMPARE(check.code, found);
        QVERIFY2(check.fix.contains(fix), qPrintable(check.fix));
        QCOMPARE(cell(report, u"path"_s).level, HostCheck::Level::Skipped);
    }

    /// Where nothing was looked at, nothing is ready.
    void nothingChecked()
    {
        HostReport report;
        QVERIFY(!report.ok());
        report.checks << HostCheck{u"name"_s, HostCheck::Level::Skipped, {}, {}, {}, {}};
        QVERIFY(!report.ok());
    }

    void differences()
    {
        const auto host = [&](const QString& name, QByteArray text) {
            text.replace("hostname=node1", "hostname=" + name.toUtf8());
            text.replace("10.0.0.1/24", "10.0.0." + name.right(1).toUtf8() + "/24");
            return judge(text, 0, 999'999'999.9, 1'000'000'000.2, name);
        };
        QByteArray other = answer(gpu("Default", "440.10"));
        other.replace("2.21", "2.26").replace("4.1.4", "5.0.7");
        QList<HostReport> reports{host(u"n1"_s, answer(gpu())), host(u"n2"_s, answer(gpu())),
                                  host(u"n3"_s, other)};
        TargetMachine m = machine();
        const QList<int> changed = compareHosts(m, reports);
        QVERIFY(changed.contains(2));
        QVERIFY(reports[0].ok() && reports[1].ok());
        QCOMPARE(cell(reports[2], u"gpus"_s).code, u"nccl_mismatch"_s);
        QCOMPARE(cell(reports[2], u"gpus"_s).text,
                 u"n3 has NCCL 2.26, n1 has 2.21. Runs would hang or give wrong timings."_s);
        QCOMPARE(cell(reports[2], u"mpi"_s).code, u"mpi_mismatch"_s);
        QCOMPARE(reports[0].facts["subnet"_L1].toString(), u"10.0.0.0/24"_s);
    }

    void networks()
    {
        const auto host = [&](const char* name, const QByteArray& addresses) {
            QByteArray text = answer(addresses, {"address"});
            text.replace("hostname=node1", QByteArray("hostname=") + name);
            return judge(text, 0, 999'999'999.9, 1'000'000'000.2, QString::fromLatin1(name));
        };
        // The same address of a container bridge everywhere is no common network.
        QList<HostReport> reports{
            host("a", "address=docker0 172.17.0.1/16\naddress=br1 192.168.1.1/24\naddress=eth0 "
                      "10.1.0.5/16\n"),
            host("b", "address=docker0 172.17.0.1/16\naddress=br1 192.168.1.1/24\naddress=eth1 "
                      "10.1.7.6/16\naddress=eth1 fe80::1/64\n")};
        compareHosts(machine(), reports);
        QCOMPARE(cell(reports[0], u"interface"_s).text, u"eth0 10.1.0.5/16"_s);
        QCOMPARE(cell(reports[1], u"interface"_s).text, u"eth1 10.1.7.6/16"_s);
        QCOMPARE(reports[1].facts["subnet"_L1].toString(), u"10.1.0.0/16"_s);
        reports = {host("a", "address=eth0 10.1.0.5/24\n"),
                   host("b", "address=eth0 10.2.0.5/24\n")};
        compareHosts(machine(), reports);
        QCOMPARE(cell(reports[0], u"interface"_s).code, u"interface_no_common"_s);
        TargetMachine m = machine();
        m.interface = u"10.0.0.0/8"_s;
        reports = {host("a", "address=eth0 10.1.0.5/24\n"), host("b", "address=eth0 9.2.0.5/24\n")};
        compareHosts(m, reports);
        QCOMPARE(cell(reports[0], u"interface"_s).level, HostCheck::Level::Ok);
        QCOMPARE(cell(reports[1], u"interface"_s).code, u"interface_missing"_s);
    }
};

QTEST_GUILESS_MAIN(PreflightJudgeTest)
#include "preflight_judge_test.moc"
