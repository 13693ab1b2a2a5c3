// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention masks in device memory.

#include "engine/backend/cuda/cuda_context.h"
#include "engine/backend/ops/dot_attention.h"
#include "kernels/cuda/attention.h"

#include <list>

namespace scalebench::cuda_backend {

class AttentionMasks
{
public:
    explicit AttentionMasks(CudaContext& context) : context_(context) {}

    /// Uploads once per mask and per run of equal masks; the latest ones are kept.
    const kernels::cuda::SegmentList& onDevice(const AttentionMask& mask);

private:
    /// A mask that is in device memory. The pointer keeps its address from being used again.
    struct DeviceMask {
        AttentionMask mask;
        Tensor segments;
        kernels::cuda::SegmentList list;
        bool captured = false; ///< a graph may read the segments for as long as it exists
    };

    CudaContext& context_;
    std::list<DeviceMask> masks_; ///< latest first
};

} // namespace scalebench::cuda_backend
