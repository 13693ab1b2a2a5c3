// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/host_read.h"

#include <new>

#include "kernels/cuda/check.h"

namespace scalebench::cuda_backend {

using kernels::cuda::check;

HostRead::HostRead()
{
    check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "event for a result");
    void* pinned = nullptr;
    const cudaError_t got = cudaMallocHost(&pinned, sizeof(Content));
    if (got != cudaSuccess)
        (void)cudaEventDestroy(done_); // no destructor will
    check(got, "pinned memory for a result");
    content_ = ::new (pinned) Content{};
}

HostRead::~HostRead()
{
    (void)cudaEventDestroy(done_);
    (void)cudaFreeHost(content_);
}

std::shared_ptr<HostRead> HostReads::take()
{
    for (const auto& read : all_)
        if (read.use_count() == 1) {
            // Whoever gave it back may not have waited for it.
            check(cudaEventSynchronize(read->done()), "a result");
            return read;
        }
    return all_.emplace_back(std::make_shared<HostRead>());
}

} // namespace scalebench::cuda_backend
