// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Follows the runs of one study from a thread of its own: streams, logs and states go out as
// batches, at most 20 a second and run. Also does what may block: cleaning up after a supervisor
// that died, starting the next one, stopping.

#include "base/byte_source.h"
#include "base/file_version.h"
#include "follow/queue_keeper.h"
#include "follow/remote_study.h"
#include "run/run_record.h"
#include "run/run_status.h"
#include "run/run_store.h"

#include <QElapsedTimer>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <memory>
#include <vector>

class QFileSystemWatcher;

namespace scalebench {

/// What one look at a run's folder brought.
struct RunBatch {
    int index = -1;
    RunDelta delta;
    QList<QPair<QString, QString>> logs; ///< source, text
    std::optional<RunStatus> status;     ///< set when it changed
    bool restarted = false;              ///< another attempt: what came before is not part of it
};

/// One run's folder.
class RunFollower
{
public:
    RunFollower(QString runDir, int index, int workers);

    /// Reads what is new. The state is read before the data, so a final state is only reported
    /// with or after the last byte.
    /// `next`: it is the next of the queue, whose state is looked at each time.
    RunBatch poll(bool next = true);
    bool done() const { return m_done; }
    /// Nobody writes this run's state any more: closes it here, for this follower.
    RunBatch giveUp();
    RunState state() const { return m_state; }
    const QString& runDir() const { return m_runDir; }

private:
    void openSources();
    void addLog(const QString& name);
    void findLogs();

    struct Log {
        QString name;
        std::unique_ptr<ByteSource> source;
        QByteArray rest = {}; ///< of a line that is not whole yet
    };

    QString m_runDir;
    int m_index;
    int m_workers;
    std::unique_ptr<RunSubscription> m_stream;
    std::vector<Log> m_logs;
    QSet<int> m_seenRanks;                  ///< whose stderr is among them
    QElapsedTimer m_sinceLook;              ///< for more of them
    Result<RunStatus> m_status = Failure{}; ///< as last read
    FileVersion m_statusVersion;            ///< of its file
    QElapsedTimer m_sinceStatus;
    RunState m_state = RunState::Queued;
    int m_attempt = 0;
    QString m_waiting;              ///< as last reported
    bool m_streamRestarted = false; ///< since the last attempt began
    bool m_first = true;
    bool m_done = false;
};

class StudyFollower : public QObject
{
    Q_OBJECT
public:
    enum class Does {
        OnlyRead,   ///< it has ended, or is from other people: nothing is started or connected to
        Keep,       ///< the queue goes on where a supervisor dies
        GoOn,       ///< and where one has died: the study was begun
        StartQueued ///< what is queued is started, whatever was wished before
    };
    StudyFollower(QString studyDir, QStringList runDirs, QList<int> workers, Does does);

    /// Batches that were sent and not yet taken: whoever takes them counts down. While there are
    /// many, nothing more is read, so that a slow reader does not pile them up.
    using Backlog = std::shared_ptr<std::atomic<int>>;
    void setBacklog(const Backlog& backlog) { m_backlog = backlog; }
    static constexpr int kMostWaiting = 8;

public Q_SLOTS:
    void begin();
    void stopNow();
    void stopAfterRun();
    void pauseQueue();
    void continueQueue();
    void reconnectNow();

Q_SIGNALS:
    void connectionChanged(const scalebench::ConnectionState& state);
    void batch(const scalebench::RunBatch& batch);
    void finished();

private:
    void tick();
    void giveUpIfAbandoned();
    bool read(bool all);
    void send(const RunBatch& batch);
    bool watch();
    int rest(bool changed);
    bool isEverythingDone() const;

    QString m_studyDir;
    std::vector<RunFollower> m_runs;
    QTimer* m_timer = nullptr;
    Does m_does;
    QueueKeeper m_queue;
    std::unique_ptr<RemoteStudy> m_remote; ///< set where the study runs on another computer
    Backlog m_backlog;                     ///< null: nobody counts
    bool m_finished = false;
    bool m_inTick = false;
    QElapsedTimer m_idle; ///< valid: nothing is left that could change a state
    QFileSystemWatcher* m_watcher = nullptr;
};

} // namespace scalebench

Q_DECLARE_METATYPE(scalebench::RunBatch)
