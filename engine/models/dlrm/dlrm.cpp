// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/dlrm/dlrm.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/autograd/functions.h"
#include "engine/nn/initialise.h"
#include "engine/nn/layers.h"
#include "kernels/check.h"

namespace scalebench {
namespace {

/// Random streams of initial weights, apart from every other use of the seed.
constexpr std::uint32_t kStreams = 0x444c524du;

struct Dense {
    int weight, bias;
};

std::vector<Dense> addLayers(ParameterSet& parameters, const std::string& name, std::int64_t in,
                             std::vector<std::int64_t> sizes, std::int64_t last)
{
    sizes.push_back(last);
    std::vector<Dense> layers;
    for (const std::int64_t out : sizes) {
        SB_REQUIRE(out > 0, "DLRM: a layer without neurons");
        const std::string layer = name + std::to_string(layers.size() + 1);
        const int weight = parameters.addParameter(layer + ".weight", {out, in}, true);
        layers.push_back({weight, parameters.addParameter(layer + ".bias", {out}, false)});
        in = out;
    }
    return layers;
}

void initialise(ParameterSet& parameters, const Dense& layer, std::uint64_t seed)
{
    const Shape shape = parameters.value(layer.weight).shape();
    const double out = double(shape[0]), in = double(shape[1]);
    fillNormal(parameters, layer.weight, seed, float(std::sqrt(2.0 / (in + out))), kStreams);
    fillNormal(parameters, layer.bias, seed, float(std::sqrt(1.0 / out)), kStreams);
}

/// Row `table` of ids [tables,B].
Tensor idsOf(const Tensor& ids, std::size_t table)
{
    const std::int64_t n = ids.dim(1);
    return Tensor::view(static_cast<std::int32_t*>(ids.data()) + std::int64_t(table) * n, {n},
                        DType::I32, std::make_shared<Tensor>(ids), ids.onDevice());
}

} // namespace

struct Dlrm::Impl {
    DlrmConfig config;
    ComputePrecision precision;
    ParameterSet parameters;
    std::vector<Dense> bottom, top;
    std::vector<int> tables;
    RowExchange exchange;

    Impl(const DlrmConfig& c, Backend& backend, Precision requested)
        : config(c), precision(backend.computePrecision(requested))
    {
        SB_REQUIRE(c.counts > 0 && c.dim > 0 && !c.tableRows.empty() &&
                       std::ranges::min(c.tableRows) > 0,
                   "DLRM needs counts, tables with rows, and vectors of at least one number");
        bottom = addLayers(parameters, "bottom", c.counts, c.bottom, c.dim);
        for (std::size_t t = 0; t < c.tableRows.size(); ++t) {
            const std::string name = "table" + std::to_string(t + 1) + ".weight";
            const Shape shape{c.tableRows[t], c.dim};
            if (!c.places.owners.empty())
                tables.push_back(parameters.addOwnedTable(name, shape, true, c.places.owners.at(t),
                                                          c.places.owners[t] == c.places.rank));
            else
                tables.push_back(c.sparseGradients
                                     ? parameters.addSparseParameter(name, shape, true)
                                     : parameters.addParameter(name, shape, true));
        }
        const auto vectors = std::int64_t(c.tableRows.size()) + 1;
        top = addLayers(parameters, "top", c.dim + vectors * (vectors - 1) / 2, c.top, 1);
    }
};

Dlrm::Dlrm(const DlrmConfig& config, Backend& backend, Precision requested, std::uint64_t seed,
           const ArenaAllocator& gradientArena)
    : impl_(std::make_unique<Impl>(config, backend, requested))
{
    Impl& m = *impl_;
    m.parameters.build(gradientArena);
    for (const std::vector<Dense>* layers : {&m.bottom, &m.top})
        for (const Dense& layer : *layers)
            initialise(m.parameters, layer, seed);
    for (const int table : m.tables)
        if (m.parameters.parameters()[std::size_t(table)].here)
            fillUniform(m.parameters, table, seed,
                        float(1.0 / std::sqrt(double(m.parameters.value(table).dim(0)))), kStreams);
    m.parameters.markValuesChanged();
}

Dlrm::~Dlrm() = default;

Variable Dlrm::forward(Tape& tape, const Tensor& counts, const Tensor& ids) const
{
    const Impl& m = *impl_;
    const ParameterSet& p = m.parameters;
    const std::size_t tables = m.tables.size();
    SB_REQUIRE(ids.shape().size() == 2 && ids.dim(0) == std::int64_t(tables) &&
                   counts.shape() == Shape({ids.dim(1), m.config.counts}),
               "DLRM: counts " + counts.describe() + " and ids " + ids.describe() + " do not fit " +
                   std::to_string(tables) + " tables");
    const DType type = m.precision.activationType();
    const auto layer = [&](const Dense& l, const Variable& x) {
        return autograd::linearLike(tape, x, reference(p, l.weight), reference(p, l.bias),
                                    Activation::Relu);
    };
    Variable x(tape.backend().elementwise().cast(counts, type));
    for (const Dense& l : m.bottom)
        x = layer(l, x);

    std::vector<ParameterRef> references;
    std::vector<Tensor> columns;
    for (std::size_t t = 0; t < tables; ++t) {
        references.push_back(reference(p, m.tables[t]));
        columns.push_back(idsOf(ids, t));
    }
    const Variable rows = !forwardIsCollective()
                              ? autograd::embeddingColumns(tape, references, columns, type)
                              : autograd::ownedColumns(tape, references, m.config.places,
                                                       m.config.dim, ids, type, m.exchange);
    const Variable vectors = autograd::concat(tape, {x, rows}, 1);
    x = autograd::dotInteraction(
        tape,
        autograd::reshape(tape, vectors, {ids.dim(1), std::int64_t(tables) + 1, m.config.dim}));
    for (std::size_t i = 0; i + 1 < m.top.size(); ++i)
        x = layer(m.top[i], x);
    const Dense& last = m.top.back();
    return autograd::linear(tape, x, reference(p, last.weight), reference(p, last.bias));
}

LossResult Dlrm::loss(Tape& tape, const Batch& batch, const LossParams& params, bool)
{
    SB_REQUIRE(batch.tensors.size() == 3, "DLRM: a batch has counts, ids and labels");
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

void Dlrm::setRowExchange(RowExchange exchange)
{
    impl_->exchange = std::move(exchange);
}
bool Dlrm::forwardIsCollective() const
{
    return impl_->config.places.workers > 1;
}
ParameterSet& Dlrm::parameters() noexcept
{
    return impl_->parameters;
}
const ComputePrecision& Dlrm::precision() const noexcept
{
    return impl_->precision;
}

} // namespace scalebench
