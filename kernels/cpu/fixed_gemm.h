// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrix products of 16-bit fixed-point numbers, for operands that are better than bf16's 8 bits
// and do not need fp32's 24: with AVX512_VNNI at the rate of bf16 products, twice that of fp32.
//
// Each row of A and each column of B has a scale of its own, so that its Euclidean length becomes
// 46,200, or less where its largest number would leave 16 bits. Hence no sum, nor any part of one,
// leaves 32 bits, by the inequality of Cauchy and Schwarz, and sums are exact. What is lost is the
// rounding of the operands: 1e-5 of the product of both lengths. A row or column with NaN or
// infinity has a scale of NaN.

#include <cstddef>
#include <cstdint>

namespace scalebench::kernels::cpu::fixed {

/// Numbers of a panel's width; rows of A come eight at a time.
constexpr std::int64_t kPanel = 16, kRows = 8;

/// Whether this processor has the instruction (of 512 bits).
bool available();

/// Rows of n numbers, `step` apart, are about scale * q, with zeros up to a multiple of kPanel.
void quantise(const float* x, std::int64_t step, std::int64_t rows, std::int64_t n, std::int16_t* q,
              std::int64_t stepQ, float* scale, std::int64_t stepScale);

/// The scale of each column of x, rows x columns, and what to multiply its numbers by.
void columnScales(const float* x, std::int64_t ldx, std::int64_t rows, std::int64_t columns,
                  float* inverse, float* scale);

/// Pairs of rows of x, side by side in panels of kPanel columns, times inverse; zeros where there
/// is nothing. Words: pairsOf(rows) * columns, rounded up to kPanel.
void pack(const float* x, std::int64_t ldx, std::int64_t rows, std::int64_t columns,
          const float* inverse, std::uint32_t* panels);
constexpr std::int64_t pairsOf(std::int64_t depth)
{
    return (depth + 1) / 2;
}
constexpr std::int64_t inPanels(std::int64_t n)
{
    return (n + kPanel - 1) / kPanel * kPanel;
}

/// A as quantise() makes rows, lda numbers apart, or as pack() makes columns of A transposed.
struct Rows {
    const std::int16_t* at;
    std::int64_t lda;
};
struct Panels {
    const std::uint32_t* at;
};

/// The operands' scales. M is a multiple of kRows (of kPanel for Panels), N of kPanel.
struct Scales {
    const float *row, *column;
};

/// C (+)= A B, back in fp32.
void multiply(std::int64_t M, std::int64_t N, std::int64_t pairs, Rows A, const std::uint32_t* B,
              Scales scales, float* C, std::int64_t ldc, bool accumulate);
void multiply(std::int64_t M, std::int64_t N, std::int64_t pairs, Panels A, const std::uint32_t* B,
              Scales scales, float* C, std::int64_t ldc, bool accumulate);

} // namespace scalebench::kernels::cpu::fixed
