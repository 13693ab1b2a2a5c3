// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/run_supervision.h"

#include "base/translated.h"
#include "supervise/supervisor_signals.h"

#include "base/file_io.h"
#include "machine/study_machine.h"
#include "run/attempt_logs.h"
#include "run/resume.h"
#include "run/stream_parser.h"
#include "run/study_files.h"
#include "run/study_queue.h"
#include "supervise/machine_lock.h"
#include "supervise/run_clock.h"
#include "supervise/run_end.h"
#include "supervise/run_job.h"
#include "supervise/run_pulse.h"
#include "supervise/stall_text.h"
#include "supervise/stop_steps.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QStorageInfo>

#include <csignal>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPollMs = 100;
constexpr int kStopAgainMs = 1000; ///< what comes sooner is the same request, twice

int secondsFromEnvironment(const char* name, int fallback)
{
    bool ok = false;
    const int value = qEnvironmentVariableIntValue(name, &ok);
    return ok && value > 0 ? value : fallback;
}

class Supervision : public StatusSink
{
public:
    Supervision(QString studyDir, QString runId)
        : m_studyDir(std::move(studyDir)), m_runDir(runDirOf(m_studyDir, runId))
    {
    }

    int run()
    {
        if (!prepare())
            return 3;
        m_clock.start();
        if ((m_takenOver || waitForMachine()) && m_job->start(*this, m_end)) {
            m_lastByte.start();
            m_pulse.restart(m_clock.elapsed());
            watch();
        }
        finish();
        return m_stopRequested ? 130 : 0;
    }

    RunStatus& status() override { return m_status; }
    void publish(RunState state) override
    {
        // A stop that arrived while starting stays visible.
        setState(m_stopRequested && !isFinal(state) ? RunState::Stopping : state);
    }
    bool stopRequested() override
    {
        readSignals();
        return m_stopRequested;
    }
    bool retried() const { return m_retried; } ///< it is in the queue again

private:
    bool prepare()
    {
        const sigset_t set = handledSignals();
        m_signals = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
        const Result<RunRecord> record = loadRunHead(m_runDir);
        const Result<RunStatus> status = readRunStatus(m_runDir);
        if (status)
            m_status = status.value();
        if (!record || !status) {
            m_status.error = record ? status.failure() : record.failure();
            m_status.finishedMs = m_time.now();
            setState(RunState::Failed);
            return false;
        }
        m_record = record.value();
        const Result<TargetMachine> machine = studyMachine(m_studyDir);
        const bool slurm = machine && machine.value().kind == TargetMachine::Kind::Slurm;
        m_takenOver = slurm && goesOnAlone(m_status);
        if (m_status.state != RunState::Queued && !m_takenOver)
            return false;
        m_status.supervisor = ProcessIdentity::self();
        m_stopRequested = m_status.state == RunState::Stopping;
        m_sinceStop.start();
        if (!m_takenOver) {
            m_status.startedMs = m_time.begin();
            m_status.state = RunState::Starting;
            m_status.waiting.clear(); // to be tried again
        }
        setState(m_status.state);
        if (!machine) {
            m_status.error = machine.failure();
            m_status.finishedMs = m_time.now();
            setState(RunState::Failed);
            return false;
        }
        m_machineLock = std::make_unique<MachineLock>(machine.value());
        m_ranksWriteHere = machine.value().kind != TargetMachine::Kind::Ssh;
        if (!m_takenOver)
            beginAttemptLogs(m_runDir, m_record.config.workers, m_ranksWriteHere);
        RunPlace place{m_studyDir, m_runDir, machine.value(), m_record};
        if (!slurm && takesTurns()) // Slurm gives out processors, not whole hosts
            place.machine.environment.insert(u"SCALEBENCH_TURN"_s,
                                             MachineLock::nameForOthers(m_studyDir));
        m_job = makeRunJob(place);
        return true;
    }

    bool takesTurns() const
    {
        const Result<Study> study = loadStudyHead(m_studyDir);
        return MachineLock::isWanted() && study && study.value().spec.exclusive;
    }

    void setState(RunState state)
    {
        m_status.state = state;
        if (const Result<void> written = writeRunStatus(m_runDir, m_status); !written)
            qWarning("%s", qPrintable(written.failure().message));
    }

    /// Until no other study's run is going on there. False when stopped meanwhile.
    bool waitForMachine()
    {
        const Result<Study> study = loadStudyHead(m_studyDir);
        if (study && !study.value().spec.exclusive)
            return true;
        const QString name = study && !study.value().spec.name.isEmpty()
                                 ? study.value().spec.name
                                 : QFileInfo(m_studyDir).fileName();
        while (!m_machineLock->tryAcquire(u"\"%1\" (%2)"_s.arg(name, m_studyDir))) {
            const QString text = Launcher::tr("Waits for the study %1 on the same machine.")
                                     .arg(m_machineLock->holder());
            if (m_status.waiting != text) {
                m_status.waiting = text;
                setState(RunState::Starting);
            }
            if (stopRequested())
                return false;
            ::usleep(200'000);
        }
        endWaiting();
        return !stopRequested();
    }

    /// What it waited for, another study or a queue, is no part of its time.
    void beginNow() { m_status.startedMs = m_time.begin(); }
    void endWaiting()
    {
        if (!m_status.waiting.isEmpty())
            beginNow();
        m_status.waiting.clear();
    }

    void watch()
    {
        while (!m_job->poll(*this, m_end)) {
            QCoreApplication::processEvents(); // of ssh connections
            pollfd fd{m_signals, POLLIN, 0};
            ::poll(&fd, 1, kPollMs);
            readSignals();
            readStream();
            if (m_stopRequested || m_end.stalled)
                escalate();
            else if (m_job->isGoingOn())
                checkStall();
            else
                waitForSchedule();
        }
    }

    void waitForSchedule()
    {
        m_lastByte.restart();
        m_pulse.restart(m_clock.elapsed());
        beginNow();
    }

    void readSignals()
    {
        signalfd_siginfo info;
        while (::read(m_signals, &info, sizeof info) == sizeof info) {
            if (m_stopRequested) {
                m_stopAtOnce = m_stopAtOnce || m_sinceStop.elapsed() > kStopAgainMs;
                continue;
            }
            m_stopRequested = true;
            m_sinceStop.start();
            setState(RunState::Stopping);
        }
    }

    void readStream()
    {
        if (!m_stream.isOpen()) {
            if (!openOrdinaryFile(m_stream, m_runDir + u"/result_0.txt"_s))
                return;
        }
        while (true) {
            const QByteArray bytes = m_stream.read(1 << 20);
            if (bytes.isEmpty())
                return;
            RunDelta delta = m_parser.feed(bytes);
            m_sawRecord = m_sawRecord || m_parser.bytesConsumed() > 0;
            m_pulse.learn(delta, m_clock.elapsed());
            if (!delta.steps.isEmpty()) // only the last point matters here
                delta.steps = {delta.steps.last()};
            m_record.steps.clear();
            m_record.apply(delta);
            if (m_record.steps.isEmpty() && m_lastStep.step > 0)
                m_record.steps << m_lastStep;
            else if (!m_record.steps.isEmpty())
                m_lastStep = m_record.steps.last();
            m_lastByte.restart();
            showWaiting();
        }
    }

    /// The engine found another run on a host.
    void showWaiting()
    {
        const QString text = m_record.phase == "waiting"_L1 && !m_record.warnings.isEmpty()
                                 ? u"Waits: %1."_s.arg(m_record.warnings.last().message)
                                 : QString();
        if (text == m_status.waiting || (text.isEmpty() && !m_waitsForTurn))
            return;
        m_waitsForTurn = !text.isEmpty();
        endWaiting();
        m_status.waiting = text;
        publish(m_waitsForTurn ? RunState::Starting : RunState::Running); // begins with its turn
    }

    void checkStall()
    {
        if (m_record.runStopMs > 0)
            return checkLingering();
        if (checkSuspended())
            return;
        const int limit = (m_sawRecord ? secondsFromEnvironment("SCALEBENCH_STALL_S", 60)
                                       : secondsFromEnvironment("SCALEBENCH_START_S", 30)) +
                          m_job->slackSeconds();
        if (m_lastByte.elapsed() < qint64(limit) * 1000)
            return;
        stalls(m_sawRecord
                   ? stallText(m_record, m_lastStep, limit,
                               m_record.config.hosts.isEmpty() && m_status.slurmJob.isEmpty())
                   : silentStartText(m_record, limit));
    }

    void stalls(const QString& text)
    {
        m_end.stalled = true;
        m_end.stall = stallFailure(m_record, launcherText(), text);
        setState(RunState::Stopping);
    }

    QString launcherText() const { return tailOfAttempt(m_runDir, u"launcher.txt"_s, 60); }

    bool checkSuspended()
    {
        const qint64 now = m_clock.elapsed();
        if (!m_pulse.isSuspicious(now)) {
            m_suspension.reset();
            return false;
        }
        const QList<SuspendedProcess> suspended =
            m_suspension.lasting(now, [this] { return m_job->suspended(); });
        if (suspended.isEmpty())
            return false;
        stalls(suspensionText(m_record, m_lastStep, suspended));
        return true;
    }

    /// The stream is complete but mpirun stays: a rank hangs at the end. The result stands.
    void checkLingering()
    {
        if (m_lastByte.elapsed() > 15'000 + qint64(m_job->slackSeconds()) * 1000)
            m_end.stalled = true;
    }

    /// Whoever stops it again does not want to wait for a clean stop.
    void escalate()
    {
        const qint64 now = m_clock.elapsed();
        if (!m_stop.begun())
            m_pulse.restart(now);
        const bool patient = !m_end.stalled && !m_stopAtOnce && m_sawRecord;
        const bool quiet =
            m_pulse.quietFor(now) >= m_pulse.stopLimit() + qint64(m_job->slackSeconds()) * 1000;
        if (const auto step = m_stop.next(now, m_end.stalled, patient, quiet))
            m_job->escalate(*step);
    }

    void finish()
    {
        m_job->cleanUp(*this, m_end);
        const bool isOlder = restoreStream(m_runDir);
        readStream();
        if (isOlder) { // what was measured counts, how that attempt ended does not
            m_record.stopStatus.clear();
            m_record.stopReason.clear();
            m_record.streamError.reset();
            m_record.runStopMs = 0;
        }
        readSignals();
        m_end.stopRequested = m_stopRequested;
        m_end.launcherText = launcherText();
        for (const int rank : ranksWithStderr(m_runDir, m_record.config.workers)) {
            const QFileInfo file(m_runDir + u"/stderr_%1.txt"_s.arg(rank));
            const QString text = tailOfAttempt(m_runDir, file.fileName(), 20);
            const qint64 saidMs = file.lastModified().toMSecsSinceEpoch();
            if (!text.isEmpty() && (m_ranksWriteHere || saidMs >= m_status.startedMs))
                m_end.rankTexts.insert(rank, text);
        }
        m_end.fullDisks << fullDisks({m_runDir, QDir::tempPath(), u"/dev/shm"_s});
        const RunVerdict verdict = judgeRunEnd(m_end, m_record);
        m_status.error = verdict.failure;
        endWaiting();
        m_status.exitCode = m_end.exited ? m_end.exitCode : 128 + m_end.signal;
        m_status.finishedMs = m_time.now();
        // Followers take Failed for the end, so a run to be tried again is never seen in it.
        m_retried = verdict.state == RunState::Failed && !m_stopRequested && wantsRetry() &&
                    requeueForRetry(m_runDir, verdict.failure.message);
        if (!m_retried)
            setState(verdict.state);
    }

    bool wantsRetry() const
    {
        const Result<Study> study = loadStudyHead(m_studyDir);
        return study && m_status.attempt < study.value().spec.retries &&
               !stopAfterRunRequested(m_studyDir);
    }

    QString m_studyDir, m_runDir;
    int m_signals = -1;
    std::unique_ptr<RunJob> m_job;
    std::unique_ptr<MachineLock> m_machineLock;
    bool m_retried = false;
    RunStatus m_status;
    RunRecord m_record;
    StepPoint m_lastStep;
    RunEnd m_end;
    QFile m_stream;
    StreamParser m_parser;
    RunClock m_time;
    RunPulse m_pulse;
    SuspensionWatch m_suspension;
    QElapsedTimer m_clock, m_lastByte, m_sinceStop;
    StopSteps m_stop;
    bool m_waitsForTurn = false;
    bool m_ranksWriteHere = true; ///< their logs are not fetched from hosts
    bool m_takenOver = false;     ///< a Slurm job that goes on without its supervisor
    bool m_stopRequested = false, m_stopAtOnce = false;
    bool m_sawRecord = false;
};

} // namespace

bool goesOnAlone(const RunStatus& status)
{
    return !status.slurmJob.isEmpty() && !isFinal(status.state) && status.state != RunState::Queued;
}

SupervisedRun superviseOneRun(const QString& studyDir, const QString& runId)
{
    Supervision supervision(studyDir, runId);
    SupervisedRun end;
    end.exitCode = supervision.run();
    end.stopRequested = supervision.stopRequested();
    end.retried = supervision.retried();
    return end;
}

} // namespace scalebench
