// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layers of networks built from attention. As layers.h: declared when constructed, in the order in
// which forward uses them; the indices of the parameters are public for forms of the pass that a
// network writes itself (decoding with kept keys and values).
//
// `dropout` arguments are probabilities; 0 draws nothing (evaluation).

#include "engine/autograd/functions.h"
#include "engine/nn/parameter_set.h"

#include <cstdint>
#include <string>

namespace scalebench {

/// The input itself for probability 0.
Variable dropped(Tape& tape, const Variable& input, float probability);

/// Layer normalisation over the last axis: "<name>.weight" (scale), "<name>.bias" (shift).
struct LayerNorm {
    int gamma = -1, beta = -1;
    LayerNormArgs args;

    LayerNorm() = default;
    LayerNorm(ParameterSet& parameters, const std::string& name, std::int64_t hidden,
              const LayerNormArgs& normArgs = {});
    Variable operator()(Tape& tape, const ParameterSet& parameters, const Variable& input) const;
    /// Of input + residual, in one pass.
    autograd::SumAndNorm operator()(Tape& tape, const ParameterSet& parameters,
                                    const Variable& input, const Variable& residual) const;
    /// Scale 1; shift stays 0.
    void initialise(ParameterSet& parameters) const;
};

/// "<name>.weight" [out,in] and, where biased, "<name>.bias" [out]; in the type of activations.
/// `stacked` matrices of one size may lie behind each other along `out` (queries, keys, values):
/// ParameterSet::stack().
struct Projection {
    int weight = -1, bias = -1, parts = 1;

    Projection() = default;
    Projection(ParameterSet& parameters, const std::string& name, std::int64_t in, std::int64_t out,
               bool biased, int stacked = 1);
    Variable operator()(Tape& tape, const ParameterSet& parameters, const Variable& input,
                        Activation activation = Activation::None) const;
    /// Glorot uniform of each of the stacked matrices; the bias stays 0.
    void initialiseGlorot(ParameterSet& parameters, std::uint64_t seed) const;
};

/// outer(dropout(activation(inner(x)))), both with bias: "<name>.inner", "<name>.outer".
struct FeedForward {
    Projection inner, outer;
    Activation activation = Activation::Relu;

    FeedForward() = default;
    FeedForward(ParameterSet& parameters, const std::string& name, std::int64_t hidden,
                std::int64_t width, Activation act);
    Variable operator()(Tape& tape, const ParameterSet& parameters, const Variable& input,
                        float dropout) const;
    void initialiseGlorot(ParameterSet& parameters, std::uint64_t seed) const;
};

/// Multi-head attention of a sequence to itself: one projection gives queries, keys and values
/// ("<name>.qkv"), another takes the heads' results ("<name>.out"). Dropout is of the
/// probabilities.
struct SelfAttention {
    Projection qkv, out;
    std::int64_t heads = 1, hidden = 0;

    SelfAttention() = default;
    SelfAttention(ParameterSet& parameters, const std::string& name, std::int64_t width,
                  std::int64_t headCount, bool biased);
    Variable operator()(Tape& tape, const ParameterSet& parameters, const Variable& input,
                        const AttentionMask& mask, bool causal, float dropout) const;
    void initialiseGlorot(ParameterSet& parameters, std::uint64_t seed) const;
};

/// Multi-head attention to another sequence: "<name>.query", "<name>.kv", "<name>.out".
struct CrossAttention {
    Projection query, keyValue, out;
    std::int64_t heads = 1, hidden = 0;

    CrossAttention() = default;
    CrossAttention(ParameterSet& parameters, const std::string& name, std::int64_t width,
                   std::int64_t headCount, bool biased);
    Variable operator()(Tape& tape, const ParameterSet& parameters, const Variable& input,
                        const Variable& memory, const AttentionMask& mask, float dropout) const;
    void initialiseGlorot(ParameterSet& parameters, std::uint64_t seed) const;
};

/// The residual stream of a stack whose sublayers are normalised before, not after. The norm in
/// front of a sublayer is computed together with the sum that ends the one before, which keeps the
/// parameters in the order of their use.
class PreNormStream
{
public:
    /// The stream is the input.
    PreNormStream(Tape& tape, const ParameterSet& parameters, float dropout, const Variable& input,
                  const LayerNorm& first);
    /// Adds what a sublayer gave, after dropout, and normalises for the next.
    void add(const Variable& sublayer, const LayerNorm& next);
    const Variable& normalised() const { return normalised_; }

private:
    Tape& tape_;
    const ParameterSet& parameters_;
    float dropout_;
    Variable stream_, normalised_;
};

} // namespace scalebench
