// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A parameter as an op needs it. Its gradient goes into the gradient arena of its ParameterSet and
// is reported ready when written; that of a sparse parameter goes into its SparseRows.

#include <cstdint>
#include <memory>

#include "engine/tensor/sparse_rows.h"

namespace scalebench {

/// Value and gradient (views into the arenas, F32), index and version of a parameter.
struct ParameterRef {
    Tensor value, gradient;
    int index = -1;
    std::uint64_t version = 0;
    std::shared_ptr<SparseRows> sparseGradient; ///< of a sparse parameter, which has no `gradient`
    bool defined() const noexcept { return value.defined(); }
};

} // namespace scalebench
