// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Recurrent layers on the tape.

#include <span>

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

/// The parameters of one direction of an LSTM layer: weights [4H,I] and [4H,H], biases [4H] (both
/// or none defined).
struct LstmRefs {
    ParameterRef inputWeight, recurrentWeight, inputBias, recurrentBias;
};

/// States: hidden [D,B,H] in the type of the input, cell [D,B,H] F32. A default Variable is zero.
struct LstmStates {
    Variable hidden, cell;
};

struct LstmVariables {
    Variable output; ///< [T,B,D*H]
    LstmStates final;
};

/// input [T,B,I], time-major; one direction, or two for a bidirectional layer (the second runs
/// backwards in time and fills the second half of each output row). lengths I32 [B], constant, may
/// be undefined: positions t >= lengths[b] leave the state alone and give zero output. `input` must
/// be finite there.
LstmVariables lstm(Tape& tape, const Variable& input, std::span<const LstmRefs> directions,
                   const Tensor& lengths = {}, const LstmStates& initial = {});

} // namespace scalebench::autograd
