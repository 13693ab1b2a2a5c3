// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/recurrent.h"

#include <algorithm>
#include <cmath>

#include "engine/nn/initialise.h"
#include "engine/nn/layers.h"

namespace scalebench {

LstmLayer::LstmLayer(ParameterSet& parameters, const std::string& name, std::int64_t in,
                     std::int64_t hidden, bool bidirectional)
{
    for (int d = 0; d < (bidirectional ? 2 : 1); ++d) {
        const std::string end = d == 1 ? "_l0_reverse" : "_l0";
        Direction p;
        p.inputWeight = parameters.addParameter(name + ".weight_ih" + end, {4 * hidden, in}, true);
        p.recurrentWeight =
            parameters.addParameter(name + ".weight_hh" + end, {4 * hidden, hidden}, true);
        p.inputBias = parameters.addParameter(name + ".bias_ih" + end, {4 * hidden}, false);
        p.recurrentBias = parameters.addParameter(name + ".bias_hh" + end, {4 * hidden}, false);
        directions_.push_back(p);
    }
}

autograd::LstmVariables LstmLayer::operator()(Tape& tape, const ParameterSet& parameters,
                                              const Variable& input, const Tensor& lengths,
                                              const autograd::LstmStates& initial) const
{
    tape.enterLayer(parameters.parameters()[std::size_t(directions_.at(0).inputWeight)].name);
    std::vector<autograd::LstmRefs> refs;
    for (const Direction& d : directions_)
        refs.push_back(
            {reference(parameters, d.inputWeight), reference(parameters, d.recurrentWeight),
             reference(parameters, d.inputBias), reference(parameters, d.recurrentBias)});
    return autograd::lstm(tape, input, refs, lengths, initial);
}

void LstmLayer::initialise(ParameterSet& parameters, std::uint64_t seed, float bound) const
{
    for (const Direction& d : directions_) {
        for (const int p : {d.inputWeight, d.recurrentWeight, d.inputBias})
            fillUniform(parameters, p, seed, bound);
        std::ranges::fill(parameters.value(d.recurrentBias).f32(), 0.0f);
    }
}

AdditiveAttentionLayer::AdditiveAttentionLayer(ParameterSet& parameters, const std::string& name,
                                               std::int64_t query, std::int64_t key,
                                               std::int64_t units)
    : query_(parameters.addParameter(name + ".linear_q.weight", {units, query}, true)),
      key_(parameters.addParameter(name + ".linear_k.weight", {units, key}, true)),
      weight_(parameters.addParameter(name + ".linear_att", {units}, true)),
      scale_(parameters.addParameter(name + ".normalize_scalar", {1}, false)),
      bias_(parameters.addParameter(name + ".normalize_bias", {units}, false))
{
}

Variable AdditiveAttentionLayer::operator()(Tape& tape, const ParameterSet& parameters,
                                            const Variable& query, const Variable& keys,
                                            const Tensor& lengths) const
{
    tape.enterLayer(parameters.parameters()[std::size_t(query_)].name);
    const Variable q = autograd::linearLike(tape, query, reference(parameters, query_), {});
    const Variable k = projectedKeys(tape, parameters, keys);
    return look(tape, parameters, q, k, keys, lengths, nullptr);
}

Variable AdditiveAttentionLayer::projectedKeys(Tape& tape, const ParameterSet& parameters,
                                               const Variable& keys) const
{
    return autograd::linearLike(tape, keys, reference(parameters, key_), {});
}

Variable AdditiveAttentionLayer::attend(Tape& tape, const ParameterSet& parameters,
                                        const Variable& query, const Variable& projectedKeys,
                                        const Variable& values, const Tensor& lengths,
                                        Tensor* probabilities) const
{
    const Variable q = autograd::linearLike(tape, query, reference(parameters, query_), {});
    return look(tape, parameters, q, projectedKeys, values, lengths, probabilities);
}

Variable AdditiveAttentionLayer::look(Tape& tape, const ParameterSet& parameters,
                                      const Variable& query, const Variable& projectedKeys,
                                      const Variable& values, const Tensor& lengths,
                                      Tensor* probabilities) const
{
    return autograd::additiveAttention(tape, query, projectedKeys, values,
                                       {reference(parameters, weight_),
                                        reference(parameters, scale_),
                                        reference(parameters, bias_)},
                                       lengths, probabilities);
}

void AdditiveAttentionLayer::initialise(ParameterSet& parameters, std::uint64_t seed,
                                        float bound) const
{
    for (const int p : {query_, key_, weight_})
        fillUniform(parameters, p, seed, bound);
    const double units = double(parameters.value(weight_).count());
    parameters.value(scale_).f32()[0] = float(1.0 / std::sqrt(units));
    std::ranges::fill(parameters.value(bias_).f32(), 0.0f);
}

} // namespace scalebench
