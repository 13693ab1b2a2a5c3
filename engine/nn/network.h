// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What training needs of a network: forward to the loss, recorded on a tape, and the parameters.
// Networks contain forward code only.

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/autograd/functions/owned_tables.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"
#include "engine/nn/loss.h"
#include "engine/nn/parameter_set.h"
#include "engine/tensor/batch.h"

namespace scalebench {

class Network
{
public:
    virtual ~Network() = default;

    /// Forward and loss of one micro-batch. training: batch statistics and dropout; else running
    /// statistics and none. `params.scale` as in LossParams.
    virtual LossResult loss(Tape& tape, const Batch& batch, const LossParams& params,
                            bool training) = 0;

    virtual ParameterSet& parameters() noexcept = 0;
    virtual const ComputePrecision& precision() const noexcept = 0;

    /// Batch-norm statistics over all workers from now on; empty: each worker its own. All workers
    /// must run forward and backward in step, with the same batch size. Networks without batch norm
    /// ignore it.
    virtual void setStatReducer(StatReducer) {}

    /// For networks with owned tables (ParameterSet): how their rows travel. All workers must run
    /// forward and backward in step, with the same batch size. Others ignore it.
    virtual void setRowExchange(std::shared_ptr<RowExchange>) {}
    /// Whether forward waits for the other workers: then none may run it alone.
    virtual bool forwardIsCollective() const { return false; }

    /// Whether training issues the same work for every batch of one shape: no random numbers but
    /// those of autograd::dropout(), no look at the numbers of a batch.
    virtual bool workFollowsShape() const { return fixedWork(); }
    /// That, and batches of an epoch have one shape.
    virtual bool fixedWork() const { return false; }
};

/// Batch: images [N,H,W,3] NHWC (F32 or BF16, normalised), labels [N] I32 (negative: left out).
class ImageClassifier : public Network
{
public:
    /// Returns logits [N,classes], F32. training: batch statistics (running ones are updated); else
    /// running statistics.
    virtual Variable forward(Tape& tape, const Tensor& images, bool training) = 0;

    bool fixedWork() const override { return true; }

    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params, bool training) final
    {
        Backend& backend = tape.backend();
        return softmaxCrossEntropy(tape,
                                   forward(tape, backend.upload(batch.tensors.at(0)), training),
                                   backend.upload(batch.tensors.at(1)), params);
    }
};

} // namespace scalebench
