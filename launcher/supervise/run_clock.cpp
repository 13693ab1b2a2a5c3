// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/run_clock.h"

#include <QDateTime>

#include <ctime>
#include <utility>

namespace scalebench {

/// Since the computer was started; nobody sets it.
static qint64 sinceBootMs()
{
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return qint64(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000;
}

RunClock::RunClock(std::function<qint64()> date)
    : m_date(date ? std::move(date) : [] { return QDateTime::currentMSecsSinceEpoch(); })
{
}

qint64 RunClock::begin()
{
    m_bootMs = sinceBootMs();
    return m_beganMs = m_date();
}

qint64 RunClock::now() const
{
    return m_beganMs > 0 ? m_beganMs + sinceBootMs() - m_bootMs : m_date();
}

} // namespace scalebench
