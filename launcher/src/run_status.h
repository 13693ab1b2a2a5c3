// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// status.json of a run folder (resources/protocol/run_folder.md) as a value.

#include "launcher/run_record.h"
#include "process_tree.h"

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
    Failure error;
};

Result<RunStatus> readRunStatus(const QString& runDir);
Result<void> writeRunStatus(const QString& runDir, const RunStatus& status);

} // namespace scalebench
