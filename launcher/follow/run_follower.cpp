// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow/run_follower.h"

#include "base/plain_text.h"
#include "machine/study_machine.h"
#include "run/study_files.h"
#include "run/study_lock.h"

#include <QFileInfo>
#include <QScopedValueRollback>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kTickMs = 50;
static constexpr qint64 kBytesPerTick = 4 << 20;
static constexpr int kLookMs = 500;
static constexpr int kAbandonedMs = 4000; ///< without a supervisor and without progress

RunFollower::RunFollower(QString runDir, int index, int workers)
    : m_runDir(std::move(runDir)), m_index(index), m_workers(workers)
{
    openSources();
}

void RunFollower::openSources()
{
    m_parser = StreamParser();
    m_stream = std::make_unique<FileByteSource>(m_runDir + u"/result_0.txt"_s);
    m_logs.clear();
    m_seenRanks.clear();
    m_sinceLook.invalidate();
    addLog(u"launcher.txt"_s);
    findLogs();
}

void RunFollower::addLog(const QString& name)
{
    m_logs.push_back({name, std::make_unique<FileByteSource>(m_runDir + u'/' + name)});
}

/// Ranks that have written something. Looked for twice a second: a rank's file may come late.
void RunFollower::findLogs()
{
    if (m_sinceLook.isValid() && m_sinceLook.elapsed() < kLookMs)
        return;
    m_sinceLook.start();
    for (const int rank : ranksWithStderr(m_runDir, m_workers)) {
        if (m_seenRanks.contains(rank))
            continue;
        m_seenRanks.insert(rank);
        addLog(u"stderr_%1.txt"_s.arg(rank));
    }
}

RunBatch RunFollower::poll()
{
    RunBatch batch;
    batch.index = m_index;
    if (m_done)
        return batch;
    const Result<RunStatus> status = readRunStatus(m_runDir);
    const RunState state = status ? status.value().state : m_state;
    const int attempt = status ? status.value().attempt : m_attempt;
    if (attempt != m_attempt && !m_first) {
        openSources();
        batch.restarted = true;
    }
    m_attempt = attempt;
    const QString waiting = status ? status.value().waiting : m_waiting;
    if (state == RunState::Queued && !m_first && !batch.restarted && waiting == m_waiting)
        return batch;
    const QByteArray bytes = m_stream->read(kBytesPerTick);
    if (!bytes.isEmpty())
        batch.delta = m_parser.feed(bytes);
    if (isFinal(state))
        m_sinceLook.invalidate(); // what came at the very end belongs to it too
    findLogs();
    for (Log& log : m_logs)
        if (const QByteArray text = log.source->read(256 << 10); !text.isEmpty())
            batch.logs << qMakePair(log.name, visibleText(QString::fromUtf8(text)));
    const bool drained = bytes.size() < kBytesPerTick && batch.logs.isEmpty();
    const bool report = !isFinal(state) || drained;
    if (status && report &&
        (state != m_state || m_first || waiting != m_waiting || batch.restarted)) {
        batch.status = status.value();
        m_waiting = waiting;
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

StudyFollower::StudyFollower(QString studyDir, QStringList runDirs, QList<int> workers, Does does)
    : m_studyDir(std::move(studyDir)), m_does(does), m_queue(m_studyDir, does == Does::StartQueued)
{
    for (int i = 0; i < runDirs.size(); ++i)
        m_runs.emplace_back(runDirs[i], i, workers[i]);
}

void StudyFollower::begin()
{
    const Result<TargetMachine> machine = studyMachine(m_studyDir);
    if (m_does != Does::OnlyRead && machine && machine.value().isBehindLogin()) {
        m_remote =
            std::make_unique<RemoteStudy>(m_studyDir, machine.value(), m_queue.startsQueued());
        connect(m_remote.get(), &RemoteStudy::connectionChanged, this,
                &StudyFollower::connectionChanged);
    }
    m_timer = new QTimer(this);
    m_timer->setInterval(kTickMs);
    connect(m_timer, &QTimer::timeout, this, &StudyFollower::tick);
    m_timer->start();
    tick();
}

void StudyFollower::tick()
{
    if (m_finished || m_inTick)
        return;
    const QScopedValueRollback inTick(m_inTick,
                                      true); // cleaning hosts up waits in a loop of its own
    QStringList open;
    for (const RunFollower& run : m_runs)
        if (!run.done())
            open << QFileInfo(run.runDir()).fileName();
    const bool remoteIsDone = m_remote && m_remote->isDone(); // asked before the files are read
    if (m_remote)
        m_remote->tick();
    else if (m_does != Does::OnlyRead)
        m_queue.tick(open);
    bool readAll = true; // a final state is reported only after the last byte: in a later tick
    for (RunFollower& run : m_runs) {
        const RunBatch b = run.poll();
        if (!b.delta.isEmpty() || !b.logs.isEmpty() || b.status) {
            readAll = false;
            Q_EMIT batch(b);
        }
    }
    if (!m_remote && m_does != Does::OnlyRead)
        giveUpIfAbandoned();
    const bool done = m_remote ? remoteIsDone && readAll
                      : m_does == Does::OnlyRead && !lockHolder(m_studyDir) ? readAll
                                                                            : isEverythingDone();
    if (done) {
        m_finished = true;
        m_timer->stop();
        Q_EMIT finished();
    }
}

void StudyFollower::giveUpIfAbandoned()
{
    if (isEverythingDone() || m_queue.isStarting() || m_queue.isPaused() ||
        lockHolder(m_studyDir)) {
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
    return (allDone || (onlyQueuedLeft && !m_queue.startsQueued() && !m_queue.isPaused())) &&
           !lockHolder(m_studyDir);
}

void StudyFollower::stopNow()
{
    if (m_does == Does::OnlyRead)
        return;
    m_remote ? m_remote->request(u"stop"_s) : m_queue.stopNow();
}

void StudyFollower::stopAfterRun()
{
    if (m_does == Does::OnlyRead)
        return;
    m_remote ? m_remote->request(u"stop_after_run"_s) : m_queue.stopAfterRun();
}

void StudyFollower::pauseQueue()
{
    if (m_does == Does::OnlyRead)
        return;
    m_remote ? m_remote->request(u"pause"_s) : m_queue.pause();
}

void StudyFollower::continueQueue()
{
    if (m_does == Does::OnlyRead)
        return;
    m_remote ? m_remote->request(u"continue"_s) : m_queue.unpause();
}

void StudyFollower::reconnectNow()
{
    if (m_remote)
        m_remote->reconnectNow();
}

} // namespace scalebench
