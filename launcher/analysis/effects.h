// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a study's dimensions did: which combination reached its target soonest, and what each value
// changes when all else stays the same. Definitions: resources/docs/analysis.md.

#include "run/run_record.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace scalebench {

/// One value of a path against the first one of it.
struct Effect {
    QString workload, scale;
    QString path;            ///< "options.overlap"
    QString value, baseline; ///< "on", "off"
    int pairs = 0;           ///< cells that differ in nothing else, both with completed runs
    /// Time with the value over time with the baseline: geometric mean over the pairs, and its 95 %
    /// Student interval over them; of one pair from its repeats; NaN where neither is known.
    double ratio = 0, low = 0, high = 0;
    QStringList marks = {}; ///< what runs of these cells were measured under: "disturbed"
};

/// Of every path in which the runs of a workload differ beside workers, seed and repeat.
/// Oversubscribed runs do not count.
QList<Effect> mainEffects(const QList<RunRecord>& runs);
/// "Overlap on instead of off: 4.1 % ± 1.2 less time (8 comparisons)."
QString effectText(const Effect& effect);

/// Of every workload that ran in several ways, the one whose runs reached the target in the least
/// mean time, as a sentence.
QStringList soonestTexts(const QList<RunRecord>& runs);

/// All of it, for tables and pages: soonest first.
QStringList findings(const QList<RunRecord>& runs);

} // namespace scalebench
