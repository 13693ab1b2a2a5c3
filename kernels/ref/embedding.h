// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Embeddings, their gradient and the dot interaction in double precision.

#include <cstdint>
#include <vector>

#include "kernels/ref/values.h"

namespace scalebench::kernels::ref {

using Ids = std::vector<std::int32_t>;

Values embeddingForward(std::int64_t dim, const Values& table, const Ids& ids);
/// Sum or mean of the rows of each bag; ids equal to padding do not count.
Values embeddingBagForward(std::int64_t dim, bool mean, std::int32_t padding, const Values& table,
                           const Ids& ids, const Ids& offsets);
/// Gradient of a whole table.
Values embeddingBackward(std::int64_t rows, std::int64_t dim, std::int32_t padding, const Ids& ids,
                         const Values& dy);
/// x [B,F,D] -> [B, D + F(F-1)/2].
Values dotInteractionForward(std::int64_t B, std::int64_t F, std::int64_t D, const Values& x);

} // namespace scalebench::kernels::ref
