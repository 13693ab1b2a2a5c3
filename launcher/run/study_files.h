// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Names and small files of a study folder (resources/protocol/run_folder.md).

#include "base/checked_names.h"
#include "run/study.h"

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
/// The folder name a study has below FOLDER/remote/ on another computer: its id, which stays when
/// the folder moves. Not FOLDER/studies/, which may be this computer's library on a shared file
/// system.
StudyId remoteStudyName(const QString& studyDir);
} // namespace scalebench
