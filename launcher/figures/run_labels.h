// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What tells the runs of a study apart.

#include "figures/chart_data.h"
#include "run/run_record.h"

#include <QStringList>

namespace scalebench {

QString workersText(int workers); ///< "1 worker"
/// What tells the runs of a study apart, and nothing else: "2 workers", "2 workers, bf16, run 2",
/// of several workloads "ncf, 2 workers".
QStringList runLabels(const QList<RunRecord>& runs);
/// Colour slot per run: runs that differ only in repeat or seed share it.
QList<int> runSlots(const QList<RunRecord>& runs);
/// ChartSeries::subject of each run: the same for the repeats of a setting, in every chart, also
/// where not all runs of the study are shown.
QStringList runSubjects(const QList<RunRecord>& runs);
/// Names the axis of epochs after what is on it where imported runs count samples, in millions.
void nameMillions(ChartData& chart, const QList<std::pair<const RunRecord*, QString>>& drawn);

} // namespace scalebench
