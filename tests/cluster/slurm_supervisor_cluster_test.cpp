// SPDX-License-Identifier: GPL-3.0-or-later
// Slurm jobs of which the supervisor is killed, and of a real engine started by the command line.
#include "follow/queue_keeper.h"
#include "supervise/requeue.h"
#include "support/slurm_studies.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace scalebench;
using namespace scalebench::test;

class SlurmSupervisorClusterTest : public QObject, private SlurmStudies
{
    Q_OBJECT

private slots:
    void initTestCase() { bringUp(); }
    void init()
    {
        if (!m_skip.isEmpty())
            QSKIP(qPrintable(m_skip));
        SB_NEED_CLUSTER(*m_cluster);
    }
    void cleanup() { cancelAll(); }

    void killedSupervisorIsReplaced()
    {
        const Study study = start(fake(8, 200), {{2, 1}, {1, 1}});
        QVERIFY(trains(study));
        const RunStatus before = statusOf(study);
        ::kill(pid_t(before.supervisor.pid), SIGKILL);
        QVERIFY(waitFor([&] { return !lockHolder(study.dir); }, 5));
        QTest::qWait(1000); // the job goes on meanwhile
        QueueKeeper keeper(study.dir, false);
        const QStringList open{QFileInfo(study.runs[0].runDir).fileName(),
                               QFileInfo(study.runs[1].runDir).fileName()};
        QVERIFY(waitFor([&] {
            keeper.tick(open);
            return isFinal(statusOf(study, 1).state);
        }));
        const RunStatus after = statusOf(study);
        QVERIFY2(after.state == RunState::Completed, qPrintable(after.error.message));
        QCOMPARE(after.slurmJob, before.slurmJob);
        QCOMPARE(after.startedMs, before.startedMs);
        QVERIFY(after.supervisor.pid != before.supervisor.pid);
        QCOMPARE(after.nodeEnds.size(), 2);
        QCOMPARE(loadRun(study.runs[0].runDir).value().steps.size(), 40);
        QVERIFY(statusOf(study, 1).state == RunState::Completed); // and the queue went on
        QVERIFY(statusOf(study, 1).slurmJob != before.slurmJob);
    }

    void killedSupervisorAndAJobThatEndedMeanwhile()
    {
        // Long enough to be seen training, on a full machine too.
        const Study study = start(fake(25, 100));
        QVERIFY(trains(study));
        ::kill(pid_t(statusOf(study).supervisor.pid), SIGKILL);
        QVERIFY(waitFor([&] { return QFile::exists(study.runs[0].runDir + u"/job_exit"_s); }));
        QVERIFY(recoverRun(study.runs[0].runDir));
        QVERIFY(ends(study, 15));
        QVERIFY(statusOf(study).state == RunState::Completed);
    }

    /// Slurm has the job, and nobody noted its number.
    void supervisorKilledWhileItSubmits_data()
    {
        QTest::addColumn<bool>("resumed");
        QTest::newRow("the job is found") << false;
        QTest::newRow("another is begun") << true;
    }
    void supervisorKilledWhileItSubmits()
    {
        QFETCH(bool, resumed);
        const QByteArray path = qgetenv("PATH");
        const QString bin = m_folder.filePath(u"bin"_s);
        QDir().mkpath(bin);
        writeProgram(bin + u"/sbatch"_s, "#!/bin/sh\n/usr/bin/sbatch \"$@\" > /dev/null\n"
                                         "kill -KILL $PPID\n");
        qputenv("PATH", bin.toUtf8() + ':' + path);
        const Study study = start(resumed ? slow() : fake(4, 200));
        qputenv("PATH", path);
        const auto jobs = [] {
            return slurm({u"squeue"_s, u"-h"_s, u"-o"_s, u"%i"_s}).output.simplified();
        };
        QVERIFY(waitFor([&] { return !jobs().isEmpty() && !lockHolder(study.dir); }));
        const QByteArray first = jobs();
        QVERIFY(statusOf(study).slurmJob.isEmpty());
        if (resumed) { // somebody gave it up while Slurm did not answer
            RunStatus status = statusOf(study);
            status.state = RunState::Failed;
            QVERIFY(writeRunStatus(study.runs[0].runDir, status));
            QVERIFY(requeueRuns(study.dir, {}));
            QVERIFY(startSupervisor(study.dir));
            QVERIFY(trains(study));
            QVERIFY(jobs() != first && !jobs().contains(' '));
            stop(study);
        } else {
            QVERIFY(recoverRun(study.runs[0].runDir));
        }
        QVERIFY(ends(study));
        const RunStatus status = statusOf(study);
        QVERIFY2(status.state == (resumed ? RunState::Cancelled : RunState::Completed),
                 qPrintable(status.error.message));
        QCOMPARE(status.slurmJob == QString::fromLatin1(first), !resumed);
        QVERIFY(nothingLeft());
    }

    void stopWithoutSupervisor()
    {
        const Study study = start(slow(), {{2, 1}, {1, 1}});
        QVERIFY(trains(study));
        ::kill(pid_t(statusOf(study).supervisor.pid), SIGKILL);
        QVERIFY(waitFor([&] { return !lockHolder(study.dir); }, 5));
        QueueKeeper keeper(study.dir, false);
        keeper.stopNow();
        const QStringList open{QFileInfo(study.runs[0].runDir).fileName(),
                               QFileInfo(study.runs[1].runDir).fileName()};
        QVERIFY(waitFor([&] {
            keeper.tick(open);
            return isFinal(statusOf(study, 1).state);
        }));
        QVERIFY2(statusOf(study).state == RunState::Cancelled,
                 qPrintable(statusOf(study).error.code + u": "_s + statusOf(study).error.message));
        QVERIFY(statusOf(study, 1).state == RunState::Cancelled);
        QVERIFY(nothingLeft());
    }

    /// Nobody says "cancelled" while the job goes on.
    void supervisorKilledWhileItStops()
    {
        const Study study = start(fake(100, 20, "stubborn"));
        QVERIFY(trains(study));
        stop(study);
        QVERIFY(waitFor([&] { return statusOf(study).state == RunState::Stopping; }));
        ::kill(pid_t(statusOf(study).supervisor.pid), SIGKILL);
        QVERIFY(waitFor([&] { return !lockHolder(study.dir); }, 5));
        const QString job = statusOf(study).slurmJob;
        QVERIFY(slurm({u"squeue"_s, u"-h"_s, u"-j"_s, job}).output.contains(job.toUtf8()));
        QVERIFY(recoverRun(study.runs[0].runDir));
        QVERIFY(ends(study, 60));
        QVERIFY(statusOf(study).state == RunState::Cancelled);
        QVERIFY(!slurm({u"squeue"_s, u"-h"_s, u"-j"_s, job}).output.contains(job.toUtf8()));
        QVERIFY(nothingLeft());
    }

    void realEngineThroughTheCommandLine()
    {
        const QString engine = QDir::cleanPath(QStringLiteral(SB_BIN_DIR "/scalebench-engine"));
        if (!QFile::exists(engine))
            QSKIP("the engine is not built");
        TargetMachine machine = fake();
        machine.folder = install(u"real"_s, engine);
        QFETCH(bool, behindLogin);
        if (behindLogin) {
            machine.login = u"sb1"_s;
            machine.sshConfig = m_cluster->sshConfig();
        }
        QDir().mkpath(m_folder.filePath(u"config/scalebench"_s));
        QFile file(m_folder.filePath(u"config/scalebench/machines.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(QJsonObject{{u"format"_s, u"scalebench.machines"_s},
                                             {u"version"_s, 1},
                                             {u"machines"_s, QJsonArray{machine.toJson()}}})
                       .toJson());
        file.close();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"XDG_CONFIG_HOME"_s, m_folder.filePath(u"config"_s));
        environment.insert(u"XDG_DATA_HOME"_s, m_folder.filePath(u"data"_s));
        // Behind a login node the copy here need not be shared with anybody.
        const QTemporaryDir local;
        const QString out =
            behindLogin ? local.filePath(u"out"_s) : m_folder.filePath(u"real-here"_s);
        const Said said = runProgram(QStringLiteral(SB_BIN_DIR "/scalebench"),
                                     {u"run"_s, u"resnet"_s, u"--machine"_s, u"c"_s, u"--shapes"_s,
                                      fullCampaign() ? u"1x1,2x1"_s : u"2x1"_s, u"--epochs"_s,
                                      u"1"_s, u"--target"_s, u"none"_s, u"--data"_s, u"synthetic"_s,
                                      u"--out"_s, out, u"--no-pictures"_s},
                                     200, environment);
        QVERIFY2(said.ok(), (said.output + said.errors).constData());
        const QDir runs(out + u"/runs"_s);
        const QString run = runs.entryList({u"*2x1*"_s}).value(0);
        const QJsonObject system =
            QJsonDocument::fromJson(read(runs.filePath(run + u"/system.json"_s))).object();
        QStringList hosts;
        for (const QJsonValue node : system.value("nodes"_L1).toArray())
            hosts << node["host"].toString();
        QCOMPARE(hosts, (QStringList{u"sb1"_s, u"sb2"_s}));
        QVERIFY(loadRun(runs.filePath(run)).value().state == RunState::Completed);
    }
    void realEngineThroughTheCommandLine_data()
    {
        QTest::addColumn<bool>("behindLogin");
        if (fullCampaign())
            QTest::newRow("here") << false;
        QTest::newRow("behind a login node") << true;
    }
};

QTEST_GUILESS_MAIN(SlurmSupervisorClusterTest)
#include "slurm_supervisor_cluster_test.moc"
