// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the Plan page shows of a plan, made at once or, where it stands for very many runs, beside
// the window's thread.

#include "library/library.h"
#include "study/machine_info.h"
#include "study/run_config.h"
#include "study/study_cells.h"

namespace scalebench {

struct PlannedView {
    StudyPlan plan;
    QList<LeftOutCell> leftOut;
    QList<Problem> here; ///< of the workload whose settings are shown
    QString summary;     ///< "36 runs · about 3–5 min …"; empty where it cannot start
};

/// What it is made of.
struct PlanQuestion {
    StudySpec spec;
    int entry = 0;
    MachineInfo machine;
    QList<RunSummary> history; ///< of that machine
};

/// Whether planning it would hold the window up.
bool isLargePlan(const StudySpec& spec);
PlannedView planView(const PlanQuestion& question);

} // namespace scalebench
