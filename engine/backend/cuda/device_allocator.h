// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Device memory with a cache of freed blocks, in the order of one stream: a block given back may be
// handed out at once, because whoever gets it issues work behind the work that used it. Memory that
// other streams use too must be kept alive until they are done.
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

    /// Error "out_of_memory": what was asked, what is in use here, what is free on the device and
    /// how much others use.
    std::shared_ptr<void> allocate(std::size_t bytes) override;
    AllocatorStats stats() const override;
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
