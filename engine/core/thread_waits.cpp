// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/thread_waits.h"

#include "engine/core/processors.h"

#include <atomic>
#include <cstdlib>
#include <system_error>
#include <thread>

namespace scalebench {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{500};
constexpr double kMuch = 0.25;   ///< of a processor's time
constexpr double kLongS = 0.001; ///< in the queue at a time
constexpr int kMost = 64;        ///< threads that only sleep

} // namespace

bool queuesLong(const QueueTimes& then, const QueueTimes& now, double seconds)
{
    return queuesStill(then, now, seconds) &&
           now.waitedS - then.waitedS > kLongS * double(now.turns - then.turns);
}

bool queuesStill(const QueueTimes& then, const QueueTimes& now, double seconds)
{
    return now.waitedS - then.waitedS > kMuch * seconds;
}

/// A team of OpenMP's that sleeps until it goes.
class ThreadWaits::Sleepers
{
public:
    explicit Sleepers(int team)
        : thread_([this, team] {
#pragma omp parallel num_threads(team)
              sleep_.wait(true);
          })
    {
    }
    ~Sleepers()
    {
        sleep_ = false;
        sleep_.notify_all();
        thread_.join(); // with the thread goes its team
    }

private:
    std::atomic<bool> sleep_{true};
    std::thread thread_;
};

ThreadWaits::ThreadWaits(int threads) : lookedAt_(std::chrono::steady_clock::now())
{
    // The library counts one thread of the process and what teams have beyond theirs.
    const int more = processorCount() - threads + 2;
    if (threads > 1 && more >= 2 && more <= kMost && !std::getenv("OMP_WAIT_POLICY") &&
        !std::getenv("GOMP_SPINCOUNT"))
        more_ = more;
}

ThreadWaits::~ThreadWaits() = default;

void ThreadWaits::look()
{
    const auto now = std::chrono::steady_clock::now();
    if (more_ == 0 || now - lookedAt_ < kBetweenLooks)
        return;
    const double seconds = std::chrono::duration<double>(now - lookedAt_).count();
    const QueueTimes times = queueTimesOfProcess();
    if (seen_.turns > 0)
        setShort(areShort() ? queuesStill(seen_, times, seconds)
                            : queuesLong(seen_, times, seconds));
    seen_ = times;
    lookedAt_ = now;
}

void ThreadWaits::setShort(bool on)
{
    if (more_ == 0 || on == areShort())
        return;
    try {
        sleepers_ = on ? std::make_unique<Sleepers>(more_) : nullptr;
    } catch (const std::system_error&) { // no thread can be had: then they wait longer
    }
}

} // namespace scalebench
