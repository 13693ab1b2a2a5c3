// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How long a study will still take.

#include "run/study.h"

namespace scalebench {

/// Of the run `current` and of those that will still begin: none with `onlyThisRun`, none once the
/// study's minutes are used up, and where it stops at the target, one of each workload. < 0:
/// unknown.
double studyEtaSeconds(const Study& study, int current, bool onlyThisRun);

} // namespace scalebench
