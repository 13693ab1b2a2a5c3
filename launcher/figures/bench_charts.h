// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Benchmarks beside training: bandwidth of collectives, and storage against what training asks of
// it. Pure.

#include "analysis/link_peaks.h"
#include "figures/run_charts.h"
#include "import/bench_table.h"

namespace scalebench {

enum class CollectiveBandwidth {
    Bus,      ///< as nccl-tests defines it, comparable over any number of ranks
    Algorithm ///< bytes over time
};
/// GB/s by message size, a line for each curve; `names` of the files where there are several, as
/// many as curves, else empty. `links`: lines of what is possible, beside bus bandwidths only; an
/// algorithm's has another limit with every collective and number of ranks.
ChartData collectiveChart(const QList<imports::CollectiveCurve>& curves, const QStringList& names,
                          CollectiveBandwidth which, const QList<LinkPeak>& links = {});
/// The links that the curves' devices tell of.
QList<LinkPeak> linksOfCurves(const QList<imports::CollectiveCurve>& curves);

/// What each number of workers reads (or, where nothing was recorded, would have to by the recipe's
/// bytes per sample), against `rates`; where the need crosses what storage gives is marked.
ChartData storageChart(const Study& study, const QList<SpeedupRow>& rows,
                       const QList<imports::StorageRate>& rates);

} // namespace scalebench
