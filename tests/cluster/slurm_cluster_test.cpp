// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as Slurm jobs on two nodes with a real controller: every way in which Slurm ends a job.
#include "follow/queue_keeper.h"
#include "library/library.h"
#include "machine/machines.h"
#include "run/run_status.h"
#include "run/study.h"
#include "run/study_lock.h"
#include "supervise/requeue.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"
#include "support/cluster.h"
#include "support/program_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <functional>
#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

/// Beside the fake engine's own modes: FAKE_HOG lets rank 1 take more memory than the job has.
static const char kEngine[] = R"sh(#!/bin/sh
echo "$OMPI_COMM_WORLD_RANK $(hostname) $OMP_NUM_THREADS" >> "$2/ranks.txt"
if [ -n "$FAKE_HOG" ] && [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then
    head -c 400000000 /dev/zero | tail -c 390000000 | sleep 60
fi
exec @FAKE@ "$@"
)sh";

class SlurmClusterTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Cluster> m_cluster;
    std::shared_ptr<Library> m_library;
    QString m_skip;
    int m_number = 0;

    /// A machine folder on the shared disk with this mpirun and engine.
    QString install(const QString& name, const QString& engine)
    {
        const QString folder = m_folder.filePath(name);
        const QString bin = folder + u"/engine/b/bin"_s;
        QDir().mkpath(bin);
        QFile::link(u"b"_s, folder + u"/engine/current"_s);
        QFile::link(u"/usr/bin/mpirun"_s, bin + u"/mpirun"_s);
        QFile::link(QDir::cleanPath(QStringLiteral(SB_BIN_DIR) + u"/scalebench"_s),
                    bin + u"/scalebench"_s);
        if (engine.endsWith("fake_engine"_L1))
            writeProgram(bin + u"/scalebench-engine"_s,
                         QByteArray(kEngine).replace("@FAKE@", engine.toUtf8()));
        else
            QFile::link(engine, bin + u"/scalebench-engine"_s);
        return folder;
    }

    TargetMachine fake(int epochs = 3, int stepMs = 20, const char* mode = "ok") const
    {
        TargetMachine machine;
        machine.name = u"c"_s;
        machine.kind = TargetMachine::Kind::Slurm;
        machine.folder = m_folder.filePath(u"fake"_s);
        machine.slurm.extraOptions << u"--mem-per-cpu=1000"_s;
        machine.environment = {{u"FAKE_ENGINE_MODE"_s, QString::fromLatin1(mode)},
                               {u"FAKE_ENGINE_EPOCHS"_s, QString::number(epochs)},
                               {u"FAKE_ENGINE_STEP_MS"_s, QString::number(stepMs)}};
        return machine;
    }
    /// Goes on for a minute unless it is ended.
    TargetMachine slow() const { return fake(100, 120); }

    Study create(const TargetMachine& machine, const QList<Shape>& shapes = {{2, 1}},
                 const QString& dir = {}, int retries = 0)
    {
        StudySpec spec;
        spec.machine = machine.name;
        spec.shapes = shapes;
        spec.retries = retries;
        spec.target = 0.8;
        spec.data = u"generated"_s;
        const Result<MachineInfo> info = planningInfo(machine);
        if (!info)
            qFatal("%s", qPrintable(info.failure().message));
        const QString id = u"s%1"_s.arg(++m_number);
        const auto runs = planRuns(spec, info.value(), id, m_folder.filePath(u"sbdata"_s));
        if (!runs)
            qFatal("%s", qPrintable(runs.failure().message));
        const auto study = m_library->createStudy(
            spec, runs.value(), id, dir.isEmpty() ? m_folder.filePath(id) : dir, machine);
        if (!study)
            qFatal("%s", qPrintable(study.failure().message));
        return study.value();
    }
    Study start(const TargetMachine& machine, const QList<Shape>& shapes = {{2, 1}},
                const QString& dir = {}, int retries = 0)
    {
        const Study study = create(machine, shapes, dir, retries);
        const auto pid = startSupervisor(study.dir);
        if (!pid)
            qFatal("%s", qPrintable(pid.failure().message));
        return study;
    }

    static RunStatus statusOf(const Study& study, int run = 0)
    {
        const auto status = readRunStatus(study.runs[run].runDir);
        return status ? status.value() : RunStatus();
    }
    static bool waitFor(const std::function<bool()>& what, int seconds = 60)
    {
        return QTest::qWaitFor(what, std::max(seconds * 1000, kHangMs));
    }
    static bool ends(const Study& study, int seconds = 60, int run = 0)
    {
        const bool ended =
            waitFor([&] { return isFinal(statusOf(study, run).state); }, seconds) &&
            waitFor([&] { return !lockHolder(study.dir) || run + 1 < study.runs.size(); }, 5);
        if (!ended)
            qWarning("%s: %s, %s", qPrintable(study.dir),
                     qPrintable(runStateName(statusOf(study, run).state)),
                     qPrintable(statusOf(study, run).waiting));
        return ended;
    }
    /// Until it trains.
    static bool trains(const Study& study, int run = 0)
    {
        return waitFor([&] {
            return QFileInfo(study.runs[run].runDir + u"/result_0.txt"_s).size() > 3000 &&
                   statusOf(study, run).state == RunState::Running;
        });
    }
    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Of a run that failed: code, and the sentence for the log.
    static QString codeOf(const Study& study, int run = 0)
    {
        const RunStatus status = statusOf(study, run);
        qInfo("%s: %s", qPrintable(status.error.code), qPrintable(status.error.message));
        return status.error.code;
    }
    static Said slurm(const QStringList& words) { return runProgram(words.first(), words.mid(1)); }
    static void stop(const Study& study)
    {
        if (const auto holder = lockHolder(study.dir); holder && *holder > 1)
            ::kill(pid_t(*holder), SIGTERM);
    }
    bool nothingLeft() const
    {
        static const QRegularExpression ours(u"fake_engine|mpirun|orted|prte"_s);
        return waitWithPrograms([&] { return m_cluster->processesLeft().filter(ours).isEmpty(); },
                                10);
    }

private slots:
    void initTestCase()
    {
        const Said possible = runProgram(Cluster::script(), {u"possible"_s, u"--slurm"_s});
        if (possible.exitCode == 77)
            m_skip = QString::fromUtf8(possible.output).trimmed();
        if (!m_skip.isEmpty())
            return;
        m_cluster = std::make_unique<Cluster>(
            QStringList{u"--hosts"_s, u"2"_s, u"--slurm"_s, u"--shared"_s, m_folder.path(),
                        u"--read-only"_s, QDir::cleanPath(QStringLiteral(SB_BIN_DIR "/.."))});
        if (!m_cluster->isUp())
            return;
        qputenv("SLURM_CONF", m_cluster->slurmConfig().toUtf8());
        qputenv("XDG_CACHE_HOME", m_folder.filePath(u"cache"_s).toUtf8());
        install(u"fake"_s, QDir::cleanPath(QStringLiteral(SB_BIN_DIR "/../tests/fake_engine")));
        m_library = Library::open(m_folder.filePath(u"library"_s)).value();
    }

    void init()
    {
        if (!m_skip.isEmpty())
            QSKIP(qPrintable(m_skip));
        SB_NEED_CLUSTER(*m_cluster);
    }

    void cleanup()
    {
        if (m_cluster && m_cluster->isUp())
            slurm({u"scancel"_s, u"--user=root"_s, u"--signal=KILL"_s, u"--full"_s});
    }

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
            read(study.runs[1].runDir + u"/ranks.txt"_s).trimmed().split('\n');
        std::sort(ranks.begin(), ranks.end());
        QCOMPARE(ranks, (QList<QByteArray>{"0 sb1 1", "1 sb1 1"}));
        ranks = read(study.runs[2].runDir + u"/ranks.txt"_s).trimmed().split('\n');
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
        QCOMPARE(read(study.runs[0].runDir + u"/job_exit"_s), QByteArray("0\n"));
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
