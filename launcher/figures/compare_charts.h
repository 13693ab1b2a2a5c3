// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Groups of runs of any origin over one another. Pure, as run_charts.h.

#include "analysis/compare.h"
#include "figures/run_charts.h"

namespace scalebench {

/// A group and its colour, which stays when another one becomes the baseline.
struct ComparedGroup {
    RunGroup group;
    int slot = 0;
};
/// ChartSeries::subject and machine of its series.
struct GroupSubject {
    QString subject, machine;
};
/// Without its middle where it is long: "A name (2)" keeps what tells it from "A name".
QString shortName(const QString& name);
GroupSubject subjectOf(const RunGroup& group);
/// The groups' series without any point: for what shows their colours beside the charts.
ChartData groupLegend(const QList<ComparedGroup>& groups);
QList<RunGroup> plainGroups(const QList<ComparedGroup>& groups);

/// The leading metric of each run, in its group's colour.
ChartData comparedQualityChart(const QList<ComparedGroup>& groups, RunAxis axis);

enum class ComparedQuantity { Time, Throughput };
/// Per workload and number of workers the ratio to the first group; times with their 95 % interval.
ChartData ratioChart(const Comparison& comparison, const QList<ComparedGroup>& groups,
                     ComparedQuantity quantity);

} // namespace scalebench
