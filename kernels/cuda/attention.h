// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Scaled dot product attention on the device; operands, masks and numbering of the dropout elements
// as kernels/attention.h says. FlashAttention-2 (Dao 2023, arXiv 2307.08691): a running softmax
// over tiles of keys forward, the probabilities computed again backward. The gradients take two
// passes, one over the queries for dQ and one over the keys for dK and dV, each with one owner per
// row: no atomics, the same bits every run.
//
// Two implementations: products on tensor cores (bf16 and fp16, heads of 64 or 128, compute
// capability 8.0, operands on 16-byte boundaries) and in fp32 arithmetic for all else. Both round
// the probabilities of 16-bit types only where the product takes 16-bit operands.

#include <cuda_runtime.h>

#include "kernels/attention.h"

namespace scalebench::kernels::cuda {

/// A mask in device memory and what the host knows of it.
struct SegmentList {
    const AttentionSegment* segments = nullptr; ///< device memory
    std::int64_t count = 0;
    std::int64_t maxQueries = 0, maxKeys = 0; ///< of one segment
    std::int64_t queries = 0, keys = 0;       ///< of all
};

/// What the implementation is chosen by.
struct AttentionDevice {
    int major = 8;               ///< compute capability
    std::size_t sharedBytes = 0; ///< that a block may have
};

/// The largest head that these kernels take.
constexpr std::int64_t kMaxHeadDim = 256;

/// o and logSumExp (may be null) are overwritten, all rows of all heads; so is f.kept, of
/// attentionKeptBytes(). Unsupported for heads over kMaxHeadDim or more heads than a grid has rows.
void attentionForward(const AttentionParams& p, const SegmentList& list, const AttentionForward& f,
                      void* workspace, const AttentionDevice& device, cudaStream_t stream);

/// Bytes by which the backward is spared drawing dropout again, 16-byte aligned: a bit for each
/// query and key of its segment. 0 where there is no dropout or where kernels draw as they go.
std::size_t attentionKeptBytes(const AttentionParams& p, const SegmentList& list,
                               const AttentionForward& f, const AttentionDevice& device);
/// Bytes of scratch that they need, 16-byte aligned.
std::size_t attentionForwardWorkspace(const AttentionParams& p, const SegmentList& list);
std::size_t attentionBackwardWorkspace(const AttentionParams& p, const SegmentList& list);
/// dq, dk and dv are overwritten: the columns of the heads, all rows. As attentionForward(); also
/// Unsupported where the device has too little shared memory for the head.
void attentionBackward(const AttentionParams& p, const SegmentList& list,
                       const AttentionBackward& b, void* workspace, const AttentionDevice& device,
                       cudaStream_t stream);

} // namespace scalebench::kernels::cuda
