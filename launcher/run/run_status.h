// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// status.json of a run folder (resources/protocol/run_folder.md) as a value.

#include "base/file_io.h"
#include "base/process_tree.h"
#include "run/run_record.h"

#include <QString>
#include <QStringList>

namespace scalebench {

struct RunStatus {
    RunState state = RunState::Queued;
    ProcessIdentity supervisor;
    qint64 mpirunPid = 0, mpirunSession = 0, mpirunTicks = 0;
    QStringList command;
    qint64 createdMs = 0, startedMs = 0, finishedMs = 0;
    int exitCode = 0;
    int attempt = 0;         ///< how often it was tried again because it failed
    QString waiting;         ///< why it has not started yet, for people
    QString slurmJob;        ///< job id
    QStringList hosts;       ///< that took part, so that a successor can clean them up
    QString nodeDir;         ///< the run's folder on them, where it is another one
    QList<NodeEnd> nodeEnds; ///< what was found on them at the end
    Failure error;
};

/// Cancelled by what its study said that it may cost (supervise/study_limits.h), not by a person.
bool isLeftOut(RunState state, const Failure& why);

/// A file of a run's folder; no link on the way from the study's.
Result<QByteArray> readRunFile(const QString& runDir, const QString& name,
                               qint64 mostBytes = kMostJsonBytes);

Result<RunStatus> parseRunStatus(const QByteArray& json, const QString& path);
QJsonObject toJson(const RunStatus& status);
Result<RunStatus> readRunStatus(const QString& runDir);
Result<void> writeRunStatus(const QString& runDir, const RunStatus& status);

} // namespace scalebench
