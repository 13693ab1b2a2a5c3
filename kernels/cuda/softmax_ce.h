// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Softmax cross-entropy with label smoothing on a GPU: as kernels/softmax_ce.h.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/bad_index.h"
#include "kernels/cuda/loss_target.h"
#include "kernels/softmax_ce.h"

namespace scalebench::kernels::cuda {

/// logits [N,classes] F32, BF16 or F16; labels [N] I32, negative or ignoreLabel leaves a row out
/// (its gradient is 0), as does one beyond the classes, which is noted in `bad`. dlogits: as
/// logits, overwritten; may be null or logits itself. Device memory, queued on `stream`; results
/// repeat bit for bit. scratch: kLossScratchBytes, 8-byte aligned.
void softmaxCrossEntropy(const SoftmaxCeParams& p, const void* logits, const std::int32_t* labels,
                         void* dlogits, const LossTarget& target, BadIndex bad, void* scratch,
                         cudaStream_t stream);

} // namespace scalebench::kernels::cuda
