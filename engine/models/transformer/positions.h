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

/// The rows of all positions so far, worked out once: a batch costs its positions' numbers, not
/// their waves. Of one network on one backend, which outlives this.
class PositionTable
{
public:
    PositionTable(std::int64_t hidden, DType dtype) : hidden_(hidden), dtype_(dtype) {}

    /// Rows [rows, hidden] for tokens of which each segment counts from 0, on the query side
    /// (`queries`) or the key side of the segments; rows outside are 0. In the memory of `backend`.
    Tensor rowsOf(const std::vector<AttentionSegment>& segments, bool queries, std::int64_t rows,
                  Backend& backend);
    /// The row of one position: [1, hidden].
    Tensor row(std::int64_t position, Backend& backend);

private:
    void reach(std::int64_t positions, Backend& backend);

    std::int64_t hidden_;
    DType dtype_;
    Tensor table_; ///< [1 + positions, hidden]: zeros, then position 0, 1, ...
};

} // namespace scalebench
