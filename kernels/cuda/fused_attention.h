// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a vendor's attention needs around it: our masks, statistics and dropout in its layouts, for
// `sentences` segments of one number of queries that lie behind each other.

#include <cuda_runtime.h>

#include "kernels/cuda/attention.h"

namespace scalebench::kernels::cuda {

/// to [sentences][heads][queries] = from [heads][sentences * queries].
void statisticsBySentence(std::int64_t heads, std::int64_t sentences, std::int64_t queries,
                          const float* from, float* to, cudaStream_t stream);
/// to [heads][sentences * queries] = from [sentences][heads][queries].
void statisticsByHead(std::int64_t heads, std::int64_t sentences, std::int64_t queries,
                      const float* from, float* to, cudaStream_t stream);
/// Queries and keys of each segment.
void segmentCounts(const SegmentList& list, std::int32_t* queries, std::int32_t* keys,
                   cudaStream_t stream);

/// Keys from one row of dropoutKept() to the next: rows begin on 16-byte boundaries.
constexpr std::int64_t keptPitch(std::int64_t keys)
{
    return (keys + 7) / 8 * 8;
}
/// kept [sentences][heads][queries][keptPitch(keys)], of p's type: one where dropout keeps the
/// element, else zero. p.dropoutOffset is a multiple of a group of words; at most 65535 heads
/// and sentences, 4096 queries and keys.
void dropoutKept(const AttentionParams& p, std::int64_t sentences, std::int64_t keys, void* kept,
                 cudaStream_t stream);

/// Adds sum((a - b)^2) and sum(b^2) over the heads of all rows to out[0] and out[1].
void addSquaredDifference(const AttentionParams& p, const void* a, const void* b, std::int64_t rows,
                          std::int64_t stride, float* out, cudaStream_t stream);
/// Zeroes the heads of all rows of an operand.
void clearHeads(const AttentionParams& p, void* x, std::int64_t rows, std::int64_t stride,
                cudaStream_t stream);

} // namespace scalebench::kernels::cuda
