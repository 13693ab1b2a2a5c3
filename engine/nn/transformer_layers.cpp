// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/transformer_layers.h"

#include "engine/nn/initialise.h"
#include "engine/nn/layers.h"

#include <algorithm>
#include <utility>

namespace scalebench {
namespace {

DotAttentionArgs attentionArgs(std::int64_t heads, std::int64_t hidden, const AttentionMask& mask,
                               bool causal, float dropout)
{
    DotAttentionArgs args;
    args.heads = heads, args.headDim = hidden / heads;
    args.mask = mask, args.causal = causal, args.dropout = dropout;
    return args;
}

} // namespace

Variable dropped(Tape& tape, const Variable& input, float probability)
{
    return probability > 0.0f ? autograd::dropout(tape, input, probability) : input;
}

LayerNorm::LayerNorm(ParameterSet& parameters, const std::string& name, std::int64_t hidden,
                     const LayerNormArgs& normArgs)
    : gamma(parameters.addParameter(name + ".weight", {hidden}, false)),
      beta(parameters.addParameter(name + ".bias", {hidden}, false)),
      args(normArgs)
{
}

Variable LayerNorm::operator()(Tape& tape, const ParameterSet& parameters,
                               const Variable& input) const
{
    return autograd::layerNorm(tape, args, input, reference(parameters, gamma),
                               reference(parameters, beta));
}

autograd::SumAndNorm LayerNorm::operator()(Tape& tape, const ParameterSet& parameters,
                                           const Variable& input, const Variable& residual) const
{
    return autograd::addLayerNorm(tape, args, input, residual, reference(parameters, gamma),
                                  reference(parameters, beta));
}

void LayerNorm::initialise(ParameterSet& parameters) const
{
    std::ranges::fill(parameters.value(gamma).f32(), 1.0f);
}

Projection::Projection(ParameterSet& parameters, const std::string& name, std::int64_t in,
                       std::int64_t out, bool biased, int stacked)
    : weight(parameters.addParameter(name + ".weight", {out, in}, true)),
      bias(biased ? parameters.addParameter(name + ".bias", {out}, false) : -1),
      parts(stacked)
{
    parameters.stack(weight, stacked);
    if (biased)
        parameters.stack(bias, stacked);
}

Variable Projection::operator()(Tape& tape, const ParameterSet& parameters, const Variable& input,
                                Activation activation) const
{
    tape.enterLayer(parameters.parameters()[std::size_t(weight)].name);
    return autograd::linearLike(tape, input, reference(parameters, weight),
                                reference(parameters, bias), activation);
}

void Projection::initialiseGlorot(ParameterSet& parameters, std::uint64_t seed) const
{
    fillGlorotUniform(parameters, weight, seed, parts);
}

FeedForward::FeedForward(ParameterSet& parameters, const std::string& name, std::int64_t hidden,
                         std::int64_t width, Activation act)
    : inner(parameters, name + ".inner", hidden, width, true),
      outer(parameters, name + ".outer", width, hidden, true),
      activation(act)
{
}

Variable FeedForward::operator()(Tape& tape, const ParameterSet& parameters, const Variable& input,
                                 float dropout) const
{
    return outer(tape, parameters,
                 dropped(tape, inner(tape, parameters, input, activation), dropout));
}

void FeedForward::initialiseGlorot(ParameterSet& parameters, std::uint64_t seed) const
{
    inner.initialiseGlorot(parameters, seed);
    outer.initialiseGlorot(parameters, seed);
}

SelfAttention::SelfAttention(ParameterSet& parameters, const std::string& name, std::int64_t width,
                             std::int64_t headCount, bool biased)
    : qkv(parameters, name + ".qkv", width, 3 * width, biased, 3),
      out(parameters, name + ".out", width, width, biased),
      heads(headCount),
      hidden(width)
{
}

Variable SelfAttention::operator()(Tape& tape, const ParameterSet& parameters,
                                   const Variable& input, const AttentionMask& mask, bool causal,
                                   float dropout) const
{
    const Variable joint = qkv(tape, parameters, input);
    return out(tape, parameters,
               autograd::dotAttention(tape, attentionArgs(heads, hidden, mask, causal, dropout),
                                      {joint, 0}, {joint, hidden}, {joint, 2 * hidden}));
}

void SelfAttention::initialiseGlorot(ParameterSet& parameters, std::uint64_t seed) const
{
    qkv.initialiseGlorot(parameters, seed);
    out.initialiseGlorot(parameters, seed);
}

CrossAttention::CrossAttention(ParameterSet& parameters, const std::string& name,
                               std::int64_t width, std::int64_t headCount, bool biased)
    : query(parameters, name + ".query", width, width, biased),
      keyValue(parameters, name + ".kv", width, 2 * width, biased, 2),
      out(parameters, name + ".out", width, width, biased),
      heads(headCount),
      hidden(width)
{
}

Variable CrossAttention::operator()(Tape& tape, const ParameterSet& parameters,
                                    const Variable& input, const Variable& memory,
                                    const AttentionMask& mask, float dropout) const
{
    const Variable asked = query(tape, parameters, input);
    const Variable joint = keyValue(tape, parameters, memory);
    return out(tape, parameters,
               autograd::dotAttention(tape, attentionArgs(heads, hidden, mask, false, dropout),
                                      {asked, 0}, {joint, 0}, {joint, hidden}));
}

void CrossAttention::initialiseGlorot(ParameterSet& parameters, std::uint64_t seed) const
{
    query.initialiseGlorot(parameters, seed);
    keyValue.initialiseGlorot(parameters, seed);
    out.initialiseGlorot(parameters, seed);
}

PreNormStream::PreNormStream(Tape& tape, const ParameterSet& parameters, float dropout,
                             const Variable& input, const LayerNorm& first)
    : tape_(tape),
      parameters_(parameters),
      dropout_(dropout),
      stream_(input),
      normalised_(first(tape, parameters, input))
{
}

void PreNormStream::add(const Variable& sublayer, const LayerNorm& next)
{
    autograd::SumAndNorm r = next(tape_, parameters_, dropped(tape_, sublayer, dropout_), stream_);
    stream_ = std::move(r.sum);
    normalised_ = std::move(r.output);
}

} // namespace scalebench
