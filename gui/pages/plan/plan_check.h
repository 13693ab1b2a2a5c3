// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is found out about a plan off the window's thread: it may come to thousands of runs, and its
// data may lie where an answer takes long.

#include "library/library.h"
#include "study/machine_info.h"
#include "study/run_config.h"
#include "study/study_cells.h"
#include "study/study_spec.h"

namespace scalebench {

struct PlanQuestion {
    StudySpec spec;
    StudySpec shown; ///< the workload in the form, which has its problems beside its fields
    MachineInfo machine;
    QList<RunSummary> history;
    QStringList otherMachines; ///< whose runs tell nothing of this computer
};

struct PlanAnswer {
    StudyPlan plan;
    QList<Problem> shown; ///< of PlanQuestion::shown, where the plan has several workloads
    QList<LeftOutCell> leftOut;
    QStringList facts; ///< runs, time, energy, checkpoints, memory, in words
};

PlanAnswer checkPlan(const PlanQuestion& question);

} // namespace scalebench
