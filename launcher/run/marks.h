// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What must be said with the numbers of a run.

#include "run/run_record.h"

#include <QString>
#include <QStringList>

namespace scalebench {

/// What must be said with a run's numbers: "oversubscribed", "resumed", "run again", "disturbed",
/// "records lost", "contradictory", "synthetic data", "computed in fp32".
QStringList runMarks(const RunRecord& run);
/// The same without where the run is from: what its number was measured under.
QStringList conditionMarks(const RunRecord& run);
/// The sentences to them, and what an import remarked on how it was read.
QStringList runRemarks(const RunRecord& run);
/// runMarks() in no language, for what is kept: "resumed", "computed=fp32", "origin=…".
QStringList markKeys(const RunRecord& run);
/// The mark as it is shown.
QString markText(const QString& key);
/// The sentence, and behind it those marks of the runs it is about that it does not hold itself:
/// "… (12 comparisons). Marked: disturbed, resumed."
QString withMarks(const QString& sentence, QStringList marks);

} // namespace scalebench
