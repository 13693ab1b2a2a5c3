// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Ends a job that is stuck inside an MPI call, which no exception can leave. Private to
// engine/dist/mpi.

#include "engine/dist/collective.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace scalebench::dist {

class Watchdog
{
public:
    static constexpr int kChannels = 16;
    /// Called once, from the watchdog's thread, when a call took longer than the time-out.
    using Expired = std::function<void(const Collective&, double seconds)>;

    Watchdog(const std::atomic<double>& timeoutS, Expired expired);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// The calling thread is inside MPI until the end of the scope; one at a time per channel.
    class Guard
    {
    public:
        Guard(Watchdog& watchdog, int channel, const Collective& collective);
        ~Guard();
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

    private:
        std::atomic<uint64_t>& calls_;
    };

private:
    struct alignas(64) Slot {
        std::atomic<uint64_t> calls{0}; ///< odd: inside one
        std::atomic<int32_t> kind{0};
        std::atomic<int64_t> bytes{0}, bucket{-1}, step{-1};
    };
    void run();

    const std::atomic<double>& timeoutS_;
    Expired expired_;
    std::array<Slot, kChannels> slots_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stop_ = false;
    std::thread thread_;
};

} // namespace scalebench::dist
