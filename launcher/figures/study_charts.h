// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Everything a study is drawn as, with what a person chose to see: for the Scaling page, exports
// and the report alike. Pure.

#include "figures/run_charts.h"

namespace scalebench {

/// How the charts over worker counts are looked at.
struct ScalingView {
    SpeedupOf quantity = SpeedupOf::TimeToTrain;
    Baseline baseline;
    QString reference; ///< published results beside it (imports::publishedStudies()); empty: none

    /// As options of `scalebench-gui --export`: {"--quantity", "throughput", …}; only what differs.
    QStringList options() const;
    bool operator==(const ScalingView&) const = default;
};
QString speedupOfName(SpeedupOf quantity); ///< "time", "epoch", "throughput"
std::optional<SpeedupOf> speedupOfFromName(const QString& name);

struct ScalingCharts {
    QList<SpeedupRow> rows;
    QList<ShapeGap> gaps;
    ChartData speedup, efficiency, time, parts, losses, shapes;
};
ScalingCharts scalingCharts(const Study& study, const ScalingView& view);

struct NamedChart {
    QString stem; ///< of files
    ChartData chart;
};
/// Of every workload a chart per metric, its loss, throughput and step split, the leading metric
/// first; then those over worker counts. Charts with nothing in them only where they are the
/// study's main ones, which then say why.
QList<NamedChart> studyCharts(const Study& study, const ScalingView& view);

} // namespace scalebench
