// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Losses on independent logits and on differences on a GPU: as kernels/sigmoid_loss.h and
// kernels/smooth_l1.h. Device memory, queued on `stream`; predictions are F32, BF16 or F16; results
// repeat bit for bit. scratch: kLossScratchBytes, 8-byte aligned.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/bad_index.h"
#include "kernels/cuda/loss_target.h"
#include "kernels/sigmoid_loss.h"
#include "kernels/smooth_l1.h"

namespace scalebench::kernels::cuda {

/// sum of w (softplus(z) - z t); dlogits = scale w (sigmoid(z) - t), may be null or logits itself.
/// targets, weights [n] F32; weights may be null (all 1).
void sigmoidCrossEntropy(const SigmoidCeParams& p, const void* logits, const float* targets,
                         const float* weights, void* dlogits, const LossTarget& target,
                         void* scratch, cudaStream_t stream);

/// Focal loss of logits [N,classes], labels [N] I32: a class, kFocalBackground or kFocalIgnored.
/// Others are noted in `bad` and count as ignored. dlogits as logits, may be null or logits itself.
void focalLoss(const FocalLossParams& p, const void* logits, const std::int32_t* labels,
               const float* weights, void* dlogits, const LossTarget& target, BadIndex bad,
               void* scratch, cudaStream_t stream);

/// predictions [N,width]; targets [N,width] F32; weights [N] F32 (null: all 1; rows of weight 0 may
/// hold anything). dpredictions as predictions, may be null or predictions itself.
void smoothL1(const SmoothL1Params& p, const void* predictions, const float* targets,
              const float* weights, void* dpredictions, const LossTarget& target, void* scratch,
              cudaStream_t stream);

} // namespace scalebench::kernels::cuda
