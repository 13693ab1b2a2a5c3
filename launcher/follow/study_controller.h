// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Starts a study, follows it live, stops it. The runs belong to detached supervisors
// (`scalebench supervise`), so destroying this object leaves them running; a new controller can
// attach to the folder at any time and sees every point exactly once.

#include "base/result.h"
#include "run/run_record.h"
#include "run/study.h"

#include <QObject>
#include <QString>

#include <memory>

namespace scalebench {

/// How the copy of a study that runs elsewhere is doing. The runs do not need the connection.
struct ConnectionState {
    bool remote = false; ///< false: everything is on this computer
    bool connected = false;
    int tries = 0;       ///< to connect again, so far
    qint64 sinceMs = 0;  ///< when it was connected or lost
    QString text;        ///< why it is not connected, or connected and nothing is copied
    bool paused = false; ///< the queue over there
};

/// A study as it is when it begins to be followed.
struct StudyToFollow {
    Study study;
    bool own = false; ///< planned by this user here: may be acted on
};
/// Reads and hashes all its runs' settings: not for a window's thread.
Result<StudyToFollow> readStudyToFollow(const QString& studyDir);

class StudyController : public QObject
{
    Q_OBJECT
public:
    explicit StudyController(QObject* parent = nullptr);
    ~StudyController() override;

    /// Starts the supervisor of the first queued run of an existing study folder and follows it.
    /// Returns at once; failures to start arrive as finished(). Only for this user's own studies.
    Result<void> start(const QString& studyDir);
    /// Follows a study that is running (or has ended). Cleans up after a supervisor that died,
    /// unless the study is somebody else's.
    Result<void> attach(const QString& studyDir);
    /// The same with a study that was read already.
    Result<void> start(const StudyToFollow& study) { return follow(study, true); }
    Result<void> attach(const StudyToFollow& study) { return follow(study, false); }

    const Study& study() const;
    int currentRun() const; ///< index into study().runs, -1 when none is going on
    bool isActive() const;
    bool isPaused() const;
    ConnectionState connectionState() const;
    /// Code "study_foreign" where the study was not planned by this user here: then it is only
    /// read, and what is below does nothing.
    Result<void> mayAct() const;

public Q_SLOTS:
    /// Terminates the run that is going on (USR1, then TERM, then KILL) and empties the queue.
    void stopNow();
    /// Lets the current run end, then empties the queue.
    void stopAfterRun();
    /// The current run ends as usual; the next one waits for continueQueue().
    void pauseQueue();
    void continueQueue();
    /// A study that runs elsewhere: does not wait for the next try to connect.
    void reconnectNow();

Q_SIGNALS:
    /// study().runs[index] has grown by `delta` (already applied).
    void runAdvanced(int index, const scalebench::RunDelta& delta);
    /// Another attempt at a run begins: study().runs[index] is empty again.
    void runRestarted(int index);
    void runStateChanged(int index, scalebench::RunState state);
    /// New bytes of launcher.txt or a rank's stderr, for the log dock.
    void logText(int index, const QString& source, const QString& text);
    void connectionChanged(const scalebench::ConnectionState& state);
    /// Exactly once per start()/attach(): no run is going on or queued any more.
    void finished();

private:
    Result<void> follow(const StudyToFollow& read, bool startQueued);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace scalebench

Q_DECLARE_METATYPE(scalebench::RunDelta)
Q_DECLARE_METATYPE(scalebench::RunState)
Q_DECLARE_METATYPE(scalebench::ConnectionState)
