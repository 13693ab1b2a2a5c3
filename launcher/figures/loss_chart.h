// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is lost of the ideal speedup, by cause; and the same workload on other machines. Pure.

#include "analysis/loss_split.h"
#include "figures/run_charts.h"

namespace scalebench {

/// Stacked shares of the time at each number of workers; gains hang below 0.
ChartData lossSplitChart(const Study& study, const QList<LossShares>& losses);

/// Minutes to train over workers, a line for each system: that of `study` and those of `others`
/// that trained one of its workloads, own, imported and published. Of several series of one system
/// the fastest at each count; what was trained on generated data is a line of its own.
ChartData machinesChart(const Study& study, const QList<Study>& others);
/// Whether that chart has a time of `other`.
bool standsBeside(const Study& study, const Study& other);

} // namespace scalebench
