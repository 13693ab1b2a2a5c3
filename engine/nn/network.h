// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the trainer needs of any image classification network: a forward pass recorded on a tape,
// and its parameters. Networks contain forward code only.

#include <functional>

#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"
#include "engine/nn/parameter_set.h"

namespace scalebench {

class Network
{
public:
    virtual ~Network() = default;

    /// input: [N,H,W,3] NHWC, F32 or BF16, normalised. Returns logits [N,classes], F32.
    /// training: batch statistics (running ones are updated); else running statistics.
    virtual Variable forward(Tape& tape, const Tensor& input, bool training) = 0;

    virtual ParameterSet& parameters() noexcept = 0;
    virtual const ComputePrecision& precision() const noexcept = 0;

    /// Batch-norm statistics over all workers from now on; empty: each worker its own. All workers
    /// must run forward and backward in step, with the same batch size.
    virtual void setStatReducer(StatReducer reducer) = 0;
};

} // namespace scalebench
