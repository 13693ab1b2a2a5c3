// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/pack_pairs.h"

#include <algorithm>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::int64_t kRows = 32, kColumns = 64, kPairs = kRows / 2;
constexpr std::int64_t kBlock = kRows * kColumns; // elements

SB_HOST_DEVICE std::uint32_t pairOf(float first, float second)
{
    return std::uint32_t(formula::f32ToBf16(first)) | std::uint32_t(formula::f32ToBf16(second))
                                                          << 16;
}

SB_TARGET_CLONES void wholeBlock(const float* b, std::int64_t ld, std::uint32_t* out)
{
    for (std::int64_t p = 0; p < kPairs; ++p) {
        const float *first = b + 2 * p * ld, *second = first + ld;
#pragma GCC ivdep
        for (std::int64_t n = 0; n < kColumns; ++n)
            out[p * kColumns + n] = pairOf(first[n], second[n]);
    }
}

/// A block at an edge: what lies outside is zero.
void edgeBlock(const float* b, std::int64_t ld, std::int64_t rows, std::int64_t columns,
               std::uint32_t* out)
{
    const auto at = [&](std::int64_t k, std::int64_t n) {
        return k < rows && n < columns ? b[k * ld + n] : 0.0f;
    };
    for (std::int64_t p = 0; p < kPairs; ++p)
        for (std::int64_t n = 0; n < kColumns; ++n)
            out[p * kColumns + n] = pairOf(at(2 * p, n), at(2 * p + 1, n));
}

} // namespace

void packPairs(std::int64_t K, std::int64_t N, const float* b, std::int64_t ld, bf16_t* packed)
{
    const std::int64_t rowBlocks = (K + kRows - 1) / kRows;
    parallelFor(rowBlocks, [&](std::int64_t block) { // along the rows, as the source lies
        const std::int64_t k = block * kRows;
        for (std::int64_t n = 0; n < N; n += kColumns) {
            auto* out = reinterpret_cast<std::uint32_t*>(
                packed + (n / kColumns * rowBlocks + block) * kBlock);
            if (k + kRows > K || n + kColumns > N)
                edgeBlock(b + k * ld + n, ld, std::min(kRows, K - k), std::min(kColumns, N - n),
                          out);
            else
                wholeBlock(b + k * ld + n, ld, out);
        }
    });
}

} // namespace scalebench::kernels::cpu
