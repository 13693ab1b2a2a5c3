// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sum or mean of the table rows of each bag of ids, as torch.nn.EmbeddingBag: bag b holds the ids
// from offsets[b] to the next offset (the last bag: to the end) and may be empty (a row of zeros).
// Ids equal to the padding count neither in the sum nor in the mean.

#include <cstdint>

#include "kernels/embedding.h"

namespace scalebench {

struct EmbeddingBagParams {
    EmbeddingParams ids;   ///< n ids in all bags together; dtype of y and dy
    std::int64_t bags = 0; ///< rows of y
    bool mean = false;     ///< else the sum
};

namespace kernels::cpu {

/// True when offsets [bags] start at 0, never fall and stay within n.
bool embeddingBagOffsetsValid(const EmbeddingBagParams& p, const std::int32_t* offsets);

/// table [rows,dim] F32 -> y [bags,dim], summed in fp32, overwritten.
void embeddingBagForward(const EmbeddingBagParams& p, const float* table, const std::int32_t* ids,
                         const std::int32_t* offsets, void* y);

/// What the gradients of kernels/embedding.h take as source [n] (bag of each id) and weight [bags]
/// (1, or 1 / ids that count for the mean).
void embeddingBagSources(const EmbeddingBagParams& p, const std::int32_t* ids,
                         const std::int32_t* offsets, std::int32_t* source, float* weight);

} // namespace kernels::cpu
} // namespace scalebench
