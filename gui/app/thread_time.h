// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the time of the calling thread went: it computed, it was ready but had to wait for a
// processor, or it waited for something. Only the first and the last are its own doing, so they can
// be judged on a machine that others keep busy too.

#include <QtGlobal>

namespace scalebench {

class ThreadTime
{
public:
    /// As it is now, for the thread that calls.
    static ThreadTime now();
    ThreadTime operator-(const ThreadTime& earlier) const;

    double wallMs() const { return double(m_wallNs) / 1e6; }
    double computedMs() const { return double(m_cpuNs) / 1e6; }
    /// Waits for files, locks, other processes; 0 where the system does not tell, or where the
    /// thread never went to sleep (then the machine as a whole stood still).
    double blockedMs() const;

private:
    qint64 m_wallNs = 0;
    qint64 m_cpuNs = 0;
    qint64 m_readyNs = 0; ///< for a processor; < 0: not told
    qint64 m_sleeps = 0;  ///< how often it went to sleep
};

/// How many times as long as on an idle machine of today a piece of work takes here and now: 1 or
/// more. Takes some milliseconds.
double slownessNow();
/// How many want each processor, lately: 1 or more. Who is waited for has to wait for one too.
double crowdNow();

} // namespace scalebench
