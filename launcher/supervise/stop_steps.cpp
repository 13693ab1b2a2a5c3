// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/stop_steps.h"

namespace scalebench {

std::optional<int> StopSteps::next(qint64 now, bool stalled, bool patient, bool quiet)
{
    if (m_step == 0 && stalled)
        m_step = 1;
    const bool due = !m_taken || (m_step == 1 && patient ? quiet : now - *m_taken >= kStepMs);
    if (due) {
        m_taken = m_asked = now;
        return m_step++;
    }
    if (m_step == 1 && m_again < kMostAgain && now - *m_asked >= kStepMs) {
        ++m_again;
        m_asked = now;
        return 0;
    }
    return {};
}

} // namespace scalebench
