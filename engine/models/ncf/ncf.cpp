// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/ncf/ncf.h"

#include <cmath>
#include <string>

#include "engine/autograd/functions.h"
#include "engine/nn/initialise.h"
#include "engine/nn/layers.h"
#include "kernels/check.h"

namespace scalebench {
namespace {

/// Random streams of initial weights, apart from every other use of the seed.
constexpr std::uint32_t kNcfStreams = 0x4e434657u;

struct NcfLayer {
    int weight, bias;
};

int addTable(ParameterSet& parameters, const NcfConfig& c, const std::string& name,
             std::int64_t rows, std::int64_t dim)
{
    return c.sparseGradients ? parameters.addSparseParameter(name + ".weight", {rows, dim}, true)
                             : parameters.addParameter(name + ".weight", {rows, dim}, true);
}

NcfLayer addNcfLayer(ParameterSet& parameters, const std::string& name, std::int64_t in,
                     std::int64_t out)
{
    const int weight = parameters.addParameter(name + ".weight", {out, in}, true);
    return {weight, parameters.addParameter(name + ".bias", {out}, false)};
}

} // namespace

struct Ncf::Impl {
    NcfConfig config;
    ComputePrecision precision;
    ParameterSet parameters;
    int userFactors, itemFactors, userVector, itemVector;
    std::vector<NcfLayer> layers;
    NcfLayer last;

    Impl(const NcfConfig& c, Backend& backend, Precision requested)
        : config(c), precision(backend.computePrecision(requested))
    {
        SB_REQUIRE(c.users > 0 && c.items > 0 && c.factors > 0 && !c.layers.empty() &&
                       c.layers[0] > 0 && c.layers[0] % 2 == 0,
                   "NCF needs users, items, factors, and a first layer of an even size");
        const std::int64_t half = c.layers[0] / 2;
        userFactors = addTable(parameters, c, "mf_user", c.users, c.factors);
        itemFactors = addTable(parameters, c, "mf_item", c.items, c.factors);
        userVector = addTable(parameters, c, "mlp_user", c.users, half);
        itemVector = addTable(parameters, c, "mlp_item", c.items, half);
        for (std::size_t i = 1; i < c.layers.size(); ++i) {
            SB_REQUIRE(c.layers[i] > 0, "NCF: a layer without neurons");
            layers.push_back(
                addNcfLayer(parameters, "mlp" + std::to_string(i), c.layers[i - 1], c.layers[i]));
        }
        last = addNcfLayer(parameters, "last", c.factors + c.layers.back(), 1);
    }
};

Ncf::Ncf(const NcfConfig& config, Backend& backend, Precision requested, std::uint64_t seed,
         const ArenaAllocator& gradientArena)
    : impl_(std::make_unique<Impl>(config, backend, requested))
{
    Impl& m = *impl_;
    m.parameters.build(gradientArena);
    for (const int table : {m.userFactors, m.itemFactors, m.userVector, m.itemVector})
        fillNormal(m.parameters, table, seed, 0.01f, kNcfStreams);
    for (const NcfLayer& layer : m.layers) {
        const Shape shape = m.parameters.value(layer.weight).shape();
        fillUniform(m.parameters, layer.weight, seed,
                    float(std::sqrt(6.0 / double(shape[0] + shape[1]))), kNcfStreams);
    }
    fillUniform(m.parameters, m.last.weight, seed,
                float(std::sqrt(3.0 / double(config.factors + config.layers.back()))), kNcfStreams);
    m.parameters.markValuesChanged();
}

Ncf::~Ncf() = default;

bool Ncf::workFollowsShape() const
{
    return !impl_->config.sparseGradients;
}

Variable Ncf::forward(Tape& tape, const Tensor& users, const Tensor& items) const
{
    const Impl& m = *impl_;
    const ParameterSet& p = m.parameters;
    const DType type = m.precision.activationType();
    const Variable product = autograd::multiply(
        tape, autograd::embedding(tape, reference(p, m.userFactors), users, type),
        autograd::embedding(tape, reference(p, m.itemFactors), items, type));
    Variable x = autograd::embeddingColumns(
        tape, {reference(p, m.userVector), reference(p, m.itemVector)}, {users, items}, type);
    for (const NcfLayer& layer : m.layers)
        x = autograd::linearLike(tape, x, reference(p, layer.weight), reference(p, layer.bias),
                                 Activation::Relu);
    return autograd::linear(tape, autograd::concat(tape, {product, x}, 1),
                            reference(p, m.last.weight), reference(p, m.last.bias));
}

LossResult Ncf::loss(Tape& tape, const Batch& batch, const LossParams& params, bool)
{
    SB_REQUIRE(batch.tensors.size() == 3, "NCF: a batch has users, items and labels");
    Backend& backend = tape.backend();
    const Variable logits =
        forward(tape, backend.upload(batch.tensors[0]), backend.upload(batch.tensors[1]));
    autograd::RecordedLoss r = autograd::sigmoidCrossEntropy(
        tape, logits, backend.upload(batch.tensors[2]), Tensor(), params.scale);
    const auto counted = [sums = std::move(r.sums), n = batch.tensors[2].count()] {
        SoftmaxCeResult result = sums.get();
        result.counted = n;
        return result;
    };
    return {std::move(r.loss), LossSums(counted)};
}

ParameterSet& Ncf::parameters() noexcept
{
    return impl_->parameters;
}
const ComputePrecision& Ncf::precision() const noexcept
{
    return impl_->precision;
}

} // namespace scalebench
