// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Arguments of scaled dot product attention. Operands are columns of token matrices, taken in
// place: a tensor [..., width], whose leading axes together number the tokens, and the column where
// the first head begins; so the three parts of a joint projection need no copies.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/tensor/tensor.h"
#include "kernels/attention.h"

namespace scalebench {

/// heads * headDim columns of a tensor of tokens.
struct TokenColumns {
    Tensor tokens;
    std::int64_t offset = 0; ///< first column
};

/// Which queries see which keys: kernels/attention.h. Shared by the layers of a pass.
using AttentionMask = std::shared_ptr<const std::vector<AttentionSegment>>;

struct DotAttentionArgs {
    std::int64_t heads = 1, headDim = 64;
    float scale = 0.0f; ///< of the products; 0: 1 / sqrt(headDim)
    bool causal = false;
    AttentionMask mask;
    float dropout = 0.0f;         ///< of the probabilities
    std::uint64_t dropoutKey = 0; ///< Tape::drawRandomKey(); 0: drawn by autograd
};

struct DotAttentionResult {
    Tensor output;    ///< [..., heads * headDim], leading axes of the query
    Tensor logSumExp; ///< F32 [heads, tokens], for the backward
    Tensor kept;      ///< likewise, where the device computes or draws once: in a form of its own
};

/// Gradients go into these, at the operands' offsets; several may be one tensor.
struct DotAttentionGradients {
    TokenColumns query, key, value;
};

/// `batch` sentences of `queries` and `keys` tokens. keyLengths: how many of the keys of each
/// sentence are real (the rest is padding); empty: all. InvalidArgument for a wrong length.
AttentionMask sentenceMask(std::int64_t batch, std::int64_t queries, std::int64_t keys,
                           std::span<const std::int32_t> keyLengths = {});

/// Packed sequences: segment i has query rows queryOffsets[i] ... queryOffsets[i + 1] and key rows
/// keyOffsets[i] ... keyOffsets[i + 1]. InvalidArgument unless both rise and have one size.
AttentionMask packedMask(std::span<const std::int32_t> queryOffsets,
                         std::span<const std::int32_t> keyOffsets);

} // namespace scalebench
