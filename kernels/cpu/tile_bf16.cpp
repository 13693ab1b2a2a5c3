// SPDX-License-Identifier: GPL-3.0-or-later
// bf16 tile products: on AMX tiles, or with the AVX-512 instruction that adds a pair of products to
// each sum (VDPBF16PS, Intel Architecture Instruction Set Extensions Programming Reference).
#include <cstring>

#include "kernels/check.h"
#include "kernels/cpu/avx512_bf16.h"
#include "kernels/cpu/tile_amx.h"
#include "kernels/cpu/tile_gemm.h"
#include "kernels/cpu_features.h"

namespace scalebench::kernels::cpu::tile {

#ifdef SB_AVX512_BF16

namespace {

/// MR rows times NV vectors of C, held in registers over the whole sum.
template <int MR, int NV>
SB_BF16_TARGET inline void pairBlock(std::int64_t K, const bf16_t* A, std::int64_t lda,
                                     const bf16_t* B, std::int64_t ldb, float* C, std::int64_t ldc,
                                     bool accumulate)
{
    __m512 c[MR][NV];
#pragma GCC unroll 16
    for (int m = 0; m < MR; ++m)
#pragma GCC unroll 2
        for (int n = 0; n < NV; ++n)
            c[m][n] = accumulate ? _mm512_loadu_ps(C + m * ldc + n * kEdge) : _mm512_setzero_ps();
    for (std::int64_t k = 0; k < K; k += 2) {
        __m512bh b[NV];
#pragma GCC unroll 2
        for (int n = 0; n < NV; ++n)
            b[n] = __m512bh(_mm512_loadu_si512(B + k * ldb + 2 * n * kEdge));
#pragma GCC unroll 16
        for (int m = 0; m < MR; ++m) {
            int pair;
            std::memcpy(&pair, A + m * lda + k, sizeof pair);
            const auto a = __m512bh(_mm512_set1_epi32(pair));
#pragma GCC unroll 2
            for (int n = 0; n < NV; ++n)
                c[m][n] = _mm512_dpbf16_ps(c[m][n], a, b[n]);
        }
    }
#pragma GCC unroll 16
    for (int m = 0; m < MR; ++m)
#pragma GCC unroll 2
        for (int n = 0; n < NV; ++n)
            _mm512_storeu_ps(C + m * ldc + n * kEdge, c[m][n]);
}

/// All rows of NV vectors of columns.
template <int NV>
SB_BF16_TARGET void columnsOfPairs(std::int64_t M, std::int64_t K, const bf16_t* A,
                                   std::int64_t lda, const bf16_t* B, std::int64_t ldb, float* C,
                                   std::int64_t ldc, bool accumulate)
{
    std::int64_t m = 0;
    for (; m + 8 <= M; m += 8)
        pairBlock<8, NV>(K, A + m * lda, lda, B, ldb, C + m * ldc, ldc, accumulate);
    for (; m + 4 <= M; m += 4)
        pairBlock<4, NV>(K, A + m * lda, lda, B, ldb, C + m * ldc, ldc, accumulate);
    for (; m + 2 <= M; m += 2)
        pairBlock<2, NV>(K, A + m * lda, lda, B, ldb, C + m * ldc, ldc, accumulate);
    for (; m < M; ++m)
        pairBlock<1, NV>(K, A + m * lda, lda, B, ldb, C + m * ldc, ldc, accumulate);
}

SB_BF16_TARGET void multiplyPairs(std::int64_t M, std::int64_t N, std::int64_t K, const bf16_t* A,
                                  std::int64_t lda, const bf16_t* B, std::int64_t ldb, float* C,
                                  std::int64_t ldc, bool accumulate)
{
    std::int64_t n = 0;
    for (; n + 2 * kEdge <= N; n += 2 * kEdge)
        columnsOfPairs<2>(M, K, A, lda, B + 2 * n, ldb, C + n, ldc, accumulate);
    for (; n < N; n += kEdge)
        columnsOfPairs<1>(M, K, A, lda, B + 2 * n, ldb, C + n, ldc, accumulate);
}

bool pairsAvailable()
{
    static const bool available =
        cpuFeatures().bf16Fast && __builtin_cpu_supports("avx512bf16") != 0;
    return available;
}

} // namespace

bool bf16Available()
{
    return amxAvailable() || pairsAvailable();
}

Edges pairEdges()
{
    return amxAvailable() ? Edges{kEdge, kDepth, kDepth} : Edges{1, kEdge, 2};
}

void multiply(std::int64_t M, std::int64_t N, std::int64_t K, const bf16_t* A, std::int64_t lda,
              const bf16_t* B, std::int64_t ldb, float* C, std::int64_t ldc, bool accumulate)
{
    if (amxAvailable())
        multiplyAmx(M, N, K, A, lda, B, ldb, C, ldc, accumulate);
    else if (pairsAvailable())
        multiplyPairs(M, N, K, A, lda, B, ldb, C, ldc, accumulate);
    else
        throw Unsupported("bf16 tile product: this processor has neither AMX nor AVX512_BF16");
}

#else

bool bf16Available()
{
    return false;
}

void multiply(std::int64_t, std::int64_t, std::int64_t, const bf16_t*, std::int64_t, const bf16_t*,
              std::int64_t, float*, std::int64_t, bool)
{
    throw Unsupported("bf16 tile product: this processor has no instructions for bf16");
}

#endif

} // namespace scalebench::kernels::cpu::tile
