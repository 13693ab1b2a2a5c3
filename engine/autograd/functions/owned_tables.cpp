// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/owned_tables.h"

#include "engine/autograd/functions/sparse_gradient.h"
#include "kernels/check.h"

#include <cstring>
#include <memory>
#include <utility>

namespace scalebench::autograd {
namespace {

/// What travels in a step, the same on the way there and back.
struct Routes {
    int rank = 0, workers = 1;
    std::vector<std::vector<std::size_t>> tablesOf; ///< by worker, ascending
    std::int64_t n = 0, dim = 0;                    ///< samples of a worker, width of a row
    std::size_t rowBytes = 0;

    std::span<const std::size_t> mine() const { return tablesOf[std::size_t(rank)]; }
    std::size_t tables() const
    {
        std::size_t sum = 0;
        for (const auto& list : tablesOf)
            sum += list.size();
        return sum;
    }
    /// Bytes to or from each worker, `each` for one sample of one table: of its tables, or of this
    /// worker's.
    std::vector<std::size_t> sizes(bool ofItsTables, std::size_t each) const
    {
        std::vector<std::size_t> sizes;
        for (const auto& list : tablesOf)
            sizes.push_back((ofItsTables ? list.size() : mine().size()) * std::size_t(n) * each);
        return sizes;
    }
};

Routes routesOf(const TablePlaces& places, std::int64_t n, std::int64_t dim, DType dtype)
{
    Routes routes{places.rank, places.workers, {}, n, dim, std::size_t(dim) * dtypeBytes(dtype)};
    routes.tablesOf.resize(std::size_t(places.workers));
    for (std::size_t t = 0; t < places.owners.size(); ++t)
        routes.tablesOf.at(std::size_t(places.owners[t])).push_back(t);
    return routes;
}

/// Memory that the host may write, to become a tensor of the backend by upload().
Tensor hostTensor(Backend& backend, Shape shape, DType dtype)
{
    if (!backend.allocator().onDevice())
        return Tensor::empty(std::move(shape), dtype, backend.allocator());
    const auto bytes = std::size_t(elementCount(shape)) * dtypeBytes(dtype);
    const auto memory = std::make_shared<std::vector<std::byte>>(bytes);
    return Tensor::view(memory->data(), std::move(shape), dtype, memory);
}

std::span<std::byte> bytesOf(const Tensor& tensor)
{
    return {static_cast<std::byte*>(tensor.data()), tensor.bytes()};
}

/// Copies between [n, tables * dim], by sample, and what lies by worker: [n, its tables * dim]
/// each.
template <typename Copy>
void eachRow(const Routes& routes, const Copy& copy)
{
    std::size_t byWorker = 0;
    const std::size_t width = routes.tables() * routes.rowBytes;
    for (const auto& list : routes.tablesOf)
        for (std::size_t i = 0; i < std::size_t(routes.n); ++i)
            for (const std::size_t table : list) {
                copy(i * width + table * routes.rowBytes, byWorker);
                byWorker += routes.rowBytes;
            }
}

/// The ids that all workers look up in this one's tables: for each [workers * n].
std::vector<Tensor> gatherIds(Backend& backend, const Routes& routes, const Tensor& ids,
                              const RowExchange& exchange)
{
    const Tensor host = backend.download(ids);
    const auto n = std::size_t(routes.n);
    std::vector<std::int32_t> send;
    for (const auto& list : routes.tablesOf)
        for (const std::size_t table : list) {
            const auto row = host.i32().subspan(table * n, n);
            send.insert(send.end(), row.begin(), row.end());
        }
    const auto workers = std::size_t(routes.workers);
    std::vector<std::int32_t> received(workers * routes.mine().size() * n);
    exchange(std::as_bytes(std::span(send)), routes.sizes(true, sizeof(std::int32_t)),
             std::as_writable_bytes(std::span(received)),
             routes.sizes(false, sizeof(std::int32_t)));
    std::vector<Tensor> mine;
    for (std::size_t j = 0; j < routes.mine().size(); ++j) {
        const Tensor all = hostTensor(backend, {std::int64_t(workers * n)}, DType::I32);
        for (std::size_t r = 0; r < workers; ++r)
            std::memcpy(all.i32().data() + r * n,
                        received.data() + (r * routes.mine().size() + j) * n,
                        n * sizeof(std::int32_t));
        mine.push_back(backend.upload(all));
    }
    return mine;
}

Tensor bringRows(Backend& backend, const Routes& routes, const Tensor& rows, DType dtype,
                 const RowExchange& exchange)
{
    const auto tables = std::int64_t(routes.tables());
    const Tensor received = hostTensor(backend, {routes.n, tables * routes.dim}, dtype);
    const Tensor host = rows.defined() ? backend.download(rows) : Tensor();
    exchange(rows.defined() ? bytesOf(host) : std::span<std::byte>(),
             routes.sizes(false, routes.rowBytes), bytesOf(received),
             routes.sizes(true, routes.rowBytes));
    const Tensor ordered = hostTensor(backend, {routes.n, tables * routes.dim}, dtype);
    std::byte* const to = bytesOf(ordered).data();
    const std::byte* const from = bytesOf(received).data();
    eachRow(routes, [&](std::size_t bySample, std::size_t byWorker) {
        std::memcpy(to + bySample, from + byWorker, routes.rowBytes);
    });
    return backend.upload(ordered);
}

/// Gradients of the rows of this worker's tables, [workers * n, its tables * dim]; undefined where
/// it has none.
Tensor takeGradients(Backend& backend, const Routes& routes, const Tensor& gradOutput,
                     const RowExchange& exchange)
{
    const Tensor host = backend.download(gradOutput);
    const Tensor send = hostTensor(backend, gradOutput.shape(), gradOutput.dtype());
    std::byte* const to = bytesOf(send).data();
    const std::byte* const from = bytesOf(host).data();
    eachRow(routes, [&](std::size_t bySample, std::size_t byWorker) {
        std::memcpy(to + byWorker, from + bySample, routes.rowBytes);
    });
    Tensor received;
    if (!routes.mine().empty())
        received = hostTensor(
            backend, {routes.workers * routes.n, std::int64_t(routes.mine().size()) * routes.dim},
            gradOutput.dtype());
    exchange(bytesOf(send), routes.sizes(true, routes.rowBytes),
             received.defined() ? bytesOf(received) : std::span<std::byte>(),
             routes.sizes(false, routes.rowBytes));
    return received.defined() ? backend.upload(received) : received;
}

} // namespace

Variable ownedColumns(Tape& tape, const std::vector<ParameterRef>& tables,
                      const TablePlaces& places, std::int64_t dim, const Tensor& ids, DType dtype,
                      const RowExchange& exchange)
{
    Backend& backend = tape.backend();
    SB_REQUIRE(exchange && tables.size() == places.owners.size() && ids.shape().size() == 2 &&
                   ids.dim(0) == std::int64_t(tables.size()),
               "owned tables: ids " + ids.describe() + " for " + std::to_string(tables.size()) +
                   " tables, or nobody to exchange rows with");
    const Routes routes = routesOf(places, ids.dim(1), dim, dtype);
    std::vector<ParameterRef> mine;
    std::vector<Tensor> values;
    for (const std::size_t table : routes.mine()) {
        SB_REQUIRE(tables[table].defined(), "owned tables: this worker lacks a table of its own");
        mine.push_back(tables[table]);
        values.push_back(tables[table].value);
    }
    std::vector<Tensor> mineIds = gatherIds(backend, routes, ids, exchange);
    Tensor rows;
    if (!mine.empty())
        rows = backend.embedding().columnsForward(values, mineIds, dtype);
    Tensor y = bringRows(backend, routes, rows, dtype, exchange);
    if (!tape.recording())
        return Variable(std::move(y));
    for (const ParameterRef& table : mine)
        tape.useParameter(table.index);
    return tape.record(
        "owned embedding", std::move(y), true,
        [&tape, &backend, routes, mine = std::move(mine), mineIds = std::move(mineIds),
         &exchange](std::vector<Tensor> grads) {
            const Tensor dy = takeGradients(backend, routes,
                                            backend.elementwise().sum(std::move(grads)), exchange);
            for (std::size_t j = mine.size(); j-- > 0;) { // ready in the reverse order
                keepSparse(tape, mine[j],
                           backend.embedding().columnsBackwardSparse(
                               mineIds[j], std::int64_t(j) * routes.dim, dy, mine[j].value.dim(0),
                               routes.dim));
                tape.parameterReady(mine[j].index);
            }
        });
}

} // namespace scalebench::autograd
