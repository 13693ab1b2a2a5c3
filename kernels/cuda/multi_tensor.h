// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The list of chunks of a multi-tensor update (kernels/multi_tensor.h) in device memory, and how
// its elements are shared out: one launch for a whole network, a block for a part of a chunk.

#include "kernels/cuda/language.h"
#include "kernels/cuda/vector.h"
#include "kernels/multi_tensor.h"

#include <cstdint>

namespace scalebench::kernels::cuda {

/// Device pointers. Chunks are ordered by tensor.
struct DeviceChunks {
    const TensorChunk* chunks = nullptr;
    const TensorSetting* settings = nullptr;
    const std::int32_t* firstChunk =
        nullptr; ///< [tensors + 1]: tensor t has [first[t], first[t+1])
    std::int64_t chunkCount = 0, tensorCount = 0;
};

/// Elements of a block, 32 of each thread: several blocks per chunk even the load out.
inline constexpr int kChunkThreads = 256, kPartElements = 8192;
inline constexpr int kChunkParts = int(kChunkElements / kPartElements);

#if defined(SB_DEVICE_CODE)
/// Calls body(integral_constant n, element) for runs of n = 4 or 1 neighbouring elements of the
/// running block's part of its chunk. `vectors`: the arrays begin at multiples of 16 bytes.
template <class Body>
__device__ void forPart(const TensorChunk& chunk, bool vectors, const Body& body)
{
    const int begin = int(blockIdx.y) * kPartElements;
    const int count = min(chunk.count - begin, kPartElements);
    const std::int64_t first = chunk.offset + begin;
    const int packed = vectors && chunk.offset % 4 == 0 && count > 0 ? count / 4 * 4 : 0;
    SB_UNROLL_4
    for (int i = 4 * int(threadIdx.x); i < packed; i += 4 * kChunkThreads)
        body(std::integral_constant<int, 4>(), first + i);
    for (int i = packed + int(threadIdx.x); i < count; i += kChunkThreads)
        body(std::integral_constant<int, 1>(), first + i);
}
#endif

} // namespace scalebench::kernels::cuda
