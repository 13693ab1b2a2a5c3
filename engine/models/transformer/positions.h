// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sinusoidal positions (arXiv 1706.03762, section 3.5; as tensor2tensor lays them out: the sines of
// all wavelengths, then the cosines).

#include <cstdint>
#include <vector>

#include "engine/backend/backend.h"
#include "kernels/attention.h"

namespace scalebench {

/// The row of one position: `hidden` numbers.
void sinusoid(std::int64_t position, std::int64_t hidden, float* out);

/// Rows [rows, hidden] in `dtype` for tokens of which each segment counts from 0, on the query side
/// (`queries`) or the key side of the segments; rows outside are 0. In the memory of `backend`.
Tensor positionRows(const std::vector<AttentionSegment>& segments, bool queries, std::int64_t rows,
                    std::int64_t hidden, DType dtype, Backend& backend);

} // namespace scalebench
