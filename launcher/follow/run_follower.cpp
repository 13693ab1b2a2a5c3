// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow/run_follower.h"

#include "base/plain_text.h"
#include "base/translated.h"
#include "machine/study_machine.h"
#include "run/study_files.h"
#include "run/study_lock.h"

#include <QDir>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kTickMs = 50;
static constexpr int kRestMs = 500;      ///< between looks at what should tell of its changes
static constexpr int kUnwatchedMs = 200; ///< and at what cannot tell
static constexpr qint64 kBytesPerTick = 4 << 20;
static constexpr qsizetype kLongestLine = 256 << 10;
static constexpr int kLookMs = 500;
static constexpr int kMostWatched = 16;   ///< runs that go on at once
static constexpr int kAbandonedMs = 4000; ///< without a supervisor and without progress

RunFollower::RunFollower(QString runDir, int index, int workers)
    : m_runDir(std::move(runDir)), m_index(index), m_workers(workers)
{
    openSources();
}

void RunFollower::openSources()
{
    m_stream.reset();
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

/// Whole lines, so that no character and no line is torn; all of it at the end.
static QByteArray takeLines(QByteArray& bytes, bool all)
{
    qsizetype end = all ? bytes.size() : bytes.lastIndexOf('\n') + 1;
    if (end == 0 && bytes.size() > kLongestLine) {
        end = bytes.size();
        while (end > 0 && (uchar(bytes[end - 1]) & 0xC0) == 0x80) // inside a character
            --end;
        end = std::max<qsizetype>(end - 1, 1);
    }
    const QByteArray lines = bytes.first(end);
    bytes.remove(0, end);
    return lines;
}

RunBatch RunFollower::poll(bool next)
{
    RunBatch batch;
    batch.index = m_index;
    if (m_done)
        return batch;
    // Of many runs most wait: their states are looked at now and then.
    if (m_state == RunState::Queued && !next && !m_first && m_sinceStatus.elapsed() < kRestMs)
        return batch;
    m_sinceStatus.start();
    if (const FileVersion version = FileVersion::of(m_runDir + u"/status.json"_s);
        version != m_statusVersion || !version.isSettled()) {
        m_statusVersion = version;
        m_status = readRunStatus(m_runDir);
    }
    const Result<RunStatus>& status = m_status;
    const RunState state = status ? status.value().state : m_state;
    const int attempt = status ? status.value().attempt : m_attempt;
    if (attempt != m_attempt && !m_first) {
        // Where its stream was seen to begin anew already, that was told.
        const bool told = std::exchange(m_streamRestarted, false);
        std::unique_ptr<RunSubscription> stream = told ? std::move(m_stream) : nullptr;
        openSources();
        m_stream = std::move(stream);
        batch.restarted = !told;
    }
    m_attempt = attempt;
    const QString waiting = status ? status.value().waiting : m_waiting;
    if (state == RunState::Queued && !m_first && !batch.restarted && waiting == m_waiting)
        return batch;
    if (!m_stream) // the same bytes are parsed once, whoever else in this process reads them
        m_stream = RunStore::ofThisProcess().follow(
            QDir::cleanPath(QFileInfo(m_runDir).absoluteFilePath()));
    const RunSubscription::Piece piece = m_stream->take(kBytesPerTick);
    batch.delta = piece.delta;
    batch.restarted = batch.restarted || piece.restarted;
    if (isFinal(state))
        m_sinceLook.invalidate(); // what came at the very end belongs to it too
    findLogs();
    bool more = false;
    for (Log& log : m_logs) {
        const QByteArray read = log.source->read(256 << 10);
        more = more || !read.isEmpty();
        log.rest += read;
        if (const QByteArray text = takeLines(log.rest, isFinal(state) && read.isEmpty());
            !text.isEmpty())
            batch.logs << qMakePair(log.name, visibleText(QString::fromUtf8(text)));
    }
    const bool drained = !piece.more && !more;
    const bool report = !isFinal(state) || drained;
    if (status && report &&
        (state != m_state || m_first || waiting != m_waiting || batch.restarted)) {
        batch.status = status.value();
        m_waiting = waiting;
        m_state = state;
    }
    if (report)
        m_done = isFinal(state);
    if (m_done)
        m_stream.reset();
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
    status.error = {u"state_lost"_s, Launcher::tr("The state of this run can no longer be read or "
                                                  "written: %1 was removed, or its disk is "
                                                  "full or read-only.")
                                         .arg(m_runDir)};
    batch.status = status;
    m_state = RunState::Failed;
    m_done = true;
    return batch;
}

StudyFollower::StudyFollower(QString studyDir, QStringList runDirs, QList<int> workers, Does does)
    : m_studyDir(std::move(studyDir)),
      m_does(does),
      m_queue(m_studyDir, does == Does::StartQueued || does == Does::GoOn)
{
    for (int i = 0; i < runDirs.size(); ++i)
        m_runs.emplace_back(runDirs[i], i, workers[i]);
}

void StudyFollower::begin()
{
    const Result<TargetMachine> machine = studyMachine(m_studyDir);
    if (m_does != Does::OnlyRead && machine && machine.value().isBehindLogin()) {
        using Waiting = RemoteStudy::Waiting;
        m_remote = std::make_unique<RemoteStudy>(m_studyDir, machine.value(),
                                                 m_does == Does::StartQueued ? Waiting::Start
                                                 : m_does == Does::GoOn      ? Waiting::GoOn
                                                                             : Waiting::Stay);
        connect(m_remote.get(), &RemoteStudy::connectionChanged, this,
                &StudyFollower::connectionChanged);
    }
    m_watcher = new QFileSystemWatcher(this);
    const auto soon = [this] {
        if (!m_finished && m_timer->remainingTime() > kTickMs)
            m_timer->start(kTickMs);
    };
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, soon);
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, this, soon);
    m_timer = new QTimer(this);
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, &StudyFollower::tick);
    tick();
}

/// What goes on tells of its changes where the file system can; looking again is for the others.
bool StudyFollower::watch()
{
    QStringList wanted;
    bool next = true;
    for (const RunFollower& run : m_runs) {
        const bool queued = run.state() == RunState::Queued;
        if (run.done() || (queued && !next)) // the next one tells what it waits for
            continue;
        next = next && !queued;
        if (wanted.size() >= 2 * kMostWatched)
            return false;
        const QString stream = run.runDir() + u"/result_0.txt"_s;
        wanted << run.runDir();
        if (QFileInfo::exists(stream))
            wanted << stream;
    }
    const QStringList watched = m_watcher->files() + m_watcher->directories();
    for (const QString& path : watched)
        if (!wanted.contains(path))
            m_watcher->removePath(path);
    bool all = !wanted.isEmpty();
    for (const QString& path : std::as_const(wanted))
        if (!watched.contains(path))
            all = m_watcher->addPath(path) && all;
    return all;
}

/// When to look again.
int StudyFollower::rest(bool changed)
{
    const bool waits = std::any_of(m_runs.begin(), m_runs.end(),
                                   [](const RunFollower& run) { return !run.done(); });
    if (changed || !waits || m_idle.isValid())
        return kTickMs;
    return watch() || m_queue.isPaused() ? kRestMs : kUnwatchedMs;
}

void StudyFollower::send(const RunBatch& one)
{
    if (m_backlog)
        ++*m_backlog;
    Q_EMIT batch(one);
}

/// Reports what is new; true: nothing was. Of what is queued only the next run is looked at each
/// time, or `all`.
bool StudyFollower::read(bool all)
{
    bool nothing = true, next = true;
    for (RunFollower& run : m_runs) {
        if (m_backlog && *m_backlog >= kMostWaiting)
            return false;
        const bool queued = !run.done() && run.state() == RunState::Queued;
        const RunBatch b = run.poll(all || next || !queued);
        next = next && !queued;
        if (!b.delta.isEmpty() || !b.logs.isEmpty() || b.status || b.restarted) {
            nothing = false;
            send(b);
        }
    }
    return nothing;
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
    bool readAll = read(false); // a final state is reported only after the last byte: later
    if (!m_remote && m_does != Does::OnlyRead)
        giveUpIfAbandoned();
    const bool done = m_remote ? remoteIsDone && readAll
                      : m_does == Does::OnlyRead && !lockHolder(m_studyDir) ? readAll
                                                                            : isEverythingDone();
    // What still counts as queued was looked at some time ago.
    if (done && (readAll = read(true))) {
        m_finished = true;
        m_timer->stop();
        Q_EMIT finished();
        return;
    }
    m_timer->start(rest(!readAll));
}

void StudyFollower::giveUpIfAbandoned()
{
    if (isEverythingDone() || m_queue.isStarting() || m_queue.isPaused() ||
        lockHolder(m_studyDir)) {
        m_idle.invalidate();
        return;
    }
    if (!m_idle.isValid())
        m_idle.start();
    if (m_idle.elapsed() < kAbandonedMs)
        return;
    for (RunFollower& run : m_runs)
        if (!run.done())
            send(run.giveUp());
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
