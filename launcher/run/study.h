// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A study as its folder tells it: what was asked for, and every run with what it measured.
#include "base/result.h"
#include "run/run_record.h"
#include "study/study_spec.h"

#include <QList>
#include <QString>

namespace scalebench {

/// A study loaded whole from its folder.
struct Study {
    QString id;
    QString dir;
    StudySpec spec;
    QList<RunRecord> runs; ///< in plan order
};

/// Without the runs that cannot be read, of which figures have nothing to tell.
Study withoutUnreadable(Study study);
/// Reads a study from its folder, streams included. Needs no library.
Result<Study> loadStudy(const QString& studyDir);
/// One run folder: run.json, status.json and the stream, if present.
Result<RunRecord> loadRun(const QString& runDir);

} // namespace scalebench
