// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/device_allocator.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/check.h"

namespace scalebench::cuda_backend {
namespace {

/// Eight size classes per power of two, from 512 bytes: at most 1/8 larger than asked.
std::size_t sizeClass(std::size_t bytes)
{
    bytes = std::max<std::size_t>(bytes, 512);
    const std::size_t step = std::max<std::size_t>(512, std::bit_floor(bytes) / 8);
    return (bytes + step - 1) / step * step;
}

std::string mebibytes(std::size_t bytes)
{
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

using FreeBlocks = std::unordered_map<std::size_t, std::vector<void*>>;

} // namespace

/// Blocks that a captured graph uses; freed with the last one who knows it.
class DeviceAllocator::PrivatePool
{
public:
    FreeBlocks free;
    std::size_t bytes = 0; ///< obtained for this pool
    std::shared_ptr<Pool> parent;

    ~PrivatePool();
};

struct DeviceAllocator::Pool {
    mutable std::mutex mutex;
    std::string device;
    FreeBlocks cached;
    AllocatorStats stats;
    std::size_t limit = 0;
    bool caching = true;
    std::shared_ptr<PrivatePool> open;

    ~Pool() { trim(); }

    void release(FreeBlocks& blocks)
    {
        for (auto& [size, list] : blocks) {
            for (void* block : list)
                (void)cudaFree(block);
            stats.bytesReserved -= size * list.size();
        }
        blocks.clear();
    }

    void trim() { release(cached); }

    void* take(std::size_t size)
    {
        stats.requests += 1;
        if (limit > 0 && stats.bytesInUse + size > limit)
            throw outOfMemory(size);
        FreeBlocks& blocks = open ? open->free : cached;
        void* block = nullptr;
        if (auto it = blocks.find(size); it != blocks.end() && !it->second.empty()) {
            block = it->second.back();
            it->second.pop_back();
        } else {
            block = fresh(size);
            if (open)
                open->bytes += size;
        }
        stats.bytesInUse += size;
        stats.peakBytesInUse = std::max(stats.peakBytesInUse, stats.bytesInUse);
        return block;
    }

    void* fresh(std::size_t size)
    {
        void* block = nullptr;
        if (cudaMalloc(&block, size) != cudaSuccess) {
            (void)cudaGetLastError();
            trim(); // what is cached in other sizes may be just what is missing
            if (cudaMalloc(&block, size) != cudaSuccess) {
                (void)cudaGetLastError();
                throw outOfMemory(size);
            }
        }
        stats.systemRequests += 1;
        stats.bytesReserved += size;
        return block;
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
        return Error("out_of_memory", text + ".");
    }

    void giveBack(void* block, std::size_t size, const std::shared_ptr<PrivatePool>& from) noexcept
    {
        stats.bytesInUse -= size;
        FreeBlocks& blocks = from ? from->free : cached;
        try {
            if (caching || from) {
                blocks[size].push_back(block);
                return;
            }
        } catch (...) { // no memory for the list: let go of the block
        }
        (void)cudaFree(block);
        stats.bytesReserved -= size;
    }
};

DeviceAllocator::PrivatePool::~PrivatePool()
{
    const std::lock_guard lock(parent->mutex);
    parent->release(free);
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
    const std::size_t size = pool_->caching ? sizeClass(bytes) : std::max<std::size_t>(bytes, 1);
    void* block = pool_->take(size);
    return {block, [pool = pool_, from = pool_->open, size](void* p) {
                const std::lock_guard guard(pool->mutex);
                pool->giveBack(p, size, from);
            }};
}

AllocatorStats DeviceAllocator::stats() const
{
    const std::lock_guard lock(pool_->mutex);
    return pool_->stats;
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
