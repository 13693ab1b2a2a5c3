// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/tensor/allocator.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/check.h"

namespace scalebench {
namespace {

constexpr std::size_t kHugePage = std::size_t(2) << 20;

/// Eight size classes per power of two, from 64 bytes.
std::size_t sizeClass(std::size_t bytes)
{
    bytes = std::max<std::size_t>(bytes, 64);
    const std::size_t step = std::max<std::size_t>(64, std::bit_floor(bytes) / 8);
    return (bytes + step - 1) / step * step;
}

} // namespace

struct CachingAllocator::Pool {
    std::mutex mutex;
    std::unordered_map<std::size_t, std::vector<void*>> cached;
    AllocatorStats stats;

    ~Pool() { trim(); }

    void trim()
    {
        for (auto& [size, blocks] : cached) {
            for (void* block : blocks)
                std::free(block);
            stats.bytesReserved -= size * blocks.size();
        }
        cached.clear();
    }

    void* take(std::size_t size)
    {
        const std::lock_guard lock(mutex);
        stats.requests += 1;
        void* block = nullptr;
        if (auto it = cached.find(size); it != cached.end() && !it->second.empty()) {
            block = it->second.back();
            it->second.pop_back();
        } else {
            block = fresh(size);
            if (!block) { // what is cached in other sizes may be just what is missing
                trim();
                block = fresh(size);
            }
            if (!block)
                throw Error("out_of_memory",
                            "Out of memory: could not get " + std::to_string(size >> 20) +
                                " MiB beside the " + std::to_string(stats.bytesInUse >> 20) +
                                " MiB in use. Use a smaller batch or more workers.");
            stats.systemRequests += 1;
            stats.bytesReserved += size;
        }
        stats.bytesInUse += size;
        stats.peakBytesInUse = std::max(stats.peakBytesInUse, stats.bytesInUse);
        return block;
    }

    /// Large blocks on huge pages where the system gives them: fewer page faults and TLB misses.
    static void* fresh(std::size_t size)
    {
        if (size < kHugePage)
            return std::aligned_alloc(64, size);
        void* block = std::aligned_alloc(kHugePage, (size + kHugePage - 1) / kHugePage * kHugePage);
        if (block)
            (void)madvise(block, size, MADV_HUGEPAGE);
        return block;
    }

    void giveBack(void* block, std::size_t size) noexcept
    {
        const std::lock_guard lock(mutex);
        stats.bytesInUse -= size;
        try {
            cached[size].push_back(block);
        } catch (...) {
            std::free(block);
            stats.bytesReserved -= size;
        }
    }
};

CachingAllocator::CachingAllocator() : pool_(std::make_shared<Pool>()) {}
CachingAllocator::~CachingAllocator() = default;

std::shared_ptr<void> CachingAllocator::allocate(std::size_t bytes)
{
    const std::size_t size = sizeClass(bytes);
    void* block = pool_->take(size);
    return {block, [pool = pool_, size](void* p) { pool->giveBack(p, size); }};
}

AllocatorStats CachingAllocator::stats() const
{
    const std::lock_guard lock(pool_->mutex);
    return pool_->stats;
}

void CachingAllocator::resetPeak()
{
    const std::lock_guard lock(pool_->mutex);
    pool_->stats.peakBytesInUse = pool_->stats.bytesInUse;
}

void CachingAllocator::trim()
{
    const std::lock_guard lock(pool_->mutex);
    pool_->trim();
}

} // namespace scalebench
