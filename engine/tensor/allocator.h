// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory for tensors. The caching allocator keeps what tensors give back and hands it out again, so
// that after the first step a training loop asks the operating system for nothing (fresh pages cost
// more than the arithmetic on them). Safe to use from several threads.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace scalebench {

struct AllocatorStats {
    std::size_t bytesInUse = 0;       ///< asked for by live tensors, rounded up to size classes
    std::size_t peakBytesInUse = 0;   ///< highest bytesInUse since construction or resetPeak()
    std::size_t bytesReserved = 0;    ///< obtained from the system: in use plus cached
    std::uint64_t requests = 0;       ///< allocations asked for
    std::uint64_t systemRequests = 0; ///< of these, not served from the cache
};

class Allocator
{
public:
    virtual ~Allocator() = default;
    /// At least `bytes` bytes (one when 0), 64-byte aligned, uninitialised. The memory may outlive
    /// the allocator. Throws Error "out_of_memory" naming the size.
    virtual std::shared_ptr<void> allocate(std::size_t bytes) = 0;
    virtual AllocatorStats stats() const = 0;
    /// Whether the memory is a device's, which the host cannot touch.
    virtual bool onDevice() const { return false; }
    /// Starts a new peak measurement at the present use.
    virtual void resetPeak() = 0;
    /// More than this in use is refused as out of memory, before the system begins to swap or to
    /// kill processes. 0: no limit.
    virtual void setLimit(std::size_t bytes) = 0;
    virtual std::size_t limit() const = 0;
    /// Gives cached blocks back to the system; live tensors are untouched.
    virtual void trim() = 0;
};

/// How much memory this process may still take; 0: unknown.
using MemorySource = std::function<std::size_t()>;

/// Host memory with a cache of freed blocks in size classes (at most 1/8 larger than asked). A
/// freed block also serves for what is smaller by up to a third. More than the system has left is
/// refused as out of memory, but for a rest of a sixteenth of what there was at first.
class CachingAllocator final : public Allocator
{
public:
    /// `available`: in tests another one than availableMemoryBytes().
    explicit CachingAllocator(MemorySource available = {});
    ~CachingAllocator() override;
    CachingAllocator(const CachingAllocator&) = delete;
    CachingAllocator& operator=(const CachingAllocator&) = delete;

    std::shared_ptr<void> allocate(std::size_t bytes) override;
    AllocatorStats stats() const override;
    void resetPeak() override;
    void setLimit(std::size_t bytes) override;
    std::size_t limit() const override;
    void trim() override;

private:
    struct Pool;
    std::shared_ptr<Pool> pool_;
};

} // namespace scalebench
