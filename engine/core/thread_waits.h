// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How long threads wait for one another at the end of a loop, beside other programs.
//
// GNU's OpenMP library has a thread that is done look some 300,000 times whether the others are too
// before it sleeps: 5 to 15 ms. On an idle machine that is right, as waking takes longer than most
// waits. Where another program keeps a processor busy, the one that waits keeps the other from the
// very thread that it waits for, which is in the run queue for milliseconds: a step then takes two
// to ten times as long. The library waits about a microsecond where it has more threads than there
// are processors (libgomp's manual, GOMP_SPINCOUNT), so a team of threads that sleep brings that
// about.

#include "engine/core/queue_times.h"

#include <chrono>
#include <memory>

namespace scalebench {

/// Whether what was waited in run queues in so many seconds comes from a program that computes: a
/// quarter of a processor's time, a millisecond at a time. Short interruptions are better waited
/// for.
bool queuesLong(const QueueTimes& then, const QueueTimes& now, double seconds);
/// Whether that program is still there when threads wait shortly, which makes turns shorter.
bool queuesStill(const QueueTimes& then, const QueueTimes& now, double seconds);

class ThreadWaits
{
public:
    /// `threads` compute in this process; with one nothing is ever done, nor where the environment
    /// tells how to wait (OMP_WAIT_POLICY, GOMP_SPINCOUNT) or few of many processors are used.
    explicit ThreadWaits(int threads);
    ~ThreadWaits();

    /// To be called between steps, by the thread that makes them: twice a second it looks.
    void look();
    /// Threads wait shortly now.
    bool areShort() const { return sleepers_ != nullptr; }
    /// What look() does once it has seen that they should, or should no more.
    void setShort(bool on);

private:
    class Sleepers;

    int more_ = 0; ///< threads that make more than there are processors; 0: never
    std::chrono::steady_clock::time_point lookedAt_;
    QueueTimes seen_;
    std::unique_ptr<Sleepers> sleepers_;
};

} // namespace scalebench
