// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/owned_tables.h"

#include "engine/autograd/functions/row_routes.h"
#include "engine/autograd/functions/sparse_gradient.h"
#include "kernels/check.h"

#include <utility>

namespace scalebench::autograd {
namespace {

/// Rows [first, first + rows) of a matrix.
Tensor rowsOf(const Tensor& matrix, std::int64_t first, std::int64_t rows)
{
    const auto width = std::size_t(matrix.dim(1)) * dtypeBytes(matrix.dtype());
    return Tensor::view(static_cast<std::byte*>(matrix.data()) + std::size_t(first) * width,
                        {rows, matrix.dim(1)}, matrix.dtype(), std::make_shared<Tensor>(matrix),
                        matrix.onDevice());
}

/// Numbers [first, first + count) of a list.
Tensor partOf(const Tensor& list, std::int64_t first, std::int64_t count)
{
    return Tensor::view(static_cast<std::int32_t*>(list.data()) + first, {count}, DType::I32,
                        std::make_shared<Tensor>(list), list.onDevice());
}

using Numbers = std::vector<std::int32_t>;

Tensor uploaded(Backend& backend, const Numbers& numbers)
{
    if (numbers.empty())
        return {};
    const Tensor host = Tensor::view(const_cast<std::int32_t*>(numbers.data()),
                                     {std::int64_t(numbers.size())}, DType::I32);
    Tensor there = Tensor::empty(host.shape(), DType::I32, backend.allocator());
    backend.copy(host, there);
    return there;
}

/// Host memory, kept by the tensor.
Tensor onHost(const std::shared_ptr<Numbers>& numbers)
{
    if (numbers->empty())
        return {};
    return Tensor::view(numbers->data(), {std::int64_t(numbers->size())}, DType::I32, numbers);
}

Tensor matrix(Backend& backend, std::int64_t rows, std::int64_t dim, DType dtype)
{
    return rows > 0 ? Tensor::empty({rows, dim}, dtype, backend.allocator()) : Tensor();
}

std::vector<std::size_t> inBytes(const std::vector<std::int64_t>& counts, std::size_t each)
{
    std::vector<std::size_t> bytes;
    for (const std::int64_t count : counts)
        bytes.push_back(std::size_t(count) * each);
    return bytes;
}

} // namespace

/// One batch of them, forward to backward.
class RowsUnderWay
{
public:
    RowsUnderWay(Backend& backend, const OwnedTables& tables, const Tensor& ids, DType dtype)
        : backend_(backend),
          tables_(tables),
          dtype_(dtype),
          routes_(tables.places, ids.dim(0), ids.dim(1))
    {
        askOwners(backend.download(ids));
        lookUp();
    }

    /// The rows in the order of the samples, behind those of `x`.
    Tensor take(const Tensor& x)
    {
        SB_REQUIRE(x.shape() == Shape({routes_.samples, tables_.dim}) && x.dtype() == dtype_,
                   "owned tables: rows behind " + x.describe());
        backend_.copy(x, rowsOf(received_, received_.dim(0) - routes_.samples, routes_.samples));
        tables_.exchange->wait();
        const Tensor order = uploaded(backend_, routes_.places);
        Tensor rows = backend_.elementwise().gather(received_, 0, order);
        received_ = Tensor();
        return rows.reshaped({routes_.samples, routes_.vectors * tables_.dim});
    }

    void announce(Tape& tape)
    {
        for (const std::size_t block : routes_.mine)
            tape.useParameter(tables_.blocks[block].index);
        if (tables_.hot.defined())
            tape.useParameter(tables_.hot.index);
    }

    /// Sums of gradients set off to the owners; those of hot rows stay.
    void returnGradients(Tape& tape, const Tensor& gradOutput)
    {
        const Tensor rows = gradOutput.reshaped({routes_.samples * routes_.vectors, tables_.dim});
        const std::int64_t others = routes_.others(), own = routes_.own();
        incoming_ = matrix(backend_, routes_.asked(), tables_.dim, DType::F32);
        Tensor send;
        if (others + own > 0) {
            const Tensor sums =
                backend_.embedding()
                    .rowsBackwardSparse(uploaded(backend_, routes_.named),
                                        uploaded(backend_, routes_.positions), rows, others + own)
                    .values;
            if (others > 0)
                send = rowsOf(sums, 0, others);
            if (own > 0)
                backend_.copy(rowsOf(sums, others, own),
                              rowsOf(incoming_, routes_.asked() - own, own));
        }
        const std::size_t rowBytes = std::size_t(tables_.dim) * sizeof(float);
        tables_.exchange->start({send, incoming_, inBytes(routes_.wanted, rowBytes),
                                 inBytes(routes_.askedOf, rowBytes)});
        if (!tables_.hot.defined())
            return;
        if (const Tensor hotIds = uploaded(backend_, routes_.hotIds); hotIds.defined())
            keepSparse(
                tape, tables_.hot,
                backend_.embedding().rowsBackwardSparse(
                    hotIds, uploaded(backend_, routes_.hotPlaces), rows, tables_.hot.value.dim(0)));
        else if (!tape.accumulateInto(tables_.hot.index))
            *tables_.hot.sparseGradient = {};
        tape.parameterReady(tables_.hot.index);
    }

    void takeGradients(Tape& tape)
    {
        tables_.exchange->wait();
        for (std::size_t j = routes_.mine.size(); j-- > 0;) { // ready in the reverse order
            const ParameterRef& block = tables_.blocks[routes_.mine[j]];
            if (ids_[j].defined())
                keepSparse(tape, block,
                           backend_.embedding().rowsBackwardSparse(
                               ids_[j], uploaded(backend_, routes_.sources[j]), incoming_,
                               block.value.dim(0)));
            else if (!tape.accumulateInto(block.index))
                *block.sparseGradient = {};
            tape.parameterReady(block.index);
        }
        incoming_ = Tensor();
    }

    std::shared_ptr<GradientSlot> sent; ///< of the node that set the rows off

private:
    /// The owners learn which rows are wanted.
    void askOwners(const Tensor& ids)
    {
        const auto n = std::size_t(routes_.samples);
        routes_.route(ids.i32());
        const auto send = std::make_shared<Numbers>(std::move(routes_.questions));
        const auto received =
            std::make_shared<Numbers>(routes_.mine.size() * n * std::size_t(routes_.workers));
        std::vector<std::size_t> sendSizes, receiveSizes;
        for (int r = 0; r < routes_.workers; ++r) {
            sendSizes.push_back(routes_.blocksOf[std::size_t(r)].size() * n * sizeof(std::int32_t));
            receiveSizes.push_back(routes_.mine.size() * n * sizeof(std::int32_t));
        }
        tables_.exchange->start({onHost(send), onHost(received), sendSizes, receiveSizes});
        tables_.exchange->wait();
        routes_.answer(*received);
    }

    /// Rows that others asked for set off; own and hot ones come to lie behind theirs, before those
    /// that take() gets.
    void lookUp()
    {
        const std::int64_t others = routes_.others(), own = routes_.own();
        received_ =
            matrix(backend_, others + own + std::int64_t(routes_.hotIds.size()) + routes_.samples,
                   tables_.dim, dtype_);
        const Tensor send = matrix(backend_, routes_.asked() - own, tables_.dim, dtype_);
        std::vector<std::int64_t> at = routes_.starts(); // of each worker's, in `send`
        at[std::size_t(routes_.rank)] = others;          // or in `received`
        for (std::size_t j = 0; j < routes_.mine.size(); ++j) {
            const ParameterRef& block = tables_.blocks[routes_.mine[j]];
            ids_.push_back(uploaded(backend_, routes_.ids[j]));
            std::int64_t from = 0;
            for (std::size_t r = 0; r < at.size(); ++r) {
                const std::int64_t count = routes_.counts[j][r];
                if (count == 0)
                    continue;
                const bool mine = int(r) == routes_.rank;
                backend_.embedding().rowsForward(block.value, partOf(ids_[j], from, count),
                                                 rowsOf(mine ? received_ : send, at[r], count));
                from += count;
                at[r] += count;
            }
        }
        if (const Tensor hotIds = uploaded(backend_, routes_.hotIds); hotIds.defined())
            backend_.embedding().rowsForward(tables_.hot.value, hotIds,
                                             rowsOf(received_, others + own, hotIds.count()));
        const std::size_t rowBytes = std::size_t(tables_.dim) * dtypeBytes(dtype_);
        tables_.exchange->start({send, received_, inBytes(routes_.askedOf, rowBytes),
                                 inBytes(routes_.wanted, rowBytes)});
    }

    Backend& backend_;
    OwnedTables tables_;
    DType dtype_;
    RowRoutes routes_;
    std::vector<Tensor> ids_; ///< of each of this worker's blocks; undefined: nobody asked
    Tensor received_, incoming_;
};

std::shared_ptr<RowsUnderWay> sendRows(Tape& tape, const OwnedTables& tables, const Tensor& ids,
                                       DType dtype)
{
    const TablePlaces& places = tables.places;
    SB_REQUIRE(
        tables.exchange && tables.blocks.size() == places.blocks.size() && !places.blocks.empty() &&
            ids.shape().size() == 2 && std::size_t(ids.dim(0)) == places.blocks.back().table + 1,
        "owned tables: ids " + ids.describe() + " for " + std::to_string(places.blocks.size()) +
            " blocks of tables, or nobody to exchange rows with");
    for (std::size_t b = 0; b < tables.blocks.size(); ++b)
        SB_REQUIRE(places.blocks[b].owner != places.rank || tables.blocks[b].defined(),
                   "owned tables: this worker lacks a table of its own");
    SB_REQUIRE(!places.hot || tables.hot.defined(), "owned tables: there are no hot rows");
    const auto rows = std::make_shared<RowsUnderWay>(tape.backend(), tables, ids, dtype);
    if (!tape.recording())
        return rows;
    rows->announce(tape);
    rows->sent =
        tape.record("owned embedding", Tensor(), true,
                    [&tape, rows](const std::vector<Tensor>&) { rows->takeGradients(tape); })
            .slot();
    return rows;
}

Variable takeRows(Tape& tape, const Variable& x, const std::shared_ptr<RowsUnderWay>& rows)
{
    Tensor y = rows->take(x.value());
    if (!tape.recording())
        return Variable(std::move(y));
    return tape.record(
        "rows of owned tables", std::move(y), true,
        [&tape, rows, dim = x.value().dim(1), slot = x.slot()](std::vector<Tensor> grads) {
            ElementwiseOps& ops = tape.backend().elementwise();
            const Tensor dy = ops.sum(std::move(grads));
            rows->returnGradients(tape, dy);
            Tape::addGradient(slot, ops.slice(dy, 1, 0, dim));
            Tape::addGradient(rows->sent, Tensor());
        });
}

} // namespace scalebench::autograd
