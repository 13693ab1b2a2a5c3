// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/embedding.h"

#include "engine/autograd/functions/sparse_gradient.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace scalebench::autograd {
Variable embedding(Tape& tape, const ParameterRef& table, const Tensor& ids, DType dtype,
                   std::int32_t padding)
{
    Backend& backend = tape.backend();
    Tensor y = backend.embedding().embeddingForward(table.value, ids, dtype);
    if (!tape.recording())
        return Variable(std::move(y));
    tape.useParameter(table.index);
    return tape.record(
        "embedding", std::move(y), true,
        [&tape, &backend, table, ids, padding](std::vector<Tensor> grads) {
            const Tensor dy = backend.elementwise().sum(std::move(grads));
            if (table.sparseGradient)
                keepSparse(tape, table,
                           backend.embedding().embeddingBackwardSparse(ids, padding, dy,
                                                                       table.value.dim(0)));
            else
                backend.embedding().embeddingBackward(ids, padding, dy, table.gradient,
                                                      tape.accumulateInto(table.index));
            tape.parameterReady(table.index);
        });
}

namespace {

bool alike(const std::vector<ParameterRef>& tables)
{
    return std::ranges::all_of(tables, [&](const ParameterRef& table) {
        return table.sparseGradient && table.value.dim(1) == tables[0].value.dim(1);
    });
}

/// Tables of one width with sparse gradients.
void columnsBackwardAlike(Tape& tape, const std::vector<ParameterRef>& tables,
                          const std::vector<Tensor>& ids, const Tensor& dy)
{
    const std::int64_t dim = tables[0].value.dim(1);
    std::vector<std::int64_t> rows;
    for (const ParameterRef& table : tables)
        rows.push_back(table.value.dim(0));
    std::vector<SparseRows> sums = tape.backend().embedding().columnsBackwardSparse(
        ids, dy.dim(1) - dim * std::int64_t(tables.size()), dy, rows, dim);
    for (std::size_t i = tables.size(); i-- > 0;) { // ready in the reverse order
        keepSparse(tape, tables[i], std::move(sums[i]));
        tape.parameterReady(tables[i].index);
    }
}

/// The gradients of the last columns of dy are those of the tables.
void columnsBackward(Tape& tape, const std::vector<ParameterRef>& tables,
                     const std::vector<Tensor>& ids, const Tensor& dy)
{
    if (alike(tables))
        return columnsBackwardAlike(tape, tables, ids, dy);
    EmbeddingOps& ops = tape.backend().embedding();
    std::int64_t column = dy.dim(1);
    for (std::size_t i = tables.size(); i-- > 0;) { // ready in the reverse order
        const ParameterRef& table = tables[i];
        const std::int64_t rows = table.value.dim(0), dim = table.value.dim(1);
        column -= dim;
        if (table.sparseGradient)
            keepSparse(tape, table, ops.columnsBackwardSparse(ids[i], column, dy, rows, dim));
        else
            ops.columnsBackward(ids[i], column, dy, table.gradient,
                                tape.accumulateInto(table.index));
        tape.parameterReady(table.index);
    }
}

Tensor columnsForward(Tape& tape, const std::vector<ParameterRef>& tables,
                      const std::vector<Tensor>& ids, DType dtype, const Tensor& front)
{
    std::vector<Tensor> values;
    for (const ParameterRef& table : tables)
        values.push_back(table.value);
    Tensor y = tape.backend().embedding().columnsForward(values, ids, dtype, front);
    if (tape.recording())
        for (const ParameterRef& table : tables)
            tape.useParameter(table.index);
    return y;
}

} // namespace

Variable embeddingColumns(Tape& tape, const std::vector<ParameterRef>& tables,
                          const std::vector<Tensor>& ids, DType dtype)
{
    Tensor y = columnsForward(tape, tables, ids, dtype, {});
    if (!tape.recording())
        return Variable(std::move(y));
    return tape.record(
        "embedding", std::move(y), true, [&tape, tables, ids](std::vector<Tensor> grads) {
            columnsBackward(tape, tables, ids, tape.backend().elementwise().sum(std::move(grads)));
        });
}

Variable embeddingColumnsBehind(Tape& tape, const Variable& x,
                                const std::vector<ParameterRef>& tables,
                                const std::vector<Tensor>& ids)
{
    ElementwiseOps& ops = tape.backend().elementwise();
    Tensor y = columnsForward(tape, tables, ids, x.value().dtype(), x.value());
    if (!tape.recording())
        return Variable(std::move(y));
    return tape.record("embedding", std::move(y), true,
                       [&tape, &ops, tables, ids, width = x.value().dim(1),
                        slot = x.slot()](std::vector<Tensor> grads) {
                           const Tensor dy = ops.sum(std::move(grads));
                           Tape::addGradient(slot, ops.slice(dy, 1, 0, width));
                           columnsBackward(tape, tables, ids, dy);
                       });
}

Variable embeddingBag(Tape& tape, const ParameterRef& table, const BagIds& bags, DType dtype,
                      std::int32_t padding)
{
    Backend& backend = tape.backend();
    Tensor y = backend.embedding().bagForward(table.value, bags, padding, dtype);
    if (!tape.recording())
        return Variable(std::move(y));
    tape.useParameter(table.index);
    return tape.record("bag embedding", std::move(y), true,
                       [&tape, &backend, table, bags, padding](std::vector<Tensor> grads) {
                           const Tensor dy = backend.elementwise().sum(std::move(grads));
                           if (table.sparseGradient)
                               keepSparse(tape, table,
                                          backend.embedding().bagBackwardSparse(
                                              bags, padding, dy, table.value.dim(0)));
                           else
                               backend.embedding().bagBackward(bags, padding, dy, table.gradient,
                                                               tape.accumulateInto(table.index));
                           tape.parameterReady(table.index);
                       });
}

Variable dotInteraction(Tape& tape, const Variable& input)
{
    Backend& backend = tape.backend();
    return tape.record(
        "dot interaction", backend.embedding().dotInteractionForward(input.value()),
        input.needsGradient(),
        [&backend, x = input.value(), slot = input.slot()](std::vector<Tensor> grads) {
            Tape::addGradient(slot, backend.embedding().dotInteractionBackward(
                                        x, backend.elementwise().sum(std::move(grads))));
        });
}

} // namespace scalebench::autograd
