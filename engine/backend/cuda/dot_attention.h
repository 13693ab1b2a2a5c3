// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Scaled dot product attention on CUDA: its part of the attention family.

#include "engine/backend/cuda/cuda_context.h"
#include "engine/backend/ops/dot_attention.h"
#include "kernels/cuda/attention.h"

#include <list>

namespace scalebench::cuda_backend {

class DotAttention
{
public:
    explicit DotAttention(CudaContext& context) : context_(context) {}

    DotAttentionResult forward(const DotAttentionArgs& args, const TokenColumns& query,
                               const TokenColumns& key, const TokenColumns& value, bool keep);
    void backward(const DotAttentionArgs& args, const TokenColumns& query, const TokenColumns& key,
                  const TokenColumns& value, const DotAttentionResult& forward,
                  const Tensor& gradOutput, const DotAttentionGradients& gradients);

private:
    /// A mask that is in device memory. The pointer keeps its address from being used again.
    struct DeviceMask {
        AttentionMask mask;
        Tensor segments;
        kernels::cuda::SegmentList list;
        bool captured = false; ///< a graph may read the segments for as long as it exists
    };
    /// Uploads once per mask and per run of equal masks; the latest ones are kept.
    const kernels::cuda::SegmentList& onDevice(const AttentionMask& mask);
    kernels::cuda::AttentionDevice device() const;

    CudaContext& context_;
    std::list<DeviceMask> masks_; ///< latest first
};

} // namespace scalebench::cuda_backend
