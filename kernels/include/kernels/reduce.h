// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sum, mean or maximum of a tensor over some of its axes, and the way back.

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/types.h"

namespace scalebench {

enum class ReduceOp : std::uint8_t { Sum, Mean, Max };

struct ReduceParams {
    static constexpr int kMaxAxes = 6;
    ReduceOp op = ReduceOp::Sum;
    DType inputType = DType::F32, outputType = DType::F32;
    int axes = 0; ///< after merging neighbours: kept and reduced alternate
    std::array<std::int64_t, kMaxAxes> size{};
    std::array<bool, kMaxAxes> reduced{};

    std::int64_t inputCount() const;
    std::int64_t outputCount() const;
    /// Merges neighbours of one kind; false when more than kMaxAxes axes remain.
    static bool make(ReduceOp op, DType inputType, DType outputType,
                     const std::vector<std::int64_t>& shape, const std::vector<bool>& reduced,
                     ReduceParams& p);
};

namespace kernels::cpu {

/// y (outputCount() elements, kept axes in order) is overwritten; sums in fp32 over at most 1024
/// terms, then in double. An empty sum is 0, an empty mean NaN; an empty maximum is not allowed.
/// argmax (Max only, may be null): position in x of the first largest element (NaN counts as
/// largest), I32.
void reduceForward(const ReduceParams& p, const void* x, void* y, std::int32_t* argmax);
/// dx as x, overwritten. Sum and mean: dy repeated (divided by the number of terms); Max: dy at
/// argmax, 0 elsewhere.
void reduceBackward(const ReduceParams& p, const void* dy, const std::int32_t* argmax, void* dx);

} // namespace kernels::cpu
} // namespace scalebench
