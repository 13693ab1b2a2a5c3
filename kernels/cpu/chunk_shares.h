// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which thread runs which chunk of a loop. Each has a run of its own, the same in every loop, as it
// has what it wrote before in its caches; one that is done takes chunks from the end of another's.
// Processors differ (fast and small cores, other programs, a hypervisor), and with fixed shares all
// wait for the slowest.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace scalebench::kernels::cpu {

class ChunkShares
{
public:
    /// As even as whole chunks allow, the first ones larger. `threads`: that may call run().
    /// Chunks beyond `most` are counted in groups, as a share has half a word for each number.
    ChunkShares(std::int64_t chunks, int threads, std::int64_t most = std::int64_t{1} << 31)
        : count_(std::clamp(threads, 1, kMost)), chunks_(chunks), inGroup_(chunks / most + 1)
    {
        const std::int64_t groups = (chunks + inGroup_ - 1) / inGroup_;
        std::int64_t begin = 0;
        for (int i = 0; i < count_; ++i) {
            const std::int64_t end = begin + groups / count_ + (i < groups % count_ ? 1 : 0);
            shares_[std::size_t(i)].left.store(pack(begin, end), std::memory_order_relaxed);
            begin = end;
        }
    }

    /// body(chunk) for what falls to this thread of `team`, which may be smaller or larger than
    /// was said; all are done when each of the team has returned.
    template <class Body>
    void run(int thread, int team, const Body& body)
    {
        const int own = thread % count_;
        for (int i = own; i < count_; i += team)
            while (runOne(shares_[std::size_t(i)], false, body)) {
            }
        // Distances double: with many threads a look at every share would take longer than a short
        // loop.
        for (int away = 1; away < count_; away *= 2)
            while (runOne(shares_[std::size_t((own + away) % count_)], true, body)) {
            }
    }

private:
    static constexpr int kMost = 64;

    /// The first group and the one behind the last that nobody has begun.
    struct alignas(64) Share {
        std::atomic<std::uint64_t> left{0};
    };

    static std::uint64_t pack(std::int64_t begin, std::int64_t end)
    {
        return std::uint64_t(begin) << 32 | std::uint64_t(end);
    }

    template <class Body>
    bool runOne(Share& share, bool fromEnd, const Body& body)
    {
        std::uint64_t left = share.left.load(std::memory_order_relaxed);
        std::int64_t begin, end;
        do {
            begin = std::int64_t(left >> 32), end = std::int64_t(left & 0xffffffffu);
            if (begin >= end)
                return false;
        } while (!share.left.compare_exchange_weak(
            left, fromEnd ? pack(begin, end - 1) : pack(begin + 1, end),
            std::memory_order_relaxed));
        const std::int64_t group = fromEnd ? end - 1 : begin;
        for (std::int64_t i = group * inGroup_; i < std::min(chunks_, (group + 1) * inGroup_); ++i)
            body(i);
        return true;
    }

    std::array<Share, kMost> shares_;
    int count_;
    std::int64_t chunks_, inGroup_;
};

} // namespace scalebench::kernels::cpu
