// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Concatenation, slicing and their gradients on a GPU: rows of bytes between arrays whose rows lie
// at other distances, as kernels/copy_rows.h. Device memory, queued on `stream`.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace scalebench::kernels::cuda {

/// dst[r * dstStride .. + bytes) = src[r * srcStride ..) for all rows; sizes and strides in bytes.
void copyRows(std::int64_t rows, std::size_t bytes, const void* src, std::size_t srcStride,
              void* dst, std::size_t dstStride, cudaStream_t stream);
/// dst [rows] of `dstBytes` each, overwritten: src [rows] of `bytes` each from byte `before` on,
/// zero before and behind.
void padRows(std::int64_t rows, std::size_t bytes, const void* src, std::size_t before,
             std::size_t dstBytes, void* dst, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
