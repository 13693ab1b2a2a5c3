// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/handover.h"

#include "engine/core/processors.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <thread>

#include <sched.h>
#include <unistd.h>

namespace scalebench::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kRoundTrips = 200; ///< of a batch: far less than a scheduler's slice
constexpr int kBatches = 40;
constexpr std::chrono::milliseconds kLongest{50};
constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();

/// The last processor but `first` that this thread may run on; a worker that is bound to one may
/// use others for a moment.
bool runOnAnother(int first)
{
    const long all = std::min<long>(sysconf(_SC_NPROCESSORS_CONF), CPU_SETSIZE);
    for (int i = int(all) - 1; i >= 0; --i)
        if (i != first && keepThreadTo({i}))
            return true;
    return false;
}

/// Two threads that write to it in turn: the asking one odd numbers, the other even ones.
struct alignas(64) Line {
    std::atomic<std::uint32_t> number{0};
};

/// Waits for that number or kEnd; false if it is kEnd or too late.
bool await(const Line& line, std::uint32_t number, Clock::time_point end)
{
    constexpr int kLooks = 4096; // between two looks at the clock
    for (;;) {
        for (int i = 0; i < kLooks; ++i) {
            const std::uint32_t now = line.number.load(std::memory_order_acquire);
            if (now == number || now == kEnd)
                return now == number;
        }
        if (Clock::now() > end)
            return false;
    }
}

double shortest(Line& line, Clock::time_point end)
{
    double best = 0;
    std::uint32_t number = 0;
    for (int batch = 0; batch < kBatches; ++batch) {
        const Clock::time_point start = Clock::now();
        for (std::uint32_t i = 0; i < kRoundTrips; ++i) {
            line.number.store(++number, std::memory_order_release);
            if (!await(line, ++number, end))
                return best;
        }
        const double ns =
            std::chrono::duration<double, std::nano>(Clock::now() - start).count() / kRoundTrips;
        best = batch == 0 ? ns : std::min(best, ns);
    }
    return best;
}

} // namespace

double measureHandover()
{
    const int first = processorsOfThread().front();
    const Clock::time_point end = Clock::now() + kLongest;
    Line line;
    double best = 0;
    {
        const std::jthread answering([&] {
            if (!runOnAnother(first))
                return line.number.store(kEnd, std::memory_order_release);
            for (std::uint32_t number = 1; await(line, number, end); number += 2)
                line.number.store(number + 1, std::memory_order_release);
        });
        const std::jthread asking([&] {
            if (keepThreadTo({first}))
                best = shortest(line, end);
            line.number.store(kEnd, std::memory_order_release);
        });
    }
    return best;
}

} // namespace scalebench::bench
