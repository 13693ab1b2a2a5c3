// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a run is made to end: which step of RunJob::escalate() is due. Gently first, then for
// certain. Times are of any one steady clock, in ms.

#include <QtGlobal>

#include <optional>

namespace scalebench {

class StopSteps
{
public:
    static constexpr int kStepMs = 3000; ///< between TERM, TERM and KILL
    /// So often the clean stop is asked for again: mpirun passes on nothing before its ranks are
    /// there, and a run that was asked then would go on to its end.
    static constexpr int kMostAgain = 5;

    bool begun() const { return m_step > 0; }
    /// The step to take now. `stalled`: who does not progress does not stop cleanly either.
    /// `patient`: the clean stop may take as long as the run is not `quiet`, as the step under way
    /// and the checkpoint are finished, and may be seen late here.
    std::optional<int> next(qint64 now, bool stalled, bool patient, bool quiet);

private:
    int m_step = 0, m_again = 0;
    std::optional<qint64> m_taken, m_asked; ///< when
};

} // namespace scalebench
