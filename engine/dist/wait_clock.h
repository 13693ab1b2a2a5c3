// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How to wait for another worker: spin while it may be in step, then give the core away, then
// sleep; and know how long that has taken.

#include <chrono>
#include <cstdint>

#include <sched.h>
#include <time.h>

namespace scalebench::dist {

class WaitClock
{
public:
    /// Passes a moment. True about every 10 ms of waiting: time to look whether it has a point.
    bool pause()
    {
        if (++turns_ <= kSpins) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
            return false;
        }
        // Reading the clock costs as much as yielding.
        if (waitedS_ < 0.002)
            ::sched_yield();
        else
            sleepUs(waitedS_ < 0.2 ? 50 : 1000);
        if (waitedS_ < 0.002 && turns_ % 16 != 0)
            return false;
        measure();
        if (waitedS_ - lookedAtS_ < 0.01)
            return false;
        lookedAtS_ = waitedS_;
        return true;
    }
    /// Seconds so far. Being stopped or suspended meanwhile counts as one second at most, so that a
    /// job that was stopped as a whole does not fail when it goes on.
    double waitedS() const
    {
        return waitedS_;
    }

private:
    static constexpr uint32_t kSpins = 300;

    static void sleepUs(long us)
    {
        const timespec time{0, us * 1000};
        ::nanosleep(&time, nullptr);
    }
    void measure()
    {
        const auto now = std::chrono::steady_clock::now();
        if (last_ != std::chrono::steady_clock::time_point{}) {
            const double passed = std::chrono::duration<double>(now - last_).count();
            waitedS_ += passed < 1.0 ? passed : 1.0;
        }
        last_ = now;
    }

    uint32_t turns_ = 0;
    double waitedS_ = 0;
    double lookedAtS_ = 0;
    std::chrono::steady_clock::time_point last_{};
};

} // namespace scalebench::dist
