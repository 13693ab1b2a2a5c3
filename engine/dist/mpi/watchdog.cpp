// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/watchdog.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace scalebench::dist {

Watchdog::Watchdog(const std::atomic<double>& timeoutS, Expired expired)
    : timeoutS_(timeoutS), expired_(std::move(expired)), thread_([this] { run(); })
{
}

Watchdog::~Watchdog()
{
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

Watchdog::Guard::Guard(Watchdog& watchdog, int channel, const Collective& c)
    : calls_(watchdog.slots_[size_t(channel)].calls)
{
    Slot& slot = watchdog.slots_[size_t(channel)];
    slot.kind.store(int32_t(c.kind), std::memory_order_relaxed);
    slot.bytes.store(c.bytes, std::memory_order_relaxed);
    slot.bucket.store(c.bucket, std::memory_order_relaxed);
    slot.step.store(c.step, std::memory_order_relaxed);
    calls_.fetch_add(1, std::memory_order_release);
}

Watchdog::Guard::~Guard()
{
    calls_.fetch_add(1, std::memory_order_release);
}

void Watchdog::run()
{
    using namespace std::chrono;
    std::array<uint64_t, kChannels> seen{};
    std::array<double, kChannels> insideS{};
    auto last = steady_clock::now();
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, 200ms, [this] { return stop_; })) {
        const auto now = steady_clock::now();
        // As WaitClock: time in which the whole job was stopped does not count.
        const double passed =
            std::min(1.0, duration<double>(now - std::exchange(last, now)).count());
        const double limit = timeoutS_.load(std::memory_order_relaxed);
        for (size_t i = 0; i < kChannels; ++i) {
            Slot& slot = slots_[i];
            const uint64_t calls = slot.calls.load(std::memory_order_acquire);
            if (calls % 2 == 0 || calls != std::exchange(seen[i], calls)) {
                insideS[i] = 0;
                continue;
            }
            insideS[i] += passed;
            if (limit <= 0 || insideS[i] <= limit)
                continue;
            const Collective collective{CollectiveKind(slot.kind.load()), slot.bytes.load(),
                                        slot.bucket.load(), slot.step.load()};
            lock.unlock();
            expired_(collective, insideS[i]);
            return;
        }
    }
}

} // namespace scalebench::dist
