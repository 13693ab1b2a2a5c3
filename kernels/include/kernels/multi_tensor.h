// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How the optimizers see many tensors at once: flat arenas (gradient, weight, state; one layout)
// and a list of chunks, each inside one tensor. A whole network is updated by one call, and work is
// shared out by chunk, so that thousands of small tensors cost no more than one large one. Chunks
// are cut by size only: sums over them come out the same for any number of threads.

#include <cstdint>
#include <span>

namespace scalebench {

/// What an update needs to know of one tensor.
struct TensorSetting {
    float weightDecay = 0.0f;
    float learningRateScale = 1.0f;
    bool adapt = true; ///< LARS: scale the learning rate by the trust ratio

    bool operator==(const TensorSetting&) const = default;
};

/// Elements [offset, offset + count) of every arena, all of them in tensor number `tensor`.
struct TensorChunk {
    std::int64_t offset = 0;
    std::int32_t count = 0; ///< at most kChunkElements
    std::int32_t tensor = 0;

    bool operator==(const TensorChunk&) const = default;
};

inline constexpr std::int64_t kChunkElements = 32768;

/// Both lists belong to the caller and lie where the kernel can read them. Chunks are ordered by
/// tensor; a tensor may have none (its part of the arena is elsewhere, in a sharded update).
struct ChunkList {
    std::span<const TensorChunk> chunks;
    std::span<const TensorSetting> tensors;
};

namespace kernels::cpu {

/// sums[t] = sum of x^2 over the chunks of tensor t, in double; 0 for a tensor without chunks.
/// partial: scratch of list.chunks.size() doubles; sums: list.tensors.size().
void sumOfSquares(const ChunkList& list, const float* x, double* partial, double* sums);

} // namespace kernels::cpu
} // namespace scalebench
