// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Recurrent layers of a backend: LSTM as torch.nn.LSTM (gate order i, f, g, o; two biases that add
// up), time-major. Everything is in the type of the input, F32 or BF16, but cell states, weights
// and their gradients, which are F32. D is 1, or 2 for a bidirectional layer, whose second
// direction runs backwards in time and gives the second half of each output row.

#include <span>

#include "engine/backend/ops/weight_ref.h"
#include "engine/tensor/tensor.h"

namespace scalebench {

/// One direction. I input, H hidden size.
struct LstmWeights {
    WeightRef input;                 ///< [4H,I]
    WeightRef recurrent;             ///< [4H,H]
    Tensor inputBias, recurrentBias; ///< [4H]; may be undefined
};

/// Where the gradients of one direction's weights go: overwritten, or added to with `accumulate`.
struct LstmWeightGradients {
    Tensor input, recurrent;
    Tensor inputBias, recurrentBias; ///< may be undefined
    bool accumulate = false;
};

/// States or their gradients: hidden and cell [D,B,H]; either may be undefined, which means zero.
struct LstmState {
    Tensor hidden, cell;
};

/// Outputs or their gradients.
struct LstmOutput {
    Tensor output;   ///< [T,B,D*H]
    LstmState final; ///< after each sequence's last step
};

/// What lstmForward keeps for lstmBackward.
struct LstmSaved {
    Tensor cell;  ///< F32 [D,T,B,H]
    Tensor gates; ///< [D,T,B,4H]
};

struct LstmGradients {
    Tensor input;      ///< [T,B,I]; undefined when not asked for
    LstmState initial; ///< each undefined when the initial state was
};

class RecurrentOps
{
public:
    virtual ~RecurrentOps() = default;

    /// input [T,B,I] (finite also in padding); lengths I32 [B] in [0,T], may be undefined (all T):
    /// positions t >= lengths[b] leave the state alone and give zero output.
    virtual LstmOutput lstmForward(const Tensor& input, std::span<const LstmWeights> directions,
                                   const Tensor& lengths, const LstmState& initial,
                                   LstmSaved& saved) = 0;
    /// `output` and `saved` as forward left them; saved.gates is consumed (overwritten).
    virtual LstmGradients lstmBackward(const Tensor& input, const Tensor& output,
                                       std::span<const LstmWeights> directions,
                                       const Tensor& lengths, const LstmState& initial,
                                       const LstmSaved& saved, const LstmOutput& gradOutput,
                                       std::span<const LstmWeightGradients> gradWeights,
                                       bool needInputGradient) = 0;
};

} // namespace scalebench
