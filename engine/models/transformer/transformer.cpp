// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/transformer/transformer.h"

#include <cmath>
#include <set>
#include <vector>

#include "engine/models/transformer/transformer_decoder.h"
#include "engine/models/transformer/transformer_impl.h"
#include "engine/nn/initialise.h"
#include "engine/nn/layers.h"
#include "kernels/check.h"

namespace scalebench {

TransformerConfig TransformerConfig::byName(const std::string& name, std::int64_t vocabulary)
{
    TransformerConfig c;
    c.name = name;
    c.vocabulary = vocabulary;
    if (name == "transformer_big")
        c.hidden = 1024, c.heads = 16, c.feedForward = 4096;
    else if (name == "transformer_base")
        c.hidden = 512, c.heads = 8, c.feedForward = 2048;
    else if (name == "transformer_small")
        c.hidden = 256, c.heads = 4, c.feedForward = 1024;
    else if (name == "transformer_tiny") {
        c.hidden = 128, c.heads = 4, c.feedForward = 512;
        c.encoderLayers = c.decoderLayers = 2;
    } else
        throw InvalidArgument("no network '" + name +
                              "': known are transformer_big, transformer_base, transformer_small, "
                              "transformer_tiny");
    return c;
}

namespace {

struct Masks {
    AttentionMask source, cross, target;
};

} // namespace

Transformer::Impl::Impl(const TransformerConfig& c, Backend& backend, Precision requested)
    : config(c),
      precision(backend.computePrecision(requested)),
      positions(c.hidden, precision.activationType())
{
    SB_REQUIRE(c.vocabulary > 0 && c.heads > 0 && c.hidden > 0 && c.feedForward > 0 &&
                   c.encoderLayers > 0 && c.decoderLayers > 0,
               "a Transformer needs a vocabulary, heads, widths and layers");
    SB_REQUIRE(c.hidden % c.heads == 0, "Transformer: width " + std::to_string(c.hidden) +
                                            " is no multiple of " + std::to_string(c.heads) +
                                            " heads");
    const std::int64_t d = c.hidden;
    sourceTable = parameters.addParameter("embedding.weight", {c.vocabulary, d}, true);
    for (int i = 1; i <= c.encoderLayers; ++i) {
        const std::string name = "encoder" + std::to_string(i);
        TransformerEncoderLayer l;
        l.selfNorm = LayerNorm(parameters, name + ".self.norm", d);
        l.self = SelfAttention(parameters, name + ".self", d, c.heads, false);
        l.feedForwardNorm = LayerNorm(parameters, name + ".ffn.norm", d);
        l.feedForward = FeedForward(parameters, name + ".ffn", d, c.feedForward, Activation::Relu);
        encoder.push_back(l);
    }
    encoderNorm = LayerNorm(parameters, "encoder.norm", d);
    targetTable = c.sharedEmbedding
                      ? sourceTable
                      : parameters.addParameter("target_embedding.weight", {c.vocabulary, d}, true);
    for (int i = 1; i <= c.decoderLayers; ++i) {
        const std::string name = "decoder" + std::to_string(i);
        TransformerDecoderLayer l;
        l.selfNorm = LayerNorm(parameters, name + ".self.norm", d);
        l.self = SelfAttention(parameters, name + ".self", d, c.heads, false);
        l.crossNorm = LayerNorm(parameters, name + ".cross.norm", d);
        l.cross = CrossAttention(parameters, name + ".cross", d, c.heads, false);
        l.feedForwardNorm = LayerNorm(parameters, name + ".ffn.norm", d);
        l.feedForward = FeedForward(parameters, name + ".ffn", d, c.feedForward, Activation::Relu);
        decoder.push_back(l);
    }
    decoderNorm = LayerNorm(parameters, "decoder.norm", d);
    outputTable = c.sharedEmbedding
                      ? sourceTable
                      : parameters.addParameter("output.weight", {c.vocabulary, d}, true);
}

void Transformer::Impl::initialise(std::uint64_t seed)
{
    for (const TransformerEncoderLayer& l : encoder) {
        l.selfNorm.initialise(parameters), l.feedForwardNorm.initialise(parameters);
        l.self.initialiseGlorot(parameters, seed), l.feedForward.initialiseGlorot(parameters, seed);
    }
    for (const TransformerDecoderLayer& l : decoder) {
        l.selfNorm.initialise(parameters), l.crossNorm.initialise(parameters);
        l.feedForwardNorm.initialise(parameters);
        l.self.initialiseGlorot(parameters, seed), l.cross.initialiseGlorot(parameters, seed);
        l.feedForward.initialiseGlorot(parameters, seed);
    }
    encoderNorm.initialise(parameters), decoderNorm.initialise(parameters);
    const auto deviation = float(1.0 / std::sqrt(double(config.hidden)));
    for (const int table : std::set<int>{sourceTable, targetTable, outputTable})
        fillNormal(parameters, table, seed, deviation);
    parameters.markValuesChanged();
}

namespace {

void requireTokens(const char* what, const Tensor& t, std::size_t axes)
{
    SB_REQUIRE(t.defined() && t.dtype() == DType::I32 && t.shape().size() == axes,
               std::string("Transformer: ") + what + " must be i32 with " + std::to_string(axes) +
                   " axes, not " + t.describe());
}

Masks masksOf(const Batch& batch)
{
    const auto& t = batch.tensors;
    SB_REQUIRE(t.size() >= 3 && t.size() <= 5,
               "Transformer: a batch has source, target, labels, and perhaps source lengths or "
               "the offsets of packed sentences");
    requireTokens("source", t[0], 2);
    requireTokens("target", t[1], 2);
    SB_REQUIRE(t[2].dtype() == DType::I32 && t[2].shape() == t[1].shape(),
               "Transformer: labels " + t[2].describe() + " for target " + t[1].describe());
    const std::int64_t B = t[0].dim(0), S = t[0].dim(1), T = t[1].dim(1);
    if (t.size() == 5) {
        requireTokens("source offsets", t[3], 1);
        requireTokens("target offsets", t[4], 1);
        return {packedMask(t[3].i32(), t[3].i32()), packedMask(t[4].i32(), t[3].i32()),
                packedMask(t[4].i32(), t[4].i32())};
    }
    SB_REQUIRE(t[1].dim(0) == B, "Transformer: source " + t[0].describe() + " and target " +
                                     t[1].describe() + " must have as many sentences");
    std::span<const std::int32_t> lengths;
    if (t.size() == 4) {
        requireTokens("source lengths", t[3], 1);
        lengths = t[3].i32();
    }
    return {sentenceMask(B, S, S, lengths), sentenceMask(B, T, S, lengths), sentenceMask(B, T, T)};
}

} // namespace

Transformer::Transformer(const TransformerConfig& config, Backend& backend, Precision requested,
                         std::uint64_t seed, const ArenaAllocator& gradientArena)
    : impl_(std::make_unique<Impl>(config, backend, requested))
{
    impl_->parameters.build(gradientArena);
    impl_->initialise(seed);
}

Transformer::~Transformer() = default;

Variable Transformer::Impl::embed(Tape& tape, int table, const Tensor& tokens) const
{
    const Variable x =
        autograd::embedding(tape, reference(parameters, table), tokens.reshaped({tokens.count()}),
                            precision.activationType());
    return autograd::scale(tape, x, float(std::sqrt(double(config.hidden))));
}

Variable Transformer::Impl::encode(Tape& tape, const Tensor& source, const AttentionMask& mask,
                                   float dropout) const
{
    const Variable rows(positions.rowsOf(*mask, true, source.count(), tape.backend()));
    PreNormStream stream(
        tape, parameters, dropout,
        dropped(tape, autograd::add(tape, embed(tape, sourceTable, source), rows), dropout),
        encoder[0].selfNorm);
    for (std::size_t i = 0; i < encoder.size(); ++i) {
        const TransformerEncoderLayer& l = encoder[i];
        stream.add(l.self(tape, parameters, stream.normalised(), mask, false, dropout),
                   l.feedForwardNorm);
        stream.add(l.feedForward(tape, parameters, stream.normalised(), dropout),
                   i + 1 < encoder.size() ? encoder[i + 1].selfNorm : encoderNorm);
    }
    return stream.normalised();
}

Variable Transformer::Impl::classify(Tape& tape, const Variable& normalised) const
{
    return autograd::linearLike(tape, normalised, reference(parameters, outputTable), {});
}

Variable Transformer::forward(Tape& tape, const Batch& batch, bool training) const
{
    const Impl& m = *impl_;
    const Masks masks = masksOf(batch);
    const Tensor source = tape.backend().upload(batch.tensors[0]);
    const Tensor target = tape.backend().upload(batch.tensors[1]);
    const ParameterSet& p = m.parameters;
    const float dropout = training ? m.config.dropout : 0.0f;
    const Variable memory = m.encode(tape, source, masks.source, dropout);

    const Variable rows(m.positions.rowsOf(*masks.target, true, target.count(), tape.backend()));
    PreNormStream stream(
        tape, p, dropout,
        dropped(tape, autograd::add(tape, m.embed(tape, m.targetTable, target), rows), dropout),
        m.decoder[0].selfNorm);
    for (std::size_t i = 0; i < m.decoder.size(); ++i) {
        const TransformerDecoderLayer& l = m.decoder[i];
        stream.add(l.self(tape, p, stream.normalised(), masks.target, true, dropout), l.crossNorm);
        stream.add(l.cross(tape, p, stream.normalised(), memory, masks.cross, dropout),
                   l.feedForwardNorm);
        stream.add(l.feedForward(tape, p, stream.normalised(), dropout),
                   i + 1 < m.decoder.size() ? m.decoder[i + 1].selfNorm : m.decoderNorm);
    }
    return m.classify(tape, stream.normalised());
}

LossResult Transformer::loss(Tape& tape, const Batch& batch, const LossParams& params,
                             bool training)
{
    const Variable logits = forward(tape, batch, training);
    LossParams over = params;
    over.overwriteLogits = true;
    const Tensor labels = tape.backend().upload(batch.tensors[2]);
    return softmaxCrossEntropy(tape, logits, labels.reshaped({logits.value().dim(0)}), over);
}

std::unique_ptr<StepDecoder> Transformer::decoder(Backend& backend, const Batch& batch)
{
    const auto& t = batch.tensors;
    SB_REQUIRE(t.size() == 4, "Transformer: to decode, a batch has source, target, labels and "
                              "source lengths");
    requireTokens("source", t[0], 2);
    requireTokens("source lengths", t[3], 1);
    return std::make_unique<TransformerDecoder>(*impl_, backend, t[0], t[3].i32());
}

ParameterSet& Transformer::parameters() noexcept
{
    return impl_->parameters;
}
const ComputePrecision& Transformer::precision() const noexcept
{
    return impl_->precision;
}
const TransformerConfig& Transformer::config() const noexcept
{
    return impl_->config;
}

} // namespace scalebench
