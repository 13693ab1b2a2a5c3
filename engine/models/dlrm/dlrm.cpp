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

/// Each row of ids [tables,B].
std::vector<Tensor> columnsOf(const Tensor& ids)
{
    const std::int64_t n = ids.dim(1);
    std::vector<Tensor> columns;
    for (std::int64_t t = 0; t < ids.dim(0); ++t)
        columns.push_back(Tensor::view(static_cast<std::int32_t*>(ids.data()) + t * n, {n},
                                       DType::I32, std::make_shared<Tensor>(ids), ids.onDevice()));
    return columns;
}

} // namespace

struct Dlrm::Impl {
    DlrmConfig config;
    ComputePrecision precision;
    ParameterSet parameters;
    std::vector<Dense> bottom, top;
    int firstTable = 0;
    std::vector<int> tables; ///< or blocks of them, as config.places
    int hot = -1;
    std::shared_ptr<RowExchange> exchange;

    Impl(const DlrmConfig& c, Backend& backend, Precision requested)
        : config(c), precision(backend.computePrecision(requested))
    {
        SB_REQUIRE(c.counts > 0 && c.dim > 0 && !c.tableRows.empty() &&
                       std::ranges::min(c.tableRows) > 0,
                   "DLRM needs counts, tables with rows, and vectors of at least one number");
        bottom = addLayers(parameters, "bottom", c.counts, c.bottom, c.dim);
        firstTable = int(parameters.parameters().size());
        if (c.places.blocks.empty())
            addTables();
        else
            addFirstBlocks();
        const auto vectors = std::int64_t(c.tableRows.size()) + 1;
        top = addLayers(parameters, "top", c.dim + vectors * (vectors - 1) / 2, c.top, 1);
        if (!c.places.blocks.empty()) {
            addOtherBlocks();
            addHotRows();
        }
    }

    std::string nameOf(std::size_t table) const
    {
        return "table" + std::to_string(table + 1) + ".weight";
    }
    void addTables()
    {
        for (std::size_t t = 0; t < config.tableRows.size(); ++t) {
            const Shape shape{config.tableRows[t], config.dim};
            tables.push_back(config.sparseGradients
                                 ? parameters.addSparseParameter(nameOf(t), shape, true)
                                 : parameters.addParameter(nameOf(t), shape, true));
        }
    }
    int addBlock(const std::string& name, const autograd::TableBlock& block)
    {
        return parameters.addOwnedTable(name, {block.rows, config.dim}, true, block.owner,
                                        block.owner == config.places.rank);
    }
    /// Initial weights go by the index of a parameter: what has one in every placement comes first.
    void addFirstBlocks()
    {
        std::size_t next = 0;
        for (const autograd::TableBlock& block : config.places.blocks) {
            tables.push_back(-1);
            if (block.first > 0)
                continue;
            SB_REQUIRE(block.table == next++, "DLRM: blocks of tables in another order");
            tables.back() = addBlock(nameOf(block.table), block);
        }
        SB_REQUIRE(next == config.tableRows.size(), "DLRM: tables without blocks");
    }
    void addOtherBlocks()
    {
        for (std::size_t b = 0; b < tables.size(); ++b) {
            const autograd::TableBlock& block = config.places.blocks[b];
            if (block.first == 0)
                continue;
            const std::string whole = nameOf(block.table);
            tables[b] = addBlock(whole + " from row " + std::to_string(block.first), block);
            parameters.partOf(tables[b], whole, block.first);
        }
    }
    void addHotRows()
    {
        if (!config.places.hot)
            return;
        std::vector<CopiedRow> rows;
        for (const autograd::HotRows::Row& row : config.places.hot->rows())
            for (std::size_t b = 0; b < tables.size(); ++b) {
                const autograd::TableBlock& block = config.places.blocks[b];
                if (block.table == row.table && block.has(row.row))
                    rows.push_back({tables[b], row.row - block.first});
            }
        SB_REQUIRE(rows.size() == config.places.hot->rows().size(), "DLRM: hot rows of no table");
        hot = parameters.addCopies("hot_rows", std::move(rows), true);
    }
    void initialiseTable(std::size_t index, std::uint64_t seed)
    {
        const ParameterInfo& p = parameters.parameters()[std::size_t(tables[index])];
        if (!p.here)
            return;
        const bool whole = config.places.blocks.empty();
        const std::size_t table = whole ? index : config.places.blocks[index].table;
        fillUniformPart(parameters, tables[index], firstTable + int(table),
                        std::size_t(p.firstRow * config.dim), seed,
                        float(1.0 / std::sqrt(double(config.tableRows[table]))), kStreams);
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
    for (std::size_t i = 0; i < m.tables.size(); ++i)
        m.initialiseTable(i, seed);
    m.parameters.markValuesChanged();
}

Dlrm::~Dlrm() = default;

Variable Dlrm::forward(Tape& tape, const Tensor& counts, const Tensor& ids) const
{
    const Impl& m = *impl_;
    const ParameterSet& p = m.parameters;
    const std::size_t tables = m.config.tableRows.size();
    SB_REQUIRE(ids.shape().size() == 2 && ids.dim(0) == std::int64_t(tables) &&
                   counts.shape() == Shape({ids.dim(1), m.config.counts}),
               "DLRM: counts " + counts.describe() + " and ids " + ids.describe() + " do not fit " +
                   std::to_string(tables) + " tables");
    const DType type = m.precision.activationType();
    const auto layer = [&](const Dense& l, const Variable& x) {
        return autograd::linearLike(tape, x, reference(p, l.weight), reference(p, l.bias),
                                    Activation::Relu);
    };
    std::vector<ParameterRef> references;
    for (const int table : m.tables)
        references.push_back(reference(p, table));
    std::shared_ptr<autograd::RowsUnderWay> underWay; // while the bottom layers compute
    if (forwardIsCollective())
        underWay = autograd::sendRows(tape,
                                      {m.config.places, references,
                                       m.hot >= 0 ? reference(p, m.hot) : ParameterRef(),
                                       m.config.dim, m.exchange},
                                      ids, type);
    Variable x(tape.backend().elementwise().cast(counts, type));
    for (const Dense& l : m.bottom)
        x = layer(l, x);

    const Variable vectors =
        underWay ? autograd::takeRows(tape, x, underWay)
                 : autograd::embeddingColumnsBehind(tape, x, references, columnsOf(ids));
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

void Dlrm::setRowExchange(std::shared_ptr<RowExchange> exchange)
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
