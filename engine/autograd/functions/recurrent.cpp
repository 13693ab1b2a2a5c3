// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/recurrent.h"

#include <memory>
#include <vector>

namespace scalebench::autograd {
namespace {

std::vector<LstmWeights> weightsOf(const std::vector<LstmRefs>& refs)
{
    std::vector<LstmWeights> weights;
    for (const LstmRefs& r : refs)
        weights.push_back({{r.inputWeight.value, r.inputWeight.version},
                           {r.recurrentWeight.value, r.recurrentWeight.version},
                           r.inputBias.value,
                           r.recurrentBias.value});
    return weights;
}

/// In the order in which backward reports them.
std::vector<int> parametersOf(const std::vector<LstmRefs>& refs)
{
    std::vector<int> indices;
    for (auto r = refs.rbegin(); r != refs.rend(); ++r)
        for (const ParameterRef* p :
             {&r->recurrentBias, &r->inputBias, &r->recurrentWeight, &r->inputWeight})
            if (p->defined())
                indices.push_back(p->index);
    return indices;
}

/// What an LSTM's nodes share until its backward has run.
struct Pass {
    std::vector<LstmRefs> refs;
    Tensor input, output, lengths;
    LstmState initial;
    LstmSaved saved;
    LstmState gradFinal; ///< left here by the nodes of the final states
};

LstmGradients runBackward(Tape& tape, Pass& pass, Tensor gradOutput, bool needInput)
{
    std::vector<LstmWeightGradients> gradients;
    for (const LstmRefs& r : pass.refs)
        gradients.push_back({r.inputWeight.gradient, r.recurrentWeight.gradient,
                             r.inputBias.gradient, r.recurrentBias.gradient,
                             tape.accumulateInto(r.inputWeight.index)});
    return tape.backend().recurrent().lstmBackward(
        pass.input, pass.output, weightsOf(pass.refs), pass.lengths, pass.initial, pass.saved,
        {std::move(gradOutput), pass.gradFinal}, gradients, needInput);
}

/// A node for a final state. It runs just before the layer's own node and leaves its gradient
/// there; when the output itself reaches no loss, an undefined gradient makes that node run all the
/// same.
Variable recordFinal(Tape& tape, Tensor value, const std::shared_ptr<Pass>& pass,
                     Tensor LstmState::*state, const std::shared_ptr<GradientSlot>& outputSlot)
{
    return tape.record(
        "lstm state", std::move(value), true,
        [&backend = tape.backend(), pass, state, outputSlot](std::vector<Tensor> grads) {
            pass->gradFinal.*state = backend.elementwise().sum(std::move(grads));
            if (outputSlot->pending.empty())
                Tape::addGradient(outputSlot, Tensor());
        });
}

} // namespace

LstmVariables lstm(Tape& tape, const Variable& input, std::span<const LstmRefs> directions,
                   const Tensor& lengths, const LstmStates& initial)
{
    auto pass = std::make_shared<Pass>();
    pass->refs.assign(directions.begin(), directions.end());
    pass->input = input.value();
    pass->lengths = lengths;
    pass->initial = {initial.hidden.value(), initial.cell.value()};
    LstmOutput r = tape.backend().recurrent().lstmForward(pass->input, weightsOf(pass->refs),
                                                          lengths, pass->initial, pass->saved);
    if (!tape.recording())
        return {Variable(r.output), {Variable(r.final.hidden), Variable(r.final.cell)}};
    pass->output = r.output;
    for (const int index : parametersOf(pass->refs))
        tape.useParameter(index);
    LstmVariables result;
    result.output =
        tape.record("lstm", std::move(r.output), true,
                    [&tape, pass, inputSlot = input.slot(), hiddenSlot = initial.hidden.slot(),
                     cellSlot = initial.cell.slot()](std::vector<Tensor> grads) {
                        Tensor dy = tape.backend().elementwise().sum(std::move(grads));
                        LstmGradients g =
                            runBackward(tape, *pass, std::move(dy), inputSlot != nullptr);
                        for (const int index : parametersOf(pass->refs))
                            tape.parameterReady(index);
                        Tape::addGradient(inputSlot, std::move(g.input));
                        if (g.initial.hidden.defined())
                            Tape::addGradient(hiddenSlot, std::move(g.initial.hidden));
                        if (g.initial.cell.defined())
                            Tape::addGradient(cellSlot, std::move(g.initial.cell));
                    });
    result.final.cell =
        recordFinal(tape, std::move(r.final.cell), pass, &LstmState::cell, result.output.slot());
    result.final.hidden = recordFinal(tape, std::move(r.final.hidden), pass, &LstmState::hidden,
                                      result.output.slot());
    return result;
}

} // namespace scalebench::autograd
