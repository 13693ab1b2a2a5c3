// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_follower.h"

#include "launcher/supervisor.h"
#include "study_files.h"

#include <QDateTime>

#include <algorithm>
#include <csignal>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kTickMs = 50;
static constexpr qint64 kBytesPerTick = 4 << 20;
static constexpr int kAbandonedMs = 4000; ///< without a supervisor and without progress
static constexpr qint64 kStartMs = 5000;  ///< for a new supervisor to take the study's lock

RunFollower::RunFollower(QString runDir, int index, int workers)
    : m_runDir(std::move(runDir)),
      m_index(index),
      m_stream(std::make_unique<FileByteSource>(m_runDir + u"/result_0.txt"_s))
{
    const auto add = [this](const QString& name) {
        m_logs.push_back({name, std::make_unique<FileByteSource>(m_runDir + u'/' + name)});
    };
    add(u"launcher.txt"_s);
    for (int rank = 0; rank < workers; ++rank)
        add(u"stderr_%1.txt"_s.arg(rank));
}

RunBatch RunFollower::poll()
{
    RunBatch batch;
    batch.index = m_index;
    if (m_done)
        return batch;
    const Result<RunStatus> status = readRunStatus(m_runDir);
    const RunState state = status ? status.value().state : m_state;
    if (state == RunState::Queued && !m_first)
        return batch;
    const QByteArray bytes = m_stream->read(kBytesPerTick);
    if (!bytes.isEmpty())
        batch.delta = m_parser.feed(bytes);
    for (Log& log : m_logs)
        if (const QByteArray text = log.source->read(256 << 10); !text.isEmpty())
            batch.logs << qMakePair(log.name, QString::fromUtf8(text));
    const bool drained = bytes.size() < kBytesPerTick && batch.logs.isEmpty();
    const bool report = !isFinal(state) || drained;
    if (status && report && (state != m_state || m_first)) {
        batch.status = status.value();
        m_state = state;
    }
    if (report)
        m_done = isFinal(state);
    m_first = false;
    return batch;
}

RunBatch RunFollower::giveUp()
{
    RunBatch batch;
    batch.index = m_index;
    RunStatus status;
    if (const Result<RunStatus> last = readRunStatus(m_runDir))
        status = last.value();
    status.state = RunState::Failed;
    status.error = {
        u"state_lost"_s,
        u"The state of this run can no longer be read or written: %1 was removed, or its disk is "
        "full or read-only."_s.arg(m_runDir)};
    batch.status = status;
    m_state = RunState::Failed;
    m_done = true;
    return batch;
}

StudyFollower::StudyFollower(QString studyDir, QStringList runDirs, QList<int> workers,
                             bool startQueued)
    : m_studyDir(std::move(studyDir)), m_startQueued(startQueued)
{
    for (int i = 0; i < runDirs.size(); ++i)
        m_runs.emplace_back(runDirs[i], i, workers[i]);
}

void StudyFollower::begin()
{
    m_timer = new QTimer(this);
    m_timer->setInterval(kTickMs);
    connect(m_timer, &QTimer::timeout, this, &StudyFollower::tick);
    m_timer->start();
    tick();
}

void StudyFollower::tick()
{
    if (m_finished)
        return;
    superviseQueue();
    for (RunFollower& run : m_runs) {
        const RunBatch b = run.poll();
        if (!b.delta.isEmpty() || !b.logs.isEmpty() || b.status)
            Q_EMIT batch(b);
    }
    giveUpIfAbandoned();
    if (isEverythingDone()) {
        m_finished = true;
        m_timer->stop();
        Q_EMIT finished();
    }
}

void StudyFollower::giveUpIfAbandoned()
{
    const bool starting = m_sinceStart.isValid() && m_sinceStart.elapsed() < kStartMs;
    if (isEverythingDone() || starting || lockHolder(m_studyDir)) {
        m_idleTicks = 0;
        return;
    }
    if (++m_idleTicks * kTickMs < kAbandonedMs)
        return;
    for (RunFollower& run : m_runs)
        if (!run.done())
            Q_EMIT batch(run.giveUp());
}

bool StudyFollower::isEverythingDone() const
{
    const bool onlyQueuedLeft =
        std::all_of(m_runs.begin(), m_runs.end(), [](const RunFollower& run) {
            return run.done() || run.state() == RunState::Queued;
        });
    const bool allDone = std::all_of(m_runs.begin(), m_runs.end(),
                                     [](const RunFollower& run) { return run.done(); });
    // The supervisor still tidies up for a moment after the last state: who asks "is anything
    // left running?" afterwards must get no.
    return (allDone || (onlyQueuedLeft && !m_startQueued)) && !lockHolder(m_studyDir);
}

void StudyFollower::superviseQueue()
{
    if (lockHolder(m_studyDir)) {
        m_failedStarts = 0;
        m_sinceStart.invalidate();
        return;
    }
    if (m_sinceStart.isValid() && m_sinceStart.elapsed() < kStartMs)
        return; // it has not taken the lock yet
    for (const RunFollower& run : m_runs)
        if (!run.done() && recoverRun(run.runDir()))
            m_startQueued = true; // its supervisor would have gone on with the queue
    if (!m_startQueued || queuedRuns(m_studyDir).isEmpty())
        return;
    if (m_stopping || stopAfterRunRequested(m_studyDir)) {
        StudyLock lock;
        if (lock.acquire(m_studyDir, 0))
            cancelQueuedRuns(m_studyDir);
        return;
    }
    if (++m_failedStarts > 2)
        return failQueued(
            {u"supervisor_not_started"_s,
             u"The supervisor of the run could not be started; %1/supervisor.log says why."_s.arg(
                 m_studyDir)});
    const Result<qint64> started = startSupervisor(m_studyDir);
    if (!started)
        return failQueued(started.failure());
    m_sinceStart.start();
}

/// Nothing can be started here: every queued run says so, and finished() follows.
void StudyFollower::failQueued(const Failure& failure)
{
    StudyLock lock;
    if (!lock.acquire(m_studyDir, 1000))
        return;
    for (const QString& runId : queuedRuns(m_studyDir)) {
        Result<RunStatus> status = readRunStatus(runDirOf(m_studyDir, runId));
        if (!status)
            continue;
        status.value().state = RunState::Failed;
        status.value().finishedMs = QDateTime::currentMSecsSinceEpoch();
        status.value().error = failure;
        (void)writeRunStatus(runDirOf(m_studyDir, runId), status.value());
    }
}

void StudyFollower::stopNow()
{
    m_stopping = true;
    (void)requestStopAfterRun(m_studyDir);
    const std::optional<qint64> holder = lockHolder(m_studyDir);
    if (holder && *holder > 1)
        ::kill(pid_t(*holder), SIGTERM);
}

void StudyFollower::stopAfterRun()
{
    (void)requestStopAfterRun(m_studyDir);
}

} // namespace scalebench
