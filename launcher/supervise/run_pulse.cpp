// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/run_pulse.h"

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr qint64 kSuspiciousMs = 5'000;
static constexpr qint64 kStopMs = 10'000;
static constexpr qint64 kCheckpointMs = 60'000;
static constexpr qint64 kFirstStepMs = 120'000;   ///< while nobody knows how long a step takes
static constexpr double kLongestStepMs = 600'000; ///< a stream can say anything

void RunPulse::learn(const RunDelta& delta, qint64 now)
{
    for (const StepPoint& step : delta.steps)
        m_longestStep = std::max(m_longestStep, std::min(step.stepMs, kLongestStepMs));
    m_trains = m_trains || delta.runStartMs.has_value();
    const bool told = !delta.phase.isEmpty();
    if (!delta.steps.isEmpty() || !delta.evals.isEmpty() ||
        (told && (delta.phase != m_phase || delta.phaseDone != m_done)))
        m_lastMove = now;
    if (told) {
        m_phase = delta.phase;
        m_done = delta.phaseDone;
    }
}

bool RunPulse::isSuspicious(qint64 now) const
{
    return quietFor(now) >= std::max(kSuspiciousMs, qint64(3 * m_longestStep));
}

qint64 RunPulse::stopLimit() const
{
    const bool isFirstStep = m_trains && m_longestStep <= 0;
    const qint64 limit = isFirstStep ? kFirstStepMs : kStopMs + qint64(3 * m_longestStep);
    return m_phase == "checkpoint"_L1 ? std::max(limit, kCheckpointMs) : limit;
}

} // namespace scalebench
