// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/normalization.h"

#include "kernels/check.h"

namespace scalebench::autograd {

Variable batchNorm(Tape& tape, const BatchNormArgs& args, const Variable& input,
                   const Variable& residual, const ParameterRef& gamma, const ParameterRef& beta,
                   const Tensor& runningMean, const Tensor& runningVar, bool training,
                   const StatReducer& reducer)
{
    Backend& backend = tape.backend();
    const Tensor& x = input.value();
    const Tensor& z = residual.value();
    if (!training) {
        SB_REQUIRE(!tape.recording(), "batch norm with running statistics has no backward: use "
                                      "an inference tape");
        return Variable(backend.normalization().batchNormInference(
            args, x, z, gamma.value, beta.value, runningMean, runningVar));
    }
    BatchNormSaved saved;
    Tensor y = backend.normalization().batchNormForward(args, x, z, gamma.value, beta.value,
                                                        runningMean, runningVar, reducer, saved);
    if (!tape.recording())
        return Variable(std::move(y));
    const bool hasResidual = z.defined();
    // The output is read back only for the ReLU of a residual sum; else the input tells as much.
    Tensor kept = args.relu && hasResidual ? y : Tensor();
    return tape.record(
        "batch norm", std::move(y), true,
        [&tape, &backend, args, x, kept, hasResidual, inSlot = input.slot(),
         resSlot = residual.slot(), gamma, beta, saved, reducer](std::vector<Tensor> grads) {
            auto g = backend.normalization().batchNormBackward(
                args, x, kept, hasResidual, std::move(grads), gamma.value, beta.value, saved,
                reducer, gamma.gradient, beta.gradient, tape.accumulate());
            tape.parameterReady(beta.index);
            tape.parameterReady(gamma.index);
            Tape::addGradient(inSlot, std::move(g.input));
            if (hasResidual)
                Tape::addGradient(resSlot, std::move(g.residual));
        });
}

} // namespace scalebench::autograd
