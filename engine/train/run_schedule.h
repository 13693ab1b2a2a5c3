// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The learning-rate schedule of a run: run.json speaks of epochs, the optimizer of steps.

#include "engine/optim/schedule.h"
#include "engine/train/run_config.h"

#include <cstdint>

namespace scalebench::train {

/// InvalidArgument where the schedule cannot work (warm-up longer than the run, say).
ScheduleConfig makeSchedule(const RunConfig& config, int64_t stepsPerEpoch);

} // namespace scalebench::train
