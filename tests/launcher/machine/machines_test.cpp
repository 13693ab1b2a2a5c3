// SPDX-License-Identifier: GPL-3.0-or-later
// Target machines without any network: their file, hostfiles, host lists, what is refused.
#include "machine/machines.h"
#include "machine/study_machine.h"
#include "support/file_content.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;
using scalebench::test::contentOf;
using namespace Qt::Literals::StringLiterals;

class MachinesTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString path(const char* name) const { return m_folder->filePath(QLatin1StringView(name)); }
    void write(const QString& file, const QByteArray& bytes)
    {
        QFile f(file);
        QVERIFY(f.open(QIODevice::WriteOnly));
        f.write(bytes);
    }
    static TargetMachine sshMachine(const QString& name = u"lab"_s)
    {
        TargetMachine machine;
        machine.name = name;
        machine.kind = TargetMachine::Kind::Ssh;
        machine.hosts = u"node1:8,node2:8"_s;
        return machine;
    }
    static QString listed(const QList<HostSlots>& hosts)
    {
        QStringList words;
        for (const HostSlots& host : hosts)
            words << u"%1:%2"_s.arg(host.name).arg(host.count);
        return words.join(u' ');
    }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void everyFieldIsKept()
    {
        TargetMachine machine;
        machine.name = u"Büro „Ost“ $(touch x) 'q' \"d\""_s;
        machine.kind = TargetMachine::Kind::Slurm;
        machine.login = u"anna@login.lab"_s;
        machine.user = u"anna"_s;
        machine.jumpHost = u"gate:2222,[fe80::1]:22"_s;
        machine.sshConfig = u"/home/anna/my config"_s;
        machine.folder = u"~/mein Ordner/it's $(x)"_s;
        machine.mpiPrefix = u"/opt/ompi-4"_s;
        machine.dataFolder = u"/data/größe"_s;
        machine.interface = u"ib0,10.0.0.0/24"_s;
        machine.environment = {{u"A"_s, u"x y $z"_s}};
        machine.nccl = {{u"SOCKET_IFNAME"_s, u"ib0"_s}};
        machine.ucx = {{u"TLS"_s, u"rc,sm"_s}};
        machine.slurm = {u"gpu"_s, u"lab1"_s, u"1-2:00"_s, 8, {u"--constraint=a100"_s}};
        machine.pricePerHour = 2.5;
        Result<MachineFile> file = MachineFile::open(path("sub/machines.json"));
        QVERIFY(file.ok());
        QCOMPARE(file.value().machines().size(), 1);
        const Result<void> saved = file.value().save(machine);
        QVERIFY2(saved.ok(), saved.ok() ? "" : qPrintable(saved.failure().message));
        const Result<MachineFile> again = MachineFile::open(path("sub/machines.json"));
        QVERIFY(again.ok());
        QCOMPARE(again.value().machines().size(), 2);
        QCOMPARE(again.value().machines()[0].name, u"local"_s);
        QVERIFY(again.value().machines()[1] == machine);
        const QJsonObject json =
            QJsonDocument::fromJson(contentOf(path("sub/machines.json"))).object();
        QCOMPARE(json["format"_L1].toString(), u"scalebench.machines"_s);
        QCOMPARE(json["version"_L1].toInt(), 1);
    }

    void twoProgramsChangeTheFile()
    {
        Result<MachineFile> one = MachineFile::open(path("m.json"));
        Result<MachineFile> two = MachineFile::open(path("m.json"));
        QVERIFY(one.value().save(sshMachine(u"a"_s)).ok());
        QVERIFY(two.value().save(sshMachine(u"b"_s)).ok());
        QCOMPARE(two.value().machines().size(), 3); // local, a, b: nothing of the other is lost
        QVERIFY(one.value().rename(u"b"_s, u"c"_s).ok());
        QVERIFY(one.value().find(u"c"_s));
        QCOMPARE(one.value().rename(u"c"_s, u"a"_s).failure().code, u"machine_duplicate"_s);
        QCOMPARE(one.value().rename(u"c"_s, u"a\nb"_s).failure().code, u"machine_name"_s);
        QCOMPARE(two.value().remove(u"zz"_s).failure().code, u"machine_unknown"_s);
        QVERIFY(two.value().remove(u"a"_s).ok());
        QCOMPARE(MachineFile::open(path("m.json")).value().machines().size(), 2);
        QVERIFY(!two.value().remove(u"local"_s).ok());
        QVERIFY(!two.value().rename(u"local"_s, u"x"_s).ok());
    }

    void localHasSettingsToo()
    {
        Result<MachineFile> file = MachineFile::open(path("m.json"));
        QVERIFY(file.value().save(sshMachine()).ok());
        TargetMachine local = *file.value().find(u"local"_s);
        local.pricePerHour = 3;
        QVERIFY(file.value().save(local).ok());
        const Result<MachineFile> again = MachineFile::open(path("m.json"));
        QCOMPARE(again.value().machines().first().pricePerHour, 3.0);
        QCOMPARE(again.value().machines().size(), 2);
        QVERIFY(file.value().remove(u"local"_s).ok());
        QCOMPARE(file.value().machines().first().pricePerHour, 0.0);
    }

    /// As people keep their settings in one place: what the link leads to is written.
    void linkedFile()
    {
        const QString kept = path("kept.json"), linked = path("linked.json");
        write(kept, "{\"format\": \"scalebench.machines\", \"version\": 1, \"machines\": []}");
        QVERIFY(QFile::link(kept, linked));
        const auto saved = MachineFile::open(linked).value().save(sshMachine());
        QVERIFY2(saved, saved ? "" : qPrintable(saved.failure().message));
        QVERIFY(QFileInfo(linked).isSymLink());
        QVERIFY(contentOf(kept).contains("node1:8"));
        // Damaged: the link is put aside, what it led to stays as it is.
        write(kept, "no list of machines");
        QVERIFY(QFile::setPermissions(kept, QFile::ReadOwner | QFile::ReadOther));
        const auto rights = QFileInfo(kept).permissions();
        QCOMPARE(MachineFile::open(linked).failure().code, u"machines_damaged"_s);
        QVERIFY(!QFileInfo(linked).isSymLink());
        QCOMPARE(QFileInfo(kept).permissions(), rights);
        QCOMPARE(contentOf(kept), "no list of machines");
    }

    void damagedFileIsKept()
    {
        write(path("m.json"), "{\"format\": \"scalebench.mach");
        const Result<MachineFile> file = MachineFile::open(path("m.json"));
        QCOMPARE(file.failure().code, u"machines_damaged"_s);
        QVERIFY2(file.failure().message.contains(u"m.json.damaged"_s),
                 qPrintable(file.failure().message));
        QCOMPARE(contentOf(path("m.json.damaged")), "{\"format\": \"scalebench.mach");
        QVERIFY(MachineFile::open(path("m.json")).ok()); // empty now
        write(path("m.json"), "more");
        QVERIFY(!MachineFile::open(path("m.json")).ok());
        QCOMPARE(contentOf(path("m.json.damaged")), "{\"format\": \"scalebench.mach");
        QCOMPARE(contentOf(path("m.json.damaged2")), "more");
    }

    void refusedFiles_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* machine, const char* code,
                            const char* part) {
            QTest::newRow(name) << QByteArray("{\"format\":\"scalebench.machines\",\"version\":1,"
                                              "\"machines\":[" +
                                              QByteArray(machine) + "]}")
                                << QString::fromLatin1(code) << QString::fromLatin1(part);
        };
        QTest::newRow("newer") << QByteArray(
                                      R"({"format":"scalebench.machines","version":2,"new":1})")
                               << u"newer_version"_s << u"Update Scalebench"_s;
        QTest::newRow("other format") << QByteArray(R"({"format":"scalebench.study","version":1})")
                                      << u"wrong_format"_s << u"scalebench.machines"_s;
        QTest::newRow("no format") << QByteArray("{}") << u"wrong_format"_s << u"missing"_s;
        QTest::newRow("not a list")
            << QByteArray(R"({"format":"scalebench.machines","machines":{}})") << u"wrong_type"_s
            << u"a list"_s;
        row("unknown key", R"({"name":"a","kind":"ssh","host":"n1"})", "unknown_key",
            "did you mean \"hosts\"");
        row("unknown slurm key", R"({"name":"a","slurm":{"partion":"x"}})", "unknown_key",
            "partition");
        row("kind", R"({"name":"a","kind":"shh"})", "kind_unknown", "did you mean \"ssh\"");
        row("type", R"({"name":"a","user":5})", "wrong_type", "\"user\" must be a text");
        row("map", R"({"name":"a","environment":{"X":1}})", "wrong_type", "environment.X");
        row("twice", R"({"name":"a"},{"name":"a"})", "machine_duplicate", "twice");
        row("not an object", "5", "wrong_type", "list of objects");
        row("bad value", R"({"name":"a","kind":"ssh","hosts":"-oProxyCommand=x"})",
            "host_name_invalid", "begins with \"-\"");
        row("no name", R"({"kind":"local"})", "machine_name", "needs a name");
    }
    void refusedFiles()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, code);
        QFETCH(QString, part);
        write(path("m.json"), json);
        const Result<MachineFile> file = MachineFile::open(path("m.json"));
        QVERIFY(!file.ok());
        QCOMPARE(file.failure().code, code);
        QVERIFY2(file.failure().message.contains(part), qPrintable(file.failure().message));
        QCOMPARE(contentOf(path("m.json")), json); // a person's mistake: the file stays where it is
    }

    void hostileValues_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("accepted");
        const auto bad = [](const char* field, const QString& value) {
            QTest::addRow("%s: %s", field, qPrintable(value.left(30).simplified()))
                << field << value << false;
        };
        const auto good = [](const char* field, const QString& value) {
            QTest::addRow("%s ok: %s", field, qPrintable(value.left(30))) << field << value << true;
        };
        for (const char* host :
             {"-oProxyCommand=x", "a b;c", "$(touch /tmp/x)", "`x`", "a'b", "a\"b", "a|b", "a&b",
              "n\\x", "nöde", "*", "a/b", "-", "a@-x@", "a\1b", "::1", "fe80::1", "[::1]:2"})
            bad("hosts", QString::fromUtf8(host));
        bad("hosts", QString(300, u'a'));
        for (const char* name : {"../../x", "a/b", "..", ".hidden", "/etc", "-x", " x", "a\nb"})
            bad("name", QString::fromUtf8(name));
        for (const char* name : {"größe 2", "c.d", "it's $(mine)", "a:b"})
            good("name", QString::fromUtf8(name));
        // mpirun puts this one into a line for shells without quotes, and ":" separates in PATH.
        for (const char* prefix : {"/opt/a b", "/opt/$(touch x)", "/opt/`x`", "/opt/a;b",
                                   "/opt/'a'", "/opt/a\"b", "/opt/a\\b", "/opt/a:b",
                                   "/opt/gr\xc3\xb6\xc3\x9f"
                                   "e"})
            bad("prefix", QString::fromUtf8(prefix));
        for (const char* prefix : {"/opt/openmpi-4.1.4_x", "~/mpi", "/usr"})
            good("prefix", QString::fromUtf8(prefix));
        bad("folder", u"/data/a:b"_s);
        for (const char* host :
             {"n1", "10.0.0.1:4", "gpu[1-3]", "anna@n1", "n_1.lab-x.example", "a, b\tc\nd", "N1"})
            good("hosts", QString::fromUtf8(host));
        for (const char* login : {"-l root", "-v", "a b", "a;b", "$(x)", "a\nb", "ssh://x"})
            bad("login", QString::fromUtf8(login));
        good("login", u"anna@fe80::1%eth0"_s);
        bad("jump", u"a,-oProxyCommand=x"_s);
        bad("jump", u"a b"_s);
        bad("user", u"-x"_s);
        bad("user", u"a b"_s);
        good("user", u"DOM\\anna"_s);
        for (const char* name : {"", " a", "a\nb", "-a", "a\x7f", "a\u2028b"})
            bad("name", QString::fromUtf8(name));
        good("name", u"Größe $(touch x) `a` \"b\" 'c' ; | &"_s);
        for (const char* folder :
             {"", "relative", "-x", "/a\nb", "/a/../b", "~other/x", "~/../../etc"})
            bad("folder", QString::fromUtf8(folder));
        bad("folder", u"/"_s + QString(2000, u'x'));
        for (const char* folder :
             {"/a b", "~/$(touch x)", "/it's", "/\"q\"", "/ümläut", "~", "/a..b"})
            good("folder", QString::fromUtf8(folder));
        bad("data", u"data"_s);
        bad("prefix", u"opt"_s);
        bad("config", u"config"_s);
        bad("config", u"-x"_s);
        bad("interface", u"-x"_s);
        bad("interface", u"eth0 --x"_s);
        good("interface", u"fe80::/64"_s);
        bad("partition", u"-x"_s);
        bad("partition", u"a\n#SBATCH -x"_s);
        bad("time", u"two hours"_s);
        bad("time", u"1:2:3:4"_s);
        good("time", u"1-12:30:00"_s);
        good("time", u"90"_s);
        bad("option", u"script.sh"_s);
        bad("option", u"--wrap=rm"_s);
        bad("option", u"--a\nb"_s);
        bad("option", u"--"_s);
        good("option", u"--comment=it's $(x)"_s);
        bad("env", u"A=B"_s);
        bad("env", u""_s);
        bad("env", u"1A"_s);
        bad("envvalue", u"a\nb"_s);
        good("envvalue", u"a b $(x) 'ä'"_s);
        bad("nccl", u"NCCL_DEBUG"_s);
    }
    void hostileValues()
    {
        QFETCH(QString, field);
        QFETCH(QString, value);
        QFETCH(bool, accepted);
        TargetMachine m = sshMachine();
        if (field == "login"_L1 || field == "partition"_L1 || field == "time"_L1 ||
            field == "option"_L1) {
            m.kind = TargetMachine::Kind::Slurm;
            m.hosts.clear();
        }
        if (field == "hosts"_L1)
            m.hosts = value;
        else if (field == "login"_L1)
            m.login = value;
        else if (field == "jump"_L1)
            m.jumpHost = value;
        else if (field == "user"_L1)
            m.user = value;
        else if (field == "name"_L1)
            m.name = value;
        else if (field == "folder"_L1)
            m.folder = value;
        else if (field == "data"_L1)
            m.dataFolder = value;
        else if (field == "prefix"_L1)
            m.mpiPrefix = value;
        else if (field == "config"_L1)
            m.sshConfig = value;
        else if (field == "interface"_L1)
            m.interface = value;
        else if (field == "partition"_L1)
            m.slurm.partition = value;
        else if (field == "time"_L1)
            m.slurm.timeLimit = value;
        else if (field == "option"_L1)
            m.slurm.extraOptions = {value};
        else if (field == "env"_L1)
            m.environment = {{value, u"x"_s}};
        else if (field == "envvalue"_L1)
            m.environment = {{u"X"_s, value}};
        else if (field == "nccl"_L1)
            m.nccl = {{value, u"x"_s}};
        const Result<void> result = m.check();
        if (accepted) {
            QVERIFY2(result.ok(), result.ok() ? "" : qPrintable(result.failure().message));
            return;
        }
        QVERIFY(!result.ok());
        const QString message = result.failure().message;
        QVERIFY2(message.endsWith(u'.') && !message.contains(u'\n') && message.size() < 400,
                 qPrintable(message));
        QVERIFY(!result.failure().code.isEmpty());
    }

    void kindsAndTheirFields()
    {
        TargetMachine m = sshMachine();
        m.hosts.clear();
        QCOMPARE(m.check().failure().code, u"hosts_missing"_s);
        m.hosts = u"a"_s;
        m.hostfile = u"/h"_s;
        QCOMPARE(m.check().failure().code, u"hosts_twice"_s);
        m = sshMachine();
        m.login = u"x"_s;
        QCOMPARE(m.check().failure().code, u"login_unused"_s);
        m.kind = TargetMachine::Kind::Slurm;
        QCOMPARE(m.check().failure().code, u"hosts_for_slurm"_s);
        m.kind = TargetMachine::Kind::Login;
        QVERIFY(m.check().ok());
        m.hosts.clear();
        QVERIFY(m.check().ok()); // a big machine by itself
        QCOMPARE(listed(hostsOf(m).value()), u"localhost:0"_s);
        m.login = u"anna@big"_s; // and one that names itself
        m.hosts = u"big:4"_s;
        QCOMPARE(listed(hostsOf(m).value()), u"localhost:4"_s);
        QCOMPARE(machineBehindLogin(m).hosts, u"localhost:4"_s);
        m.hosts = u"big:4,other:4"_s;
        QCOMPARE(listed(hostsOf(m).value()), u"big:4 other:4"_s);
        m.login.clear();
        QCOMPARE(m.check().failure().code, u"login_missing"_s);
        m = sshMachine(u"local"_s);
        QCOMPARE(m.check().failure().code, u"machine_name"_s);
    }

    void hostLists_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected"); // "!word" for a failure that names it
        QTest::newRow("simple") << "a:2,b:2"
                                << "a:2 b:2";
        QTest::newRow("no slots") << "a b"
                                  << "a:0 b:0";
        QTest::newRow("blanks") << " a:2 ,\n b\t c,,d "
                                << "a:2 b:0 c:0 d:0";
        QTest::newRow("empty") << "  "
                               << "";
        QTest::newRow("padded") << "gpu[01-04,7]:8"
                                << "gpu01:8 gpu02:8 gpu03:8 gpu04:8 gpu7:8";
        QTest::newRow("over the padding") << "n[8-11]"
                                          << "n8:0 n9:0 n10:0 n11:0";
        QTest::newRow("padding grows") << "n[099-101]"
                                       << "n099:0 n100:0 n101:0";
        QTest::newRow("two brackets") << "r[1-2]n[1-2].x:3"
                                      << "r1n1.x:3 r1n2.x:3 r2n1.x:3 r2n2.x:3";
        QTest::newRow("duplicate adds up") << "a:2,b,a:3,b"
                                           << "a:5 b:2";
        QTest::newRow("word for slots") << "a:two"
                                        << "!\"two\" is not a number";
        QTest::newRow("zero slots") << "a:0"
                                    << "!\"0\" is not a number";
        QTest::newRow("negative") << "a:-1"
                                  << "!\"-1\" is not a number";
        QTest::newRow("huge slots") << "a:99999999999"
                                    << "!is not a number";
        QTest::newRow("backwards") << "n[4-1]"
                                   << "!goes backwards";
        QTest::newRow("too many") << "n[1-65537]"
                                  << "!more than 65536";
        QTest::newRow("too many in steps") << "n[1-300]m[1-300]"
                                           << "!more than 65536";
        QTest::newRow("too many in sum") << "a[1-40000],b[1-40000]"
                                         << "!more than 65536";
        QTest::newRow("huge range") << "n[0-999999999999]"
                                    << "!no number or range";
        QTest::newRow("open bracket") << "n[1-2"
                                      << "!closing";
        QTest::newRow("close bracket") << "n1-2]"
                                       << "!do not match";
        QTest::newRow("nested") << "n[[1]]"
                                << "!do not match";
        QTest::newRow("empty bracket") << "n[]"
                                       << "!no number or range";
        QTest::newRow("letters") << "n[a-b]"
                                 << "!\"a-b\"";
        QTest::newRow("IPv6") << "fe80::1"
                              << "!IPv6";
        QTest::newRow("hostile") << "$(x)"
                                 << "!cannot be a host";
        QTest::newRow("number of another script") << u"n[١-٢]"_s << "!no number or range";
    }
    void hostLists()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const Result<QList<HostSlots>> hosts = parseHostList(text);
        if (expected.startsWith(u'!')) {
            QVERIFY(!hosts.ok());
            QVERIFY2(hosts.failure().message.contains(expected.mid(1)),
                     qPrintable(hosts.failure().message));
        } else {
            QVERIFY2(hosts.ok(), hosts.ok() ? "" : qPrintable(hosts.failure().message));
            QCOMPARE(listed(hosts.value()), expected);
        }
    }
    void longHostList() { QCOMPARE(parseHostList(u"n[00001-65536]:8"_s).value().size(), 65536); }

    void hostfiles_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("hosts");
        QTest::addColumn<QString>("codes"); // "line:code", errors with "!"
        QTest::addColumn<QString>("message");
        QTest::addColumn<QByteArray>("fixed");
        const auto row = [](const char* name, const char* text, const char* hosts,
                            const char* codes, const char* message, const char* fixed) {
            QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(hosts)
                                << QString::fromUtf8(codes) << QString::fromUtf8(message)
                                << QByteArray(fixed);
        };
        row("good", "n1 slots=4\nn2 slots=4\n", "n1:4 n2:4", "", "", "n1 slots=4\nn2 slots=4\n");
        row("no slots", "n1\nn2", "n1:0 n2:0", "", "", "n1\nn2\n");
        row("comments", "# all\nn1 slots=2 # fast\n\nn2 // slow\n/* a\nb */ n3\n", "n1:2 n2:0 n3:0",
            "", "", "# all\nn1 slots=2 # fast\n\nn2 // slow\n/* a\nn3\n");
        row("tabs", "n1\tslots=4\n", "n1:4", "", "", "n1 slots=4\n");
        row("blanks at =", "n1 slots = 4\n", "n1:4", "", "", "n1 slots=4\n");
        row("max", "n1 slots=2 max_slots=4\n", "n1:2", "", "", "n1 slots=2 max_slots=4\n");
        row("cpu and count", "a cpu=2\nb count=3", "a:2 b:3", "", "", "a slots=2\nb slots=3\n");
        row("username", "a slots=2 username=bob", "bob@a:2", "", "", "bob@a slots=2\n");
        row("slots=two", "n1 slots=4\n\nnode1 slots=two\n", "n1:4", "3:hostfile_slots!",
            "Line 3: \"slots=two\" is not a number. Write e.g. node1 slots=8.",
            "n1 slots=4\n\nnode1 slots=two\n");
        row("slots=0", "n1 slots=0", "", "1:hostfile_slots!", "\"slots=0\" is not a number",
            "n1 slots=0\n");
        row("slots=-1", "n1 slots=-1", "", "1:hostfile_slots!", "\"slots=-1\"", "n1 slots=-1\n");
        row("slots=", "n1 slots=", "", "1:hostfile_slots!", "is not a number", "n1 slots=\n");
        row("trailing comma", "n1 slots=2,", "", "1:hostfile_slots!", "\"slots=2,\"",
            "n1 slots=2,\n");
        row("max below slots", "n1 slots=4 max_slots=2", "", "1:hostfile_slots!", "refuses",
            "n1 slots=4 max_slots=2\n");
        row("gpus", "n1 gpus=8\n", "n1:8", "1:hostfile_key!",
            "Line 1: \"gpus=8\" is not known to Open MPI (did you mean slots=8?).", "n1 slots=8\n");
        row("ppn", "n1 ppn=8\n", "n1:8", "1:hostfile_key!", "slots=8", "n1 slots=8\n");
        row("misspelt", "n1 slotts=8\n", "n1:8", "1:hostfile_key!", "slots=8", "n1 slots=8\n");
        row("unknown", "n1 colour=red\n", "", "1:hostfile_key!", "\"colour=red\" is not known",
            "n1 colour=red\n");
        row("colon", "n1:8\n", "n1:8", "1:hostfile_colon!", "Write n1 slots=8.", "n1 slots=8\n");
        row("bare number", "n1 8\n", "n1:8", "1:hostfile_word!", "Write n1 slots=8.",
            "n1 slots=8\n");
        row("two hosts in a line", "n1 n2\n", "", "1:hostfile_word!", "one host per line",
            "n1 n2\n");
        row("IPv6", "fe80::1 slots=2\n", "", "1:hostfile_ipv6!", "IPv6", "fe80::1 slots=2\n");
        row("IPv6 in brackets", "[::1] slots=2\n", "", "1:hostfile_ipv6!", "IPv6",
            "[::1] slots=2\n");
        row("duplicate", "node2 slots=8\nn1\nnode2 slots=8\n", "node2:16 n1:0",
            "3:hostfile_duplicate", "node2 is listed twice (first in line 1): 8 + 8 = 16 slots.",
            "node2 slots=16\nn1\n");
        row("once for each slot", "a\na\na\n", "a:3", "2:hostfile_duplicate 3:hostfile_duplicate",
            "2 + 1 = 3", "a slots=3\n");
        row("CRLF", "a slots=2\r\nb slots=2\r\n", "a:2 b:2", "1:hostfile_crlf", "Windows line ends",
            "a slots=2\nb slots=2\n");
        row("BOM",
            "\xef\xbb\xbf"
            "a slots=2\n",
            "a:2", "1:hostfile_bom", "byte order mark", "a slots=2\n");
        row("UTF-16",
            "\xff\xfe"
            "a",
            "", "1:hostfile_binary!", "not a text file", "");
        row("empty", "", "", "0:hostfile_empty!", "the file is empty", "");
        row("only blank lines", "\n\n \n", "", "0:hostfile_empty!", "all 3 lines are empty",
            "\n\n\n");
        row("only comments", "# a\n\n#b\n# c\n", "", "0:hostfile_empty!",
            "There is no host in it: all 4 lines are comments or empty.", "# a\n\n#b\n# c\n");
        row("no host", "slots=4\n", "", "1:hostfile_host!", "name is missing", "slots=4\n");
        row("excluded", "^n1\n+n2\n", "", "1:hostfile_host! 2:hostfile_host!", "not supported",
            "^n1\n+n2\n");
        row("option", "-oProxyCommand=x slots=2\n", "", "1:hostfile_host!", "missing",
            "-oProxyCommand=x slots=2\n");
        row("dash", "-v slots=2\n", "", "1:hostfile_host!", "begins with \"-\"", "-v slots=2\n");
        row("hostile", "$(touch${IFS}x)\n", "", "1:hostfile_host!", "cannot be a host",
            "$(touch${IFS}x)\n");
        row("umlaut", "nöde slots=1\n", "", "1:hostfile_host!", "alias", "nöde slots=1\n");
        row("two errors in a line", "n1 gpus=two colour=x\n", "", "1:hostfile_key! 1:hostfile_key!",
            "", "n1 gpus=two colour=x\n");
    }
    void hostfiles()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, hosts);
        QFETCH(QString, codes);
        QFETCH(QString, message);
        QFETCH(QByteArray, fixed);
        const Hostfile file = parseHostfile(text);
        QStringList found, messages;
        for (const HostfileRemark& remark : file.remarks) {
            found << u"%1:%2%3"_s.arg(remark.line)
                         .arg(remark.code, remark.isError ? u"!"_s : QString());
            messages << remark.message;
        }
        QCOMPARE(found.join(u' '), codes);
        QVERIFY2(messages.join(u'\n').contains(message), qPrintable(messages.join(u'\n')));
        QCOMPARE(listed(file.hosts), hosts);
        QCOMPARE(file.fixedText.toUtf8(), fixed);
        // What was fixed stays as it is and says nothing new.
        const Hostfile again = parseHostfile(fixed);
        QCOMPARE(again.fixedText.toUtf8(), fixed);
        for (const HostfileRemark& remark : again.remarks)
            QVERIFY(remark.isError);
    }

    void hostfileOnDisk()
    {
        TargetMachine m = sshMachine();
        m.hosts.clear();
        m.hostfile = path("hosts.txt");
        QCOMPARE(hostsOf(m).failure().code, u"hostfile_missing"_s);
        write(m.hostfile, "n1 slots=2\nn2 slots=two\n");
        QCOMPARE(hostsOf(m).failure().code, u"hostfile_slots"_s);
        QVERIFY(hostsOf(m).failure().message.startsWith(m.hostfile + u": Line 2:"_s));
        write(m.hostfile, "n1 slots=2\nn1 slots=2\n");
        QCOMPARE(listed(hostsOf(m).value()), u"n1:4"_s);
        m.hostfile = m_folder->path();
        QCOMPARE(hostsOf(m).failure().code, u"hostfile_folder"_s);
        m.hostfile = path("no right");
        write(m.hostfile, "n1\n");
        QFile::setPermissions(m.hostfile, {});
        if (!QFile(m.hostfile).open(QIODevice::ReadOnly)) // root may read anything
            QCOMPARE(hostsOf(m).failure().code, u"hostfile_not_readable"_s);
    }

    void planning()
    {
        TargetMachine m = sshMachine(u"plan \n-less"_s);
        QVERIFY(!planningInfo(m).ok()); // the name
        m = sshMachine(u"plan"_s);
        m.hosts = u"a:3,b"_s;
        rememberFacts(m.name, {}, {});
        Result<MachineInfo> info = planningInfo(m);
        QCOMPARE(listed(info.value().hosts), u"a:3 b:1"_s);
        QCOMPARE(info.value().cores, 1); // what every host has at least
        QVERIFY(info.value().cudaReason.contains(u"not been checked"_s));
        QVERIFY(!info.value().enginePath.isEmpty() && !info.value().mpirunPath.isEmpty());
        rememberFacts(
            m.name,
            {{u"a"_s, QJsonObject{{u"cores"_s, 8}, {u"physical_cores"_s, 6}, {u"memory"_s, 64e9}}},
             {u"b"_s, QJsonObject{{u"cores"_s, 8},
                                  {u"gpus"_s, QJsonArray{u"H100"_s, u"H100"_s}},
                                  {u"memory"_s, 32e9}}}},
            {1, 2, 1, 0});
        QCOMPARE(lastCheck(m.name), (CheckSummary{1, 2, 1, 0}));
        info = planningInfo(m);
        QCOMPARE(listed(info.value().hosts), u"a:3 b:2"_s);
        QCOMPARE(info.value().cores, 8);
        QCOMPARE(info.value().physicalCores, 6); // b's are not known: as many as processors
        QCOMPARE(info.value().gpus.size(), 2);
        QCOMPARE(info.value().memoryBytes, qint64(32e9));
        QVERIFY(knownFacts(u"another"_s).isEmpty());
        QVERIFY(planningInfo(TargetMachine()).value().cores > 0); // this computer
    }
};

QTEST_GUILESS_MAIN(MachinesTest)
#include "machines_test.moc"
