// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/transformer/transformer.h"

#include <cmath>
#include <set>
#include <vector>

#include "engine/core/rng.h"
#include "engine/models/transformer/positions.h"
#include "engine/nn/layers.h"
#include "engine/nn/recurrent.h"
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

// Parameters are declared in the order forward uses them (ParameterSet). The norm in front of a
// sublayer is computed together with the residual sum that ends the one before, which keeps that
// order.

struct Norm {
    int gamma = -1, beta = -1;

    Norm() = default;
    Norm(ParameterSet& set, const std::string& name, std::int64_t hidden)
        : gamma(set.addParameter(name + ".weight", {hidden}, false)),
          beta(set.addParameter(name + ".bias", {hidden}, false))
    {
    }
};

/// Weight [out,in]; Glorot uniform over `parts` matrices stacked along `out`.
struct Projection {
    int weight = -1, bias = -1, parts = 1;

    Projection() = default;
    Projection(ParameterSet& set, const std::string& name, std::int64_t in, std::int64_t out,
               bool biased, int stacked = 1)
        : weight(set.addParameter(name + ".weight", {out, in}, true)),
          bias(biased ? set.addParameter(name + ".bias", {out}, false) : -1),
          parts(stacked)
    {
    }
    void initialise(ParameterSet& set, std::uint64_t seed) const
    {
        const Tensor w = set.value(weight);
        fillUniform(set, weight, seed, float(std::sqrt(6.0 / double(w.dim(1) + w.dim(0) / parts))));
    }
};

struct FeedForward {
    Norm norm;
    Projection inner, outer;
};
struct EncoderLayer {
    Norm norm;
    Projection qkv, out;
    FeedForward feedForward;
};
struct DecoderLayer {
    Norm selfNorm;
    Projection qkv, selfOut;
    Norm crossNorm;
    Projection query, keyValue, crossOut;
    FeedForward feedForward;
};

struct Masks {
    AttentionMask source, cross, target;
};

} // namespace

struct Transformer::Impl {
    TransformerConfig config;
    ComputePrecision precision;
    ParameterSet parameters;
    int sourceTable = -1, targetTable = -1, outputTable = -1;
    std::vector<EncoderLayer> encoder;
    Norm encoderNorm;
    std::vector<DecoderLayer> decoder;
    Norm decoderNorm;

    Impl(const TransformerConfig& c, Backend& backend, Precision requested);
    FeedForward declareFeedForward(const std::string& name);
    void initialise(std::uint64_t seed);
    std::vector<Projection> projections() const;
};

FeedForward Transformer::Impl::declareFeedForward(const std::string& name)
{
    FeedForward f;
    f.norm = Norm(parameters, name + ".norm", config.hidden);
    f.inner = Projection(parameters, name + ".inner", config.hidden, config.feedForward, true);
    f.outer = Projection(parameters, name + ".outer", config.feedForward, config.hidden, true);
    return f;
}

Transformer::Impl::Impl(const TransformerConfig& c, Backend& backend, Precision requested)
    : config(c), precision(backend.computePrecision(requested))
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
        EncoderLayer l;
        l.norm = Norm(parameters, name + ".self.norm", d);
        l.qkv = Projection(parameters, name + ".self.qkv", d, 3 * d, false, 3);
        l.out = Projection(parameters, name + ".self.out", d, d, false);
        l.feedForward = declareFeedForward(name + ".ffn");
        encoder.push_back(l);
    }
    encoderNorm = Norm(parameters, "encoder.norm", d);
    targetTable = c.sharedEmbedding
                      ? sourceTable
                      : parameters.addParameter("target_embedding.weight", {c.vocabulary, d}, true);
    for (int i = 1; i <= c.decoderLayers; ++i) {
        const std::string name = "decoder" + std::to_string(i);
        DecoderLayer l;
        l.selfNorm = Norm(parameters, name + ".self.norm", d);
        l.qkv = Projection(parameters, name + ".self.qkv", d, 3 * d, false, 3);
        l.selfOut = Projection(parameters, name + ".self.out", d, d, false);
        l.crossNorm = Norm(parameters, name + ".cross.norm", d);
        l.query = Projection(parameters, name + ".cross.query", d, d, false);
        l.keyValue = Projection(parameters, name + ".cross.kv", d, 2 * d, false, 2);
        l.crossOut = Projection(parameters, name + ".cross.out", d, d, false);
        l.feedForward = declareFeedForward(name + ".ffn");
        decoder.push_back(l);
    }
    decoderNorm = Norm(parameters, "decoder.norm", d);
    outputTable = c.sharedEmbedding
                      ? sourceTable
                      : parameters.addParameter("output.weight", {c.vocabulary, d}, true);
}

std::vector<Projection> Transformer::Impl::projections() const
{
    std::vector<Projection> all;
    const auto addFeedForward = [&](const FeedForward& f) {
        all.insert(all.end(), {f.inner, f.outer});
    };
    for (const EncoderLayer& l : encoder) {
        all.insert(all.end(), {l.qkv, l.out});
        addFeedForward(l.feedForward);
    }
    for (const DecoderLayer& l : decoder) {
        all.insert(all.end(), {l.qkv, l.selfOut, l.query, l.keyValue, l.crossOut});
        addFeedForward(l.feedForward);
    }
    return all;
}

void Transformer::Impl::initialise(std::uint64_t seed)
{
    for (std::size_t i = 0; i < parameters.parameters().size(); ++i)
        if (parameters.parameters()[i].name.ends_with("norm.weight"))
            for (float& v : parameters.value(int(i)).f32())
                v = 1.0f;
    for (const Projection& p : projections())
        p.initialise(parameters, seed);
    const auto deviation = float(1.0 / std::sqrt(double(config.hidden)));
    for (const int table : std::set<int>{sourceTable, targetTable, outputTable}) {
        Rng rng(seed, (std::uint64_t(0x57454947u) << 32) | std::uint32_t(table));
        for (float& v : parameters.value(table).f32())
            v = deviation * rng.normal();
    }
    parameters.markValuesChanged();
}

namespace {

/// One forward pass.
class Pass
{
public:
    Pass(Tape& tape, const ParameterSet& set, const TransformerConfig& config, bool training)
        : tape_(tape), set_(set), config_(config), dropout_(training ? config.dropout : 0.0f)
    {
    }

    Variable project(const Variable& x, const Projection& p,
                     Activation activation = Activation::None)
    {
        tape_.enterLayer(set_.parameters()[std::size_t(p.weight)].name);
        return autograd::linearLike(tape_, x, reference(set_, p.weight), reference(set_, p.bias),
                                    activation);
    }
    Variable dropped(const Variable& x) const
    {
        return dropout_ > 0.0f ? autograd::dropout(tape_, x, dropout_) : x;
    }

    /// Token embedding times sqrt(hidden), plus position.
    Variable embed(int table, const Tensor& tokens, Tensor positions, DType type)
    {
        const Variable x = autograd::embedding(tape_, reference(set_, table),
                                               tokens.reshaped({tokens.count()}), type);
        return dropped(autograd::add(
            tape_, autograd::scale(tape_, x, float(std::sqrt(double(config_.hidden)))),
            Variable(std::move(positions))));
    }

    Variable selfAttention(const Variable& x, const Projection& qkv, const Projection& out,
                           const AttentionMask& mask, bool causal)
    {
        const Variable joint = project(x, qkv);
        const std::int64_t d = config_.hidden;
        return project(autograd::dotAttention(tape_, args(mask, causal), {joint, 0}, {joint, d},
                                              {joint, 2 * d}),
                       out);
    }
    Variable crossAttention(const Variable& x, const Variable& memory, const DecoderLayer& l,
                            const AttentionMask& mask)
    {
        const Variable query = project(x, l.query);
        const Variable joint = project(memory, l.keyValue);
        return project(autograd::dotAttention(tape_, args(mask, false), {query, 0}, {joint, 0},
                                              {joint, config_.hidden}),
                       l.crossOut);
    }
    Variable feedForward(const Variable& x, const FeedForward& f)
    {
        return project(dropped(project(x, f.inner, Activation::Relu)), f.outer);
    }

    /// The start of a stack: the residual stream is the input.
    void begin(const Variable& x, const Norm& norm)
    {
        stream_ = x;
        normalised_ = autograd::layerNorm(tape_, {}, x, reference(set_, norm.gamma),
                                          reference(set_, norm.beta));
    }
    /// Ends a sublayer and normalises for the next.
    void end(const Variable& sublayer, const Norm& next)
    {
        auto r = autograd::addLayerNorm(tape_, {}, dropped(sublayer), stream_,
                                        reference(set_, next.gamma), reference(set_, next.beta));
        stream_ = std::move(r.sum);
        normalised_ = std::move(r.output);
    }
    const Variable& normalised() const { return normalised_; }

private:
    DotAttentionArgs args(const AttentionMask& mask, bool causal) const
    {
        DotAttentionArgs a;
        a.heads = config_.heads, a.headDim = config_.hidden / config_.heads;
        a.mask = mask, a.causal = causal, a.dropout = dropout_;
        return a;
    }

    Tape& tape_;
    const ParameterSet& set_;
    const TransformerConfig& config_;
    float dropout_;
    Variable stream_, normalised_;
};

void checkTokens(const char* what, const Tensor& t, std::size_t axes)
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
    checkTokens("source", t[0], 2);
    checkTokens("target", t[1], 2);
    SB_REQUIRE(t[2].dtype() == DType::I32 && t[2].shape() == t[1].shape(),
               "Transformer: labels " + t[2].describe() + " for target " + t[1].describe());
    const std::int64_t B = t[0].dim(0), S = t[0].dim(1), T = t[1].dim(1);
    if (t.size() == 5) {
        checkTokens("source offsets", t[3], 1);
        checkTokens("target offsets", t[4], 1);
        return {packedMask(t[3].i32(), t[3].i32()), packedMask(t[4].i32(), t[3].i32()),
                packedMask(t[4].i32(), t[4].i32())};
    }
    SB_REQUIRE(t[1].dim(0) == B, "Transformer: source " + t[0].describe() + " and target " +
                                     t[1].describe() + " must have as many sentences");
    std::span<const std::int32_t> lengths;
    if (t.size() == 4) {
        checkTokens("source lengths", t[3], 1);
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

Variable Transformer::forward(Tape& tape, const Batch& batch, bool training) const
{
    const Impl& m = *impl_;
    const Masks masks = masksOf(batch);
    const Tensor source = tape.backend().upload(batch.tensors[0]);
    const Tensor target = tape.backend().upload(batch.tensors[1]);
    const DType type = m.precision.activationType();
    const auto positions = [&](const AttentionMask& mask, const Tensor& tokens) {
        return positionRows(*mask, true, tokens.count(), m.config.hidden, type, tape.backend());
    };
    Pass pass(tape, m.parameters, m.config, training);

    pass.begin(pass.embed(m.sourceTable, source, positions(masks.source, source), type),
               m.encoder[0].norm);
    for (std::size_t i = 0; i < m.encoder.size(); ++i) {
        const EncoderLayer& l = m.encoder[i];
        pass.end(pass.selfAttention(pass.normalised(), l.qkv, l.out, masks.source, false),
                 l.feedForward.norm);
        pass.end(pass.feedForward(pass.normalised(), l.feedForward),
                 i + 1 < m.encoder.size() ? m.encoder[i + 1].norm : m.encoderNorm);
    }
    const Variable memory = pass.normalised();

    pass.begin(pass.embed(m.targetTable, target, positions(masks.target, target), type),
               m.decoder[0].selfNorm);
    for (std::size_t i = 0; i < m.decoder.size(); ++i) {
        const DecoderLayer& l = m.decoder[i];
        pass.end(pass.selfAttention(pass.normalised(), l.qkv, l.selfOut, masks.target, true),
                 l.crossNorm);
        pass.end(pass.crossAttention(pass.normalised(), memory, l, masks.cross),
                 l.feedForward.norm);
        pass.end(pass.feedForward(pass.normalised(), l.feedForward),
                 i + 1 < m.decoder.size() ? m.decoder[i + 1].selfNorm : m.decoderNorm);
    }
    return autograd::linearLike(tape, pass.normalised(), reference(m.parameters, m.outputTable),
                                {});
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
