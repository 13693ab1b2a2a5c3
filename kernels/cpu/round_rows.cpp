// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/round_rows.h"

#include "kernels/cpu/bf16_lanes.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {
namespace {

SB_TARGET_CLONES void plainRows(const float* x, std::int64_t ld, const float* factors,
                                std::int64_t rows, std::int64_t columns, bf16_t* out,
                                std::int64_t ldOut)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float factor = factors ? factors[r] : 1.0f;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c)
            formula::store(out + r * ldOut + c, x[r * ld + c] * factor);
    }
}

SB_TARGET_CLONES void plainPairs(const float* x, std::int64_t ld, std::int64_t rows,
                                 std::int64_t columns, bf16_t* out, std::int64_t ldOut)
{
    for (std::int64_t r = 0; r < rows; r += 2, x += 2 * ld, out += 2 * ldOut)
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c) {
            formula::store(out + 2 * c, x[c]);
            formula::store(out + 2 * c + 1, x[ld + c]);
        }
}

#ifdef SB_AVX512_BF16

SB_BF16_TARGET void laneRows(const float* x, std::int64_t ld, const float* factors,
                             std::int64_t rows, std::int64_t columns, bf16_t* out,
                             std::int64_t ldOut)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const __m512 factor = _mm512_set1_ps(factors ? factors[r] : 1.0f);
        everyColumn(columns, [&](std::int64_t c, auto there) SB_BF16_STEP {
            const Lanes32 v = load(x + r * ld + c, there);
            store(out + r * ldOut + c, Lanes32{v.low * factor, v.high * factor}, there);
        });
    }
}

SB_BF16_TARGET void lanePairs(const float* x, std::int64_t ld, std::int64_t rows,
                              std::int64_t columns, bf16_t* out, std::int64_t ldOut)
{
    const __m512i order =
        _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                         21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    for (std::int64_t r = 0; r < rows; r += 2, x += 2 * ld, out += 2 * ldOut)
        for (std::int64_t c = 0; c < columns; c += 16) {
            const auto both =
                __m512i(_mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + ld + c), _mm512_loadu_ps(x + c)));
            _mm512_storeu_si512(out + 2 * c,
                                _mm512_maskz_permutexvar_epi16(__mmask32(~0u), order, both));
        }
}

#endif

} // namespace

void roundRows(const float* x, std::int64_t ld, const float* factors, std::int64_t rows,
               std::int64_t columns, bf16_t* out, std::int64_t ldOut)
{
#ifdef SB_AVX512_BF16
    if (bf16LanesAvailable())
        return laneRows(x, ld, factors, rows, columns, out, ldOut);
#endif
    plainRows(x, ld, factors, rows, columns, out, ldOut);
}

void roundPairs(const float* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
                bf16_t* out, std::int64_t ldOut)
{
#ifdef SB_AVX512_BF16
    if (bf16LanesAvailable())
        return lanePairs(x, ld, rows, columns, out, ldOut);
#endif
    plainPairs(x, ld, rows, columns, out, ldOut);
}

} // namespace scalebench::kernels::cpu
