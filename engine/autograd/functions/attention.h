// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Scaled dot product attention, layer normalisation and softmax on the tape.

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

/// heads * headDim columns of a matrix of tokens [..., width], from `offset`.
struct HeadColumns {
    Variable tokens;
    std::int64_t offset = 0;
};

/// softmax(scale q k^T + mask) v per head: [..., heads * headDim] with the leading axes of the
/// query. With args.dropout > 0 a mask is drawn from the tape (call it so in training only).
/// Operands that are columns of one variable get one gradient tensor; none of its columns may serve
/// twice.
Variable dotAttention(Tape& tape, DotAttentionArgs args, const HeadColumns& query,
                      const HeadColumns& key, const HeadColumns& value);

/// gamma * (input - mean) / sqrt(variance + epsilon) + beta over the last axis.
Variable layerNorm(Tape& tape, const LayerNormArgs& args, const Variable& input,
                   const ParameterRef& gamma, const ParameterRef& beta);

struct SumAndNorm {
    Variable sum;    ///< input + residual
    Variable output; ///< normalised
};
/// The same of input + residual, in one pass each way.
SumAndNorm addLayerNorm(Tape& tape, const LayerNormArgs& args, const Variable& input,
                        const Variable& residual, const ParameterRef& gamma,
                        const ParameterRef& beta);

/// Over the last axis.
Variable softmax(Tape& tape, const Variable& input);

} // namespace scalebench::autograd
