// SPDX-License-Identifier: GPL-3.0-or-later
// The detached supervisor with real mpirun and the fake engine: every way to end, nothing left.
#include "machine/open_mpi.h"
#include "run/disturbance.h"
#include "run/resume.h"
#include "run/run_series.h"
#include "run/run_status.h"
#include "run/study.h"
#include "run/study_lock.h"
#include "run/study_queue.h"
#include "supervise/requeue.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"
#include "support/program_file.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::test;

static RunStatus statusOf(const QString& runDir)
{
    const auto status = readRunStatus(runDir);
    return status ? status.value() : RunStatus();
}

class SupervisorTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<TemporaryLibrary> m_library;

    Study start(const char* mode, const QList<int>& workers = {2}, int epochs = 3, int stepMs = 10)
    {
        useFakeEngine(mode, epochs, stepMs);
        m_library = std::make_unique<TemporaryLibrary>();
        const Study study = m_library->create(workers);
        const auto pid = startSupervisor(study.dir);
        if (!pid)
            qFatal("%s", qPrintable(pid.failure().message));
        return study;
    }

    bool waitForState(const Study& study, int run, RunState state)
    {
        return QTest::qWaitFor([&] { return statusOf(study.runs[run].runDir).state == state; },
                               kHangMs);
    }
    bool waitForBytes(const Study& study, int run, qint64 bytes)
    {
        return QTest::qWaitFor(
            [&] {
                return QFileInfo(study.runs[run].runDir + QStringLiteral("/result_0.txt")).size() >
                       bytes;
            },
            kHangMs);
    }
    bool waitForNobody() const
    {
        return QTest::qWaitFor([&] { return m_library->processesLeft().isEmpty(); }, kHangMs);
    }

private slots:
    void cleanup()
    {
        m_library.reset();
        for (const char* name : {"SCALEBENCH_STALL_S", "SCALEBENCH_START_S"})
            qunsetenv(name);
    }

    void chainOfRuns()
    {
        const Study study = start("ok", {1, 2, 4});
        QVERIFY(waitForState(study, 2, RunState::Completed));
        QVERIFY(waitForNobody());
        qint64 supervisor = 0;
        for (const RunRecord& run : study.runs) {
            const RunStatus status = statusOf(run.runDir);
            QVERIFY(status.state == RunState::Completed);
            QCOMPARE(status.exitCode, 0);
            QVERIFY(status.error.code.isEmpty());
            QVERIFY(status.startedMs >= status.createdMs && status.finishedMs > status.startedMs);
            if (supervisor != 0)
                QCOMPARE(status.supervisor.pid, supervisor); // it replaced itself
            supervisor = status.supervisor.pid;
            const auto loaded = loadRun(run.runDir);
            QVERIFY(loaded.value().targetReached());
            QCOMPARE(loaded.value().steps.size(), 15);
        }
        QVERIFY(!lockHolder(study.dir));
        QCOMPARE(startSupervisor(study.dir).failure().code, QStringLiteral("nothing_queued"));
    }

    void failedRunDoesNotStopTheQueue()
    {
        useFakeEngine("kill");
        m_library = std::make_unique<TemporaryLibrary>();
        const Study study = m_library->create({1, 2});
        QVERIFY(startSupervisor(study.dir));
        QVERIFY(waitForState(study, 1, RunState::Failed));
        QVERIFY(statusOf(study.runs[0].runDir).state == RunState::Failed);
        QVERIFY(waitForNobody());
    }

    void ends_data()
    {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* mode, RunState state, const char* code, const char* part) {
            QTest::newRow(mode) << QByteArray(mode) << int(state) << QString::fromLatin1(code)
                                << QString::fromUtf8(part);
        };
        row("kill", RunState::Failed, "rank_killed", "Its last line: the last words of rank 1");
        row("exit", RunState::Failed, "rank_failed", "Its last line: cannot go on");
        row("diverged", RunState::Failed, "diverged",
            "The training diverged: the loss is not a number at step 7");
        row("not_reached", RunState::NotConverged, "target_not_reached",
            "target 80 %: kept as not converged");
        row("foreign", RunState::Completed, "", "");
        row("split", RunState::Completed, "", "");
    }
    void ends()
    {
        QFETCH(QByteArray, mode);
        QFETCH(int, state);
        QFETCH(QString, code);
        QFETCH(QString, part);
        const Study study = start(mode.constData());
        QVERIFY(waitForState(study, 0, RunState(state)));
        const RunStatus status = statusOf(study.runs[0].runDir);
        QCOMPARE(status.error.code, code);
        QVERIFY2(status.error.message.contains(part), qPrintable(status.error.message));
        QVERIFY(waitForNobody());
        const RunRecord record = loadRun(study.runs[0].runDir).value();
        QVERIFY(record.steps.size() >= 7); // what was measured is kept
        QCOMPARE(record.sequenceGaps + record.sequenceRepeats, 0);
    }

    /// What was said of attempts before is not why this one ended.
    void anotherAttemptIsToldByItsOwnWords()
    {
        useFakeEngine("exit");
        m_library = std::make_unique<TemporaryLibrary>();
        const Study study = m_library->create({2});
        const QString folder = study.runs[0].runDir + QLatin1Char('/');
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(folder + QLatin1StringView(name));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        const QByteArray ended = "mpirun noticed that process rank 1 with PID 8 on node box exited "
                                 "on signal 9 (Killed).";
        QVERIFY(write("launcher.txt", ended));
        QVERIFY(write("stderr_0.txt", "No space left on device\n"));
        QVERIFY(startSupervisor(study.dir));
        QVERIFY(waitForState(study, 0, RunState::Failed));
        QCOMPARE(statusOf(study.runs[0].runDir).error.code, QStringLiteral("rank_failed"));
        QVERIFY(waitForNobody());
        QFile log(folder + QStringLiteral("launcher.txt")); // people still find all of it
        QVERIFY(log.open(QIODevice::ReadOnly) && log.readAll().startsWith(ended));
    }

    void stopIsCleanWhereTheEngineListens()
    {
        const Study study = start("ok", {2, 1}, 100, 20);
        QVERIFY(waitForBytes(study, 0, 3000));
        ::kill(pid_t(*lockHolder(study.dir)), SIGTERM);
        QVERIFY(waitForState(study, 0, RunState::Cancelled));
        QVERIFY(waitForState(study, 1, RunState::Cancelled));
        QVERIFY(waitForNobody());
        const RunRecord record = loadRun(study.runs[0].runDir).value();
        QCOMPARE(record.stopReason, QStringLiteral("stopped"));
        QVERIFY(record.failure.message.startsWith(QStringLiteral("Stopped at epoch")));
        QVERIFY(
            record.failure.message.endsWith(QStringLiteral("All of its processes have ended.")));
        QVERIFY(
            statusOf(study.runs[1].runDir).error.message.startsWith(QStringLiteral("Not started")));
    }

    void stopOfAnEngineThatIgnoresSignals()
    {
        const Study study = start("stubborn", {2});
        QVERIFY(waitForBytes(study, 0, 3500));
        QTest::qWait(200);
        ::kill(pid_t(*lockHolder(study.dir)), SIGTERM);
        QVERIFY(waitForState(study, 0, RunState::Stopping));
        QVERIFY(waitForState(study, 0, RunState::Cancelled));
        QVERIFY(waitForNobody());
    }

    /// A signal before its ranks are there is lost in mpirun.
    void stopThatIsNotHeardAtFirst()
    {
        const Study study = start("deaf_at_first", {2}, 4000, 20);
        QVERIFY(waitForBytes(study, 0, 3500));
        ::kill(pid_t(*lockHolder(study.dir)), SIGTERM);
        QVERIFY(waitForState(study, 0, RunState::Cancelled));
        QVERIFY(waitForNobody());
        QCOMPARE(loadRun(study.runs[0].runDir).value().stopReason, QStringLiteral("stopped"));
    }

    /// What this computer's machine file sets reaches the ranks.
    void environmentOfThisComputer()
    {
        useFakeEngine("ok", 100, 20);
        m_library = std::make_unique<TemporaryLibrary>();
        StudySpec spec;
        spec.workers = {1};
        spec.target = 0.8;
        TargetMachine machine;
        machine.kind = TargetMachine::Kind::Local;
        machine.name = QStringLiteral("here");
        machine.environment.insert(QStringLiteral("SB_PROBE"), QStringLiteral("a b"));
        machine.nccl.insert(QStringLiteral("DEBUG"), QStringLiteral("WARN"));
        machine.ucx.insert(QStringLiteral("TLS"), QStringLiteral("tcp"));
        const auto runs =
            planRuns(spec, goodMachine(), QStringLiteral("s"), m_library->folder.path());
        const auto study =
            m_library->library->createStudy(spec, runs.value(), QStringLiteral("s"), {}, machine);
        QVERIFY2(study.ok(), study.ok() ? "" : qPrintable(study.failure().message));
        QVERIFY(startSupervisor(study.value().dir).ok());
        QVERIFY(waitForBytes(study.value(), 0, 3000));
        const qint64 rank0 = loadRun(study.value().runs[0].runDir).value().workers.first().pid;
        QFile file(QStringLiteral("/proc/%1/environ").arg(rank0));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList environment = file.readAll().split('\0');
        for (const char* expected : {"SB_PROBE=a b", "NCCL_DEBUG=WARN", "UCX_TLS=tcp"})
            QVERIFY2(environment.contains(expected), expected);
        ::kill(pid_t(*lockHolder(study.value().dir)), SIGTERM);
        QVERIFY(waitForState(study.value(), 0, RunState::Cancelled));
        QVERIFY(waitForNobody());
    }

    /// How the attempt before ended is not how this one did.
    void killedBeforeItWroteAnything()
    {
        const Study study = start("ok", {2}, 100, 20);
        QVERIFY(waitForBytes(study, 0, 3000));
        ::kill(pid_t(*lockHolder(study.dir)), SIGTERM);
        QVERIFY(waitForState(study, 0, RunState::Cancelled));
        QVERIFY(waitForNobody());
        qputenv("FAKE_ENGINE_MODE", "kill_at_start");
        QVERIFY(requeueRuns(study.dir, {}).ok());
        QVERIFY(startSupervisor(study.dir).ok());
        QVERIFY(waitForState(study, 0, RunState::Failed)); // what mpirun says so early differs
        QVERIFY(!loadRun(study.runs[0].runDir).value().steps.isEmpty()); // kept
        QVERIFY(waitForNobody());
    }

    void whatHasNotBegunIsNotRunAgain()
    {
        TemporaryLibrary library;
        const Study study = library.create({1, 2});
        // A study that is stopped cancels what waits.
        RunStatus waiting = readRunStatus(study.runs[1].runDir).value();
        waiting.state = RunState::Cancelled;
        waiting.finishedMs = QDateTime::currentMSecsSinceEpoch();
        QVERIFY(writeRunStatus(study.runs[1].runDir, waiting));
        QCOMPARE(requeueRuns(study.dir).value().size(), 2);
        const Study after = loadStudy(study.dir).value();
        for (const RunRecord& run : after.runs) {
            QCOMPARE(run.attempts, 0);
            QVERIFY(!runMarks(run).contains(QStringLiteral("run again")));
        }
    }

    void disturbedRunsBeginAnew()
    {
        qputenv("FAKE_ENGINE_CHECKPOINT_KB", "4");
        const Study study = start("busy_once", {1, 2});
        QVERIFY(waitForState(study, 1, RunState::Completed));
        QVERIFY(waitForNobody());
        QCOMPARE(requeueRuns(study.dir).failure().code, QStringLiteral("usage"));
        const QString dir = study.runs[0].runDir;
        QVERIFY(isDisturbed(loadRun(dir).value()));
        QVERIFY(hasCheckpoint(dir));
        const QString first = study.runs[0].config.runId;
        QCOMPARE(requeueRuns(study.dir, {first}, Requeue::Disturbed).value(), QStringList{first});
        QVERIFY(!hasCheckpoint(dir));
        QVERIFY(startSupervisor(study.dir).ok());
        QVERIFY(waitForState(study, 0, RunState::Completed));
        QVERIFY(waitForNobody());
        const RunRecord again = loadRun(dir).value();
        QVERIFY(!isDisturbed(again));
        QCOMPARE(again.resumes, 0);
        QCOMPARE(again.attempts, 1);
        QVERIFY(runMarks(again).contains(QStringLiteral("run again")));
        QVERIFY(QFile::exists(dir + QStringLiteral("/result_0.txt.attempt1")));
        QCOMPARE(requeueRuns(study.dir, {first}, Requeue::Disturbed).failure().code,
                 QStringLiteral("usage"));
        QVERIFY(isDisturbed(loadRun(study.runs[1].runDir).value())); // was not asked for
        qunsetenv("FAKE_ENGINE_CHECKPOINT_KB");
    }

    void grandchildrenAreEndedToo()
    {
        const Study study = start("stubborn_child", {2});
        QVERIFY(QTest::qWaitFor([&] { return m_library->processesLeft().size() >= 5; }, kHangMs));
        ::kill(pid_t(*lockHolder(study.dir)), SIGTERM);
        QVERIFY(waitForState(study, 0, RunState::Cancelled));
        QVERIFY(waitForNobody());
    }

    void stallIsFound()
    {
        qputenv("SCALEBENCH_STALL_S", "1");
        const Study study = start("hang");
        QVERIFY(waitForState(study, 0, RunState::Failed));
        const RunStatus status = statusOf(study.runs[0].runDir);
        QCOMPARE(status.error.code, QStringLiteral("stalled"));
        QVERIFY2(status.error.message.startsWith(
                     QStringLiteral("No progress for 1 s after step 8 (epoch 1.60)")),
                 qPrintable(status.error.message));
        QVERIFY(waitForNobody());
    }

    void suspendedRankIsNamed()
    {
        const Study study = start("ok", {2}, 100, 20);
        QVERIFY(waitForBytes(study, 0, 3000));
        const qint64 rank0 = loadRun(study.runs[0].runDir).value().workers.first().pid;
        ::kill(pid_t(rank0), SIGSTOP);
        QVERIFY(waitForState(study, 0, RunState::Failed));
        const RunStatus status = statusOf(study.runs[0].runDir);
        QCOMPARE(status.error.code, QStringLiteral("stalled"));
        QVERIFY2(
            status.error.message.startsWith(
                QStringLiteral("Rank 0 on here (process %1) was suspended (SIGSTOP)").arg(rank0)),
            qPrintable(status.error.message));
        QVERIFY(waitForNobody());
    }

    /// A step longer than the time that was once given to it: the engine writes its last records.
    void stopWaitsForALongStep()
    {
        const Study study = start("ok", {2}, 100, 5000);
        QVERIFY(QTest::qWaitFor(
            [&] { return !loadRun(study.runs[0].runDir).value().steps.isEmpty(); }, kHangMs));
        ::kill(pid_t(*lockHolder(study.dir)), SIGTERM);
        QVERIFY(waitForState(study, 0, RunState::Cancelled));
        const RunRecord record = loadRun(study.runs[0].runDir).value();
        QCOMPARE(record.stopReason, QStringLiteral("stopped"));
        QVERIFY(waitForNobody());
    }

    /// Also where no step has told yet how long one takes.
    void stopWaitsForASlowFirstStep()
    {
        const Study study = start("ok", {2}, 100, 20'000);
        QVERIFY(waitForBytes(study, 0, 100));
        // The other rank hears signals too from here on.
        QVERIFY(QTest::qWaitFor(
            [&] {
                return QFileInfo::exists(study.runs[0].runDir + QStringLiteral("/stderr_1.txt"));
            },
            kHangMs));
        ::kill(pid_t(*lockHolder(study.dir)), SIGTERM);
        QVERIFY(waitForState(study, 0, RunState::Cancelled));
        QCOMPARE(loadRun(study.runs[0].runDir).value().stopReason, QStringLiteral("stopped"));
        QVERIFY(waitForNobody());
    }

    /// Whoever stops it twice does not want to wait.
    void stopTwiceIsAtOnce()
    {
        const Study study = start("ok", {2}, 100, 60'000);
        QVERIFY(waitForBytes(study, 0, 100));
        const pid_t supervisor = pid_t(*lockHolder(study.dir));
        ::kill(supervisor, SIGTERM);
        QVERIFY(waitForState(study, 0, RunState::Stopping));
        QTest::qWait(1500);
        ::kill(supervisor, SIGTERM);
        QVERIFY(waitForState(study, 0, RunState::Cancelled));
        QVERIFY(loadRun(study.runs[0].runDir).value().stopReason.isEmpty());
        QVERIFY(waitForNobody());
    }

    void silentStartIsFound()
    {
        qputenv("SCALEBENCH_START_S", "1");
        const Study study = start("silent");
        QVERIFY(waitForState(study, 0, RunState::Failed));
        const RunStatus status = statusOf(study.runs[0].runDir);
        QCOMPARE(status.error.code, QStringLiteral("stalled"));
        QVERIFY(
            status.error.message.startsWith(QStringLiteral("The engine wrote nothing for 1 s")));
        QVERIFY(waitForNobody());
    }

    /// 4.1, now and then, after a rank was killed while it started.
    void mpirunThatKnowsAndHangs()
    {
        QTemporaryDir dir;
        writeProgram(dir.filePath(QStringLiteral("mpirun")),
                     "#!/bin/sh\n[ \"$1\" = --version ] && exec /usr/bin/mpirun --version\n"
                     "echo 'Primary job  terminated normally, but 1 process returned' >&2\n"
                     "echo 'a non-zero exit code. Per user-direction, the job has been aborted.' "
                     ">&2\nexec sleep 1000\n");
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", dir.path().toUtf8() + ':' + path);
        qputenv("SCALEBENCH_START_S", "1");
        const Study study = start("ok");
        const bool ended = waitForState(study, 0, RunState::Failed);
        qputenv("PATH", path);
        QVERIFY(ended);
        const RunStatus status = statusOf(study.runs[0].runDir);
        QCOMPARE(status.error.code, QStringLiteral("rank_failed"));
        QVERIFY(waitForNobody());
    }

    void killedRank()
    {
        const Study study = start("ok", {2}, 100, 20);
        QVERIFY(waitForBytes(study, 0, 3000));
        // rank 0 is the one in the worker record
        const qint64 rank0 = loadRun(study.runs[0].runDir).value().workers.first().pid;
        ::kill(pid_t(rank0), SIGKILL);
        QVERIFY(waitForState(study, 0, RunState::Failed));
        QVERIFY(waitForNobody());
        const RunStatus status = statusOf(study.runs[0].runDir);
        QVERIFY2(status.error.code == QLatin1String("rank_killed"),
                 qPrintable(status.error.code + QStringLiteral(": ") + status.error.message));
        QVERIFY(status.error.message.startsWith(QStringLiteral("Rank 0 on ")));
    }

    void killedMpirun()
    {
        const Study study = start("ok", {2}, 100, 20);
        QVERIFY(waitForBytes(study, 0, 3000));
        ::kill(pid_t(statusOf(study.runs[0].runDir).mpirunPid), SIGKILL);
        QVERIFY(waitForState(study, 0, RunState::Failed));
        QCOMPARE(statusOf(study.runs[0].runDir).error.code, QStringLiteral("mpirun_killed"));
        QVERIFY(waitForNobody());
    }

    void killedSupervisor()
    {
        const Study study = start("ok", {2, 1}, 100, 20);
        QVERIFY(waitForBytes(study, 0, 3000));
        QVERIFY(!recoverRun(study.runs[0].runDir)); // alive: hands off
        ::kill(pid_t(*lockHolder(study.dir)), SIGKILL);
        QVERIFY(waitForNobody()); // mpirun got TERM through its parent's death
        QVERIFY(statusOf(study.runs[0].runDir).state == RunState::Running);
        QVERIFY(recoverRun(study.runs[0].runDir));
        const RunStatus status = statusOf(study.runs[0].runDir);
        QVERIFY(status.state == RunState::Failed);
        QCOMPARE(status.error.code, QStringLiteral("supervisor_lost"));
        QVERIFY(!recoverRun(study.runs[0].runDir));
        QVERIFY(statusOf(study.runs[1].runDir).state == RunState::Queued);
    }

    void killedSupervisorWithStubbornRanks()
    {
        const Study study = start("stubborn", {2});
        QVERIFY(waitForBytes(study, 0, 3500));
        const RunStatus before = statusOf(study.runs[0].runDir);
        ::kill(pid_t(before.supervisor.pid), SIGKILL);
        ::kill(pid_t(before.mpirunPid), SIGKILL);
        QTest::qWait(300);
        QVERIFY(recoverRun(study.runs[0].runDir));
        QVERIFY(m_library->processesLeft().isEmpty());
        const QStringList left =
            OpenMpi::sessionFolders(QDir::tempPath(), before.mpirunPid, ::getuid());
        QVERIFY2(left.isEmpty(), qPrintable(left.join(u' ')));
    }

    void stopAfterRun()
    {
        const Study study = start("ok", {1, 2}, 3, 40);
        QVERIFY(waitForBytes(study, 0, 100));
        QVERIFY(requestStopAfterRun(study.dir));
        QVERIFY(waitForState(study, 1, RunState::Cancelled));
        QVERIFY(statusOf(study.runs[0].runDir).state == RunState::Completed);
        QVERIFY(waitForNobody());
    }

    void onlyOneSupervisor()
    {
        useFakeEngine("ok", 4, 5);
        m_library = std::make_unique<TemporaryLibrary>();
        const Study study = m_library->create({1});
        const auto second = [&] {
            return QProcess::execute(
                QStringLiteral(SB_BIN_DIR "/scalebench"),
                {QStringLiteral("supervise"), study.dir, study.runs[0].config.runId});
        };
        {
            StudyLock first;
            QVERIFY(first.acquire(study.dir, 0));
            QCOMPARE(second(), 0); // gives up and changes nothing
            QVERIFY(statusOf(study.runs[0].runDir).state == RunState::Queued);
        }
        // Beside a run that trains until it is let go.
        QTemporaryFile hold;
        QVERIFY(hold.open());
        qputenv("FAKE_ENGINE_HOLD", hold.fileName().toUtf8());
        const auto pid = startSupervisor(study.dir);
        qunsetenv("FAKE_ENGINE_HOLD");
        QVERIFY(pid.ok());
        QVERIFY(waitForBytes(study, 0, 100));
        QCOMPARE(second(), 0);
        QVERIFY(statusOf(study.runs[0].runDir).state == RunState::Running);
        QCOMPARE(lockHolder(study.dir), std::optional<qint64>(pid.value()));
        QVERIFY(hold.remove());
        QVERIFY(waitForState(study, 0, RunState::Completed));
        QCOMPARE(loadRun(study.runs[0].runDir).value().steps.size(), 20);
        QVERIFY(waitForNobody());
    }

    /// The engine found another run on the host: this one has not begun.
    void aRunThatWaitsForItsTurnIsStarting()
    {
        useFakeEngine("waits");
        m_library = std::make_unique<TemporaryLibrary>();
        QTemporaryFile hold;
        QVERIFY(hold.open());
        qputenv("FAKE_ENGINE_HOLD", hold.fileName().toUtf8());
        const Study study = m_library->create({1});
        QVERIFY(startSupervisor(study.dir));
        qunsetenv("FAKE_ENGINE_HOLD");
        const QString runDir = study.runs[0].runDir;
        QVERIFY(QTest::qWaitFor(
            [&] {
                const Result<RunStatus> status = readRunStatus(runDir);
                return status && status.value().waiting.contains(QLatin1String("another run"));
            },
            kHangMs));
        QCOMPARE(statusOf(runDir).state, RunState::Starting);
        QVERIFY(hold.remove());
        QVERIFY(waitForState(study, 0, RunState::Completed));
        QVERIFY(statusOf(runDir).waiting.isEmpty());
        QVERIFY(waitForNobody());
    }

    void engineThatCannotStart()
    {
        useFakeEngine("ok");
        QTemporaryDir dir;
        QFile engine(dir.filePath(QStringLiteral("engine")));
        QVERIFY(engine.open(QIODevice::WriteOnly) && engine.write("this is no program\n") > 0);
        engine.close();
        engine.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        qputenv("SCALEBENCH_ENGINE", engine.fileName().toUtf8());
        m_library = std::make_unique<TemporaryLibrary>();
        const Study study = m_library->create({2});
        QVERIFY(startSupervisor(study.dir));
        QVERIFY(waitForState(study, 0, RunState::Failed));
        const RunStatus status = statusOf(study.runs[0].runDir);
        QCOMPARE(status.error.code, QStringLiteral("engine_not_started"));
        QVERIFY2(status.error.message.contains(engine.fileName()),
                 qPrintable(status.error.message));
        QVERIFY(waitForNobody());
    }
};

QTEST_GUILESS_MAIN(SupervisorTest)
#include "supervisor_test.moc"
