// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Device memory in segments that are split and joined again (block_pool.h), in the order of one
// stream: a block given back may be handed out at once, because whoever gets it issues work behind
// the work that used it. Memory that other streams use too must be kept alive until they are done.
//
// A captured graph replays fixed addresses. While a PrivatePool is open, blocks come from that
// pool only, and what is given back stays with it for as long as it exists.

#include <cuda_runtime_api.h>

#include "engine/tensor/allocator.h"

#include <cstddef>
#include <memory>
#include <string>

namespace scalebench::cuda_backend {

class DeviceAllocator final : public Allocator
{
public:
    /// `deviceName` is for error texts.
    explicit DeviceAllocator(std::string deviceName);
    ~DeviceAllocator() override;

    /// Error "out_of_memory": what was asked, what is in use here, what is free on the device, how
    /// much others use, and what is free here in pieces that are too small.
    std::shared_ptr<void> allocate(std::size_t bytes) override;
    AllocatorStats stats() const override;
    /// The largest cached piece: far below what is reserved and not in use, memory is fragmented.
    std::size_t largestFreeBytes() const;
    bool onDevice() const override { return true; }
    void resetPeak() override;
    void setLimit(std::size_t bytes) override;
    /// The limit set, else all that the device has free or that is reserved here.
    std::size_t limit() const override;
    void trim() override;

    class PrivatePool;
    /// Opens a pool; allocate() uses it until close(). One at a time.
    std::shared_ptr<PrivatePool> openPrivatePool();
    void reopen(const std::shared_ptr<PrivatePool>& pool);
    void close();

    /// Without a cache every tensor is an allocation of the driver's: tests find accesses beside
    /// it.
    void setCaching(bool on);

    struct Pool;

private:
    std::shared_ptr<Pool> pool_;
};

} // namespace scalebench::cuda_backend
