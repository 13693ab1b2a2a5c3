// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The gradient of a table of which a step touches few rows: the touched rows and nothing else.

#include "engine/tensor/tensor.h"

namespace scalebench {

/// Rows that are not listed are zero. Both tensors are undefined when no row was touched.
struct SparseRows {
    Tensor rows;   ///< I32 [n], ascending, each at most once
    Tensor values; ///< F32 [n,dim], the sum of everything that fell on the row

    std::int64_t count() const noexcept { return rows.defined() ? rows.count() : 0; }
    bool empty() const noexcept { return count() == 0; }
};

} // namespace scalebench
