// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sees to it that a study's queue goes on: starts a supervisor when runs wait and nobody holds the
// study, cleans up after one that died, stops, pauses. Used where the study's folder is, by the
// follower of a local study and by `scalebench serve` for a remote one. Call tick() often.

#include "base/result.h"

#include <QElapsedTimer>
#include <QString>
#include <QStringList>

namespace scalebench {

class QueueKeeper
{
public:
    /// `startQueued`: start what is queued; else only when a supervisor that died is replaced.
    QueueKeeper(QString studyDir, bool startQueued)
        : m_studyDir(std::move(studyDir)), m_startQueued(startQueued)
    {
    }

    /// `openRuns`: ids of runs whose state is not final.
    void tick(const QStringList& openRuns);
    /// Whatever was wished before.
    void startQueued();
    /// Starts what is queued, unless the study is to stop: then that is cancelled.
    void goOn() { m_startQueued = true; }
    /// Ends the run that is going on and empties the queue.
    void stopNow();
    /// Lets the run that is going on end, then empties the queue.
    void stopAfterRun();
    /// The run that is going on ends as usual, the next one waits for unpause().
    void pause();
    void unpause();
    bool isPaused() const;

    bool startsQueued() const { return m_startQueued; }
    /// A supervisor was started and has not taken the study's lock yet.
    bool isStarting() const;

private:
    void tellToStop();
    void failQueued(const Failure& failure);

    QString m_studyDir;
    bool m_startQueued;
    bool m_stopping = false;
    qint64 m_told = 0; ///< the supervisor that was told to stop
    int m_failedStarts = 0;
    QElapsedTimer m_sinceStart; ///< of the supervisor that was started last
};

} // namespace scalebench
