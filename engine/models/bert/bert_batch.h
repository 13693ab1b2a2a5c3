// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What BERT derives from a batch (bert.h): who sees whom, and where everything begins.

#include "engine/backend/backend.h"
#include "engine/tensor/batch.h"

#include <cstdint>

namespace scalebench {

struct BertRows {
    AttentionMask mask;
    Tensor positions; ///< I32 [rows]: in its sequence; 0 outside of all
    Tensor firsts;    ///< I32 [N]: row of each sequence's first token
};

/// In host memory. InvalidArgument says what is wrong with the batch, for instance a sequence of
/// more than `positions` tokens.
BertRows rowsOf(const Batch& batch, std::int64_t positions, Backend& backend);

/// Tensor 6, or 1.
float wordFactor(const Batch& batch);

} // namespace scalebench
