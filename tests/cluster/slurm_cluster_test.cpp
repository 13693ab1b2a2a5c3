// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as Slurm jobs on two nodes with a real controller: every way in which Slurm ends a job.
#include "support/slurm_studies.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace scalebench;
using namespace scalebench::test;

class SlurmClusterTest : public QObject, private SlurmStudies
{
    Q_OBJECT

private slots:
    void initTestCase() { bringUp(); }
    void init() { SB_NEED_CLUSTER(*m_cluster); }
    void cleanup() { cancelAll(); }

    void twoNodesOneAfterAnother()
    {
        const Study study = start(fake(), {{1, 1}, {1, 2}, {2, 1}});
        QVERIFY(ends(study, 60, 2));
        QVERIFY(ends(study, 60, 1));
        for (int i = 0; i < 3; ++i) {
            const RunStatus status = statusOf(study, i);
            QVERIFY2(status.state == RunState::Completed, qPrintable(status.error.message));
            QVERIFY(status.waiting.isEmpty());
            QCOMPARE(status.exitCode, 0);
            QCOMPARE(status.hosts,
                     i < 2 ? QStringList{u"sb1"_s} : (QStringList{u"sb1"_s, u"sb2"_s}));
            QCOMPARE(status.nodeEnds.size(), status.hosts.size());
            for (const NodeEnd& end : status.nodeEnds)
                QVERIFY(end.clean);
            QCOMPARE(loadRun(study.runs[i].runDir).value().steps.size(), 15);
        }
        QList<QByteArray> ranks =
            contentOf(study.runs[1].runDir + u"/ranks.txt"_s).trimmed().split('\n');
        std::sort(ranks.begin(), ranks.end());
        QCOMPARE(ranks, (QList<QByteArray>{"0 sb1 1", "1 sb1 1"}));
        ranks = contentOf(study.runs[2].runDir + u"/ranks.txt"_s).trimmed().split('\n');
        std::sort(ranks.begin(), ranks.end());
        QCOMPARE(ranks, (QList<QByteArray>{"0 sb1 1", "1 sb2 1"}));
        QVERIFY(nothingLeft());
    }

    void waitsAndIsCancelledWhileItWaits()
    {
        QVERIFY(m_cluster->command({u"slurm-node"_s, u"sb2"_s, u"drain"_s}).ok());
        const Study study = start(slow());
        QVERIFY(waitFor(
            [&] { return statusOf(study).waiting.startsWith("Waiting in Slurm's queue: "_L1); }));
        qInfo("%s", qPrintable(statusOf(study).waiting));
        QVERIFY(statusOf(study).state == RunState::Starting);
        stop(study);
        QVERIFY(ends(study, 10));
        QVERIFY(statusOf(study).state == RunState::Cancelled);
        QCOMPARE(slurm({u"squeue"_s, u"-h"_s}).output, QByteArray());
        QVERIFY(m_cluster->command({u"slurm-node"_s, u"sb2"_s, u"resume"_s}).ok());
    }

    void saysWhatCanNeverStart()
    {
        TargetMachine machine = slow();
        machine.slurm.partition = u"short"_s;
        machine.slurm.timeLimit = u"30"_s;
        const Study study = start(machine);
        QVERIFY(waitFor([&] {
            return statusOf(study).waiting.startsWith("This job can never start: its time"_L1);
        }));
        qInfo("%s", qPrintable(statusOf(study).waiting));
        stop(study);
        QVERIFY(ends(study, 10));
    }

    void cancelledWhileItRuns()
    {
        const Study study = start(slow());
        QVERIFY(trains(study));
        QVERIFY(waitFor([&] { return loadRun(study.runs[0].runDir).value().epochs.size() > 0; }));
        stop(study);
        QVERIFY(ends(study, 20));
        const RunStatus status = statusOf(study);
        QVERIFY(status.state == RunState::Cancelled);
        qInfo("%s", qPrintable(status.error.message));
        // USR1 came through: the engine closed its stream itself.
        QCOMPARE(loadRun(study.runs[0].runDir).value().stopReason, u"stopped"_s);
        QCOMPARE(contentOf(study.runs[0].runDir + u"/job_exit"_s), QByteArray("0\n"));
        QVERIFY(nothingLeft());
    }

    void stubbornRanksAreKilled()
    {
        const Study study = start(fake(100, 20, "stubborn"));
        QVERIFY(trains(study));
        stop(study);
        QVERIFY(ends(study, 40));
        QVERIFY(statusOf(study).state == RunState::Cancelled);
        QVERIFY(nothingLeft());
    }

    void refusedBySlurm_data()
    {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("code");
        QTest::newRow("partition") << u"--partition=nowhere"_s << u"slurm_partition"_s;
        QTest::newRow("gpus") << u"--gres=fpga:1"_s << u"slurm_gres"_s;
        QTest::newRow("time") << u"--time=never"_s << u"slurm_time_limit"_s;
        QTest::newRow("nodes") << u"--gpus-per-node=a100:2"_s << u"slurm_nodes"_s;
        QTest::newRow("option") << u"--no-such-option"_s << u"slurm_refused"_s;
    }
    void refusedBySlurm()
    {
        QFETCH(QString, option);
        QFETCH(QString, code);
        TargetMachine machine = fake();
        machine.slurm.extraOptions << option;
        const Study study = start(machine);
        QVERIFY(ends(study, 15));
        QCOMPARE(codeOf(study), code);
        QVERIFY(!statusOf(study).error.details.isEmpty());
    }

    void folderThatTheNodesDoNotShare()
    {
        const QTemporaryDir elsewhere;
        const Study study = start(fake(), {{2, 1}}, elsewhere.filePath(u"study"_s));
        QVERIFY(ends(study, 30));
        QCOMPARE(codeOf(study), u"folder_not_shared"_s);
    }

    void engineThatANodeDoesNotHave()
    {
        TargetMachine machine = fake();
        machine.mpiPrefix = u"/opt/no-such-mpi"_s;
        const Study study = start(machine);
        QVERIFY(ends(study, 30));
        QCOMPARE(codeOf(study), u"mpirun_missing"_s);
        machine.folder = m_folder.filePath(u"nothing"_s);
        const Study other = start(machine);
        QVERIFY(ends(other, 30));
        QCOMPARE(codeOf(other), u"engine_missing"_s);
    }

    void rankThatFails()
    {
        const Study study = start(fake(3, 20, "kill"));
        QVERIFY(ends(study, 40));
        QCOMPARE(codeOf(study), u"rank_killed"_s);
        QVERIFY(statusOf(study).error.message.contains("Rank 1 on sb2 was killed"_L1));
        QVERIFY(nothingLeft());
    }

    /// Nothing tells of it but the state of the process on its node.
    void suspendedRankIsNamed()
    {
        const Study study = start(fake(500, 60));
        QVERIFY(trains(study));
        const QString pid = QString::fromLatin1(
            m_cluster->in(u"sb2"_s, {u"pgrep"_s, u"-x"_s, u"fake_engine"_s}).output.trimmed());
        QVERIFY(pid.toInt() > 1);
        QElapsedTimer clock;
        clock.start();
        for (const QString& host : m_cluster->hosts()) // no MPI in it: the other would go on
            QVERIFY(m_cluster->in(host, {u"pkill"_s, u"-STOP"_s, u"-x"_s, u"fake_engine"_s}).ok());
        QVERIFY(waitFor([&] { return statusOf(study).state == RunState::Stopping; }));
        qInfo("seen after %.1f s", double(clock.elapsed()) / 1000);
        QVERIFY(ends(study));
        QCOMPARE(codeOf(study), u"stalled"_s);
        // Of both, or of the one that was looked at first.
        QVERIFY2(statusOf(study).error.message.contains(
                     u"a process of the run on sb2 (process %1)"_s.arg(pid), Qt::CaseInsensitive),
                 qPrintable(statusOf(study).error.message));
        QVERIFY(nothingLeft());
    }

    void retriedAsANewJob()
    {
        const Study study = start(fake(3, 20, "kill"), {{2, 1}}, {}, 1);
        QVERIFY(ends(study, 60));
        QCOMPARE(codeOf(study), u"rank_killed"_s);
        QCOMPARE(statusOf(study).attempt, 1);
        QVERIFY(QFile::exists(study.runs[0].runDir + u"/result_0.txt.attempt1"_s));
        QVERIFY(nothingLeft());
    }

    void timeLimit()
    {
        const Study study = start(slow());
        QVERIFY(trains(study));
        // A busy controller may be too late to answer.
        QVERIFY(waitFor([&] {
            return slurm({u"scontrol"_s, u"update"_s, u"jobid="_s + statusOf(study).slurmJob,
                          u"EndTime=now"_s})
                .ok();
        }));
        QVERIFY(ends(study, 60));
        QCOMPARE(codeOf(study), u"slurm_timeout"_s);
        QVERIFY(statusOf(study).error.message.contains("at epoch"_L1));
        QVERIFY(nothingLeft());
    }

    void preempted()
    {
        const Study study = start(slow());
        QVERIFY(trains(study));
        const Said urgent = slurm({u"sbatch"_s, u"-p"_s, u"urgent"_s, u"--exclusive"_s, u"-N2"_s,
                                   u"--chdir="_s + m_folder.path(), u"--wrap"_s, u"sleep 1"_s});
        QVERIFY2(urgent.ok(), urgent.errors.constData());
        QVERIFY(ends(study, 40));
        QCOMPARE(codeOf(study), u"slurm_preempted"_s);
    }

    void tooMuchMemory()
    {
        TargetMachine machine = fake();
        machine.slurm.extraOptions = {u"--mem=150"_s};
        machine.environment.insert(u"FAKE_HOG"_s, u"1"_s);
        const Study study = start(machine);
        QVERIFY(ends(study, 60));
        QCOMPARE(codeOf(study), u"slurm_out_of_memory"_s);
        QVERIFY(nothingLeft());
    }

    void cancelledBySomebodyElse()
    {
        const Study study = start(slow());
        QVERIFY(trains(study));
        QVERIFY(slurm({u"scancel"_s, statusOf(study).slurmJob}).ok());
        QVERIFY(ends(study, 30));
        QCOMPARE(codeOf(study), u"slurm_cancelled"_s);
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
            QJsonDocument::fromJson(contentOf(runs.filePath(run + u"/system.json"_s))).object();
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

    // The last ones break the cluster.

    void nodeTakenDown()
    {
        const Study study = start(slow());
        QVERIFY(trains(study));
        QVERIFY(m_cluster->command({u"slurm-node"_s, u"sb2"_s, u"down"_s}).ok());
        QVERIFY(ends(study, 60));
        QCOMPARE(codeOf(study), u"slurm_node_fail"_s);
        QVERIFY(statusOf(study).error.message.contains(" of the job failed at epoch "_L1));
        QVERIFY(m_cluster->command({u"slurm-node"_s, u"sb2"_s, u"resume"_s}).ok());
    }

    void nodeThatCrashes()
    {
        const Study study = start(slow());
        QVERIFY(trains(study));
        QVERIFY(m_cluster->command({u"crash"_s, u"sb2"_s}).ok());
        QElapsedTimer clock;
        clock.start();
        QVERIFY(ends(study, 120));
        qInfo("told after %.1f s", double(clock.elapsed()) / 1000);
        QCOMPARE(codeOf(study), u"node_lost"_s); // mpirun noticed before Slurm
        QVERIFY(statusOf(study).error.message.contains("sb2"_L1));
        for (const NodeEnd& end : statusOf(study).nodeEnds)
            qInfo("%s: %s", qPrintable(end.host), qPrintable(end.text));
        QVERIFY(statusOf(study).nodeEnds.value(0).clean);
        QVERIFY(!statusOf(study).nodeEnds.value(1).clean);
    }

    void controllerThatIsGone()
    {
        const Study study = create(fake());
        QVERIFY(m_cluster->command({u"crash"_s, u"sb1"_s}).ok());
        QVERIFY(startSupervisor(study.dir));
        QVERIFY(ends(study, 30));
        QCOMPARE(codeOf(study), u"slurm_unreachable"_s);
    }
};

QTEST_GUILESS_MAIN(SlurmClusterTest)
#include "slurm_cluster_test.moc"
