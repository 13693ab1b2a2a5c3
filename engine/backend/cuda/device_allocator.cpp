// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/device_allocator.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

#include "engine/backend/cuda/block_pool.h"
#include "kernels/check.h"

namespace scalebench::cuda_backend {
namespace {

constexpr std::size_t kGrain = 512, kMiB = std::size_t(1) << 20;
/// Up to here requests share segments of their own, so that small tensors which live long do not
/// cut up the room of large ones.
constexpr std::size_t kSmall = kMiB;

std::size_t roundedUp(std::size_t bytes, std::size_t to)
{
    return (std::max<std::size_t>(bytes, 1) + to - 1) / to * to;
}

/// What is asked of the driver for a request: its allocations take long and come in 2 MiB.
std::size_t segmentFor(std::size_t bytes)
{
    if (bytes <= kSmall)
        return 2 * kMiB;
    return bytes < 10 * kMiB ? 20 * kMiB : roundedUp(bytes, 2 * kMiB);
}

std::string mebibytes(std::size_t bytes)
{
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

/// Small and large blocks of one owner: everybody, or a captured graph.
struct Blocks {
    BlockPool small{kGrain}, large{kSmall};

    BlockPool& of(std::size_t bytes) { return bytes <= kSmall ? small : large; }
    std::size_t freeBytes() const { return small.freeBytes() + large.freeBytes(); }
};

} // namespace

/// Blocks that a captured graph uses; freed with the last one who knows it.
class DeviceAllocator::PrivatePool
{
public:
    Blocks blocks;
    std::shared_ptr<Pool> parent;

    ~PrivatePool();
};

struct DeviceAllocator::Pool {
    mutable std::mutex mutex;
    std::string device;
    Blocks shared;
    AllocatorStats stats;
    std::size_t limit = 0;
    bool caching = true;
    std::shared_ptr<PrivatePool> open;

    ~Pool() { trim(); }

    void release(Blocks& blocks)
    {
        for (BlockPool* pool : {&blocks.small, &blocks.large})
            for (const BlockPool::Segment& segment : pool->removeFree()) {
                (void)cudaFree(segment.memory);
                stats.bytesReserved -= segment.bytes;
            }
    }

    void trim() { release(shared); }

    Blocks& blocks() { return open ? open->blocks : shared; }

    /// `size`: in, what is wanted; out, what the block has.
    void* take(std::size_t& size)
    {
        stats.requests += 1;
        if (limit > 0 && stats.bytesInUse + size > limit)
            throw outOfMemory(size);
        void* block = nullptr;
        if (!caching && !open) {
            block = fromDriver(size);
            if (block == nullptr)
                throw outOfMemory(size);
        } else {
            BlockPool& pool = blocks().of(size);
            block = pool.take(size);
            if (block == nullptr) {
                pool.add(freshSegment(size));
                block = pool.take(size);
            }
            size = pool.sizeOf(block);
        }
        stats.bytesInUse += size;
        stats.peakBytesInUse = std::max(stats.peakBytesInUse, stats.bytesInUse);
        return block;
    }

    /// Null where the device has no room.
    void* fromDriver(std::size_t bytes)
    {
        void* memory = nullptr;
        if (cudaMalloc(&memory, bytes) != cudaSuccess) {
            (void)cudaGetLastError();
            return nullptr;
        }
        stats.systemRequests += 1;
        stats.bytesReserved += bytes;
        return memory;
    }

    BlockPool::Segment freshSegment(std::size_t size)
    {
        std::size_t bytes = segmentFor(size);
        void* memory = fromDriver(bytes);
        if (memory == nullptr) {
            trim(); // segments that nobody uses may be just what is missing
            memory = fromDriver(bytes);
        }
        if (memory == nullptr) { // and the last of it without spare room
            bytes = roundedUp(size, kGrain);
            memory = fromDriver(bytes);
        }
        if (memory == nullptr)
            throw outOfMemory(size);
        return {memory, bytes};
    }

    Error outOfMemory(std::size_t asked) const
    {
        std::string text = "Out of memory on " + device + ": asked for " + mebibytes(asked) +
                           " beside the " + mebibytes(stats.bytesInUse) + " in use by this worker";
        std::size_t free = 0, total = 0;
        if (limit > 0) {
            text += "; " + mebibytes(limit - std::min(limit, stats.bytesInUse)) + " of the " +
                    mebibytes(limit) + " that this worker may use are free";
        } else if (cudaMemGetInfo(&free, &total) == cudaSuccess) {
            const std::size_t mine = std::min(total - free, stats.bytesReserved);
            text += "; " + mebibytes(free) + " of the device's " + mebibytes(total) +
                    " are free, and " + mebibytes(total - free - mine) +
                    " are in use by CUDA itself and by other processes";
        }
        const std::size_t largest =
            std::max(shared.large.largestFree(), shared.small.largestFree());
        if (largest > 0)
            text += "; " + mebibytes(shared.freeBytes()) +
                    " more are reserved by this worker and free, in pieces of at most " +
                    mebibytes(largest);
        return Error("out_of_memory", text + ".");
    }

    void giveBack(void* block, std::size_t size, Blocks* from) noexcept
    {
        stats.bytesInUse -= size;
        if (from == nullptr) {
            (void)cudaFree(block);
            stats.bytesReserved -= size;
            return;
        }
        try {
            from->of(size).giveBack(block);
        } catch (const std::exception&) {
            // no host memory for the list: the block stays taken
        }
    }
};

DeviceAllocator::PrivatePool::~PrivatePool()
{
    const std::lock_guard lock(parent->mutex);
    parent->release(blocks);
}

DeviceAllocator::DeviceAllocator(std::string deviceName) : pool_(std::make_shared<Pool>())
{
    pool_->device = std::move(deviceName);
}

DeviceAllocator::~DeviceAllocator()
{
    close();
}

std::shared_ptr<void> DeviceAllocator::allocate(std::size_t bytes)
{
    const std::lock_guard lock(pool_->mutex);
    // Exact sizes without the cache, so that an access beside a tensor is one beside its memory.
    const bool pooled = pool_->caching || pool_->open;
    std::size_t size = pooled ? roundedUp(bytes, kGrain) : std::max<std::size_t>(bytes, 1);
    void* block = pool_->take(size);
    Blocks* from = pooled ? &pool_->blocks() : nullptr;
    return {block, [pool = pool_, owner = pool_->open, from, size](void* p) {
                const std::lock_guard guard(pool->mutex);
                pool->giveBack(p, size, from);
            }};
}

AllocatorStats DeviceAllocator::stats() const
{
    const std::lock_guard lock(pool_->mutex);
    return pool_->stats;
}

std::size_t DeviceAllocator::largestFreeBytes() const
{
    const std::lock_guard lock(pool_->mutex);
    return std::max(pool_->shared.large.largestFree(), pool_->shared.small.largestFree());
}

void DeviceAllocator::resetPeak()
{
    const std::lock_guard lock(pool_->mutex);
    pool_->stats.peakBytesInUse = pool_->stats.bytesInUse;
}

void DeviceAllocator::setLimit(std::size_t bytes)
{
    const std::lock_guard lock(pool_->mutex);
    pool_->limit = bytes;
}

std::size_t DeviceAllocator::limit() const
{
    const std::lock_guard lock(pool_->mutex);
    if (pool_->limit > 0)
        return pool_->limit;
    std::size_t free = 0, total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess ? free + pool_->stats.bytesReserved : 0;
}

void DeviceAllocator::trim()
{
    const std::lock_guard lock(pool_->mutex);
    pool_->trim();
}

std::shared_ptr<DeviceAllocator::PrivatePool> DeviceAllocator::openPrivatePool()
{
    auto made = std::make_shared<PrivatePool>();
    made->parent = pool_;
    reopen(made);
    return made;
}

void DeviceAllocator::reopen(const std::shared_ptr<PrivatePool>& pool)
{
    const std::lock_guard lock(pool_->mutex);
    pool_->open = pool;
}

void DeviceAllocator::close()
{
    std::shared_ptr<PrivatePool> last; // destroyed after the lock, which its destructor takes
    const std::lock_guard lock(pool_->mutex);
    last = std::exchange(pool_->open, nullptr);
}

void DeviceAllocator::setCaching(bool on)
{
    const std::lock_guard lock(pool_->mutex);
    pool_->caching = on;
}

} // namespace scalebench::cuda_backend
