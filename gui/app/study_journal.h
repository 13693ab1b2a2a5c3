// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The life of the study in the log: what began, was reached, warned of and ended, with the time at
// which it happened, also of what happened before the window looked.

#include "run/run_record.h"

#include <QObject>

namespace scalebench {

class LiveStudy;
class LogView;

/// One line a fact, in the order of time, of what is known of a run: `evals` and `warnings` from
/// those places on.
QStringList journalOf(const RunRecord& run, qsizetype evals = 0, qsizetype warnings = 0);
/// What its present state is to say; empty: nothing yet.
QString stateLine(const RunRecord& run);

class StudyJournal : public QObject
{
public:
    /// Writes what `live` tells into `log`, which lives longer. Whoever clears the log when a study
    /// is shown must be connected before.
    StudyJournal(LiveStudy* live, LogView* log, QObject* parent);

private:
    void writeAll();
    void write(int index, const QString& line);

    LiveStudy* m_live;
    LogView* m_log;
};

} // namespace scalebench
