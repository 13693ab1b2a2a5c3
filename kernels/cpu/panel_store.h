// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How sums in registers become rows of C, of fp32 or of bf16.

#include "kernels/cpu/avx512_bf16.h"
#include "kernels/cpu/panel_gemm.h"

#ifdef SB_AVX512_BF16

namespace scalebench::kernels::cpu::panels {

/// NV vectors of a row, of which N columns are there; of `finish` what C holds is added here.
template <int NV>
SB_BF16_TARGET inline void storeRow(const __m512 (&sum)[NV], float* C, std::int64_t N,
                                    Finish finish)
{
#pragma GCC unroll 4
    for (int n = 0; n < NV; ++n) {
        const __mmask16 mask = firstOf16(N - n * kPanel);
        __m512 v = sum[n];
        if (finish.accumulate)
            v = _mm512_add_ps(v, _mm512_maskz_loadu_ps(mask, C + n * kPanel));
        if (mask == 0xffff)
            _mm512_storeu_ps(C + n * kPanel, v);
        else
            _mm512_mask_storeu_ps(C + n * kPanel, mask, v);
    }
}

/// bf16 numbers as fp32.
SB_BF16_TARGET inline __m512 widened(__mmask16 mask, const bf16_t* x)
{
    const __m512i words = _mm512_maskz_cvtepu16_epi32(mask, _mm256_maskz_loadu_epi16(mask, x));
    return __m512(_mm512_maskz_slli_epi32(mask, words, 16));
}

template <int NV>
SB_BF16_TARGET inline void storeRow(const __m512 (&sum)[NV], bf16_t* C, std::int64_t N,
                                    Finish finish)
{
#pragma GCC unroll 2
    for (int n = 0; n < NV; n += 2) {
        const __mmask16 low = firstOf16(N - n * kPanel), high = firstOf16(N - (n + 1) * kPanel);
        __m512 first = sum[n];
        __m512 second = n + 1 < NV ? sum[n + 1 < NV ? n + 1 : n] : _mm512_setzero_ps();
        if (finish.accumulate) {
            first = _mm512_add_ps(first, widened(low, C + n * kPanel));
            second = _mm512_add_ps(second, widened(high, C + (n + 1) * kPanel));
        }
        const auto both = __m512i(_mm512_cvtne2ps_pbh(second, first));
        const __mmask32 mask = __mmask32(low) | __mmask32(high) << kPanel;
        if (mask == 0xffffffffu)
            _mm512_storeu_si512(C + n * kPanel, both);
        else
            _mm512_mask_storeu_epi16(C + n * kPanel, mask, both);
    }
}

} // namespace scalebench::kernels::cpu::panels
#endif
