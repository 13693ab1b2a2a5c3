// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/staging.h"

#include <algorithm>
#include <cstring>

#include "kernels/cuda/check.h"

namespace scalebench::cuda_backend {

using kernels::cuda::check;

namespace {
constexpr std::size_t kAlignment = 64;
}

Staging::Staging(std::size_t bufferBytes) : size_(bufferBytes)
{
    for (Buffer& b : buffers_) {
        void* data = nullptr;
        check(cudaMallocHost(&data, size_), "pinned memory for transfers");
        b.data = static_cast<char*>(data);
        check(cudaEventCreateWithFlags(&b.done, cudaEventDisableTiming), "event for transfers");
    }
}

Staging::~Staging()
{
    for (Buffer& b : buffers_) {
        if (b.done != nullptr) {
            (void)cudaEventSynchronize(b.done);
            (void)cudaEventDestroy(b.done);
        }
        (void)cudaFreeHost(b.data);
    }
}

Staging::Buffer& Staging::next()
{
    turn_ = 1 - turn_;
    used_ = 0;
    check(cudaEventSynchronize(buffers_[turn_].done), "transfer");
    return buffers_[turn_];
}

void Staging::toDevice(const void* host, void* device, std::size_t bytes, cudaStream_t stream)
{
    for (std::size_t at = 0; at < bytes; at += size_) {
        const std::size_t n = std::min(size_, bytes - at);
        Buffer& b = n <= size_ - used_ ? buffers_[turn_] : next();
        char* const place = b.data + used_;
        used_ = std::min(size_, (used_ + n + kAlignment - 1) / kAlignment * kAlignment);
        std::memcpy(place, static_cast<const char*>(host) + at, n);
        check(cudaMemcpyAsync(static_cast<char*>(device) + at, place, n, cudaMemcpyHostToDevice,
                              stream),
              "copy to the device");
        check(cudaEventRecord(b.done, stream), "copy to the device");
    }
}

void Staging::toHost(const void* device, void* host, std::size_t bytes, cudaStream_t stream)
{
    // One buffer is emptied by the host while the other is filled.
    const auto collect = [&](Buffer& b, std::size_t at, std::size_t n) {
        check(cudaEventSynchronize(b.done), "copy to the host");
        std::memcpy(static_cast<char*>(host) + at, b.data, n);
    };
    Buffer* filling = nullptr;
    std::size_t fillingAt = 0, fillingBytes = 0;
    for (std::size_t at = 0; at < bytes; at += size_) {
        const std::size_t n = std::min(size_, bytes - at);
        Buffer& b = next();
        check(cudaMemcpyAsync(b.data, static_cast<const char*>(device) + at, n,
                              cudaMemcpyDeviceToHost, stream),
              "copy to the host");
        check(cudaEventRecord(b.done, stream), "copy to the host");
        if (filling != nullptr)
            collect(*filling, fillingAt, fillingBytes);
        used_ = size_; // its content is not collected yet
        filling = &b;
        fillingAt = at;
        fillingBytes = n;
    }
    if (filling != nullptr)
        collect(*filling, fillingAt, fillingBytes);
}

} // namespace scalebench::cuda_backend
