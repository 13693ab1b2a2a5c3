// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Scale-up against scale-out: what the same number of workers gives on few nodes and on many.
// Definitions: resources/docs/analysis.md.

#include "analysis/ratio_interval.h"
#include "run/run_record.h"
#include "study/study_spec.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace scalebench {

struct ShapeGap {
    QString group; ///< label of the series; empty where the study has only one
    int workers = 1;
    Shape few, many;                  ///< fewest nodes, and more
    int fewRuns = 0, manyRuns = 0;    ///< with samples/s
    double fewRate = 0, manyRate = 0; ///< mean samples/s
    RatioInterval rate;               ///< manyRate over fewRate
    QStringList marks = {};           ///< what its runs were measured under: "disturbed"
};

/// For every series and number of workers that ran in several shapes: each shape against the one
/// with the fewest nodes, by samples/s. Oversubscribed runs do not count.
QList<ShapeGap> shapeGaps(const QList<RunRecord>& runs);
/// "16 workers: 4x4 gives 8.5 % ± 1.2 fewer samples/s than 2x8."
QString shapeGapText(const ShapeGap& gap);

} // namespace scalebench
