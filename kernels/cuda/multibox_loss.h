// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SSD's loss on a GPU: as kernels/multibox_loss.h. The host learns nothing of what is chosen.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/bad_index.h"
#include "kernels/cuda/loss_target.h"
#include "kernels/multibox_loss.h"

namespace scalebench::kernels::cuda {

/// Four bytes a box and sixteen a picture beside kLossScratchBytes.
std::size_t lossScratchBytes(const MultiboxLossParams& p);

/// logits, deltas and their gradients (both or none null) are F32, BF16 or F16, computed in fp32. A
/// label outside [0,classes) is noted in `bad`, and its box left out. Boxes with equal logits have
/// equal losses to the bit. N * boxes below 2^31. Device memory, queued on `stream`; results repeat
/// bit for bit. scratch: lossScratchBytes(), 16-byte aligned.
void multiboxLoss(const MultiboxLossParams& p, const void* logits, const void* deltas,
                  const std::int32_t* labels, const float* targets, void* dlogits, void* ddeltas,
                  const LossTarget& target, BadIndex bad, void* scratch, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
