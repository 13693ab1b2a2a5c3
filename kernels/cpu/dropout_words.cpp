// SPDX-License-Identifier: GPL-3.0-or-later
// Philox on vectors of 64-bit lanes, of which the low halves count: that is what the instructions
// take that multiply 32 by 32 bits, so a round needs no shuffle. Even and odd counters of a group
// are vectors of their own until the end.
#include "kernels/cpu/dropout_words.h"

#include "kernels/cpu_level.h"
#include "kernels/formula/dropout.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define SB_WORDS_OF_VECTORS 1
#endif

namespace scalebench::kernels::cpu {
namespace {

using formula::kDropoutGroup;
using formula::kDropoutLanes;
using Words = void (*)(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                       std::int64_t groups, std::uint32_t* words);

void plain(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::int64_t groups,
           std::uint32_t* words)
{
    for (std::int64_t g = 0; g < groups; ++g, words += kDropoutGroup)
        for (std::uint64_t lane = 0; lane < kDropoutLanes; ++lane) {
            const formula::PhiloxWords four =
                formula::dropoutWords(seed, stream, first + std::uint64_t(g), lane);
            for (std::uint64_t i = 0; i < 4; ++i)
                words[i * kDropoutLanes + lane] = four.w[i];
        }
}

#ifdef SB_WORDS_OF_VECTORS

// The two below are the same but for the vectors' length. Lanes never carry over into the counter's
// high word: a group's first counter is a multiple of 16.

[[gnu::target("avx512f,avx512dq")]] void byAvx512(std::uint64_t seed, std::uint64_t stream,
                                                  std::uint64_t first, std::int64_t groups,
                                                  std::uint32_t* words)
{
    constexpr __mmask8 kAll = 0xff; // without it g++ 12 says that these read what is not set
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i m0 = _mm512_set1_epi64(formula::kPhiloxMultiplier0);
    const __m512i m1 = _mm512_set1_epi64(formula::kPhiloxMultiplier1);
    const __m512i step0 = _mm512_set1_epi64(formula::kPhiloxKeyStep0);
    const __m512i step1 = _mm512_set1_epi64(formula::kPhiloxKeyStep1);
    for (std::int64_t g = 0; g < groups; ++g, words += kDropoutGroup) {
        const std::uint64_t counter = (first + std::uint64_t(g)) * kDropoutLanes;
        __m512i c[4][2]; // [word][even or odd counters]
        c[0][0] = _mm512_add_epi64(_mm512_set1_epi64(std::int64_t(counter)), even);
        c[0][1] = _mm512_add_epi64(c[0][0], _mm512_set1_epi64(1));
        c[1][0] = c[1][1] = _mm512_set1_epi64(std::int64_t(counter >> 32));
        c[2][0] = c[2][1] = _mm512_set1_epi64(std::int64_t(stream));
        c[3][0] = c[3][1] = _mm512_set1_epi64(std::int64_t(stream >> 32));
        __m512i key0 = _mm512_set1_epi64(std::int64_t(seed & 0xffffffffu));
        __m512i key1 = _mm512_set1_epi64(std::int64_t(seed >> 32));
#pragma GCC unroll 10
        for (int round = 0; round < formula::kPhiloxRounds; ++round) {
#pragma GCC unroll 2
            for (int odd = 0; odd < 2; ++odd) {
                const __m512i p0 = _mm512_maskz_mul_epu32(kAll, c[0][odd], m0);
                const __m512i p1 = _mm512_maskz_mul_epu32(kAll, c[2][odd], m1);
                c[0][odd] = _mm512_ternarylogic_epi64(_mm512_maskz_srli_epi64(kAll, p1, 32),
                                                      c[1][odd], key0,
                                                      0x96); // exclusive or of three
                c[2][odd] = _mm512_ternarylogic_epi64(_mm512_maskz_srli_epi64(kAll, p0, 32),
                                                      c[3][odd], key1, 0x96);
                c[1][odd] = p1;
                c[3][odd] = p0;
            }
            key0 = _mm512_add_epi64(key0, step0);
            key1 = _mm512_add_epi64(key1, step1);
        }
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
            _mm512_storeu_si512(words + i * int(kDropoutLanes),
                                _mm512_mask_blend_epi32(
                                    0xaaaa, c[i][0], _mm512_maskz_slli_epi64(kAll, c[i][1], 32)));
    }
}

[[gnu::target("avx2")]] void byAvx2(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                                    std::int64_t groups, std::uint32_t* words)
{
    const __m256i even = _mm256_setr_epi64x(0, 2, 4, 6);
    const __m256i m0 = _mm256_set1_epi64x(formula::kPhiloxMultiplier0);
    const __m256i m1 = _mm256_set1_epi64x(formula::kPhiloxMultiplier1);
    const __m256i step0 = _mm256_set1_epi64x(formula::kPhiloxKeyStep0);
    const __m256i step1 = _mm256_set1_epi64x(formula::kPhiloxKeyStep1);
    for (std::int64_t half = 0; half < 2 * groups; ++half) {
        const std::uint64_t counter =
            first * kDropoutLanes + std::uint64_t(half) * (kDropoutLanes / 2);
        __m256i c[4][2];
        c[0][0] = _mm256_add_epi64(_mm256_set1_epi64x(std::int64_t(counter)), even);
        c[0][1] = _mm256_add_epi64(c[0][0], _mm256_set1_epi64x(1));
        c[1][0] = c[1][1] = _mm256_set1_epi64x(std::int64_t(counter >> 32));
        c[2][0] = c[2][1] = _mm256_set1_epi64x(std::int64_t(stream));
        c[3][0] = c[3][1] = _mm256_set1_epi64x(std::int64_t(stream >> 32));
        __m256i key0 = _mm256_set1_epi64x(std::int64_t(seed & 0xffffffffu));
        __m256i key1 = _mm256_set1_epi64x(std::int64_t(seed >> 32));
        for (int round = 0; round < formula::kPhiloxRounds; ++round) {
#pragma GCC unroll 2
            for (int odd = 0; odd < 2; ++odd) {
                const __m256i p0 = _mm256_mul_epu32(c[0][odd], m0);
                const __m256i p1 = _mm256_mul_epu32(c[2][odd], m1);
                c[0][odd] =
                    _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), c[1][odd]), key0);
                c[2][odd] =
                    _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), c[3][odd]), key1);
                c[1][odd] = p1;
                c[3][odd] = p0;
            }
            key0 = _mm256_add_epi64(key0, step0);
            key1 = _mm256_add_epi64(key1, step1);
        }
        std::uint32_t* const to = words + half / 2 * std::int64_t(kDropoutGroup) + half % 2 * 8;
        for (int i = 0; i < 4; ++i)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i * int(kDropoutLanes)),
                                _mm256_blend_epi32(c[i][0], _mm256_slli_epi64(c[i][1], 32), 0xaa));
    }
}

#endif

Words best()
{
#ifdef SB_WORDS_OF_VECTORS
    switch (cpuLevel()) {
    case CpuLevel::Avx512:
        return byAvx512;
    case CpuLevel::Avx2:
        return byAvx2;
    case CpuLevel::Sse:
        break;
    }
#endif
    return plain;
}

} // namespace

void dropoutWords(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                  std::int64_t groups, std::uint32_t* words)
{
    static const Words chosen = best();
    chosen(seed, stream, first, groups, words);
}

} // namespace scalebench::kernels::cpu
