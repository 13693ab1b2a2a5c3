// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Recurrent layers that own parameters, and the attention that goes with them. As layers.h.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/autograd/functions.h"
#include "engine/nn/parameter_set.h"

namespace scalebench {

/// One LSTM layer. Parameters are named as torch.nn.LSTM names those of a single layer:
/// "<name>.weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", and with "_reverse".
class LstmLayer
{
public:
    LstmLayer() = default;
    LstmLayer(ParameterSet& parameters, const std::string& name, std::int64_t in,
              std::int64_t hidden, bool bidirectional = false);
    /// input [T,B,in]; output [T,B,hidden] or, bidirectional, [T,B,2 hidden]. See autograd::lstm().
    autograd::LstmVariables operator()(Tape& tape, const ParameterSet& parameters,
                                       const Variable& input, const Tensor& lengths = {},
                                       const autograd::LstmStates& initial = {}) const;
    /// Uniform in +-bound, recurrent biases zero (the two biases add up).
    void initialise(ParameterSet& parameters, std::uint64_t seed, float bound) const;

private:
    struct Direction {
        int inputWeight = -1, recurrentWeight = -1, inputBias = -1, recurrentBias = -1;
    };
    std::vector<Direction> directions_;
};

/// Normalised additive attention with its two projections (no bias): "<name>.linear_q.weight",
/// "linear_k.weight", "linear_att", "normalize_scalar", "normalize_bias".
class AdditiveAttentionLayer
{
public:
    AdditiveAttentionLayer() = default;
    AdditiveAttentionLayer(ParameterSet& parameters, const std::string& name, std::int64_t query,
                           std::int64_t key, std::int64_t units);
    /// query [Tq,B,query], keys [Tk,B,key], which are the values too; returns [Tq,B,key].
    Variable operator()(Tape& tape, const ParameterSet& parameters, const Variable& query,
                        const Variable& keys, const Tensor& lengths) const;
    /// The same in two parts, for queries that come one after the other. `probabilities` as
    /// autograd::additiveAttention().
    Variable projectedKeys(Tape& tape, const ParameterSet& parameters, const Variable& keys) const;
    Variable attend(Tape& tape, const ParameterSet& parameters, const Variable& query,
                    const Variable& projectedKeys, const Variable& values, const Tensor& lengths,
                    Tensor* probabilities) const;
    /// Uniform in +-bound; scale 1 / sqrt(units), bias zero.
    void initialise(ParameterSet& parameters, std::uint64_t seed, float bound) const;

private:
    Variable look(Tape& tape, const ParameterSet& parameters, const Variable& query,
                  const Variable& projectedKeys, const Variable& values, const Tensor& lengths,
                  Tensor* probabilities) const;

    int query_ = -1, key_ = -1, weight_ = -1, scale_ = -1, bias_ = -1;
};

} // namespace scalebench
