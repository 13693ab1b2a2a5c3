// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// When a run began and ended: dates, between which lies what it took, whoever sets the computer's
// clock meanwhile. A computer that sleeps does not stop it.

#include <QtGlobal>

#include <functional>

namespace scalebench {

class RunClock
{
public:
    /// `date`: another clock in tests. Milliseconds since 1970.
    explicit RunClock(std::function<qint64()> date = {});

    /// The date now; from here on it is counted.
    qint64 begin();
    /// As counted since begin(), without that the date.
    qint64 now() const;

private:
    std::function<qint64()> m_date;
    qint64 m_beganMs = 0, m_bootMs = 0;
};

} // namespace scalebench
