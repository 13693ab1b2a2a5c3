// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Arithmetic of two tensors with numpy's broadcasting on a GPU: as kernels/broadcast.h. Device
// memory, queued on `stream`; F32, BF16 or F16, arithmetic in fp32; results repeat bit for bit.

#include <cuda_runtime_api.h>

#include <cstddef>

#include "kernels/broadcast.h"
#include "kernels/reduce.h"

namespace scalebench::kernels::cuda {

/// y = a op b, contiguous in the shape of the result; y may be an operand of that shape.
void binaryForward(const BroadcastParams& p, const void* a, const void* b, void* y,
                   cudaStream_t stream);
/// Gradient of an operand that is not repeated: in the shape of the result, in p.dtype. Operands
/// that the derivative does not contain are not read. g may be dy.
void binaryBackward(const BroadcastParams& p, bool ofB, const void* a, const void* b,
                    const void* dy, void* g, cudaStream_t stream);

/// Bytes of scratch for binaryBackwardReduced().
std::size_t binaryBackwardScratchBytes(const ReduceParams& reduction);
/// Gradient of a repeated operand: summed over the axes where it repeats, from unrounded terms that
/// are computed where they are summed. reduction: a sum from the shape of the result to the
/// operand's (its input type is not looked at).
void binaryBackwardReduced(const BroadcastParams& p, bool ofB, const ReduceParams& reduction,
                           const void* a, const void* b, const void* dy, void* g, void* scratch,
                           cudaStream_t stream);

} // namespace scalebench::kernels::cuda
