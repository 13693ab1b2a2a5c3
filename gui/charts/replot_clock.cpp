// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/replot_clock.h"

namespace scalebench {

ReplotClock& ReplotClock::instance()
{
    static ReplotClock clock;
    return clock;
}

ReplotClock::ReplotClock()
{
    m_timer.setInterval(kIntervalMs);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ReplotClock::tick);
}

void ReplotClock::wake()
{
    if (!m_timer.isActive())
        m_timer.start();
}

} // namespace scalebench
