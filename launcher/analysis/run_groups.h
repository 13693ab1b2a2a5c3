// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which runs of a selection are compared with which.

#include "analysis/compare.h"

#include <QMap>

namespace scalebench {

/// Of several studies each is a group. Of one study its series at each number of workers are; where
/// that is one group only, every run is one. `names`: of studies, by folder; where there is none,
/// its id. Systems are read from the runs' folders.
QList<RunGroup> groupsOf(const QList<RunRecord>& runs, const QMap<QString, QString>& names = {});

/// system.json of the first run that has one; empty: none has, or it cannot be read.
QJsonObject systemOf(const QList<RunRecord>& runs);

/// What was read, and what could not be: one sentence each.
struct LoadedRuns {
    QList<RunRecord> runs;
    QStringList problems;
};
LoadedRuns loadRuns(const QStringList& runDirs);

} // namespace scalebench
