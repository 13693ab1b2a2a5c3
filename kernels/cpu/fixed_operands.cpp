// SPDX-License-Identifier: GPL-3.0-or-later
// What fixed-point products multiply: scales, rounding and order of their operands.
#include "kernels/cpu/fixed_gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/check.h"
#include "kernels/cpu/fixed_target.h"

namespace scalebench::kernels::cpu::fixed {

#ifdef SB_FIXED

namespace {

// Of a row, and the largest of its numbers. Rounding adds half a unit to each: 46,340 are the root
// of 2^31, and rows have less than 78,000 numbers.
constexpr double kLength = 46200, kLargest = 32767;

struct Scale {
    float inverse, scale;
};

/// Of numbers whose squares sum up to `squares`, the largest of which is `largest`.
Scale scaleOf(double squares, double largest)
{
    const double length = std::sqrt(squares);
    if (!std::isfinite(length))
        return {0.0f, std::numeric_limits<float>::quiet_NaN()};
    if (length < 1e-30) // their products with anything vanish
        return {0.0f, 0.0f};
    const double inverse = std::min(kLength / length, kLargest / largest);
    return {float(inverse), float(1.0 / inverse)};
}

/// Of n numbers, `step` apart, in double.
Scale slowScale(const float* x, std::int64_t step, std::int64_t n)
{
    double squares = 0, largest = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const double v = std::fabs(double(x[i * step]));
        squares += v * v;
        largest = std::max(largest, v);
    }
    return scaleOf(squares, largest);
}

SB_FIXED_TARGET inline __mmask16 firstOf(std::int64_t n)
{
    return n >= kPanel ? __mmask16(0xffff) : __mmask16((1u << n) - 1u);
}

SB_FIXED_TARGET inline __m512i rounded(__m512 x, __m512 inverse)
{
    return _mm512_maskz_cvtps_epi32(0xffff, _mm512_mul_ps(x, inverse));
}

/// Sums of squares and largest numbers, lane by lane.
struct Extent {
    __m512 squares, largest;
};

SB_FIXED_TARGET inline void add(Extent& e, __m512 x)
{
    e.squares = _mm512_fmadd_ps(x, x, e.squares);
    e.largest = _mm512_maskz_range_ps(0xffff, e.largest, x, 0x0b); // the larger without its sign
}

struct Sum {
    SB_FIXED_TARGET static inline __m512 of(__m512 a, __m512 b) { return _mm512_add_ps(a, b); }
};
struct Larger {
    SB_FIXED_TARGET static inline __m512 of(__m512 a, __m512 b)
    {
        return _mm512_maskz_max_ps(0xffff, a, b);
    }
};

SB_FIXED_TARGET inline Extent joined(const Extent& a, const Extent& b)
{
    return {_mm512_add_ps(a.squares, b.squares), _mm512_maskz_max_ps(0xffff, a.largest, b.largest)};
}

template <class Op>
SB_FIXED_TARGET inline __m512 halves(__m512 a, __m512 b)
{
    return Op::of(_mm512_maskz_shuffle_f32x4(0xffff, a, b, 0x88),
                  _mm512_maskz_shuffle_f32x4(0xffff, a, b, 0xdd));
}

/// The lanes of each of 16 vectors joined: lane i of the result is that of v[i].
template <class Op>
SB_FIXED_TARGET inline __m512 joinLanes(const __m512 (&v)[kPanel])
{
    __m512 pairs[8], fours[4];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i)
        pairs[i] = Op::of(_mm512_maskz_unpacklo_ps(0xffff, v[2 * i], v[2 * i + 1]),
                          _mm512_maskz_unpackhi_ps(0xffff, v[2 * i], v[2 * i + 1]));
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        const __m512d a = _mm512_castps_pd(pairs[2 * i]), b = _mm512_castps_pd(pairs[2 * i + 1]);
        fours[i] = Op::of(_mm512_castpd_ps(_mm512_maskz_unpacklo_pd(0xff, a, b)),
                          _mm512_castpd_ps(_mm512_maskz_unpackhi_pd(0xff, a, b)));
    }
    return halves<Op>(halves<Op>(fours[0], fours[1]), halves<Op>(fours[2], fours[3]));
}

/// Scales of 16 rows or columns, and the lanes that fp32 is not enough for. Zeros alone are common:
/// behind a ReLU, or outside of the picture.
SB_FIXED_TARGET inline __mmask16 scalesOf(const Extent& e, float* inverse, float* scale)
{
    const __m512 by = _mm512_maskz_min_ps(
        0xffff,
        _mm512_div_ps(_mm512_set1_ps(float(kLength)), _mm512_maskz_sqrt_ps(0xffff, e.squares)),
        _mm512_div_ps(_mm512_set1_ps(float(kLargest)), e.largest));
    const __mmask16 zero = _mm512_cmp_ps_mask(e.squares, _mm512_setzero_ps(), _CMP_EQ_OQ) &
                           _mm512_cmp_ps_mask(e.largest, _mm512_setzero_ps(), _CMP_EQ_OQ);
    const auto there = __mmask16(~zero);
    _mm512_storeu_ps(inverse, _mm512_maskz_mov_ps(there, by));
    _mm512_storeu_ps(scale, _mm512_maskz_div_ps(there, _mm512_set1_ps(1.0f), by));
    const __mmask16 safe = _mm512_cmp_ps_mask(e.squares, _mm512_set1_ps(1e-24f), _CMP_GT_OQ) &
                           _mm512_cmp_ps_mask(e.squares, _mm512_set1_ps(1e36f), _CMP_LT_OQ);
    return __mmask16(there & ~safe);
}

/// The same for these lanes: number i of lane j lies at x + j * lane + i * step.
void slowScales(__mmask16 lanes, const float* x, std::int64_t lane, std::int64_t step,
                std::int64_t n, float* inverse, float* scale)
{
    for (std::int64_t j = 0; j < kPanel; ++j)
        if ((lanes >> j & 1) != 0) {
            const Scale s = slowScale(x + j * lane, step, n);
            inverse[j] = s.inverse, scale[j] = s.scale;
        }
}

SB_FIXED_TARGET inline Extent extentOfRow(const float* x, std::int64_t n)
{
    Extent parts[4] = {};
    std::int64_t i = 0;
    for (; i + 64 <= n; i += 64)
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j)
            add(parts[j], _mm512_loadu_ps(x + i + j * kPanel));
    for (; i < n; i += kPanel)
        add(parts[0], _mm512_maskz_loadu_ps(firstOf(n - i), x + i));
    return joined(joined(parts[0], parts[1]), joined(parts[2], parts[3]));
}

/// Up to 16 rows.
SB_FIXED_TARGET void quantiseRows(const float* x, std::int64_t step, std::int64_t rows,
                                  std::int64_t n, std::int16_t* q, std::int64_t stepQ, float* scale,
                                  std::int64_t stepScale)
{
    __m512 squares[kPanel], largest[kPanel];
    for (std::int64_t r = rows; r < kPanel; ++r)
        squares[r] = largest[r] = _mm512_setzero_ps();
    for (std::int64_t r = 0; r < rows; ++r) {
        const Extent e = extentOfRow(x + r * step, n);
        squares[r] = e.squares, largest[r] = e.largest;
    }
    alignas(64) float inverse[kPanel], scales[kPanel];
    const __mmask16 slow =
        scalesOf({joinLanes<Sum>(squares), joinLanes<Larger>(largest)}, inverse, scales) &
        firstOf(rows);
    if (slow != 0)
        slowScales(slow, x, step, 1, n, inverse, scales);
    for (std::int64_t r = 0; r < rows; ++r) {
        const __m512 by = _mm512_set1_ps(inverse[r]);
        for (std::int64_t i = 0; i < n; i += kPanel) {
            const __m512 v = _mm512_maskz_loadu_ps(firstOf(n - i), x + r * step + i);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(q + r * stepQ + i),
                                _mm512_maskz_cvtsepi32_epi16(0xffff, rounded(v, by)));
        }
        scale[r * stepScale] = scales[r];
    }
}

/// NV vectors of columns at once, the last of which may be cut.
template <int NV>
SB_FIXED_TARGET inline void scalesOfStrip(const float* x, std::int64_t ldx, std::int64_t rows,
                                          std::int64_t columns, float* inverse, float* scale)
{
    const __mmask16 last = firstOf(columns - (NV - 1) * kPanel);
    Extent sums[NV] = {};
    for (std::int64_t r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int j = 0; j < NV; ++j)
            add(sums[j], j + 1 < NV ? _mm512_loadu_ps(x + r * ldx + j * kPanel)
                                    : _mm512_maskz_loadu_ps(last, x + r * ldx + j * kPanel));
    for (int j = 0; j < NV; ++j) {
        const __mmask16 there = j + 1 < NV ? __mmask16(0xffff) : last;
        const __mmask16 slow = scalesOf(sums[j], inverse + j * kPanel, scale + j * kPanel);
        if ((slow & there) != 0)
            slowScales(slow & there, x + j * kPanel, 1, ldx, rows, inverse + j * kPanel,
                       scale + j * kPanel);
        for (std::int64_t i = 0; i < kPanel; ++i)
            if ((there >> i & 1) == 0)
                inverse[j * kPanel + i] = scale[j * kPanel + i] = 0.0f;
    }
}

SB_FIXED_TARGET void scalesOfColumns(const float* x, std::int64_t ldx, std::int64_t rows,
                                     std::int64_t columns, float* inverse, float* scale)
{
    std::int64_t c = 0;
    for (; c + 4 * kPanel <= columns; c += 4 * kPanel)
        scalesOfStrip<4>(x + c, ldx, rows, 4 * kPanel, inverse + c, scale + c);
    for (; c < columns; c += kPanel)
        scalesOfStrip<1>(x + c, ldx, rows, std::min(kPanel, columns - c), inverse + c, scale + c);
}

SB_FIXED_TARGET void packPanels(const float* x, std::int64_t ldx, std::int64_t rows,
                                std::int64_t columns, const float* inverse, std::uint32_t* panels)
{
    const __m512i low = _mm512_set1_epi32(0xffff);
    for (std::int64_t c = 0; c < columns; c += kPanel) {
        const __mmask16 mask = firstOf(columns - c);
        const __m512 by = _mm512_loadu_ps(inverse + c);
        for (std::int64_t r = 0; r < rows; r += 2, panels += kPanel) {
            const __m512i first = rounded(_mm512_maskz_loadu_ps(mask, x + r * ldx + c), by);
            const __m512i second =
                r + 1 < rows ? rounded(_mm512_maskz_loadu_ps(mask, x + (r + 1) * ldx + c), by)
                             : _mm512_setzero_si512();
            _mm512_storeu_si512(panels,
                                _mm512_or_si512(_mm512_and_si512(first, low),
                                                _mm512_maskz_slli_epi32(0xffff, second, 16)));
        }
    }
}

} // namespace

void quantise(const float* x, std::int64_t step, std::int64_t rows, std::int64_t n, std::int16_t* q,
              std::int64_t stepQ, float* scale, std::int64_t stepScale)
{
    for (std::int64_t r = 0; r < rows; r += kPanel)
        quantiseRows(x + r * step, step, std::min(kPanel, rows - r), n, q + r * stepQ, stepQ,
                     scale + r * stepScale, stepScale);
}

void columnScales(const float* x, std::int64_t ldx, std::int64_t rows, std::int64_t columns,
                  float* inverse, float* scale)
{
    scalesOfColumns(x, ldx, rows, columns, inverse, scale);
}

void pack(const float* x, std::int64_t ldx, std::int64_t rows, std::int64_t columns,
          const float* inverse, std::uint32_t* panels)
{
    packPanels(x, ldx, rows, columns, inverse, panels);
}

#else

namespace {
[[noreturn]] void refuseOperands()
{
    throw Unsupported("fixed-point product: this processor has no instructions for it");
}
} // namespace

void quantise(const float*, std::int64_t, std::int64_t, std::int64_t, std::int16_t*, std::int64_t,
              float*, std::int64_t)
{
    refuseOperands();
}

void columnScales(const float*, std::int64_t, std::int64_t, std::int64_t, float*, float*)
{
    refuseOperands();
}

void pack(const float*, std::int64_t, std::int64_t, std::int64_t, const float*, std::uint32_t*)
{
    refuseOperands();
}

#endif

} // namespace scalebench::kernels::cpu::fixed
