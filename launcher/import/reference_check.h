// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs against MLPerf's reference convergence points.

#include "base/result.h"
#include "run/run_record.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace scalebench::imports {

struct ReferenceCheck {
    int compared = 0;    ///< completed runs with the benchmark and batch of a point
    QStringList remarks; ///< a sentence for each suspicious one
    QString summary;     ///< "3 run(s) compared, 1 suspicious."; or what the file has instead
};

/// `json`: rcps_<benchmark>.json. Code "rcp_damaged".
Result<ReferenceCheck> checkAgainstPoints(const QList<RunRecord>& runs, const QByteArray& json,
                                          const QString& fileName);

/// Against the points that a library keeps: what they say of these runs, as sentences; nothing
/// where none is of their benchmark and batch.
QStringList remarksOfStoredPoints(const QList<RunRecord>& runs, const QString& libraryDir);

} // namespace scalebench::imports
