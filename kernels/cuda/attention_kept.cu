// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/attention_mma.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256;

/// Four threads a word. Blocks: rows in x, groups of 64 keys in y, heads in z.
__global__ void __launch_bounds__(kThreads)
    keptBitsKernel(AttentionParams p, std::uint64_t pitch, std::uint32_t threshold,
                   std::uint64_t* words)
{
    const std::int64_t row = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) / 4;
    if (row >= p.queryRows)
        return;
    const std::int64_t head = blockIdx.z;
    const std::uint64_t element = p.dropoutOffset +
                                  std::uint64_t(head * p.queryRows + row) * pitch +
                                  blockIdx.y * kMmaColumns;
    // Keys 8 n + 2 t + b of thread t: counter 2 t + b + 8 (n % 2), word n / 2.
    formula::PhiloxWords drawn[4];
    SB_UNROLL
    for (int i = 0; i < 4; ++i)
        drawn[i] = formula::dropoutCounter(p.stream, element / formula::kDropoutGroup,
                                           threadIdx.x % 4 * 2 + unsigned(i % 2 + i / 2 * 8));
    formula::philox4x32(drawn, std::uint32_t(p.seed), std::uint32_t(p.seed >> 32));
    unsigned bits = 0;
    SB_UNROLL
    for (int k = 0; k < 16; ++k) {
        const int i = k / 4, w = k % 4;
        bits |= unsigned(drawn[i].w[w] >= threshold) << (2 * (2 * w + i / 2) + i % 2);
    }
    std::uint64_t* const word =
        words + (head * std::int64_t(gridDim.y) + std::int64_t(blockIdx.y)) * p.queryRows + row;
    reinterpret_cast<std::uint16_t*>(word)[threadIdx.x % 4] = std::uint16_t(bits);
}

} // namespace

KeptBits drawKeptBits(const AttentionParams& p, const SegmentList& list, std::uint64_t* words,
                      cudaStream_t stream)
{
    const KeptBits bits{words, KeptBits::wordsPerRow(list)};
    if (p.dropout <= 0.0f || p.queryRows * bits.perRow * p.heads == 0)
        return bits;
    const Grid grid{dim3(unsigned((p.queryRows * 4 + kThreads - 1) / kThreads),
                         unsigned(bits.perRow), unsigned(p.heads)),
                    dim3(kThreads)};
    launch("attention dropout", stream, grid, keptBitsKernel, p,
           std::uint64_t((p.keyRows + 63) / 64 * 64), formula::dropoutThreshold(p.dropout), words);
    return bits;
}

} // namespace scalebench::kernels::cuda
