// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a training costs against how long it takes. Pure.

#include "figures/run_charts.h"

namespace scalebench {

/// A point for each setting and shape whose runs reached their target: time, and with a price
/// (of one node, per hour) what the nodes cost meanwhile, else the energy that was told. What
/// nothing beats in both is joined by a line.
ChartData costChart(const Study& study, double pricePerNodeHour);
/// The same with the price that the study's machine has.
ChartData costChart(const Study& study);

} // namespace scalebench
