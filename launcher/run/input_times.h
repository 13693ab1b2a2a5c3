// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What making a run's batches took, beside its steps: reading, decoding, augmenting.

#include "run/run_record.h"

namespace scalebench {

/// Mean of `part` over the run's steps. The first record holds start-up costs; it counts only while
/// it is alone.
double meanOfSteps(const PointList<StepPoint>& steps, double (*part)(const StepPoint&));

/// "read 0.1, decoded 31.5, augmented 12.3 ms", of a step; empty where the run does not tell.
QString inputTimesText(const RunRecord& run);
/// All of it, "43.9 ms".
QString inputSumText(const RunRecord& run);

} // namespace scalebench
