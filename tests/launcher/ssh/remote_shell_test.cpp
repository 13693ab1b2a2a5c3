// SPDX-License-Identifier: GPL-3.0-or-later
// Words on their way through a remote login shell, the words for ssh itself, and what ssh's and
// mpirun's texts about hosts mean. No network: the shells are real, ssh's texts are recorded ones.
#include "base/shell_quote.h"
#include "ssh/nodes.h"
#include "ssh/ssh.h"
#include "supervise/host_failures.h"
#include "support/campaign.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

/// Prints its arguments, each with a NUL behind.
static const char kPrinter[] = "#!/bin/sh\nfor w in \"$@\"; do printf '%s\\0' \"$w\"; done\n";

class RemoteShellTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    /// What arrives when `shell` parses the line as sshd has it do.
    QStringList through(const QString& shell, const QStringList& words)
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"LC_ALL"_s, u"C"_s); // as where nothing is set up
        process.setProcessEnvironment(environment);
        const QString printer = m_folder.filePath(u"print"_s);
        process.start(shell, {u"-c"_s, remoteCommand(QStringList(printer) + words)});
        if (!process.waitForFinished(test::kHangMs))
            return {u"did not end"_s};
        const QByteArray output = process.readAllStandardOutput();
        const QByteArray errors = process.readAllStandardError();
        if (!errors.isEmpty())
            return {QString::fromUtf8(errors)};
        QStringList arrived;
        for (const QByteArray& word : output.split('\0'))
            arrived << QString::fromUtf8(word);
        if (!arrived.isEmpty())
            arrived.removeLast();
        return arrived;
    }

private slots:
    void initTestCase()
    {
        QFile file(m_folder.filePath(u"print"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kPrinter);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    void plainWordsStayReadable()
    {
        QCOMPARE(shellQuoted(u"--mca"_s), u"--mca"_s);
        QCOMPARE(shellQuoted(u"/a/b-c_1.2:x=y,z@h%p"_s), u"/a/b-c_1.2:x=y,z@h%p"_s);
        QCOMPARE(shellQuoted(QString()), u"''"_s);
        QCOMPARE(shellQuoted(u"~/x"_s), u"'~/x'"_s);
        QCOMPARE(shellQuoted(u"it's"_s), u"'it'\\''s'"_s);
        QCOMPARE(remoteCommand({u"a b"_s, u"c"_s}), u"'a b' c"_s);
    }

    void everyShell_data()
    {
        QTest::addColumn<QString>("shell");
        QTest::addColumn<bool>("posix");
        for (const char* name : {"sh", "dash", "bash", "mksh", "ksh", "zsh"})
            QTest::newRow(name) << QString::fromLatin1(name) << true;
        for (const char* name : {"csh", "tcsh"})
            QTest::newRow(name) << QString::fromLatin1(name) << false;
    }
    void everyShell()
    {
        QFETCH(QString, shell);
        QFETCH(bool, posix);
        const QString program = QStandardPaths::findExecutable(shell);
        if (program.isEmpty())
            QSKIP("this shell is not installed here");
        QStringList words{u"plain"_s,
                          u""_s,
                          u" "_s,
                          u"two words  and   more "_s,
                          u"it's"_s,
                          u"'"_s,
                          u"''"_s,
                          u"\"double\""_s,
                          u"$HOME ${HOME} $(touch hit1)"_s,
                          u"`touch hit2`"_s,
                          u"; touch hit3 ;"_s,
                          u"| touch hit4"_s,
                          u"&& touch hit5 &"_s,
                          u"> hit6"_s,
                          u"< /etc/passwd"_s,
                          u"*"_s,
                          u"?[a-z]{a,b}"_s,
                          u"~"_s,
                          u"~root/x"_s,
                          u"-"_s,
                          u"--"_s,
                          u"-rf"_s,
                          u"--option=x y"_s,
                          u"back\\slash\\\\ \\n \\'"_s,
                          u"#comment"_s,
                          u"größe 日本 🙂 é"_s,
                          u"\t tab"_s,
                          u"%s %d"_s,
                          u"a=b"_s,
                          u"(sub) {shell}"_s,
                          u"^caret^x"_s,
                          u"=ls"_s};
        if (posix) // these two a csh cannot take in any quotes
            words << u"!"_s << u"!! !x wow!"_s << u"line\nbreak\n"_s << u"\n"_s
                  << u"\r\n\x01\x1b[31m"_s << u"'\n$(touch hit7)\n'"_s;
        QCOMPARE(through(program, words), words);
        for (const QString& word : words)
            QCOMPARE(through(program, {word}), QStringList(word));
        const QStringList hits = QDir(m_folder.path()).entryList({u"hit*"_s});
        QVERIFY2(hits.isEmpty(), qPrintable(hits.join(u' ')));
    }

    void randomWords()
    {
        static const QString kNasty = u"'\"`$\\ (){}[]<>|&;*?!#~=%^-\n\tax/é日"_s;
        QRandomGenerator random(20261121);
        for (int round = 0; round < 60; ++round) {
            QStringList words;
            for (int w = 0; w < 20; ++w) {
                QString word;
                for (quint32 n = random.bounded(12u); n > 0; --n)
                    word += kNasty[random.bounded(kNasty.size())];
                words << word;
            }
            QCOMPARE(through(u"/bin/sh"_s, words), words);
        }
    }

    /// A line goes through a second shell in mpirun's case: quoted twice, it arrives.
    void quotedTwice()
    {
        const QStringList words{u"it's $(touch hit8)"_s, u"b \"c\" `d`"_s, u"größe"_s};
        const QString inner = remoteCommand(QStringList(m_folder.filePath(u"print"_s)) + words);
        QProcess process;
        process.start(u"/bin/sh"_s, {u"-c"_s, remoteCommand({u"sh"_s, u"-c"_s, inner})});
        QVERIFY(process.waitForFinished(test::kHangMs));
        QCOMPARE(QString::fromUtf8(process.readAllStandardOutput()),
                 words.join(QChar(u'\0')) + QChar(u'\0'));
        QVERIFY(!QFile::exists(u"hit8"_s));
    }

    /// mpirun passes its options on to the daemon in double quotes, its own program's name among
    /// them: what is executed there is executed.
    void daemonIsAWordOfItsOwn()
    {
        const QString path = u"'/root/$(touch hit9)/bin/orted'"_s;
        const QString rest =
            u" -mca orte_launch_agent \"scalebench-daemon\" -mca x 'scalebench-daemon'"_s;
        QCOMPARE(withDaemon(u"scalebench-daemon"_s + rest, path), path + rest);
        QCOMPARE(
            withDaemon(u"PATH=/usr/bin:$PATH ; export PATH ; scalebench-daemon -mca a b"_s, path),
            u"PATH=/usr/bin:$PATH ; export PATH ; "_s + path + u" -mca a b"_s);
        QCOMPARE(withDaemon(u"( . ./.profile;scalebench-daemon a)"_s, path),
                 u"( . ./.profile;"_s + path + u" a)"_s);
        QCOMPARE(withDaemon(u"/opt/scalebench-daemon scalebench-daemons"_s, path),
                 u"/opt/scalebench-daemon scalebench-daemons"_s);
    }

    // ---- The words for ssh

    void sshWords()
    {
        TargetMachine machine;
        QCOMPARE(sshArguments(machine, u"node1"_s),
                 u"-T -x -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=10 -o "
                 "ControlMaster=no -o ControlPath=none -- node1"_s.split(u' '));
        machine.sshConfig = u"/home/a b/config"_s;
        machine.user = u"ada"_s;
        machine.jumpHost = u"gate"_s;
        QCOMPARE(
            sshArguments(machine, u"n"_s, {.connectTimeoutS = 3, .keepAlive = true}),
            (QStringList{u"-T"_s, u"-x"_s, u"-F"_s, u"/home/a b/config"_s} +
             u"-J gate -l ada -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=3 "
             "-o ServerAliveInterval=5 -o ServerAliveCountMax=3 -o ControlMaster=no -o ControlPath=none -- n"_s
                 .split(u' ')));
    }
    /// Whoever may ask is asked; nobody ever switches the check off.
    void hostKeysAreAlwaysChecked()
    {
        for (const bool batch : {true, false})
            for (const bool multiplexed : {true, false}) {
                const QString words =
                    sshArguments({}, u"n"_s, {.multiplexed = multiplexed, .batch = batch})
                        .join(u' ');
                QVERIFY(!words.contains("StrictHostKeyChecking=no"_L1));
                QVERIFY(!words.contains("accept-new"_L1));
                QVERIFY(words.contains(batch ? "StrictHostKeyChecking=yes"_L1
                                             : "StrictHostKeyChecking=ask"_L1));
            }
    }
    void sharedConnections()
    {
        const QStringList words = sshArguments({}, u"n"_s, {.multiplexed = true});
        const QString folder = sshControlFolder();
        QVERIFY(!folder.isEmpty());
        QVERIFY(words.contains(u"ControlPath="_s + folder + u"/%C"_s));
        QVERIFY(words.contains(u"ServerAliveInterval=5"_s));
        struct stat info {
        };
        QCOMPARE(::stat(qPrintable(folder), &info), 0);
        QCOMPARE(int(info.st_mode & 0777), 0700);
        QVERIFY(folder.size() < 40); // sockets have short paths
    }
    /// Somebody else made it first, or opened it to others: then no sharing rather than theirs.
    void sharedFolderOfOthersIsNotUsed()
    {
        const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
        QTemporaryDir runtime(u"/tmp/sbt-XXXXXX"_s);
        qputenv("XDG_RUNTIME_DIR", runtime.path().toUtf8());
        QCOMPARE(sshControlFolder(), runtime.path() + u"/scalebench"_s);
        ::chmod(qPrintable(runtime.path() + u"/scalebench"_s), 0755);
        const QString open = sshControlFolder();
        const QStringList words = sshArguments({}, u"n"_s, {.multiplexed = true});
        QDir().rmdir(runtime.path() + u"/scalebench"_s);
        QVERIFY(::symlink("/tmp", qPrintable(runtime.path() + u"/scalebench"_s)) == 0);
        const QString linked = sshControlFolder();
        QFile::remove(runtime.path() + u"/scalebench"_s);
        before.isEmpty() ? qunsetenv("XDG_RUNTIME_DIR") : qputenv("XDG_RUNTIME_DIR", before);
        QCOMPARE(open, QString());
        QCOMPARE(linked, QString());
        QVERIFY(words.contains(u"ControlMaster=no"_s));
    }
    void thisComputer()
    {
        QVERIFY(isThisComputer(u"localhost"_s));
        QVERIFY(isThisComputer(u"127.0.0.1"_s));
        QVERIFY(isThisComputer(QSysInfo::machineHostName()));
        QVERIFY(!isThisComputer(u"localhost.example.org"_s));
        QVERIFY(!isThisComputer(QString()));
    }

    // ---- What ssh says

    void ssh_data()
    {
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, const char* text, const char* code, int exit = 255) {
            QTest::newRow(name) << exit << QString::fromUtf8(text) << QString::fromLatin1(code);
        };
        row("name unknown", "ssh: Could not resolve hostname n7: Name or service not known\r\n",
            "host_not_found");
        row("name server down",
            "ssh: Could not resolve hostname n7: Temporary failure in name resolution",
            "host_not_found");
        row("off", "ssh: connect to host n7 port 22: No route to host", "host_unreachable");
        row("no network", "ssh: connect to host n7 port 22: Network is unreachable",
            "host_unreachable");
        row("dropped", "ssh: connect to host n7 port 22: Connection timed out", "host_timeout");
        row("banner",
            "Connection timed out during banner exchange\nConnection to 10.7.0.3 port "
            "22 timed out",
            "host_timeout");
        row("refused", "ssh: connect to host n7 port 22: Connection refused", "ssh_refused");
        row("key unknown",
            "No ED25519 host key is known for n7 and you have requested strict checking.\r\n"
            "Host key verification failed.\r\n",
            "host_key_unknown");
        row("key changed",
            "@@@@@@@@@@@\r\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n"
            "IT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!\r\n"
            "Host key verification failed.\r\n",
            "host_key_changed");
        row("wrong key", "root@n7: Permission denied (publickey).", "login_refused");
        row("wrong key or password", "ada@n7: Permission denied (publickey,password).",
            "login_refused");
        row("too many keys",
            "Received disconnect from 10.7.0.3 port 22:2: Too many "
            "authentication failures\nDisconnected from 10.7.0.3 port 22",
            "login_refused");
        row("cut", "Timeout, server n7 not responding.", "host_timeout");
        row("crashed", "Connection to n7 closed by remote host.", "host_timeout");
        row("timed out", "Connection to 10.78.3.2 port 22 timed out", "host_timeout");
        row("pipe", "client_loop: send disconnect: Broken pipe", "host_timeout");
        row("reset", "kex_exchange_identification: read: Connection reset by peer", "host_timeout");
        row("something new", "ssh: dispatch_run_fatal: incorrect signature", "ssh_failed");
        row("silent", "", "ssh_failed");
        // The remote command failed, ssh did not.
        row("command fails", "tar: Permission denied (os error 13)", "", 2);
        row("command fine", "Connection refused", "", 0);
    }
    void ssh()
    {
        QFETCH(int, exitCode);
        QFETCH(QString, text);
        QFETCH(QString, code);
        const Failure failure = classifySsh(u"n7"_s, exitCode, text);
        QCOMPARE(failure.code, code);
        if (code.isEmpty())
            return;
        QVERIFY2(failure.message.contains("n7"_L1), qPrintable(failure.message));
        QVERIFY(!failure.message.contains(u'%') && !failure.message.contains(u'\r'));
        QCOMPARE(failure.details, text.trimmed());
    }

    // ---- What mpirun and our agent say

    void hosts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("trained");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("about");
        const auto row = [](const char* name, const char* text, bool trained, const char* code,
                            const char* about) {
            QTest::newRow(name) << QString::fromUtf8(text) << trained << QString::fromLatin1(code)
                                << QString::fromUtf8(about);
        };
        row("link down", "[n3] Timeout, server n3 not responding.\n@rsh-exit n3 255\n", true,
            "node_lost", "n3 was lost (it stopped answering");
        row("crash", "[n3] Connection to n3 closed by remote host.\n@rsh-exit n3 255\n", true,
            "node_lost", "n3 was lost (the connection to it broke");
        row("crash before training",
            "[n3] Connection to n3 closed by remote host.\n@rsh-exit n3 255\n", false, "node_lost",
            "n3 was lost");
        row("daemon lost",
            "ORTE has lost communication with a remote daemon.\n\n  HNP daemon   : "
            "[[63213,0],0] on node ws\n  Remote daemon: [[63213,0],4] on node n4\n\nThis is",
            true, "node_lost", "n4 was lost");
        row("refused at start",
            "[n2] ssh: connect to host n2 port 22: Connection refused\n@rsh-exit n2 255\n", false,
            "ssh_refused", "n2 refuses ssh");
        row("wrong key at start", "[n2] root@n2: Permission denied (publickey).\n@rsh-exit n2 255",
            false, "login_refused", "n2 refuses the login");
        row("no orted", "[n2] sh: 1: exec: /opt/x/bin/orted: not found\n@rsh-exit n2 127\n", false,
            "mpi_missing", "could not be started on n2: sh: 1: exec: /opt/x/bin/orted: not found");
        row("orted not executable", "[n2] sh: 1: orted: Permission denied\n@rsh-exit n2 126\n",
            false, "mpi_missing", "on n2");
        row("firewall rejects",
            "A process or daemon was unable to complete a TCP connection\nto another process",
            false, "network_blocked", "firewall");
        // The agent of n1 was killed; n2's daemon then looks for an mpirun that is gone.
        row("mpirun gave up before",
            "ORTE was unable to reliably start one or more daemons.\n[n2] A process or daemon was "
            "unable to complete a TCP connection\n@rsh-exit n2 1\n",
            false, "", "");
        row("mpirun gives up as a firewall rejects",
            "[n2] A process or daemon was unable to complete a TCP connection\n@rsh-exit n2 1\n"
            "ORTE was unable to reliably start one or more daemons.\n",
            false, "network_blocked", "firewall");
        row("a daemon looks for an mpirun that was ended",
            "A process or daemon was unable to complete a TCP connection\nto another process", true,
            "", "");
        // As Open MPI 5.0.7 says it.
        const char* const kGone =
            "PRTE has lost communication with a remote daemon.\n\n  HNP daemon   "
            ": [prterun-ws-1086@0,0] on node ws\n  Remote daemon: "
            "[prterun-ws-1086@0,2] on node n2\n\nThis is usually due to";
        row("5.0: daemon lost", kGone, true, "node_lost", "n2 was lost");
        row("5.0: crash",
            qPrintable(QString::fromLatin1(kGone) +
                       u"\n[n2] Connection to n2 closed by remote host.\n"_s),
            true, "node_lost", "n2 was lost");
        row("5.0: firewall rejects", qPrintable(u"@rsh-exit n2 1\n"_s + QString::fromLatin1(kGone)),
            false, "network_blocked", "n2 could not connect back");
        row("5.0: the same in mid-run",
            qPrintable(u"@rsh-exit n2 1\n"_s + QString::fromLatin1(kGone)), true, "node_lost",
            "n2 was lost");
        row("5.0: refused at start",
            qPrintable(u"@rsh-exit n1 1\n[n2] ssh: connect to host 10.0.0.2 port 22: Connection "
                       "refused\n@rsh-exit n2 255\n"_s +
                       QString::fromLatin1(kGone)),
            false, "ssh_refused", "n2 refuses ssh");
        row("5.0: no daemon",
            qPrintable(u"[n2] sh: 1: /opt/x/bin/prted: not found\n@rsh-exit n2 127\n"_s +
                       QString::fromLatin1(kGone)),
            false, "mpi_missing", "could not be started on n2: sh: 1: /opt/x/bin/prted: not found");
        row("a rank died",
            "mpirun noticed that process rank 1 with PID 7 on node n2 exited on "
            "signal 9 (Killed).\n@rsh-exit n2 1",
            true, "", "");
        row("nothing", "", true, "", "");
    }
    void hosts()
    {
        QFETCH(QString, text);
        QFETCH(bool, trained);
        QFETCH(QString, code);
        QFETCH(QString, about);
        const Failure failure = hostFailure(text, trained, u"after %1"_s);
        QCOMPARE(failure.code, code);
        QVERIFY2(failure.message.contains(about), qPrintable(failure.message));
    }

    // ---- The network

    void subnets()
    {
        QCOMPARE((NodeAddress{u"e"_s, u"10.77.3.4"_s, 24}).subnet(), u"10.77.3.0/24"_s);
        QCOMPARE((NodeAddress{u"e"_s, u"10.77.3.4"_s, 16}).subnet(), u"10.77.0.0/16"_s);
        QCOMPARE((NodeAddress{u"e"_s, u"10.77.3.130"_s, 25}).subnet(), u"10.77.3.128/25"_s);
        QCOMPARE((NodeAddress{u"e"_s, u"10.77.3.4"_s, 32}).subnet(), u"10.77.3.4/32"_s);
        QCOMPARE((NodeAddress{u"e"_s, u"10.77.3.4"_s, 0}).subnet(), u"0.0.0.0/0"_s);
    }
    void network()
    {
        const auto node = [](const char* host, const char* reached) {
            NodeFacts facts;
            facts.host = QString::fromLatin1(host);
            facts.reachedAt = QString::fromLatin1(reached);
            const QString last = facts.reachedAt.section(u'.', 3);
            facts.addresses = {{u"docker0"_s, u"172.17.0.1"_s, 16},
                               {u"eth0"_s, u"10.77.0."_s + last, 24},
                               {u"ib0"_s, u"10.99.0."_s + last, 24}};
            return facts;
        };
        QList<NodeFacts> nodes{node("a", "10.77.0.1"), node("b", "10.77.0.2")};
        TargetMachine machine;
        QCOMPARE(chooseNetwork(machine, nodes).value(), u"10.77.0.0/24"_s);
        machine.interface = u"ib0"_s;
        QCOMPARE(chooseNetwork(machine, nodes).value(), u"ib0"_s);
        machine.interface = u"10.99.0.0/24"_s;
        QCOMPARE(chooseNetwork(machine, nodes).value(), u"10.99.0.0/24"_s);

        machine.interface = u"ib0"_s;
        nodes[1].addresses.removeLast();
        const Result<QString> missing = chooseNetwork(machine, nodes);
        QVERIFY(!missing);
        QCOMPARE(missing.failure().code, u"interface_missing"_s);
        QVERIFY(missing.failure().message.contains("\"ib0\" exists on a, but not on b"_L1));
        machine.interface = u"ib9"_s;
        QVERIFY(chooseNetwork(machine, nodes).failure().message.contains("nowhere"_L1));

        machine.interface.clear();
        nodes[1].reachedAt = u"192.168.5.5"_s; // through a gateway: nothing can be concluded
        QCOMPARE(chooseNetwork(machine, nodes).value(), QString());
        nodes[1].reachedAt = u"10.99.0.2"_s;
        QCOMPARE(chooseNetwork(machine, nodes).value(), QString());
    }
};

QTEST_GUILESS_MAIN(RemoteShellTest)
#include "remote_shell_test.moc"
