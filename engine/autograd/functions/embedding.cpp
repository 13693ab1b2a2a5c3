// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/embedding.h"

#include "engine/autograd/functions/sparse_gradient.h"

#include <utility>

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

Variable embeddingColumns(Tape& tape, const std::vector<ParameterRef>& tables,
                          const std::vector<Tensor>& ids, DType dtype)
{
    Backend& backend = tape.backend();
    std::vector<Tensor> values;
    for (const ParameterRef& table : tables)
        values.push_back(table.value);
    Tensor y = backend.embedding().columnsForward(values, ids, dtype);
    if (!tape.recording())
        return Variable(std::move(y));
    for (const ParameterRef& table : tables)
        tape.useParameter(table.index);
    return tape.record(
        "embedding", std::move(y), true, [&tape, &backend, tables, ids](std::vector<Tensor> grads) {
            const Tensor dy = backend.elementwise().sum(std::move(grads));
            std::int64_t column = dy.dim(1);
            for (std::size_t i = tables.size(); i-- > 0;) { // ready in the reverse order
                const ParameterRef& table = tables[i];
                const std::int64_t rows = table.value.dim(0), dim = table.value.dim(1);
                column -= dim;
                if (table.sparseGradient)
                    keepSparse(
                        tape, table,
                        backend.embedding().columnsBackwardSparse(ids[i], column, dy, rows, dim));
                else
                    backend.embedding().columnsBackward(ids[i], column, dy, table.gradient,
                                                        tape.accumulateInto(table.index));
                tape.parameterReady(table.index);
            }
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
