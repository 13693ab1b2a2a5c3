// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What batches of tokens are put together from.

#include "engine/tensor/tensor.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace scalebench::workloads {

/// Shapes come in steps, so that few different plans are made.
inline int64_t roundedUp(int64_t n, int64_t step)
{
    return (n + step - 1) / step * step;
}

/// int32; `shape` holds as many.
inline Tensor tensorOf(std::span<const int32_t> values, Shape shape, Allocator& memory)
{
    Tensor tensor = Tensor::empty(std::move(shape), DType::I32, memory);
    std::ranges::copy(values, tensor.i32().begin());
    return tensor;
}

} // namespace scalebench::workloads
