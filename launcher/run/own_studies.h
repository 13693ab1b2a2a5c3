// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which studies this user planned here. Opening a folder of results starts nothing, connects to
// nobody, ends no process and removes nothing; only in a study that this user's own library made
// may Start, Resume and Stop act, and an interrupted run be closed.

#include "base/result.h"

#include <QJsonObject>
#include <QString>

namespace scalebench {

/// The user's file that lists them: not in a library, so that no folder of results names itself.
QString ownStudiesList();
/// The sentence for where that cannot be written; code "not_writable".
Failure ownStudiesNotWritable();
/// Before a study is made.
Result<void> mayRememberStudies();
/// Remembers the study as it is now: the content of all files that decide what happens on hosts
/// (study.json, plan.json, machine.json, each run.json), and the folder that holds them.
/// "not_writable": the list of them could not be written.
Result<void> rememberOwnStudy(const QString& studyDir);
/// This folder (it may have been moved, a copy is another one) with unchanged content.
bool isOwnStudy(const QString& studyDir);
/// The sentence for who wants to act in another one; code "study_foreign".
Failure foreignStudy(const QString& studyDir);
/// isOwnStudy() as a result.
Result<void> checkOwnStudy(const QString& studyDir);

/// Writes another run.json into a run of an own study, which stays one. Fails for a foreign one.
Result<void> rewriteOwnRun(const QString& runDir, const QJsonObject& runJson);

} // namespace scalebench
