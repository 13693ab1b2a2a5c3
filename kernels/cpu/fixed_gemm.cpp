// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/fixed_gemm.h"

#include <algorithm>
#include <cstring>

#include "kernels/check.h"
#include "kernels/cpu/fixed_target.h"
#include "kernels/cpu_level.h"

namespace scalebench::kernels::cpu::fixed {

#ifdef SB_FIXED

namespace {

/// sum + products of pairs. g++ 12 copies each sum twice where the intrinsic stands, a third of the
/// time of a product on Zen 5.
SB_FIXED_TARGET inline void addPairs(__m512i& sum, __m512i a, __m512i b)
{
    asm("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
}

/// What is fetched meanwhile: a word of it, and the next `step` words on, with each pair.
struct Fetch {
    const std::uint32_t* at;
    std::int64_t step;
};

/// kRows rows times NV panels, the sums in registers.
template <int NV, bool kPanels>
SB_FIXED_TARGET inline void block(std::int64_t pairs, const std::int16_t* A, std::int64_t lda,
                                  const std::uint32_t* B, Fetch next, const float* rowScale,
                                  const float* columnScale, float* C, std::int64_t ldc,
                                  bool accumulate)
{
#pragma GCC unroll 8
    for (int m = 0; m < kRows; ++m)
#pragma GCC unroll 2
        for (int n = 0; n < NV; ++n)
            __builtin_prefetch(C + m * ldc + n * kPanel, 1);
    __m512i c[kRows][NV];
#pragma GCC unroll 8
    for (int m = 0; m < kRows; ++m)
#pragma GCC unroll 2
        for (int n = 0; n < NV; ++n)
            c[m][n] = _mm512_setzero_si512();
    for (std::int64_t p = 0; p < pairs; ++p) {
        __m512i b[NV];
#pragma GCC unroll 2
        for (int n = 0; n < NV; ++n)
            b[n] = _mm512_loadu_si512(B + (n * pairs + p) * kPanel);
        __builtin_prefetch(next.at + p * next.step, 0, 2);
#pragma GCC unroll 8
        for (int m = 0; m < kRows; ++m) {
            std::int32_t pair;
            std::memcpy(&pair, A + (kPanels ? 2 * (p * kPanel + m) : m * lda + 2 * p), sizeof pair);
            const __m512i a = _mm512_set1_epi32(pair);
#pragma GCC unroll 2
            for (int n = 0; n < NV; ++n)
                addPairs(c[m][n], a, b[n]);
        }
    }
    __m512 scale[NV];
#pragma GCC unroll 2
    for (int n = 0; n < NV; ++n)
        scale[n] = _mm512_loadu_ps(columnScale + n * kPanel);
#pragma GCC unroll 8
    for (int m = 0; m < kRows; ++m)
#pragma GCC unroll 2
        for (int n = 0; n < NV; ++n) {
            float* const at = C + m * ldc + n * kPanel;
            __m512 sum = _mm512_mul_ps(_mm512_maskz_cvtepi32_ps(0xffff, c[m][n]),
                                       _mm512_mul_ps(_mm512_set1_ps(rowScale[m]), scale[n]));
            if (accumulate)
                sum = _mm512_add_ps(sum, _mm512_loadu_ps(at));
            _mm512_storeu_ps(at, sum);
        }
}

template <bool kPanels>
SB_FIXED_TARGET void multiplyBlocks(std::int64_t M, std::int64_t N, std::int64_t pairs,
                                    const std::int16_t* A, std::int64_t lda, const std::uint32_t* B,
                                    Scales scales, float* C, std::int64_t ldc, bool accumulate)
{
    // All rows that pass a panel fetch a share of the next one.
    const std::int64_t step = (2 * kPanel * kRows + M - 1) / M;
    for (std::int64_t n = 0; n < N;) {
        const bool two = n + 2 * kPanel <= N;
        const std::uint32_t* const panel = B + n * pairs;
        n += two ? 2 * kPanel : kPanel;
        for (std::int64_t m = 0; m < M; m += kRows) {
            const std::int64_t fetched = m / kRows * step;
            const bool more = fetched < 2 * kPanel && (!kPanels || n < N);
            const Fetch next = more ? Fetch{B + (n + fetched) * pairs, step} : Fetch{panel, 0};
            const std::int16_t* const a =
                A + (kPanels ? 2 * (m / kPanel * kPanel * pairs + m % kPanel) : m * lda);
            if (two)
                block<2, kPanels>(pairs, a, lda, panel, next, scales.row + m,
                                  scales.column + n - 2 * kPanel, C + m * ldc + n - 2 * kPanel, ldc,
                                  accumulate);
            else
                block<1, kPanels>(pairs, a, lda, panel, next, scales.row + m,
                                  scales.column + n - kPanel, C + m * ldc + n - kPanel, ldc,
                                  accumulate);
        }
    }
}

} // namespace

bool available()
{
    static const bool yes =
        cpuLevel() == CpuLevel::Avx512 && __builtin_cpu_supports("avx512vnni") != 0;
    return yes;
}

void multiply(std::int64_t M, std::int64_t N, std::int64_t pairs, Rows A, const std::uint32_t* B,
              Scales scales, float* C, std::int64_t ldc, bool accumulate)
{
    multiplyBlocks<false>(M, N, pairs, A.at, A.lda, B, scales, C, ldc, accumulate);
}

void multiply(std::int64_t M, std::int64_t N, std::int64_t pairs, Panels A, const std::uint32_t* B,
              Scales scales, float* C, std::int64_t ldc, bool accumulate)
{
    multiplyBlocks<true>(M, N, pairs, reinterpret_cast<const std::int16_t*>(A.at), 0, B, scales, C,
                         ldc, accumulate);
}

#else

bool available()
{
    return false;
}

namespace {
[[noreturn]] void refuse()
{
    throw Unsupported("fixed-point product: this processor has no instructions for it");
}
} // namespace

void multiply(std::int64_t, std::int64_t, std::int64_t, Rows, const std::uint32_t*, Scales, float*,
              std::int64_t, bool)
{
    refuse();
}

void multiply(std::int64_t, std::int64_t, std::int64_t, Panels, const std::uint32_t*, Scales,
              float*, std::int64_t, bool)
{
    refuse();
}

#endif

} // namespace scalebench::kernels::cpu::fixed
