// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a verification is drawn as. Pure.

#include "analysis/verification.h"
#include "figures/run_charts.h"

namespace scalebench {

/// Of each item the speed over the reference's with its interval and verdict, beside how far the
/// reference's own runs lie apart; the margin as a line.
ChartData verifyChart(const Study& study, const Verification& verification);

} // namespace scalebench
