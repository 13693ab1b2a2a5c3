// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the engine's `data` command wants: a run.json on the data to be looked at or made.

#include "base/result.h"
#include "study/machine_info.h"
#include "study/study_spec.h"

#include <QJsonObject>
#include <QString>

namespace scalebench {

struct DataRequest {
    QString action; ///< "info", "check" or "make"
    QString workload;
    QString scale; ///< empty: of files "lab" where the workload has it, else, and of a set that
                   ///< Scalebench made, "desk"
    QString path;
    Settings settings = {}; ///< of the recipe, such as the names of files: a value each
};

/// As the planner makes it for one worker.
Result<QJsonObject> dataRun(const DataRequest& request, const MachineInfo& machine);

} // namespace scalebench
