// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A few bytes of the device on their way to the host, which goes on meanwhile: pinned memory and an
// event. Used again and again, because pinned memory takes long to get.

#include <cuda_runtime_api.h>

#include "kernels/cuda/bad_index.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace scalebench::cuda_backend {

class HostRead
{
public:
    static constexpr std::size_t kBytes = 64;
    struct Content {
        kernels::cuda::BadIndexNote note; ///< as of the same moment
        std::byte bytes[kBytes];
    };

    HostRead();
    ~HostRead();
    HostRead(const HostRead&) = delete;
    HostRead& operator=(const HostRead&) = delete;

    Content& content() { return *content_; } ///< pinned
    cudaEvent_t done() const { return done_; }

private:
    Content* content_ = nullptr;
    cudaEvent_t done_ = nullptr;
};

/// Keeps them all: to be destroyed when the device is idle.
class HostReads
{
public:
    /// One that nobody else holds, without a copy into it under way.
    std::shared_ptr<HostRead> take();

private:
    std::vector<std::shared_ptr<HostRead>> all_;
};

} // namespace scalebench::cuda_backend
