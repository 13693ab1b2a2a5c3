// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/lstm_stack/lstm_stack.h"

#include <string>
#include <vector>

#include "engine/nn/initialise.h"
#include "engine/nn/layers.h"
#include "engine/nn/recurrent.h"
#include "kernels/check.h"

namespace scalebench {

struct LstmStack::Impl {
    LstmStackConfig config;
    ComputePrecision precision;
    ParameterSet parameters;
    int embedding = -1;
    std::vector<LstmLayer> layers;
    int classifierWeight = -1, classifierBias = -1;

    Impl(const LstmStackConfig& c, Backend& backend, Precision requested)
        : config(c), precision(backend.computePrecision(requested))
    {
        SB_REQUIRE(c.vocabulary > 0 && c.hidden > 0 && c.layers > 0,
                   "an LSTM stack needs a vocabulary, a width and a layer");
        embedding = parameters.addParameter("embedding.weight", {c.vocabulary, c.hidden}, true);
        for (int i = 1; i <= c.layers; ++i)
            layers.emplace_back(parameters, "layer" + std::to_string(i), c.hidden, c.hidden);
        classifierWeight =
            parameters.addParameter("classifier.weight", {c.vocabulary, c.hidden}, true);
        classifierBias = parameters.addParameter("classifier.bias", {c.vocabulary}, false);
    }
};

LstmStack::LstmStack(const LstmStackConfig& config, Backend& backend, Precision requested,
                     std::uint64_t seed, const ArenaAllocator& gradientArena)
    : impl_(std::make_unique<Impl>(config, backend, requested))
{
    Impl& m = *impl_;
    m.parameters.build(gradientArena);
    for (const int p : {m.embedding, m.classifierWeight, m.classifierBias})
        fillUniform(m.parameters, p, seed, config.initRange);
    for (const LstmLayer& layer : m.layers)
        layer.initialise(m.parameters, seed, config.initRange);
    m.parameters.markValuesChanged();
}

LstmStack::~LstmStack() = default;

Variable LstmStack::forward(Tape& tape, const Tensor& tokens, const Tensor& lengths,
                            bool training) const
{
    const Impl& m = *impl_;
    SB_REQUIRE(tokens.shape().size() == 2,
               "LSTM stack: tokens must be i32 [T,B], not " + tokens.describe());
    const auto dropped = [&](const Variable& x) {
        return training ? autograd::dropout(tape, x, m.config.dropout) : x;
    };
    const auto enter = [&](int p) {
        tape.enterLayer(m.parameters.parameters()[std::size_t(p)].name);
    };
    enter(m.embedding);
    Variable x = autograd::embedding(tape, reference(m.parameters, m.embedding), tokens,
                                     m.precision.activationType());
    for (std::size_t i = 0; i < m.layers.size(); ++i) {
        const Variable y = m.layers[i](tape, m.parameters, dropped(x), lengths).output;
        x = i == 0 ? y : autograd::add(tape, y, x);
    }
    enter(m.classifierWeight);
    x = autograd::reshape(tape, dropped(x), {tokens.count(), m.config.hidden});
    return autograd::linearLike(tape, x, reference(m.parameters, m.classifierWeight),
                                reference(m.parameters, m.classifierBias));
}

LossResult LstmStack::loss(Tape& tape, const Batch& batch, const LossParams& params, bool training)
{
    SB_REQUIRE(batch.tensors.size() == 2 || batch.tensors.size() == 3,
               "LSTM stack: a batch has tokens, labels and perhaps lengths");
    Backend& backend = tape.backend();
    const Tensor tokens = backend.upload(batch.tensors[0]);
    const Tensor labels = backend.upload(batch.tensors[1]);
    SB_REQUIRE(labels.shape() == tokens.shape(),
               "LSTM stack: labels " + labels.describe() + " for tokens " + tokens.describe());
    LossParams over = params;
    over.overwriteLogits = true;
    return softmaxCrossEntropy(
        tape,
        forward(tape, tokens,
                batch.tensors.size() == 3 ? backend.upload(batch.tensors[2]) : Tensor(), training),
        labels.reshaped({labels.count()}), over);
}

ParameterSet& LstmStack::parameters() noexcept
{
    return impl_->parameters;
}
const ComputePrecision& LstmStack::precision() const noexcept
{
    return impl_->precision;
}

} // namespace scalebench
