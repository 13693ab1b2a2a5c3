// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The near end of a study whose supervisor runs elsewhere: uploads it, has its queue started and
// keeps the local folder a copy, so that everything else reads local files as for any study.

#include "follow/study_controller.h"
#include "mirror/folder_mirror.h"
#include "run/study_lock.h"

#include <QObject>

#include <memory>

namespace scalebench {

class RemoteStudy : public QObject
{
    Q_OBJECT
public:
    /// What becomes of runs that wait over there.
    enum class Waiting {
        Stay,
        GoOn, ///< where their supervisor died: started, or cancelled if the study was to stop
        Start ///< started, whatever was wished before; what waits here is put into the queue there
    };
    RemoteStudy(QString studyDir, const TargetMachine& machine, Waiting waiting,
                QObject* parent = nullptr);

    /// Call now and then: whoever holds the study's lock keeps the copy, others wait for it.
    void tick();
    /// Nothing goes on over there any more and everything has arrived, or it cannot be reached.
    bool isDone() const { return m_done; }

    void request(const QString& what);
    void reconnectNow();

Q_SIGNALS:
    void connectionChanged(const scalebench::ConnectionState& state);

private:
    MirrorSetup setup() const;
    void onDisconnected(const Failure& why, int tries, bool final);
    void failOpen(const Failure& failure);

    QString m_studyDir;
    TargetMachine m_machine;
    Waiting m_waiting;
    bool m_fresh = false; ///< nothing of it has begun anywhere
    bool m_done = false;
    bool m_reached = false; ///< there was a connection
    StudyLock m_lock;
    std::unique_ptr<FolderMirror> m_mirror;
    ConnectionState m_state;
};

} // namespace scalebench
