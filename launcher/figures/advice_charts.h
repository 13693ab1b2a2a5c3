// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What an advice is drawn as. Pure.

#include "analysis/advice.h"
#include "figures/run_charts.h"

namespace scalebench {

/// The study with the runs of one series only (adviceGroups()).
Study seriesStudy(const Study& study, const QString& group);
/// Trainings a day of as many copies side by side as the largest measured count has room for, each
/// bar with what one of them takes.
ChartData copiesChart(const Study& study, const Advice& advice);
/// Measured times and those of the step model with its intervals; hatched where little is known.
ChartData predictionChart(const Study& study, const Advice& advice);

} // namespace scalebench
