// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of bf16 numbers, 32 at a time as two vectors of fp32: what the compiler's own loops take
// four times as long for, as they round with integers.

#include "kernels/cpu/avx512_bf16.h"
#include "kernels/cpu_level.h"

#ifdef SB_AVX512_BF16

#define SB_BF16_INLINE SB_BF16_TARGET __attribute__((always_inline)) inline

namespace scalebench::kernels::cpu {

constexpr std::int64_t kLanes32 = 32;

inline bool bf16LanesAvailable()
{
    static const bool available =
        cpuLevel() == CpuLevel::Avx512 && __builtin_cpu_supports("avx512bf16") != 0;
    return available;
}

struct Lanes32 {
    __m512 low, high; ///< numbers 0 to 15 and 16 to 31
};

/// Which of the 32 there are: all, or the first `left`.
template <bool kAll>
struct Columns {
    std::int64_t left = kLanes32;

    SB_BF16_INLINE __mmask16 low() const { return firstOf16(left); }
    SB_BF16_INLINE __mmask16 high() const { return firstOf16(left - 16); }
    SB_BF16_INLINE __mmask32 mask() const { return kAll ? __mmask32(~0u) : firstOf32(left); }
};

/// part(first column, Columns) for rows that are `width` wide.
template <class Part>
SB_BF16_INLINE void everyColumn(std::int64_t width, Part&& part)
{
    std::int64_t c = 0;
    for (; c + kLanes32 <= width; c += kLanes32)
        part(c, Columns<true>{});
    if (c < width)
        part(c, Columns<false>{width - c});
}

// All set: the forms without a mask make g++ 12 warn of its own headers.
constexpr __mmask16 kAll16 = 0xffff;

SB_BF16_INLINE __m512 widened(__m256i numbers)
{
    const __m512i words = _mm512_maskz_cvtepu16_epi32(kAll16, numbers);
    return __m512(_mm512_maskz_slli_epi32(kAll16, words, 16));
}

/// As they are stored.
template <bool kAll>
SB_BF16_INLINE __m512i loadWords(const bf16_t* p, Columns<kAll> there)
{
    return kAll ? _mm512_loadu_si512(p) : _mm512_maskz_loadu_epi16(there.mask(), p);
}
template <bool kAll>
SB_BF16_INLINE void storeWords(bf16_t* p, __m512i words, Columns<kAll> there)
{
    if constexpr (kAll)
        _mm512_storeu_si512(p, words);
    else
        _mm512_mask_storeu_epi16(p, there.mask(), words);
}
template <bool kAll>
SB_BF16_INLINE __m256i loadBytes(const std::uint8_t* p, Columns<kAll> there)
{
    return _mm256_maskz_loadu_epi8(there.mask(), p);
}
template <bool kAll>
SB_BF16_INLINE void storeBytes(std::uint8_t* p, __m256i bytes, Columns<kAll> there)
{
    if constexpr (kAll)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), bytes);
    else
        _mm256_mask_storeu_epi8(p, there.mask(), bytes);
}

template <bool kAll>
SB_BF16_INLINE Lanes32 load(const bf16_t* p, Columns<kAll> there)
{
    if constexpr (kAll) {
        const auto* const v = reinterpret_cast<const __m256i*>(p);
        return {widened(_mm256_loadu_si256(v)), widened(_mm256_loadu_si256(v + 1))};
    } else {
        return {widened(_mm256_maskz_loadu_epi16(there.low(), p)),
                widened(_mm256_maskz_loadu_epi16(there.high(), p + 16))};
    }
}

template <bool kAll>
SB_BF16_INLINE Lanes32 load(const float* p, Columns<kAll> there)
{
    if constexpr (kAll)
        return {_mm512_loadu_ps(p), _mm512_loadu_ps(p + 16)};
    else
        return {_mm512_maskz_loadu_ps(there.low(), p), _mm512_maskz_loadu_ps(there.high(), p + 16)};
}

template <bool kAll>
SB_BF16_INLINE void store(bf16_t* p, Lanes32 v, Columns<kAll> there)
{
    storeWords(p, __m512i(_mm512_cvtne2ps_pbh(v.high, v.low)), there);
}

template <bool kAll>
SB_BF16_INLINE void store(float* p, Lanes32 v, Columns<kAll> there)
{
    if constexpr (kAll) {
        _mm512_storeu_ps(p, v.low);
        _mm512_storeu_ps(p + 16, v.high);
    } else {
        _mm512_mask_storeu_ps(p, there.low(), v.low);
        _mm512_mask_storeu_ps(p + 16, there.high(), v.high);
    }
}

SB_BF16_INLINE Lanes32 zeros()
{
    return {_mm512_setzero_ps(), _mm512_setzero_ps()};
}
SB_BF16_INLINE Lanes32 operator+(Lanes32 a, Lanes32 b)
{
    return {a.low + b.low, a.high + b.high};
}
SB_BF16_INLINE Lanes32 operator-(Lanes32 a, Lanes32 b)
{
    return {a.low - b.low, a.high - b.high};
}
SB_BF16_INLINE Lanes32 operator*(Lanes32 a, Lanes32 b)
{
    return {a.low * b.low, a.high * b.high};
}
SB_BF16_INLINE Lanes32 everywhere(float v)
{
    return {_mm512_set1_ps(v), _mm512_set1_ps(v)};
}
SB_BF16_INLINE float sumOf(Lanes32 v)
{
    const __m512 both = v.low + v.high;
    float sum = 0.0f;
    for (int i = 0; i < 16; ++i)
        sum += both[i];
    return sum;
}
/// a b + c
SB_BF16_INLINE Lanes32 fma(Lanes32 a, Lanes32 b, Lanes32 c)
{
    return {_mm512_fmadd_ps(a.low, b.low, c.low), _mm512_fmadd_ps(a.high, b.high, c.high)};
}
/// A NaN stays one: the second operand where one is.
SB_BF16_INLINE Lanes32 relu(Lanes32 v)
{
    const __m512 zero = _mm512_setzero_ps();
    return {_mm512_maskz_max_ps(kAll16, zero, v.low), _mm512_maskz_max_ps(kAll16, zero, v.high)};
}

/// A bit for each number.
struct LaneMask {
    __mmask16 low, high;

    SB_BF16_INLINE static LaneMask of(__mmask32 both)
    {
        return {__mmask16(both), __mmask16(both >> 16)};
    }
    SB_BF16_INLINE __mmask32 both() const { return __mmask32(low) | __mmask32(high) << 16; }
};
/// Of stored numbers, as formula::positive().
template <bool kAll>
SB_BF16_INLINE LaneMask positive(const bf16_t* p, Columns<kAll> there)
{
    return LaneMask::of(_mm512_cmpgt_epi16_mask(loadWords(p, there), _mm512_setzero_si512()));
}
SB_BF16_INLINE LaneMask positive(Lanes32 v)
{
    const __m512 zero = _mm512_setzero_ps();
    return {_mm512_cmp_ps_mask(v.low, zero, _CMP_GT_OQ),
            _mm512_cmp_ps_mask(v.high, zero, _CMP_GT_OQ)};
}
/// v where the mask is set, zero elsewhere.
SB_BF16_INLINE Lanes32 where(LaneMask m, Lanes32 v)
{
    return {_mm512_maskz_mov_ps(m.low, v.low), _mm512_maskz_mov_ps(m.high, v.high)};
}

/// Zero where there is nothing.
template <bool kAll>
SB_BF16_INLINE Lanes32 only(Columns<kAll> there, Lanes32 v)
{
    return kAll ? v : where(LaneMask::of(there.mask()), v);
}

} // namespace scalebench::kernels::cpu
#endif
