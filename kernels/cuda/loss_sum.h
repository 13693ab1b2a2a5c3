// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sums of losses without the host: every block leaves its part, one more kernel adds the parts in
// their order. How many blocks there are depends on the sizes alone, so sums repeat bit for bit.

#include <cuda_runtime.h>

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/loss_target.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace scalebench::kernels::cuda {

/// What a block found.
struct LossPart {
    double loss;
    long long correct, counted;
};

inline constexpr int kLossThreads = 256;
inline constexpr std::int64_t kLossBlocks = 132 * 16;
static_assert(kLossScratchBytes >= std::size_t(kLossBlocks) * sizeof(LossPart));

/// As many blocks as have something to do. `work`: items that a thread does one after the other.
inline Grid lossGrid(std::int64_t work)
{
    const std::int64_t blocks = (work + kLossThreads - 1) / kLossThreads;
    return {dim3(unsigned(std::clamp<std::int64_t>(blocks, 1, kLossBlocks))), dim3(kLossThreads)};
}

/// All threads of the block call with what they have.
__device__ inline void storeLossPart(LossPart* parts, double loss, int correct, int counted)
{
    const double total = blockSum(loss);
    const int right = blockSum(correct), rows = blockSum(counted);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = {total, right, rows};
}

/// Adds up the parts of the blocks of `grid`.
void joinLossParts(const Grid& grid, const LossPart* parts, float scale, const LossTarget& target,
                   cudaStream_t stream);

} // namespace scalebench::kernels::cuda
