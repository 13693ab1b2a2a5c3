// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// For functions that read tables: what becomes of the gradient of a sparse parameter.

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

#include <array>
#include <utility>

namespace scalebench::autograd {

/// Hands it over; while micro-batches accumulate, to what is there.
inline void keepSparse(Tape& tape, const ParameterRef& table, SparseRows gradient)
{
    SparseRows& kept = *table.sparseGradient;
    if (tape.accumulateInto(table.index) && !kept.empty()) {
        const std::array parts{std::move(kept), std::move(gradient)};
        kept = tape.backend().embedding().sumSparse(parts, table.value.dim(0));
    } else {
        kept = std::move(gradient);
    }
}

} // namespace scalebench::autograd
