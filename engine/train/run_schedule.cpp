// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_schedule.h"

#include <cmath>

namespace scalebench::train {

ScheduleConfig makeSchedule(const RunConfig& config, int64_t stepsPerEpoch)
{
    const ScheduleSettings& s = config.schedule;
    ScheduleConfig out;
    out.kind = parseScheduleKind(s.name == "one_cycle" ? "onecycle" : s.name);
    out.baseLearningRate = s.baseLr;
    out.totalSteps = config.epochs * stepsPerEpoch;
    out.endLearningRate = s.endLr;
    out.power = s.power;
    out.stepGamma = s.gamma;
    for (const double epoch : s.milestones)
        out.milestones.push_back(int64_t(std::llround(epoch * double(stepsPerEpoch))));
    if (out.kind == ScheduleKind::OneCycle) {
        // Its rise is the warm-up.
        if (s.warmupEpochs > 0)
            out.oneCyclePeak = s.warmupEpochs / config.epochs;
    } else {
        out.warmupSteps = int64_t(std::llround(s.warmupEpochs * double(stepsPerEpoch)));
    }
    validate(out);
    return out;
}

} // namespace scalebench::train
