// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Names and small files of a study folder (resources/protocol/run_folder.md).

#include "checked_names.h"
#include "launcher/library.h"
#include "launcher/machines.h"

#include <QString>
#include <QStringList>

namespace scalebench {

QString runDirOf(const QString& studyDir, const QString& runId);
QString studyDirOf(const QString& runDir);
Result<QStringList> readPlan(const QString& studyDir);
/// What was asked for, alone.
Result<StudySpec> readStudySpec(const QString& studyDir);
/// The study without its streams: spec, plan, configurations and states. Cheap.
Result<Study> loadStudyHead(const QString& studyDir);
Result<RunRecord> loadRunHead(const QString& runDir);
/// Ranks below `workers` that have a stderr_<rank>.txt there, ascending, 4096 at most. The folder
/// says, not the number of workers, which may be anything.
QList<int> ranksWithStderr(const QString& runDir, int workers);
/// Run ids still queued, in plan order.
QStringList queuedRuns(const QString& studyDir);
/// Writes `cancelled` into every queued run. Only under the study's lock.
void cancelQueuedRuns(const QString& studyDir);
void cancelQueuedRuns(const QString& studyDir, const Failure& reason);
void cancelQueuedRun(const QString& studyDir, const QString& runId, const Failure& reason);

bool stopAfterRunRequested(const QString& studyDir);
Result<void> requestStopAfterRun(const QString& studyDir);
void withdrawStopAfterRun(const QString& studyDir);
/// A paused queue starts nothing; the run that is going on ends as usual.
bool queuePaused(const QString& studyDir);
void setQueuePaused(const QString& studyDir, bool paused);

/// The folder name a study has below FOLDER/remote/ on another computer: its id, which stays when
/// the folder moves. Not FOLDER/studies/, which may be this computer's library on a shared file
/// system.
StudyId remoteStudyName(const QString& studyDir);
/// Where a study runs: machine.json of its folder, checked; Local where there is none.
Result<TargetMachine> studyMachine(const QString& studyDir);
/// The same machine as the login node sees it: its hosts are reached from there.
TargetMachine machineBehindLogin(TargetMachine machine);
Result<void> writeStudyMachine(const QString& studyDir, const TargetMachine& machine);

/// Exclusive right to write the states of a study: flock on STUDY/supervisor.lock, whose text names
/// the holder. Kept over exec() by inheriting the descriptor on purpose.
class StudyLock
{
public:
    StudyLock() = default;
    ~StudyLock();
    StudyLock(const StudyLock&) = delete;
    StudyLock& operator=(const StudyLock&) = delete;

    /// Waits up to `timeoutMs`; false when another holds it.
    bool acquire(const QString& studyDir, int timeoutMs);
    /// Takes over descriptor `fd` that this process had before exec(), if it is this study's lock.
    bool adopt(const QString& studyDir, int fd);
    void release();
    /// The descriptor, now inheritable.
    int passOn();
    bool held() const { return m_fd >= 0; }

private:
    int m_fd = -1;
};

/// The process that holds the study's lock (0: held, but not certain by whom: such a one gets no
/// signal); nothing: nobody does.
std::optional<qint64> lockHolder(const QString& studyDir);

} // namespace scalebench
