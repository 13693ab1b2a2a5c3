// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/suspension_watch.h"

#include <algorithm>

namespace scalebench {

static constexpr qint64 kAskMs = 3'000; ///< looking at all processes of a host takes it some time

void SuspensionWatch::reset()
{
    m_lastAsked = -1;
    m_since.clear();
}

QList<SuspendedProcess> SuspensionWatch::lasting(qint64 now, const Ask& ask)
{
    if (m_lastAsked >= 0 && now - m_lastAsked < kAskMs)
        return {};
    m_lastAsked = now;
    QList<std::pair<SuspendedProcess, qint64>> known;
    QList<SuspendedProcess> lasting;
    for (const SuspendedProcess& process : ask()) {
        const auto before = std::find_if(m_since.begin(), m_since.end(),
                                         [&](const auto& pair) { return pair.first == process; });
        const qint64 since = before == m_since.end() ? now : before->second;
        known << std::pair(process, since);
        if (now - since >= kPatienceMs)
            lasting << process;
    }
    m_since = known;
    return lasting;
}

} // namespace scalebench
