// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/bert/bert.h"

#include "engine/models/bert/bert_batch.h"
#include "engine/nn/initialise.h"
#include "engine/nn/layers.h"
#include "engine/nn/transformer_layers.h"
#include "kernels/check.h"

#include <vector>

namespace scalebench {

BertConfig BertConfig::byName(const std::string& name, std::int64_t vocabulary)
{
    BertConfig c;
    c.name = name;
    c.vocabulary = vocabulary;
    if (name == "bert_large")
        c.layers = 24, c.hidden = 1024;
    else if (name == "bert_base")
        c.layers = 12, c.hidden = 768;
    else if (name == "bert_small")
        c.layers = 4, c.hidden = 512;
    else if (name == "bert_mini")
        c.layers = 4, c.hidden = 256;
    else if (name == "bert_tiny")
        c.layers = 2, c.hidden = 128;
    else
        throw InvalidArgument("no network '" + name +
                              "': known are bert_large, bert_base, bert_small, bert_mini, "
                              "bert_tiny");
    c.heads = c.hidden / 64;
    c.feedForward = 4 * c.hidden;
    return c;
}

namespace {

constexpr LayerNormArgs kNorm{.epsilon = 1e-12f};

struct EncoderLayer {
    SelfAttention self;
    LayerNorm selfNorm;
    FeedForward feedForward;
    LayerNorm feedForwardNorm;
};

} // namespace

// Parameters are declared in the order forward uses them (ParameterSet).
struct Bert::Impl {
    BertConfig config;
    ComputePrecision precision;
    ParameterSet parameters;
    int wordTable = -1, positionTable = -1, typeTable = -1;
    LayerNorm embeddingNorm;
    std::vector<EncoderLayer> layers;
    Projection pooler, next;
    Projection wordDense;
    LayerNorm wordNorm;
    int wordBias = -1;

    Impl(const BertConfig& c, const ComputePrecision& computed);
    void initialise(std::uint64_t seed);
    Variable embed(Tape& tape, const Batch& batch, const BertRows& rows, float dropout) const;
    Variable encode(Tape& tape, const Batch& batch, const BertRows& rows, float dropout) const;
    Variable maskedWords(Tape& tape, const Variable& sequence, const Tensor& rows) const;
};

Bert::Impl::Impl(const BertConfig& c, const ComputePrecision& computed)
    : config(c), precision(computed)
{
    SB_REQUIRE(c.vocabulary > 0 && c.heads > 0 && c.hidden > 0 && c.feedForward > 0 &&
                   c.layers > 0 && c.positions > 0 && c.types > 0,
               "BERT needs a vocabulary, positions, types, heads, widths and layers");
    SB_REQUIRE(c.hidden % c.heads == 0, "BERT: width " + std::to_string(c.hidden) +
                                            " is no multiple of " + std::to_string(c.heads) +
                                            " heads");
    const std::int64_t d = c.hidden;
    wordTable = parameters.addParameter("embedding.word.weight", {c.vocabulary, d}, true);
    positionTable = parameters.addParameter("embedding.position.weight", {c.positions, d}, true);
    typeTable = parameters.addParameter("embedding.type.weight", {c.types, d}, true);
    embeddingNorm = LayerNorm(parameters, "embedding.norm", d, kNorm);
    for (int i = 1; i <= c.layers; ++i) {
        const std::string name = "encoder" + std::to_string(i);
        EncoderLayer l;
        l.self = SelfAttention(parameters, name + ".self", d, c.heads, true);
        l.selfNorm = LayerNorm(parameters, name + ".self.norm", d, kNorm);
        l.feedForward =
            FeedForward(parameters, name + ".ffn", d, c.feedForward, Activation::GeluErf);
        l.feedForwardNorm = LayerNorm(parameters, name + ".ffn.norm", d, kNorm);
        layers.push_back(l);
    }
    wordDense = Projection(parameters, "mlm.dense", d, d, true);
    wordNorm = LayerNorm(parameters, "mlm.norm", d, kNorm);
    wordBias = parameters.addParameter("mlm.bias", {c.vocabulary}, false);
    pooler = Projection(parameters, "pooler", d, d, true);
    next = Projection(parameters, "next", d, 2, true);
}

void Bert::Impl::initialise(std::uint64_t seed)
{
    const auto draw = [&](int parameter) {
        fillTruncatedNormal(parameters, parameter, seed, config.deviation);
    };
    for (const int table : {wordTable, positionTable, typeTable})
        draw(table);
    embeddingNorm.initialise(parameters);
    for (const EncoderLayer& l : layers) {
        for (const Projection& p :
             {l.self.qkv, l.self.out, l.feedForward.inner, l.feedForward.outer})
            draw(p.weight);
        l.selfNorm.initialise(parameters);
        l.feedForwardNorm.initialise(parameters);
    }
    for (const Projection& p : {wordDense, pooler, next})
        draw(p.weight);
    wordNorm.initialise(parameters);
    parameters.markValuesChanged();
}

Variable Bert::Impl::embed(Tape& tape, const Batch& batch, const BertRows& rows,
                           float dropout) const
{
    Backend& backend = tape.backend();
    tape.enterLayer(parameters.parameters()[std::size_t(wordTable)].name);
    const auto look = [&](int table, const Tensor& ids) {
        return autograd::embedding(tape, reference(parameters, table),
                                   backend.upload(ids.reshaped({ids.count()})),
                                   precision.activationType());
    };
    const Variable words = look(wordTable, batch.tensors[0]);
    const Variable positions = look(positionTable, rows.positions);
    const Variable types = look(typeTable, batch.tensors[1]);
    const Variable sum = autograd::add(tape, words, positions);
    return dropped(tape, embeddingNorm(tape, parameters, sum, types).output, dropout);
}

Variable Bert::Impl::encode(Tape& tape, const Batch& batch, const BertRows& rows,
                            float dropout) const
{
    Variable x = embed(tape, batch, rows, dropout);
    for (const EncoderLayer& l : layers) {
        const Variable attended = l.self(tape, parameters, x, rows.mask, false, dropout);
        x = l.selfNorm(tape, parameters, dropped(tape, attended, dropout), x).output;
        const Variable widened = l.feedForward(tape, parameters, x, 0.0f);
        x = l.feedForwardNorm(tape, parameters, dropped(tape, widened, dropout), x).output;
    }
    return x;
}

Variable Bert::Impl::maskedWords(Tape& tape, const Variable& sequence, const Tensor& rows) const
{
    const Variable masked = autograd::gather(tape, sequence, 0, rows);
    const Variable dense = wordDense(tape, parameters, masked, Activation::GeluErf);
    return autograd::linearLike(tape, wordNorm(tape, parameters, dense),
                                reference(parameters, wordTable), reference(parameters, wordBias));
}

Bert::Bert(const BertConfig& config, Backend& backend, Precision requested, std::uint64_t seed,
           const ArenaAllocator& gradientArena)
    : impl_(std::make_unique<Impl>(config, backend.computePrecision(requested)))
{
    impl_->parameters.build(gradientArena);
    impl_->initialise(seed);
}

Bert::~Bert() = default;

std::int64_t Bert::countParameters(const BertConfig& config)
{
    return Impl(config, {}).parameters.trainableCount();
}

Bert::Outputs Bert::forward(Tape& tape, const Batch& batch, bool training) const
{
    const Impl& m = *impl_;
    Backend& backend = tape.backend();
    const BertRows rows = rowsOf(batch, m.config.positions, backend);
    Outputs out;
    out.sequence = m.encode(tape, batch, rows, training ? m.config.dropout : 0.0f);
    out.words = m.maskedWords(tape, out.sequence, backend.upload(batch.tensors[2]));
    const Variable firsts = autograd::gather(tape, out.sequence, 0, backend.upload(rows.firsts));
    out.next = m.next(tape, m.parameters, m.pooler(tape, m.parameters, firsts, Activation::Tanh));
    return out;
}

Bert::Losses Bert::losses(Tape& tape, const Batch& batch, const LossParams& params,
                          bool training) const
{
    Backend& backend = tape.backend();
    const Outputs out = forward(tape, batch, training);
    LossParams words = params;
    words.scale *= wordFactor(batch);
    words.overwriteLogits = true;
    LossResult w = softmaxCrossEntropy(tape, out.words, backend.upload(batch.tensors[3]), words);
    LossResult n = softmaxCrossEntropy(tape, out.next, backend.upload(batch.tensors[4]), params);
    return {autograd::add(tape, w.loss, n.loss), std::move(w.sums), std::move(n.sums)};
}

static LossSums bothSums(const LossSums& words, const LossSums& next, double factor)
{
    const auto get = [=] {
        SoftmaxCeResult sums = words.get();
        sums.lossSum = factor * sums.lossSum + next.get().lossSum;
        return sums;
    };
    return LossSums(get, [=] { return bothSums(words.started(), next.started(), factor); });
}

LossResult Bert::loss(Tape& tape, const Batch& batch, const LossParams& params, bool training)
{
    Losses l = losses(tape, batch, params, training);
    return {std::move(l.loss), bothSums(l.words, l.next, double(wordFactor(batch)))};
}

ParameterSet& Bert::parameters() noexcept
{
    return impl_->parameters;
}
const ComputePrecision& Bert::precision() const noexcept
{
    return impl_->precision;
}
const BertConfig& Bert::config() const noexcept
{
    return impl_->config;
}

} // namespace scalebench
