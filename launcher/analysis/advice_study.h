// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An advice and the study that it is about: what its machine costs and holds, and how the next
// experiment is planned.

#include "analysis/advice.h"
#include "run/study.h"
#include "study/machine_info.h"

namespace scalebench {

/// Fills in the price and the most workers of the study's machine, as far as they are known without
/// asking it. `computer`: this one.
void askOfMachine(AdviceQuestion& question, const Study& study, const MachineInfo& computer);

/// The study's plan with the experiment's counts and repeats and this series' settings alone.
/// Nothing where none is proposed.
std::optional<StudySpec> experimentPlan(const Study& study, const Advice& advice);

} // namespace scalebench
