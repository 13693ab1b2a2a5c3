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

Variable frozenBatchNorm(Tape& tape, const BatchNormArgs& args, const Variable& input,
                         const Variable& residual, const ParameterRef& gamma,
                         const ParameterRef& beta, const Tensor& runningMean,
                         const Tensor& runningVar)
{
    NormalizationOps& ops = tape.backend().normalization();
    const Tensor& x = input.value();
    Tensor y = ops.batchNormInference(args, x, residual.value(), gamma.value, beta.value,
                                      runningMean, runningVar);
    const bool trained = gamma.gradient.defined();
    SB_REQUIRE(trained == beta.gradient.defined(),
               "frozen batch norm: gamma and beta must be trained or frozen together");
    const bool hasResidual = residual.value().defined();
    const Tensor kept = args.relu ? y : Tensor();
    const bool needs = trained || input.needsGradient() || residual.needsGradient();
    auto pass = [inSlot = input.slot(), resSlot = residual.slot()](BatchNormGradients g) {
        Tape::addGradient(inSlot, std::move(g.input));
        if (g.residual.defined())
            Tape::addGradient(resSlot, std::move(g.residual));
    };
    if (!trained)
        return tape.record(
            "frozen batch norm", std::move(y), needs,
            [&ops, args, kept, hasResidual, gamma, runningVar, pass](std::vector<Tensor> grads) {
                pass(ops.frozenBatchNormBackward(args, kept, hasResidual, std::move(grads),
                                                 gamma.value, runningVar));
            });
    if (tape.recording())
        for (int index : {gamma.index, beta.index})
            tape.useParameter(index);
    return tape.record("frozen batch norm", std::move(y), needs,
                       [&tape, &ops, args, x, kept, hasResidual, gamma, beta, runningMean,
                        runningVar, pass](std::vector<Tensor> grads) {
                           pass(ops.batchNormBackward(
                               args, x, kept, hasResidual, std::move(grads), gamma.value,
                               beta.value, ops.fixedStatistics(args, runningMean, runningVar), {},
                               gamma.gradient, beta.gradient, tape.accumulateInto(gamma.index)));
                           tape.parameterReady(beta.index);
                           tape.parameterReady(gamma.index);
                       });
}

} // namespace scalebench::autograd
