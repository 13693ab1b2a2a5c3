// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench report`, `results` and their files as a user meets them: what is interrupted, what
// fails, what is wrong usage. The workbench that draws is a script here.
#include "machine/study_machine.h"
#include "run/run_status.h"
#include "run/study.h"
#include "run/study_queue.h"
#include "support/launcher_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <csignal>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class ResultsCliTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<TemporaryLibrary> m_library;
    QString m_study, m_out, m_err;

    QString path(const QString& name) const { return m_library->folder.filePath(name); }

    void useWorkbench(const QByteArray& script)
    {
        QFile file(path(u"gui"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + script);
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    }
    void start(QProcess& process, const QStringList& arguments)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"SCALEBENCH_GUI"_s, path(u"gui"_s));
        environment.insert(u"XDG_DATA_HOME"_s, m_library->folder.path());
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench"), arguments);
    }
    int end(QProcess& process)
    {
        process.waitForFinished(60'000);
        m_out = QString::fromUtf8(process.readAllStandardOutput());
        m_err = QString::fromUtf8(process.readAllStandardError());
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }
    int run(const QStringList& arguments)
    {
        QProcess process;
        start(process, arguments);
        return end(process);
    }
    static QStringList filesIn(const QString& dir)
    {
        return QDir(dir).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

private slots:
    void init()
    {
        m_library = std::make_unique<TemporaryLibrary>();
        m_study = m_library->create({1, 2}).dir;
    }

    /// Of runs that have not ended, no more is said than what is known here.
    void whatGoesOn()
    {
        const QStringList list{u"results"_s, u"list"_s, u"--library"_s, m_library->library->dir()};
        QCOMPARE(run(list), 0);
        QVERIFY2(m_out.contains(u"0/2 interrupted"_s), qPrintable(m_out));
        setQueuePaused(m_study, true);
        QCOMPARE(run(list), 0);
        QVERIFY2(m_out.contains(u"0/2 paused"_s), qPrintable(m_out));
        setQueuePaused(m_study, false);
        TargetMachine machine;
        machine.name = u"cluster"_s;
        machine.kind = TargetMachine::Kind::Login;
        machine.login = u"login"_s;
        QVERIFY(writeStudyMachine(m_study, machine));
        QCOMPARE(run(list), 0);
        QVERIFY2(m_out.contains(u"0/2 not followed"_s), qPrintable(m_out));
    }

    /// A failed run is none that was done, has no time, and says by which code help explains it.
    void whatFailed()
    {
        const Study study = loadStudy(m_study).value();
        RunStatus status;
        status.state = RunState::Failed;
        status.startedMs = 1000;
        status.finishedMs = 9000;
        status.error = {u"out_of_memory"_s, u"The memory was full."_s};
        QVERIFY(writeRunStatus(study.runs[0].runDir, status));
        const QStringList library{u"--library"_s, m_library->library->dir()};
        QCOMPARE(run(QStringList{u"results"_s, u"list"_s} + library), 0);
        QVERIFY2(m_out.contains(u"0/2, 1 failed interrupted"_s), qPrintable(m_out));
        QCOMPARE(run(QStringList{u"results"_s, u"list"_s, u"--json"_s} + library), 0);
        const QJsonObject listed = QJsonDocument::fromJson(m_out.toUtf8())[0].toObject();
        QCOMPARE(listed[u"states"_s][u"failed"_s].toInt(), 1);
        QCOMPARE(run(QStringList{u"results"_s, u"show"_s, m_study} + library), 0);
        QVERIFY2(m_out.contains(u"The memory was full. (scalebench help out_of_memory)"_s),
                 qPrintable(m_out));
        QCOMPARE(run(QStringList{u"results"_s, u"show"_s, m_study, u"--json"_s} + library), 0);
        const QJsonObject shown = QJsonDocument::fromJson(m_out.toUtf8()).object();
        QVERIFY(shown[u"runs"_s][0][u"time_to_train_s"_s].isNull());
    }

    /// A report without its PDF is there, and no success.
    void reportWithoutPictures()
    {
        useWorkbench("echo 'scalebench-gui: The disk is full.' >&2; exit 3\n");
        QCOMPARE(run({u"report"_s, m_study, u"--out"_s, path(u"r"_s)}), 3);
        QVERIFY(QFile::exists(path(u"r/report.html"_s)));
    }

    void interrupted_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QStringList>("left");
        const QStringList report{u"report"_s}, results{u"results"_s, u"export"_s};
        const QStringList tables{u"curves.csv"_s, u"runs.csv"_s, u"speedup.csv"_s};
        QTest::newRow("report, INT") << report << SIGINT << QStringList();
        QTest::newRow("report, TERM") << report << SIGTERM << QStringList();
        QTest::newRow("export, INT") << results << SIGINT << tables;
    }
    void interrupted()
    {
        QFETCH(QStringList, command);
        QFETCH(int, signal);
        QFETCH(QStringList, left);
        useWorkbench("echo half > \"$4/throughput.svg\"; touch \"" +
                     QFile::encodeName(path(u"drawing"_s)) + "\"; exec sleep 100\n");
        QProcess process;
        const QString out = path(u"o"_s);
        start(process, command + QStringList{m_study, u"--out"_s, out});
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path(u"drawing"_s)); }, 60'000));
        for (int time = 0; time < 2; ++time) // to the program and to its group
            ::kill(pid_t(process.processId()), signal);
        QCOMPARE(end(process), 130);
        QVERIFY2(m_err.contains(u"Interrupted:"_s), qPrintable(m_err));
        QCOMPARE(filesIn(out), left);
        QCOMPARE(QFileInfo::exists(out), !left.isEmpty());
    }

    /// All pictures or none, and why.
    void picturesThatFail()
    {
        useWorkbench("echo half > \"$4/x.svg\"; echo \"scalebench-gui: $4/x.svg: No room.\" >&2\n"
                     "exit 3\n");
        QCOMPARE(run({u"results"_s, u"export"_s, m_study, u"--out"_s, path(u"o"_s)}), 3);
        QVERIFY2(m_err.contains(u"ended with code 3: %1/x.svg: No room."_s.arg(path(u"o"_s))),
                 qPrintable(m_err));
        QCOMPARE(filesIn(path(u"o"_s)),
                 (QStringList{u"curves.csv"_s, u"runs.csv"_s, u"speedup.csv"_s}));
    }

    /// What an import remarked, what missed its target and what is not known, in the text as well
    /// as in JSON.
    void importsAsTheyAre()
    {
        const auto imported = [this](const QString& name, const QByteArray& table) {
            QFile file(path(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(table);
            file.close();
            QCOMPARE(run({u"import"_s, path(name), u"--library"_s, m_library->folder.path()}), 0);
        };
        const QStringList library{u"--library"_s, m_library->folder.path()};
        imported(u"a.csv"_s, "workload,workers,seconds,quality,target\nresnet,1,100,76.1,0.759\n"
                             "resnet,2,60,0.63493,0.635\n");
        QCOMPARE(run(QStringList{u"results"_s, u"show"_s, u"csv-resnet"_s} + library), 0);
        for (const char* part :
             {"\"76.1\" in the column \"quality\" was read as per cent", "not converged  mean time",
              "No run reached its target.", "63.49 %  63.5 %"})
            QVERIFY2(m_out.contains(QLatin1StringView(part)), qPrintable(m_out));
        QCOMPARE(run(QStringList{u"results"_s, u"show"_s, u"csv-resnet"_s, u"--json"_s} + library),
                 0);
        const QJsonObject study = QJsonDocument::fromJson(m_out.toUtf8()).object();
        const QJsonObject first = study[u"runs"_s][0].toObject();
        QVERIFY(first[u"nodes"_s].isNull());
        QCOMPARE(first[u"target"_s].toDouble(), 0.759);
        QCOMPARE(first[u"marks"_s].toArray().size(), 1);
        QCOMPARE(first[u"remarks"_s].toArray().size(), 1);
        QCOMPARE(study[u"speedup"_s][1][u"not_converged"_s].toInt(), 1);
        // On how many nodes nobody knows: not on one.
        QCOMPARE(run(QStringList{u"report"_s, u"csv-resnet"_s, u"--baseline"_s, u"node"_s,
                                 u"--out"_s, path(u"r"_s)} +
                     library),
                 2);
        QCOMPARE(run(QStringList{u"compare"_s, u"csv-resnet"_s, u"csv-resnet"_s} + library), 2);
        QVERIFY2(m_err.contains(u"are the same runs"_s), qPrintable(m_err));
        // Nothing to say is 4 wherever it is.
        imported(u"b.csv"_s, "workload,workers,seconds,quality,target\nncf,1,100,0.1,0.635\n");
        QCOMPARE(run(QStringList{u"compare"_s, u"csv-resnet"_s, u"csv-ncf"_s} + library), 4);
        QCOMPARE(run(QStringList{u"advice"_s, u"csv-ncf"_s} + library), 4);
        QCOMPARE(run(QStringList{u"advice"_s, u"csv-resnet"_s, u"--price"_s, u"3"_s} + library), 0);
        QVERIFY2(m_out.contains(u"The price of a node does not count"_s), qPrintable(m_out));
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QStringList& arguments, const char* message) {
            QTest::newRow(name) << arguments << QString::fromLatin1(message);
        };
        row("two exports", {u"export"_s, u"latest"_s, u"b"_s}, "\"b\" is one word too many");
        row("two bundles", {u"bundle"_s, u"latest"_s, u"b"_s, u"--out"_s, u"f.zip"_s},
            "\"b\" is one word too many");
        row("list of", {u"list"_s, u"extra"_s}, "\"extra\" is one word too many");
        row("bundle to nowhere", {u"bundle"_s, u"latest"_s, u"--out"_s, QString()},
            "--out needs the name of a file or folder.");
        row("bundle without a name", {u"bundle"_s, u"latest"_s},
            "results bundle needs --out FILE.zip.");
        row("export to nowhere", {u"export"_s, u"latest"_s, u"--out"_s, QString()},
            "--out needs the name of a file or folder.");
    }
    void wrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, message);
        QCOMPARE(run(QStringList{u"results"_s} + arguments +
                     QStringList{u"--library"_s, m_library->folder.path()}),
                 2);
        QVERIFY2(m_err.contains(message), qPrintable(m_err));
        QCOMPARE(m_err.count(u'\n'), 1);
    }
};

QTEST_GUILESS_MAIN(ResultsCliTest)
#include "results_cli_test.moc"
