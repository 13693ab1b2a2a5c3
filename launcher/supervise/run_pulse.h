// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// When a run last moved (a step, a batch of an evaluation, bytes of a checkpoint) and how long its
// steps take, from its stream. Heartbeats that repeat themselves are no movement. Times are of any
// one steady clock, in ms.

#include "run/run_record.h"

namespace scalebench {

class RunPulse
{
public:
    void learn(const RunDelta& delta, qint64 now);
    void restart(qint64 now) { m_lastMove = now; }
    qint64 quietFor(qint64 now) const { return now - m_lastMove; }
    /// Quiet for longer than its steps explain: worth asking what its processes do.
    bool isSuspicious(qint64 now) const;
    /// How long a run that was asked to stop may be quiet before it is made to: it finishes its
    /// step and writes its checkpoint first, and a slow disk holds that up. Nothing is known of the
    /// first step, so that one has two minutes.
    qint64 stopLimit() const;

private:
    double m_longestStep = 0;
    bool m_trains = false; ///< its clock runs: steps are to come
    QString m_phase;
    qint64 m_done = 0;
    qint64 m_lastMove = 0;
};

} // namespace scalebench
