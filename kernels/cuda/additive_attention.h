// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Additive attention on the device; formula and operands: kernels/additive_attention.h. tanh is
// computed again in each of the two passes of backward, which own the rows of dq and of dk: no
// atomics, the same bits every run. F32, BF16 and F16.

#include <cuda_runtime.h>

#include "kernels/additive_attention.h"
#include "kernels/cuda/bad_index.h"

namespace scalebench::kernels::cuda {

/// Bytes of scratch of each of the calls below.
std::size_t additiveAttentionForwardScratch(const AdditiveAttentionParams& p);
std::size_t additiveAttentionBackwardScratch(const AdditiveAttentionParams& p);

/// probabilities [B,Tq,Tk] and context [Tq,B,V] are overwritten. A length outside [0,Tk] is noted
/// in `bad` (position: the sequence) and taken as the nearest bound. Unsupported where the scores
/// of a query do not fit into `sharedBytes`, the shared memory of a block.
void additiveAttentionForward(const AdditiveAttentionParams& p, const AdditiveAttentionInputs& in,
                              void* probabilities, void* context, void* scratch, BadIndex bad,
                              std::size_t sharedBytes, cudaStream_t stream);
/// All of out.dq, out.dk and out.dvalue must be given.
void additiveAttentionBackward(const AdditiveAttentionParams& p, const AdditiveAttentionInputs& in,
                               const void* probabilities, const void* dcontext,
                               const AdditiveAttentionGradients& out, void* scratch, BadIndex bad,
                               cudaStream_t stream);

} // namespace scalebench::kernels::cuda
