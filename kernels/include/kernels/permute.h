// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Axes in another order (a transposition is the case of two). The gradient is the permutation with
// the inverse order.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scalebench {

struct PermuteParams {
    static constexpr int kMaxAxes = 6;
    int axes = 0;                                ///< of the result, after merging neighbours
    std::array<std::int64_t, kMaxAxes> size{};   ///< of the result, outermost first
    std::array<std::int64_t, kMaxAxes> stride{}; ///< elements of x from one entry to the next
    std::size_t elementBytes = 4;                ///< 1, 2 or 4

    /// y axis i is axis order[i] of x, whose shape is `shape`. False unless `order` is a
    /// permutation that leaves at most kMaxAxes axes.
    static bool make(const std::vector<std::int64_t>& shape, const std::vector<int>& order,
                     std::size_t elementBytes, PermuteParams& p);
};

namespace kernels::cpu {

/// y contiguous, overwritten; x and y do not overlap.
void permute(const PermuteParams& p, const void* x, void* y);

} // namespace kernels::cpu
} // namespace scalebench
