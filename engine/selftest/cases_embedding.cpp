// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "engine/core/thread_count.h"
#include "engine/selftest/gradient_case.h"
#include "kernels/check.h"
#include "kernels/ref/embedding.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;
using ref::Ids;

/// Ids of a fixed sequence, small ones more often.
Ids idsOf(std::int64_t n, std::int64_t rows, std::uint32_t state = 99)
{
    Ids ids;
    for (std::int64_t i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        const double u = double(state >> 8) / double(1 << 24);
        ids.push_back(std::int32_t(u * u * double(rows)));
    }
    return ids;
}

Tensor tensorOf(Backend& backend, const Ids& ids, const Shape& shape)
{
    return constantTensor(backend, shape, ids);
}
Tensor tensorOf(Backend& backend, const Ids& ids)
{
    return tensorOf(backend, ids, {std::int64_t(ids.size())});
}

/// An operand that carries the element type of the case.
Operand typeOperand()
{
    return constant("type", {1});
}

void addEmbedding(CaseList& list, const std::string& use, std::int64_t rows, std::int64_t dim,
                  const Shape& idShape)
{
    GradientCase c;
    c.family = "embedding";
    c.name = "embedding " + use + " " + toString({rows, dim}) + " ids " + toString(idShape);
    c.operands = {parameter("table", {rows, dim}), typeOperand()};
    const Ids ids = idsOf(elementCount(idShape), rows);
    c.forward = [=](const OperandSet& o) {
        return std::vector<Variable>{autograd::embedding(
            o.tape, o.p(0), tensorOf(o.tape.backend(), ids, idShape), o.x(1).value().dtype())};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{ref::embeddingForward(dim, in[0], ids)};
    };
    addGradientCase(list, c);
}

/// Two tables side by side, one of them also looked up by itself.
void addColumns(CaseList& list, std::int64_t n)
{
    GradientCase c;
    c.family = "embedding";
    c.name = "embedding of several tables and one twice, ids " + toString({n});
    c.operands = {parameter("users", {300, 128}), parameter("items", {70, 33}), typeOperand()};
    const Ids users = idsOf(n, 300, 1), items = idsOf(n, 70, 2);
    c.forward = [=](const OperandSet& o) {
        Backend& b = o.tape.backend();
        const DType type = o.x(2).value().dtype();
        const Variable both = autograd::embeddingColumns(
            o.tape, {o.p(0), o.p(1)}, {tensorOf(b, users), tensorOf(b, items)}, type);
        return std::vector<Variable>{both,
                                     autograd::embedding(o.tape, o.p(1), tensorOf(b, items), type)};
    };
    c.reference = [=](const std::vector<Values>& in) {
        const Values a = ref::embeddingForward(128, in[0], users);
        const Values b = ref::embeddingForward(33, in[1], items);
        Values both;
        for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(n); ++i) {
            both.insert(both.end(), a.begin() + i * 128, a.begin() + (i + 1) * 128);
            both.insert(both.end(), b.begin() + i * 33, b.begin() + (i + 1) * 33);
        }
        return std::vector<Values>{both, b};
    };
    addGradientCase(list, c);
}

/// Columns of two tables behind a vector, as DLRM has them.
void addColumnsBehind(CaseList& list, std::int64_t n, std::int64_t width)
{
    GradientCase c;
    c.family = "embedding";
    c.name = "embedding behind a vector " + toString({n, width});
    c.operands = {activation("x", {n, width}), parameter("first", {40, 16}),
                  parameter("second", {9, 33})};
    const Ids first = idsOf(n, 40, 3), second = idsOf(n, 9, 4);
    c.forward = [=](const OperandSet& o) {
        Backend& b = o.tape.backend();
        return std::vector<Variable>{autograd::embeddingColumnsBehind(
            o.tape, o.x(0), {o.p(1), o.p(2)}, {tensorOf(b, first), tensorOf(b, second)})};
    };
    c.reference = [=](const std::vector<Values>& in) {
        const Values a = ref::embeddingForward(16, in[1], first);
        const Values b = ref::embeddingForward(33, in[2], second);
        Values all;
        for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(n); ++i) {
            all.insert(all.end(), in[0].begin() + i * width, in[0].begin() + (i + 1) * width);
            all.insert(all.end(), a.begin() + i * 16, a.begin() + (i + 1) * 16);
            all.insert(all.end(), b.begin() + i * 33, b.begin() + (i + 1) * 33);
        }
        return std::vector<Values>{all};
    };
    addGradientCase(list, c);
}

void addBag(CaseList& list, const std::string& use, std::int64_t rows, std::int64_t dim,
            const Ids& offsets, std::int64_t n, bool mean, std::int32_t padding)
{
    GradientCase c;
    c.family = "embedding";
    c.name = "bag embedding " + use + (mean ? " mean " : " sum ") + toString({rows, dim}) + " " +
             std::to_string(offsets.size()) + " bags of " + std::to_string(n) + " ids";
    c.operands = {parameter("table", {rows, dim}), typeOperand()};
    const Ids ids = idsOf(n, rows);
    c.forward = [=](const OperandSet& o) {
        Backend& b = o.tape.backend();
        const BagIds bags{tensorOf(b, ids), tensorOf(b, offsets), mean};
        return std::vector<Variable>{
            autograd::embeddingBag(o.tape, o.p(0), bags, o.x(1).value().dtype(), padding)};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{
            ref::embeddingBagForward(dim, mean, padding, in[0], ids, offsets)};
    };
    addGradientCase(list, c);
}

void addInteraction(CaseList& list, const std::string& use, std::int64_t B, std::int64_t F,
                    std::int64_t D)
{
    GradientCase c;
    c.family = "embedding";
    c.name = "dot interaction " + use + " " + toString({B, F, D});
    c.operands = {activation("x", {B, F, D})};
    c.forward = [](const OperandSet& o) {
        return std::vector<Variable>{autograd::dotInteraction(o.tape, o.x(0))};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{ref::dotInteractionForward(B, F, D, in[0])};
    };
    addGradientCase(list, c);
}

/// A sparse gradient as the whole table; its ids must be ascending.
Values wholeTable(Checker& check, const SparseRows& g, std::int64_t rows, std::int64_t dim)
{
    Values table(std::size_t(rows * dim), 0.0);
    if (g.empty())
        return table;
    const std::vector<std::int32_t> ids = check.integers(g.rows);
    const Values values = check.values(g.values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        check.require(i == 0 || ids[i] > ids[i - 1], "sparse rows are not ascending and unique");
        for (std::size_t c = 0; c < std::size_t(dim); ++c)
            table[std::size_t(ids[i]) * std::size_t(dim) + c] = values[i * std::size_t(dim) + c];
    }
    return table;
}

/// Dense and sparse gradients of one lookup, sums of sparse ones, on one thread and on two.
void checkSparse(Checker& check)
{
    EmbeddingOps& ops = check.backend().embedding();
    const double limit = tolerance(DType::F32).value;
    const int threads = computeThreads();
    for (const auto& [rows, dim, n] : {std::array<std::int64_t, 3>{26744, 64, 3000},
                                       {5000, 33, 77},
                                       {3, 1, 500},
                                       {1, 5, 4},
                                       {10, 4, 0}}) {
        const Ids ids = idsOf(n, rows);
        const Tensor t = tensorOf(check.backend(), ids);
        const Values dy = check.random(n * dim);
        const Tensor g = check.tensor({n, dim}, dy);
        const std::int32_t padding = rows > 1 ? 1 : -1;
        const Values expected = ref::embeddingBackward(rows, dim, padding, ids, dy);
        std::vector<Values> results;
        for (const int count : {1, 2}) {
            setComputeThreads(count);
            const Tensor dense =
                check.tensor({rows, dim}, Values(std::size_t(rows * dim), 3.0), DType::F32);
            ops.embeddingBackward(t, padding, g, dense, false);
            results.push_back(check.values(dense));
            const SparseRows sparse = ops.embeddingBackwardSparse(t, padding, g, rows);
            results.push_back(wholeTable(check, sparse, rows, dim));
            const std::array parts{sparse, SparseRows(), sparse};
            Values twice = wholeTable(check, ops.sumSparse(parts, rows), rows, dim);
            for (double& v : twice)
                v *= 0.5;
            results.push_back(std::move(twice));
        }
        setComputeThreads(threads);
        for (const Values& r : results)
            check.compare("gradient of the table", r, expected, limit);
        for (std::size_t i = 1; i < results.size(); ++i)
            check.require(results[i] == results[0],
                          "dense, sparse and summed gradients, or threads, disagree in their bits");
    }
}

/// Rows that travel: looked up into memory of the caller's, and gradients that lie elsewhere than
/// their ids.
void checkTravellingRows(Checker& check)
{
    EmbeddingOps& ops = check.backend().embedding();
    for (const auto& [rows, dim, n] :
         {std::array<std::int64_t, 3>{3000, 64, 500}, {12, 33, 77}, {1, 1, 3}}) {
        const Ids ids = idsOf(n, rows);
        const Tensor t = tensorOf(check.backend(), ids);
        const Values values = check.random(rows * dim);
        const Tensor table = check.tensor({rows, dim}, values, DType::F32);
        const Tensor there = check.tensor({n, dim}, Values(std::size_t(n * dim), 3.0));
        ops.rowsForward(table, t, there);
        check.compare("rows", check.values(there),
                      ref::embeddingForward(dim, check.values(table), ids),
                      tolerance(check.dtype()).value);

        const std::int64_t m = 2 * n; // the i-th gradient is in row m - 1 - 2 i
        const Values dy = check.random(m * dim);
        Ids source;
        Values own;
        for (std::int64_t i = 0; i < n; ++i) {
            source.push_back(std::int32_t(m - 1 - 2 * i));
            own.insert(own.end(), dy.begin() + source.back() * dim,
                       dy.begin() + (source.back() + 1) * dim);
        }
        const SparseRows gradient = ops.rowsBackwardSparse(t, tensorOf(check.backend(), source),
                                                           check.tensor({m, dim}, dy), rows);
        check.compare("gradient of the rows", wholeTable(check, gradient, rows, dim),
                      ref::embeddingBackward(rows, dim, -1, ids, own), tolerance(DType::F32).value);
    }
}

/// Gradients of tables of different length side by side, behind a front of any width: where that is
/// a multiple of theirs a device may take them for one table.
void checkSparseColumns(Checker& check)
{
    EmbeddingOps& ops = check.backend().embedding();
    const std::vector<std::int64_t> rows{700, 3, 1, 40000, 9};
    for (const auto& [dim, front, n] :
         {std::array<std::int64_t, 3>{16, 16, 600}, {16, 5, 33}, {7, 0, 100}, {4, 8, 0}}) {
        const std::int64_t width = front + dim * std::int64_t(rows.size());
        const Values dy = check.random(n * width);
        std::vector<Ids> ids;
        std::vector<Tensor> tensors;
        for (std::size_t t = 0; t < rows.size(); ++t) {
            ids.push_back(idsOf(n, rows[t], std::uint64_t(t) + 1));
            tensors.push_back(tensorOf(check.backend(), ids[t]));
        }
        const std::vector<SparseRows> sums =
            ops.columnsBackwardSparse(tensors, front, check.tensor({n, width}, dy), rows, dim);
        check.require(sums.size() == rows.size(), "not a gradient for each table");
        for (std::size_t t = 0; t < rows.size(); ++t) {
            Values own;
            for (std::int64_t i = 0; i < n; ++i) {
                const auto at = dy.begin() + i * width + front + std::int64_t(t) * dim;
                own.insert(own.end(), at, at + dim);
            }
            check.compare(
                "gradient of table " + std::to_string(t), wholeTable(check, sums[t], rows[t], dim),
                ref::embeddingBackward(rows[t], dim, -1, ids[t], own), tolerance(DType::F32).value);
        }
    }
}

void checkSparseBag(Checker& check)
{
    Backend& backend = check.backend();
    const std::int64_t rows = 50, dim = 9;
    const Ids ids = idsOf(40, rows), offsets = {0, 0, 3, 10, 10, 39};
    for (const bool mean : {false, true}) {
        const BagIds bags{tensorOf(backend, ids), tensorOf(backend, offsets), mean};
        const Tensor g = check.tensor({6, dim}, check.random(6 * dim));
        const Tensor dense = check.tensor({rows, dim}, Values(rows * dim, 0.0), DType::F32);
        backend.embedding().bagBackward(bags, 2, g, dense, false);
        const SparseRows sparse = backend.embedding().bagBackwardSparse(bags, 2, g, rows);
        check.require(wholeTable(check, sparse, rows, dim) == check.values(dense),
                      "dense and sparse gradients of a bag embedding disagree");
    }
}

/// Ids and offsets that cannot be are refused.
void checkRefusals(Checker& check)
{
    Backend& backend = check.backend();
    const Tensor table = check.tensor({4, 2}, Values(8, 1.0), DType::F32);
    auto refused = [&](auto&& call) {
        try {
            call();
            backend.synchronize(); // a device tells of it when it is waited for
        } catch (const InvalidArgument&) {
            return true;
        }
        return false;
    };
    for (const std::int32_t bad : {-1, 4, 1000000})
        check.require(refused([&] {
                          backend.embedding().embeddingForward(
                              table, tensorOf(backend, {0, bad, 1}), check.dtype());
                      }),
                      "an id outside the table is accepted");
    for (const std::int32_t bad : {-1, 4})
        check.require(
            refused([&] {
                const std::vector<Tensor> ids{tensorOf(backend, {3}), tensorOf(backend, {bad})};
                backend.embedding().columnsBackwardSparse(ids, 0,
                                                          check.tensor({1, 4}, Values(4, 1.0)),
                                                          std::vector<std::int64_t>{8, 4}, 2);
            }),
            "an id outside one of several tables is accepted");
    for (const Ids& offsets : {Ids{1, 2}, Ids{0, 3, 2}, Ids{0, 4}})
        check.require(
            refused([&] {
                const BagIds bags{tensorOf(backend, {0, 1, 2}), tensorOf(backend, offsets), false};
                backend.embedding().bagForward(table, bags, -1, check.dtype());
            }),
            "impossible offsets are accepted");
}

} // namespace

void addEmbeddingCases(CaseList& list)
{
    addEmbedding(list, "ncf", 2000, 64, {1024});
    addEmbedding(list, "bert tokens", 1000, 256, {2, 64});
    addEmbedding(list, "bert types", 2, 256, {2, 64});
    addEmbedding(list, "gnmt", 500, 128, {25, 4});
    addEmbedding(list, "odd", 7, 3, {5, 1, 3});
    addEmbedding(list, "one", 1, 1, {1});
    addEmbedding(list, "empty", 4, 5, {0});
    addColumns(list, 257);
    addColumns(list, 0);
    addColumnsBehind(list, 65, 16);
    addColumnsBehind(list, 3, 1);
    addBag(list, "dlrm", 1000, 128, idsOf(0, 1), 0, false, -1);
    Ids single;
    for (std::int32_t i = 0; i < 200; ++i)
        single.push_back(i);
    addBag(list, "dlrm", 1000, 128, single, 200, false, -1);
    addBag(list, "odd", 30, 17, {0, 3, 3, 11, 11}, 20, false, -1);
    addBag(list, "odd", 30, 300, {0, 3, 3, 11, 11}, 20, true, -1);
    addBag(list, "padded", 6, 5, {0, 1, 9}, 20, true, 0);
    addBag(list, "one", 1, 1, {0}, 1, true, -1);
    addInteraction(list, "dlrm", 16, 27, 128);
    addInteraction(list, "odd", 3, 5, 7);
    addInteraction(list, "whole tiles", 2, 8, 24);
    addInteraction(list, "many", 2, 33, 20);
    addInteraction(list, "one", 1, 1, 1);
    addInteraction(list, "empty", 0, 27, 128);
    for (const DType type : {DType::F32, DType::BF16}) {
        list.push_back({"embedding", "sparse gradients", type, checkSparse});
        list.push_back(
            {"embedding", "sparse gradients of several tables", type, checkSparseColumns});
        list.push_back({"embedding", "rows that travel", type, checkTravellingRows});
        list.push_back({"embedding", "sparse gradients of bags", type, checkSparseBag});
        list.push_back({"embedding", "ids that cannot be", type, checkRefusals});
    }
}

} // namespace scalebench::selftest
