// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/warm_up.h"

#include <chrono>

namespace scalebench::bench {

void warmUp(const Options& options, const std::function<void()>& step,
            const std::function<std::uint64_t()>& requests)
{
    using Clock = std::chrono::steady_clock;
    constexpr int kFewest = 2, kMost = 40, kQuiet = 3; // steps, and those that took no more memory
    const Clock::time_point start = Clock::now();
    const auto inTime = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count() < options.maxSeconds;
    };
    int quiet = 0;
    for (int n = 0; n < kFewest || (n < kMost && quiet < kQuiet && inTime()); ++n) {
        if (options.stopped())
            throw Stopped{};
        const std::uint64_t before = requests();
        step();
        quiet = requests() == before ? quiet + 1 : 0;
    }
}

} // namespace scalebench::bench
