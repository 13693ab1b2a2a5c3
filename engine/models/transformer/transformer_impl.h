// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parameters of a Transformer: for the whole pass (transformer.cpp) and for one step at a time
// (transformer_decoder.cpp).

#include "engine/models/transformer/positions.h"
#include "engine/models/transformer/transformer.h"
#include "engine/nn/transformer_layers.h"

#include <cstdint>
#include <vector>

namespace scalebench {

// Parameters are declared in the order forward uses them (ParameterSet). The norm in front of a
// sublayer is computed together with the residual sum that ends the one before, which keeps that
// order.

struct TransformerEncoderLayer {
    LayerNorm selfNorm;
    SelfAttention self;
    LayerNorm feedForwardNorm;
    FeedForward feedForward;
};
struct TransformerDecoderLayer {
    LayerNorm selfNorm;
    SelfAttention self;
    LayerNorm crossNorm;
    CrossAttention cross;
    LayerNorm feedForwardNorm;
    FeedForward feedForward;
};

struct Transformer::Impl {
    TransformerConfig config;
    ComputePrecision precision;
    ParameterSet parameters;
    int sourceTable = -1, targetTable = -1, outputTable = -1;
    std::vector<TransformerEncoderLayer> encoder;
    LayerNorm encoderNorm;
    std::vector<TransformerDecoderLayer> decoder;
    LayerNorm decoderNorm;
    mutable PositionTable positions; ///< a cache: grows with what is asked for

    Impl(const TransformerConfig& c, Backend& backend, Precision requested);
    void initialise(std::uint64_t seed);
    /// Token embedding times sqrt(hidden): [tokens, hidden].
    Variable embed(Tape& tape, int table, const Tensor& tokens) const;
    /// Source I32 [B,S], on the device -> [B*S,hidden].
    Variable encode(Tape& tape, const Tensor& source, const AttentionMask& mask,
                    float dropout) const;
    /// Logits in the type of activations.
    Variable classify(Tape& tape, const Variable& normalised) const;
};

} // namespace scalebench
