// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that lie and folders on them that are not ours: what is made, emptied and removed there is
// decided here. A stand-in for ssh runs the commands on this computer, with a home of its own and
// without the file by which a host would know the supervisor's own folder.
#include "hostile_folders.h"

#include "ssh/nodes.h"
#include "study/run_config.h"
#include "supervise/run_job.h"
#include "supervise/supervisor.h"
#include "support/program_file.h"

#include <QJsonArray>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class NodesTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_path = qgetenv("PATH");

    QString home() const { return m_folder->filePath(u"home"_s); }
    QString runDir() const { return m_folder->filePath(u"study/runs/r1"_s); }
    QString there() const { return home() + u"/sb/remote/demo/runs/r1"_s; }

    RunConfig config(const QString& run = u"r1"_s, const QString& study = u"demo"_s) const
    {
        const QJsonObject json{
            {u"format"_s, u"scalebench.run"_s},
            {u"version"_s, 1},
            {u"run_id"_s, run},
            {u"study"_s, study},
            {u"note"_s, u"a\n}\nSCALEBENCH_END_OF_RUN\ntouch PROOF\n"_s},
            {u"data"_s, QJsonObject{{u"source"_s, u"generated"_s}, {u"path"_s, u"~/data"_s}}},
            {u"hosts"_s, QJsonArray{u"node1.invalid"_s}}};
        const auto parsed = RunConfig::fromJson(QJsonDocument(json).toJson(), u"run.json"_s);
        if (!parsed)
            qFatal("%s", qPrintable(parsed.failure().message));
        return parsed.value();
    }
    static TargetMachine machine(const QString& folder = u"~/sb"_s)
    {
        TargetMachine m;
        m.name = u"c"_s;
        m.kind = TargetMachine::Kind::Ssh;
        m.hosts = u"node1.invalid"_s;
        m.folder = folder;
        return m;
    }
    NodeRun run() const { return NodeRun::from(machine(), config(), runDir(), false).value(); }

    /// `script` stands for ssh; $c is the remote command.
    void installSsh(const QByteArray& script) const
    {
        const QString path = m_folder->filePath(u"bin/ssh"_s);
        QDir().mkpath(QFileInfo(path).path());
        writeProgram(path, "#!/bin/sh\nfor c; do :; done\nhome='" + home().toUtf8() + "'\nrun='" +
                               runDir().toUtf8() + "'\n" + script + '\n');
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QDir().mkpath(runDir());
        put(runDir() + u"/run.json"_s, config().json.isEmpty() ? "" : "{}");
        const QString engine = home() + u"/sb/engine/current/bin/scalebench-engine"_s;
        QDir().mkpath(QFileInfo(engine).path());
        writeProgram(engine, "#!/bin/sh\n");
        qputenv("PATH", m_folder->filePath(u"bin"_s).toUtf8() + ':' + m_path);
        installSsh("cd \"$home\" || exit 1\n"
                   "c=$(printf '%s' \"$c\" | sed \"s|$run|/nowhere|g\")\n"
                   "HOME=$home exec sh -c \"$c\"");
    }
    void cleanup() { qputenv("PATH", m_path); }

    void folderIsMadeAndRemoved()
    {
        const Result<QList<NodeFacts>> nodes = prepareNodes(run());
        QVERIFY2(nodes, nodes ? "" : qPrintable(nodes.failure().message));
        QCOMPARE(nodes.value().first().runDir, there());
        QVERIFY(QFileInfo::exists(there() + u"/.scalebench-run"_s));
        const QJsonObject sent = jsonOf(there() + u"/run.json"_s);
        QCOMPARE(sent[u"data"_s].toObject()[u"path"_s].toString(), home() + u"/data"_s);
        // A break in a text stays one, and no line of the script's.
        QCOMPARE(sent[u"note"_s], config().json[u"note"_s]);
        QVERIFY(!QFileInfo::exists(home() + u"/PROOF"_s));
        put(there() + u"/stderr_3.txt"_s, "of rank 3\n");
        const QList<NodeEnd> ends = finishNodes(run(), run().hosts, true);
        QCOMPARE(ends.size(), 1);
        QVERIFY2(ends[0].clean, qPrintable(ends[0].text));
        QVERIFY(!QFileInfo::exists(there()));
        QCOMPARE(contentOf(runDir() + u"/stderr_3.txt"_s), QByteArray("of rank 3\n"));
    }

    void foldersOfOthersStay_data()
    {
        QTest::addColumn<QByteArray>("marker");
        QTest::newRow("none") << QByteArray();
        QTest::newRow("of another run")
            << QByteArray("folder of the run demo/r2, made by Scalebench\n");
        QTest::newRow("of nobody") << QByteArray("x");
    }
    void foldersOfOthersStay()
    {
        QFETCH(QByteArray, marker);
        put(there() + u"/thesis.tex"_s, "years of work");
        if (!marker.isEmpty())
            put(there() + u"/.scalebench-run"_s, marker);
        const Result<QList<NodeFacts>> nodes = prepareNodes(run());
        QVERIFY(!nodes);
        QCOMPARE(nodes.failure().code, u"folder_foreign"_s);
        (void)finishNodes(run(), run().hosts, true);
        QCOMPARE(contentOf(there() + u"/thesis.tex"_s), QByteArray("years of work"));
    }
    void linkedFolderStays()
    {
        const QString thesis = home() + u"/thesis"_s;
        put(thesis + u"/thesis.tex"_s, "years of work");
        QDir().mkpath(QFileInfo(there()).path());
        QVERIFY(QFile::link(thesis, there()));
        QVERIFY(!prepareNodes(run()));
        (void)finishNodes(run(), run().hosts, true);
        QCOMPARE(contentOf(thesis + u"/thesis.tex"_s), QByteArray("years of work"));
    }
    void ownFolderIsEmptied()
    {
        QVERIFY(prepareNodes(run()));
        put(there() + u"/checkpoint/old"_s, "x");
        QVERIFY(prepareNodes(run()));
        QVERIFY(!QFileInfo::exists(there() + u"/checkpoint"_s));
    }

    /// S2: names that lead elsewhere never get as far as a host.
    void namesAreChecked()
    {
        for (const char* name : {"../x", "..", "", "a/b", "a\nb", "-rf", "$HOME"}) {
            RunConfig odd = config();
            odd.runId = QString::fromLatin1(name);
            QVERIFY2(!NodeRun::from(machine(), odd, runDir(), false), name);
            odd = config();
            odd.study = QString::fromLatin1(name);
            QVERIFY2(!NodeRun::from(machine(), odd, runDir(), false), name);
        }
        for (const char* folder : {"", "sb", "/a/../b", "~/..", "/a\nb", "-x"})
            QVERIFY2(
                !NodeRun::from(machine(QString::fromLatin1(folder)), config(), runDir(), false),
                folder);
        for (const char* host : {"-oProxyCommand=x", "a b", "a;b", "", "a\nb"}) {
            RunConfig odd = config();
            odd.hosts = {QString::fromLatin1(host)};
            QVERIFY2(!NodeRun::from(machine(), odd, runDir(), false), host);
        }
    }

    /// S3: the folder that a host names was removed on every host.
    void pathsAreNotTakenFromAnswers()
    {
        QStringList said;
        const QByteArray answer =
            "home=/home/anna\ndir=/etc\nengine=/tmp/evil\nid=abc0\n"
            "address=eth0 10.0.0.7/24\naddress=eth0 10.0.0.7/99\n"
            "address=-x 1.2.3.4/8\naddress=e 1.2.3.999/8\naddress=e 1.2.3.4.5/8\nreached=$(x)\n"
            "free=99999999999999999999999\nname=a\x1b[2Jb\n";
        const NodeFacts facts = parseNodeFacts(run(), u"n"_s, answer, said);
        QCOMPARE(facts.runDir, u"/home/anna/sb/remote/demo/runs/r1"_s);
        QCOMPARE(facts.engine, u"/home/anna/sb/engine/current"_s);
        QCOMPARE(facts.addresses.size(), 1);
        QCOMPARE(facts.reachedAt, QString());
        QVERIFY(!facts.hostName.contains(u'\x1b'));
        for (const char* home : {"", "relative", "/a/../..", "/a\rb"}) {
            const NodeFacts odd = parseNodeFacts(run(), u"n"_s, QByteArray("home=") + home, said);
            QVERIFY2(odd.runDir.isEmpty() && odd.home.isEmpty(), home);
        }
        // With an absolute folder no answer has a say.
        const NodeRun absolute =
            NodeRun::from(machine(u"/opt/sb"_s), config(), runDir(), false).value();
        QCOMPARE(parseNodeFacts(absolute, u"n"_s, "home=/x\ndir=/\n", said).runDir,
                 u"/opt/sb/remote/demo/runs/r1"_s);
    }

    void hostThatLies_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("marks only") << QByteArray("@begin\n@end\n");
        QTest::newRow("no home") << QByteArray("@begin\nprogram=yes\nwritten=yes\n@end\n");
        QTest::newRow("home of dots")
            << QByteArray("@begin\nhome=/../..\nprogram=yes\nwritten=yes\n@end\n");
        QTest::newRow("many lines")
            << "@begin\n" + QByteArray("x=1\n").repeated(1'000'000) + "@end\n";
        QTest::newRow("zeros") << QByteArray(10 << 20, '\0');
    }
    void hostThatLies()
    {
        QFETCH(QByteArray, answer);
        put(m_folder->filePath(u"answer"_s), answer);
        installSsh("cat '" + m_folder->filePath(u"answer"_s).toUtf8() + "'");
        QVERIFY(!prepareNodes(run()));
        const QList<NodeEnd> ends = finishNodes(run(), run().hosts, true);
        QCOMPARE(ends.size(), 1);
        QVERIFY(ends[0].text.size() < 500);
    }

    /// A supervisor that was killed: what its run left on hosts is ended by who closes the run, and
    /// nothing else is.
    void hostsAreCleanedAfterAKilledSupervisor()
    {
        TemporaryLibrary library;
        StudySpec spec;
        spec.target = 0.8;
        MachineInfo info = goodMachine();
        info.hosts = {{u"node1.invalid"_s, 2}};
        info.folder = u"~/sb"_s;
        spec.shapes = {{1, 1}};
        const auto runs = planRuns(spec, info, u"demo"_s, u"/data"_s);
        QVERIFY(runs);
        const auto study =
            library.library->createStudy(spec, runs.value(), u"demo"_s, {}, machine());
        QVERIFY2(study, study ? "" : qPrintable(study.failure().message));
        const RunRecord& record = study.value().runs[0];
        const QByteArray there =
            (home() + u"/sb/remote/demo/runs/"_s + record.config.runId).toUtf8();
        QProcess left, other;
        for (auto [process, mark] : {std::pair{&left, there}, std::pair{&other, there + "x"}}) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(u"SCALEBENCH_RUN"_s, QString::fromUtf8(mark));
            process->setProcessEnvironment(environment);
            process->start(u"sleep"_s, {u"1000"_s});
            QVERIFY(process->waitForStarted(kHangMs));
        }
        RunStatus status = readRunStatus(record.runDir).value();
        status.state = RunState::Running;
        QVERIFY(writeRunStatus(record.runDir, status).ok());
        QVERIFY(recoverRun(record.runDir));
        QTRY_VERIFY_WITH_TIMEOUT(left.state() == QProcess::NotRunning, kHangMs);
        QVERIFY(other.state() == QProcess::Running);
        other.kill();
        other.waitForFinished();
        const RunStatus closed = readRunStatus(record.runDir).value();
        QVERIFY(closed.state == RunState::Failed);
        QCOMPARE(closed.nodeEnds.size(), 1);
        QVERIFY(closed.nodeEnds[0].clean);
    }

    /// A host that never stops talking.
    void endlessAnswerIsCut()
    {
        installSsh("exec cat /dev/zero");
        const Result<QList<NodeFacts>> nodes = prepareNodes(run());
        QVERIFY(!nodes);
        QVERIFY2(nodes.failure().message.contains(u"MiB"_s), qPrintable(nodes.failure().message));
    }

    void stderrOfHostsIsBounded()
    {
        QVERIFY(prepareNodes(run()));
        QFile big(there() + u"/stderr_0.txt"_s);
        QVERIFY(big.open(QIODevice::WriteOnly));
        QVERIFY(big.resize(qint64(8) << 30)); // sparse
        big.seek(big.size());
        big.write("the end\n");
        big.close();
        for (int rank = 1; rank < 40; ++rank)
            put(there() + u"/stderr_%1.txt"_s.arg(rank), QByteArray(1 << 20, 'x'));
        (void)finishNodes(run(), run().hosts, false);
        QVERIFY(QFileInfo(runDir() + u"/stderr_0.txt"_s).size() <= 1 << 20);
        QVERIFY(contentOf(runDir() + u"/stderr_0.txt"_s).endsWith("the end\n"));
        qint64 all = 0;
        for (const QFileInfo& file : QDir(runDir()).entryInfoList({u"stderr_*"_s}))
            all += file.size();
        QVERIFY(all <= 17 << 20);
    }
};

QTEST_GUILESS_MAIN(NodesTest)
#include "nodes_test.moc"
#include "support/campaign.h"
