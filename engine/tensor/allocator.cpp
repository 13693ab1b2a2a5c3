// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/tensor/allocator.h"

#include "engine/core/memory_info.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "kernels/check.h"

namespace scalebench {
namespace {

constexpr std::size_t kHugePage = std::size_t(2) << 20;
/// What an allocator takes before it first asks what the system has: small ones never do.
constexpr std::size_t kUnasked = std::size_t(16) << 20;

/// Eight size classes per power of two, from 64 bytes.
std::size_t sizeClass(std::size_t bytes)
{
    bytes = std::max<std::size_t>(bytes, 64);
    const std::size_t step = std::max<std::size_t>(64, std::bit_floor(bytes) / 8);
    return (bytes + step - 1) / step * step;
}

std::string mebibytes(std::size_t bytes)
{
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

/// Of what is free: never as much as what is refused because of it.
std::string wholeMebibytes(std::size_t bytes)
{
    return std::to_string(bytes >> 20) + " MiB";
}

} // namespace

struct CachingAllocator::Pool {
    struct Block {
        void* at = nullptr;
        std::size_t size = 0; ///< its class
    };

    std::mutex mutex;
    std::map<std::size_t, std::vector<void*>> cached;
    AllocatorStats stats;
    std::size_t limit = 0;
    const MemorySource available;
    std::size_t unasked = kUnasked; ///< may be taken before the system is asked again
    std::size_t rest = 0;           ///< of what the system has, stays free; 0: not asked yet

    explicit Pool(MemorySource source) : available(std::move(source)) {}
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

    /// For `size` bytes, a size class.
    Block take(std::size_t size)
    {
        const std::lock_guard lock(mutex);
        stats.requests += 1;
        if (limit > 0 && stats.bytesInUse + size > limit)
            throw outOfMemory(size);
        Block block = fromCache(size);
        if (!block.at) {
            // Batches of many shapes leave blocks of many sizes.
            if (limit > 0 && stats.bytesReserved + size > limit)
                trim();
            requireRoom(size);
            block = {fresh(size), size};
            if (!block.at) { // what is cached in other sizes may be just what is missing
                trim();
                block.at = fresh(size);
            }
            if (!block.at)
                throw outOfMemory(size);
            stats.systemRequests += 1;
            stats.bytesReserved += size;
        }
        stats.bytesInUse += size;
        stats.peakBytesInUse = std::max(stats.peakBytesInUse, stats.bytesInUse);
        return block;
    }

    /// The smallest that is large enough and not much larger, or nothing. Where shapes differ from
    /// step to step every size would else be asked of the system once, and kept.
    Block fromCache(std::size_t size)
    {
        const std::size_t most = size + size / 2;
        for (auto it = cached.lower_bound(size); it != cached.end() && it->first <= most; ++it) {
            if (it->second.empty())
                continue;
            const Block block{it->second.back(), it->first};
            it->second.pop_back();
            return block;
        }
        return {};
    }

    /// Asks the system seldom where it has much. What others than this allocator take meanwhile
    /// (batches, libraries, programs) is in the answer; a rest is for what is taken but not yet
    /// written to, which is not.
    bool hasRoom(std::size_t size)
    {
        if (size <= unasked) {
            unasked -= size;
            return true;
        }
        const std::size_t now = available();
        if (now == 0) // unknown
            return true;
        if (rest == 0)
            rest = now / 16;
        if (now < size + rest)
            return false;
        unasked = (now - size - rest) / 4;
        return true;
    }

    /// The kernel ends whoever takes more than there is, and says nothing.
    void requireRoom(std::size_t size)
    {
        if (hasRoom(size))
            return;
        trim();
        ::malloc_trim(0);
        if (!hasRoom(size))
            throw outOfMemory(size);
    }

    Error outOfMemory(std::size_t asked) const
    {
        std::string text = "Out of memory: asked for " + mebibytes(asked) + " beside the " +
                           mebibytes(stats.bytesInUse) + " in use";
        if (const std::size_t now = available(); now > 0 && now < asked + rest)
            text += "; the system leaves this process " + wholeMebibytes(now - std::min(now, rest));
        else if (limit > 0)
            text += "; " + wholeMebibytes(limit - std::min(limit, stats.bytesInUse)) + " of the " +
                    mebibytes(limit) + " that this worker may use are free";
        return Error("out_of_memory", text + ".");
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

    /// `size`: what take() was asked for.
    void giveBack(Block block, std::size_t size) noexcept
    {
        const std::lock_guard lock(mutex);
        stats.bytesInUse -= size;
        try {
            cached[block.size].push_back(block.at);
        } catch (...) {
            std::free(block.at);
            stats.bytesReserved -= block.size;
        }
    }
};

CachingAllocator::CachingAllocator(MemorySource available)
    : pool_(std::make_shared<Pool>(available ? std::move(available)
                                             : [] { return availableMemoryBytes(); }))
{
}
CachingAllocator::~CachingAllocator() = default;

std::shared_ptr<void> CachingAllocator::allocate(std::size_t bytes)
{
    const std::size_t size = sizeClass(bytes);
    const auto block = pool_->take(size);
    return {block.at, [pool = pool_, block, size](void*) { pool->giveBack(block, size); }};
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

void CachingAllocator::setLimit(std::size_t bytes)
{
    const std::lock_guard lock(pool_->mutex);
    pool_->limit = bytes;
}

std::size_t CachingAllocator::limit() const
{
    const std::lock_guard lock(pool_->mutex);
    return pool_->limit;
}

void CachingAllocator::trim()
{
    const std::lock_guard lock(pool_->mutex);
    pool_->trim();
}

} // namespace scalebench
