// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/attention_mma.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256;

/// Four threads a word. Blocks: rows in x, groups of 64 keys in y, heads in z.
__global__ void __launch_bounds__(kThreads) keptBitsKernel(AttentionParams p, KeptBits kept)
{
    const std::int64_t row = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) / 4;
    if (row >= p.queryRows)
        return;
    const std::int64_t head = blockIdx.z, key = std::int64_t(blockIdx.y) * kMmaColumns;
    unsigned bits = 0;
    forDropout(AttentionDropout(p), head * p.queryRows + row, key, 0,
               [&](int n, int e, float z) { bits |= z != 0.0f ? 1u << (2 * n + e % 2) : 0u; });
    reinterpret_cast<std::uint16_t*>(kept.at(p, head, row, key))[threadIdx.x % 4] =
        std::uint16_t(bits);
}

} // namespace

void drawKeptBits(const AttentionParams& p, const KeptBits& bits, cudaStream_t stream)
{
    if (p.queryRows * bits.perRow * p.heads == 0)
        return;
    const Grid grid{dim3(unsigned((p.queryRows * 4 + kThreads - 1) / kThreads),
                         unsigned(bits.perRow), unsigned(p.heads)),
                    dim3(kThreads)};
    launch("attention dropout", stream, grid, keptBitsKernel, p, bits);
}

} // namespace scalebench::kernels::cuda
