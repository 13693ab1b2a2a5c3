// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds processes of a run that somebody suspended (SIGSTOP): they neither end nor go on, and all
// others wait for them.

#include <QList>
#include <QString>

#include <functional>

namespace scalebench {

struct SuspendedProcess {
    QString host; ///< empty: this computer
    qint64 pid = 0;
    bool operator==(const SuspendedProcess&) const = default;
};

class SuspensionWatch
{
public:
    using Ask = std::function<QList<SuspendedProcess>()>;

    /// To be called while the run is suspiciously quiet; asks now and then. Those that were
    /// suspended all the time for `kPatienceMs`; a debugger or a person may stop one for a moment.
    QList<SuspendedProcess> lasting(qint64 now, const Ask& ask);
    /// It moves.
    void reset();

    static constexpr qint64 kPatienceMs = 12'000;

private:
    qint64 m_lastAsked = -1;
    QList<std::pair<SuspendedProcess, qint64>> m_since;
};

} // namespace scalebench
