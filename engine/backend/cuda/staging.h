// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pinned host memory between pageable memory and the device: two buffers in turn, so that one is
// filled while the other is copied. Small copies to the device lie side by side in a buffer: the
// host need not wait for each, and may be steps ahead.

#include <cuda_runtime_api.h>

#include <cstddef>

namespace scalebench::cuda_backend {

class Staging
{
public:
    explicit Staging(std::size_t bufferBytes = std::size_t(8) << 20);
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// Copies behind what `stream` has; `host` is free again when the call returns.
    void toDevice(const void* host, void* device, std::size_t bytes, cudaStream_t stream);
    /// Returns when `host` is written.
    void toHost(const void* device, void* host, std::size_t bytes, cudaStream_t stream);

private:
    struct Buffer {
        char* data = nullptr;
        cudaEvent_t done = nullptr; ///< the copy out of it
    };
    Buffer& next();

    std::size_t size_;
    Buffer buffers_[2];
    int turn_ = 0;
    std::size_t used_ = 0; ///< of the buffer whose turn it is
};

} // namespace scalebench::cuda_backend
