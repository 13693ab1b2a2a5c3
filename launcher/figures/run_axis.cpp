// SPDX-License-Identifier: GPL-3.0-or-later
// Where a point of a run lies on the axis of a chart.
#include "figures/run_charts.h"

#include <QtNumeric>

#include <algorithm>

namespace scalebench {

/// The clock when the run's own was at `seconds`; before a pause it is as late as the pause was
/// long.
static double clockAt(const RunRecord& run, double seconds)
{
    return run.runStartMs / 1000 + seconds;
}

template <class Point>
static double placeOf(const RunRecord& run, const Point& point, double step, RunAxis axis)
{
    switch (axis) {
    case RunAxis::Samples:
        return static_cast<double>(point.samples);
    case RunAxis::Step:
        return step;
    case RunAxis::Time:
        return point.seconds;
    case RunAxis::Clock:
        return clockAt(run, point.seconds);
    case RunAxis::Epoch:
        break;
    }
    return point.epoch;
}

double axisValue(const RunRecord& run, const EvalPoint& point, RunAxis axis)
{
    const int batch = std::max(1, run.config.globalBatch);
    if (axis != RunAxis::Time && axis != RunAxis::Clock && !run.evalsPlaced())
        return qQNaN();
    return placeOf(run, point, static_cast<double>(point.samples) / batch, axis);
}

double axisValue(const RunRecord& run, const StepPoint& point, RunAxis axis)
{
    return placeOf(run, point, static_cast<double>(point.step), axis);
}

} // namespace scalebench
