// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/gnmt/gnmt.h"

#include <cmath>
#include <string>

#include "engine/models/gnmt/gnmt_decoder.h"
#include "engine/models/gnmt/gnmt_impl.h"
#include "engine/nn/initialise.h"
#include "engine/nn/layers.h"
#include "kernels/check.h"

namespace scalebench {

float GnmtConfig::initRangeOf(std::int64_t hidden)
{
    return 0.1f * std::sqrt(1024.0f / float(hidden));
}

GnmtConfig GnmtConfig::byName(const std::string& name, std::int64_t vocabulary)
{
    GnmtConfig c;
    c.name = name;
    c.vocabulary = vocabulary;
    if (name == "gnmt")
        c.hidden = 1024, c.layers = 4;
    else if (name == "gnmt_small")
        c.hidden = 512, c.layers = 2;
    else if (name == "gnmt_tiny")
        c.hidden = 128, c.layers = 2;
    else
        throw InvalidArgument("no network '" + name + "': known are gnmt, gnmt_small, gnmt_tiny");
    c.initRange = initRangeOf(c.hidden);
    return c;
}

Gnmt::Impl::Impl(const GnmtConfig& c, Backend& backend, Precision requested)
    : config(c), precision(backend.computePrecision(requested))
{
    SB_REQUIRE(c.vocabulary > 0 && c.hidden > 0 && c.layers >= 2,
               "GNMT needs a vocabulary, a width and at least 2 layers");
    const std::int64_t H = c.hidden;
    embedding = parameters.addParameter("embedder.weight", {c.vocabulary, H}, true);
    for (int i = 0; i < c.layers; ++i)
        encoder.emplace_back(parameters, "encoder.rnn_layers." + std::to_string(i),
                             i == 1 ? 2 * H : H, H, i == 0);
    attentionLstm = LstmLayer(parameters, "decoder.att_rnn.rnn", H, H);
    attention = AdditiveAttentionLayer(parameters, "decoder.att_rnn.attn", H, H, H);
    for (int i = 0; i + 1 < c.layers; ++i)
        decoder.emplace_back(parameters, "decoder.rnn_layers." + std::to_string(i), 2 * H, H);
    classifierWeight =
        parameters.addParameter("decoder.classifier.weight", {c.vocabulary, H}, true);
    classifierBias = parameters.addParameter("decoder.classifier.bias", {c.vocabulary}, false);
}

Variable Gnmt::Impl::embed(Tape& tape, const Tensor& tokens) const
{
    tape.enterLayer(parameters.parameters()[std::size_t(embedding)].name);
    return autograd::embedding(tape, reference(parameters, embedding), tokens,
                               precision.activationType(), config.padding);
}

Variable Gnmt::Impl::classify(Tape& tape, const Variable& x) const
{
    tape.enterLayer(parameters.parameters()[std::size_t(classifierWeight)].name);
    const std::int64_t rows = x.value().count() / config.hidden;
    return autograd::linearLike(tape, autograd::reshape(tape, x, {rows, config.hidden}),
                                reference(parameters, classifierWeight),
                                reference(parameters, classifierBias));
}

namespace {

Variable dropped(Tape& tape, const Variable& x, float probability, bool training)
{
    return training ? autograd::dropout(tape, x, probability) : x;
}

void checkTokens(const char* what, const Tensor& t, std::size_t axes)
{
    SB_REQUIRE(t.defined() && t.shape().size() == axes && t.dtype() == DType::I32,
               std::string("GNMT: the ") + what + " must be i32 of " + std::to_string(axes) +
                   (axes == 1 ? " axis, not " : " axes, not ") + t.describe());
}

} // namespace

Gnmt::Gnmt(const GnmtConfig& config, Backend& backend, Precision requested, std::uint64_t seed,
           const ArenaAllocator& gradientArena)
    : impl_(std::make_unique<Impl>(config, backend, requested))
{
    Impl& m = *impl_;
    m.parameters.build(gradientArena);
    for (const int p : {m.embedding, m.classifierWeight, m.classifierBias})
        fillUniform(m.parameters, p, seed, config.initRange);
    for (const auto* stack : {&m.encoder, &m.decoder})
        for (const LstmLayer& layer : *stack)
            layer.initialise(m.parameters, seed, config.initRange);
    m.attentionLstm.initialise(m.parameters, seed, config.initRange);
    m.attention.initialise(m.parameters, seed, config.initRange);
    m.parameters.markValuesChanged();
}

Gnmt::~Gnmt() = default;

Variable Gnmt::encode(Tape& tape, const Tensor& source, const Tensor& lengths, bool training) const
{
    const Impl& m = *impl_;
    SB_REQUIRE(source.shape().size() == 2,
               "GNMT: the source must be i32 [Ts,B], not " + source.describe());
    Variable x = m.embed(tape, source);
    for (std::size_t i = 0; i < m.encoder.size(); ++i) {
        const Variable y =
            m.encoder[i](tape, m.parameters, dropped(tape, x, m.config.dropout, training), lengths)
                .output;
        x = i < 2 ? y : autograd::add(tape, y, x);
    }
    return x;
}

Variable Gnmt::decode(Tape& tape, const Tensor& targetInput, const Variable& encoded,
                      const Tensor& lengths, bool training) const
{
    const Impl& m = *impl_;
    SB_REQUIRE(targetInput.shape().size() == 2,
               "GNMT: the target must be i32 [Tt,B], not " + targetInput.describe());
    Variable x = m.embed(tape, targetInput);
    x = m.attentionLstm(tape, m.parameters, dropped(tape, x, m.config.dropout, training)).output;
    const Variable context = m.attention(tape, m.parameters, x, encoded, lengths);
    for (std::size_t i = 0; i < m.decoder.size(); ++i) {
        const Variable input = autograd::concat(tape, {x, context}, 2);
        const Variable y =
            m.decoder[i](tape, m.parameters, dropped(tape, input, m.config.dropout, training))
                .output;
        x = i == 0 ? y : autograd::add(tape, y, x);
    }
    return m.classify(tape, x);
}

LossResult Gnmt::loss(Tape& tape, const Batch& batch, const LossParams& params, bool training)
{
    SB_REQUIRE(batch.tensors.size() == 4,
               "GNMT: a batch has source, source lengths, target input and labels");
    Backend& backend = tape.backend();
    const Tensor source = backend.upload(batch.tensors[0]);
    const Tensor lengths = backend.upload(batch.tensors[1]);
    const Tensor target = backend.upload(batch.tensors[2]);
    const Tensor labels = backend.upload(batch.tensors[3]);
    SB_REQUIRE(labels.shape() == target.shape(),
               "GNMT: labels " + labels.describe() + " for target " + target.describe());
    LossParams over = params;
    over.overwriteLogits = true;
    const Variable encoded = encode(tape, source, lengths, training);
    return softmaxCrossEntropy(tape, decode(tape, target, encoded, lengths, training),
                               labels.reshaped({labels.count()}), over);
}

std::unique_ptr<StepDecoder> Gnmt::decoder(Backend& backend, const Batch& batch)
{
    const auto& t = batch.tensors;
    SB_REQUIRE(t.size() == 4, "GNMT: to decode, a batch has source, source lengths, target input "
                              "and labels");
    checkTokens("source", t[0], 2);
    checkTokens("source lengths", t[1], 1);
    return std::make_unique<GnmtDecoder>(*this, backend, t[0], t[1]);
}

ParameterSet& Gnmt::parameters() noexcept
{
    return impl_->parameters;
}
const ComputePrecision& Gnmt::precision() const noexcept
{
    return impl_->precision;
}
const Gnmt::Impl& Gnmt::impl() const noexcept
{
    return *impl_;
}

} // namespace scalebench
