// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Concatenation, slicing and their gradients: all of them copy `rows` rows of bytes between arrays
// whose rows lie at other distances. Element types matter only by their size.

#include <cstddef>
#include <cstdint>

namespace scalebench::kernels::cpu {

/// dst[r * dstStride .. + bytes) = src[r * srcStride ..) for all rows; sizes and strides in bytes.
void copyRows(std::int64_t rows, std::size_t bytes, const void* src, std::size_t srcStride,
              void* dst, std::size_t dstStride);
/// Zero bytes instead.
void zeroRows(std::int64_t rows, std::size_t bytes, void* dst, std::size_t dstStride);

} // namespace scalebench::kernels::cpu
