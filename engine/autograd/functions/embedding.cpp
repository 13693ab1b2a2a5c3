// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/embedding.h"

#include <array>
#include <utility>

namespace scalebench::autograd {
namespace {

/// Hands the gradient of a sparse parameter over.
void keepSparse(Tape& tape, const ParameterRef& table, SparseRows gradient)
{
    SparseRows& kept = *table.sparseGradient;
    if (tape.accumulateInto(table.index) && !kept.empty()) {
        const std::array parts{std::move(kept), std::move(gradient)};
        kept = tape.backend().embedding().sumSparse(parts, table.value.dim(0));
    } else {
        kept = std::move(gradient);
    }
}

} // namespace

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

} // namespace scalebench::autograd
