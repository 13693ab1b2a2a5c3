// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/additive_attention.h"

namespace scalebench::autograd {

Variable additiveAttention(Tape& tape, const Variable& query, const Variable& key,
                           const Variable& value, const AdditiveAttentionRefs& refs,
                           const Tensor& lengths, Tensor* probabilitiesOut)
{
    Backend& backend = tape.backend();
    const AdditiveAttentionArgs args{
        query.value(),    key.value(),     value.value(), refs.weight.value,
        refs.scale.value, refs.bias.value, lengths};
    Tensor probabilities;
    const bool keep = tape.recording() || probabilitiesOut != nullptr;
    Tensor context =
        backend.attention().additiveAttentionForward(args, keep ? &probabilities : nullptr);
    if (probabilitiesOut != nullptr)
        *probabilitiesOut = probabilities;
    if (!tape.recording())
        return Variable(std::move(context));
    for (const ParameterRef* p : {&refs.bias, &refs.scale, &refs.weight})
        if (p->defined())
            tape.useParameter(p->index);
    return tape.record("additive attention", std::move(context), true,
                       [&tape, &backend, args, probabilities, refs, q = query.slot(),
                        k = key.slot(), v = value.slot()](std::vector<Tensor> grads) {
                           const Tensor dy = backend.elementwise().sum(std::move(grads));
                           AdditiveAttentionInputGradients g =
                               backend.attention().additiveAttentionBackward(
                                   args, probabilities, dy,
                                   {refs.weight.gradient, refs.scale.gradient, refs.bias.gradient,
                                    tape.accumulateInto(refs.weight.index)});
                           for (const ParameterRef* p : {&refs.bias, &refs.scale, &refs.weight})
                               if (p->defined())
                                   tape.parameterReady(p->index);
                           Tape::addGradient(q, std::move(g.query));
                           Tape::addGradient(k, std::move(g.key));
                           Tape::addGradient(v, std::move(g.value));
                       });
}

} // namespace scalebench::autograd
