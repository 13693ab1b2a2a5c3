// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which runs of two sides may be compared: those of the same series, workers, nodes and batch. What
// each side has one value of (a precision of its own, another machine) is what the comparison is
// about and keeps nothing apart; what a side does not tell is no difference. Definition:
// resources/docs/analysis.md.

#include "run/run_record.h"

#include <QList>
#include <QMap>
#include <QString>

namespace scalebench {

using RunList = QList<const RunRecord*>;

/// "ncf, 2 workers, overlap on".
QString cellName(const QString& workload, int workers, const QString& part);

/// Runs of one series, number of workers and nodes, and batch: all that may be averaged. Where the
/// number of workers is not known a run by itself: several may be of any size each.
struct RunCell {
    QString workload, scale;
    int workers = 1, nodes = 1;   ///< workers 0: not known
    int batch = 0;                ///< 0: not told
    QMap<QString, QString> parts; ///< of the series, without its batch and what is not told
    RunList runs;
    /// What tells it from the others of its side on so many workers: "overlap on, 2 nodes".
    QString part;

    QString name() const { return cellName(workload, workers, part); }
};

/// By series, workers, nodes and batch. They point to `runs`.
QList<RunCell> runCells(const QList<RunRecord>& runs);
QList<RunCell> runCells(const RunList& runs);

/// Of each cell of `ours` the indices in `theirs` of those that it may be compared with; where both
/// sides ran on one number of workers each, that is no difference either.
QList<QList<int>> matchCells(const QList<RunCell>& ours, const QList<RunCell>& theirs);

} // namespace scalebench
