// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/ssd/multibox_loss.h"

#include "engine/backend/backend.h"

#include <memory>
#include <utility>
#include <vector>

namespace scalebench {
namespace {

/// Hands a gradient that is there already on, times what comes from above.
void handOn(Backend& backend, const Tensor& outer, const Tensor& gradient,
            const std::shared_ptr<GradientSlot>& slot)
{
    if (!gradient.defined() || !slot)
        return;
    ElementwiseOps& ops = backend.elementwise();
    Tape::addGradient(slot, outer.defined() ? ops.binaryForward(BinaryOp::Multiply, gradient,
                                                                ops.cast(outer, gradient.dtype()))
                                            : gradient);
}

} // namespace

LossResult multiboxLoss(Tape& tape, const Variable& logits, const Variable& deltas,
                        const Tensor& labels, const Tensor& targets, const MultiboxParams& params)
{
    const bool needs = tape.recording() && logits.needsGradient() && deltas.needsGradient();
    Tensor toLogits, toDeltas;
    LossOutput out = tape.backend().loss().multiboxLoss(logits.value(), deltas.value(), labels,
                                                        targets, params, needs, toLogits, toDeltas);
    return {tape.record("multibox loss", std::move(out.value), needs,
                        [&tape, toLogits, toDeltas, logitSlot = logits.slot(),
                         deltaSlot = deltas.slot()](std::vector<Tensor> grads) {
                            Backend& device = tape.backend();
                            Tensor outer;
                            if (grads.size() != 1 || !tape.isSeed(grads[0]))
                                outer = device.elementwise().sum(std::move(grads));
                            handOn(device, outer, toLogits, logitSlot);
                            handOn(device, outer, toDeltas, deltaSlot);
                        }),
            std::move(out.sums)};
}

} // namespace scalebench
