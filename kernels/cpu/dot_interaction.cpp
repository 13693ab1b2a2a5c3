// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/dot_interaction.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/cpu/next_sample.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/square_transpose.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kGrain = 64; // samples of one task

using Floats8 [[gnu::vector_size(32)]] = float;
using Words8 [[gnu::vector_size(32)]] = std::uint32_t;

// By reference: vectors by value are passed differently by each instruction set.
SB_HOST_DEVICE void load8(const float* from, Floats8& v)
{
    std::memcpy(&v, from, sizeof v);
}
SB_HOST_DEVICE void store8(const Floats8& v, float* to)
{
    std::memcpy(to, &v, sizeof v);
}

// --- forward: 2 x 4 pairs at a time, whose sums lie across 8 vectors ---

constexpr int kHigh = 2, kLow = 4; // rows i and j of a block of pairs
constexpr int kLines = 6;          // of the next sample, fetched with each block

/// out[i * kLow + j] = a_i b_j
SB_HOST_DEVICE void blockOfPairs(const float* const (&a)[kHigh], const float* const (&b)[kLow],
                                 std::int64_t D, float* out)
{
    Floats8 sum[kHigh * kLow] = {};
    std::int64_t d = 0;
    for (; d + 8 <= D; d += 8) {
        Floats8 low[kLow];
#pragma GCC unroll 4
        for (int j = 0; j < kLow; ++j)
            load8(b[j] + d, low[j]);
#pragma GCC unroll 2
        for (int i = 0; i < kHigh; ++i) {
            Floats8 high;
            load8(a[i] + d, high);
#pragma GCC unroll 4
            for (int j = 0; j < kLow; ++j)
                sum[i * kLow + j] += high * low[j];
        }
    }
    Words8 columns[kHigh * kLow];
    std::memcpy(columns, sum, sizeof sum);
    transposeSquare(columns);
    std::memcpy(sum, columns, sizeof sum);
    Floats8 total =
        ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    store8(total, out);
    for (; d < D; ++d)
        for (int i = 0; i < kHigh; ++i)
            for (int j = 0; j < kLow; ++j)
                out[i * kLow + j] += a[i][d] * b[j][d];
}

/// rows: room for kHigh rows of pairs and a block.
SB_TARGET_CLONES void forwardSample(std::int64_t F, std::int64_t D, const float* x, NextSample next,
                                    float* rows, float* y)
{
    std::memcpy(y, x, std::size_t(D) * sizeof(float));
    float* pairs = y + D;
    for (std::int64_t i = 1; i < F; i += kHigh) {
        // What is not there repeats the last vector and is left out.
        const float* const a[kHigh] = {x + i * D, x + std::min(i + 1, F - 1) * D};
        for (std::int64_t j = 0; j <= i; j += kLow) {
            const float* const b[kLow] = {x + j * D, x + std::min(j + 1, F - 1) * D,
                                          x + std::min(j + 2, F - 1) * D,
                                          x + std::min(j + 3, F - 1) * D};
            next.fetchLines<false>(kLines);
            float block[kHigh * kLow];
            blockOfPairs(a, b, D, block);
            for (int high = 0; high < kHigh; ++high)
                std::memcpy(rows + high * (F + kLow) + j, block + high * kLow,
                            kLow * sizeof(float));
        }
        for (std::int64_t row = i; row < std::min(i + kHigh, F); pairs += row, ++row)
            std::memcpy(pairs, rows + (row - i) * (F + kLow), std::size_t(row) * sizeof(float));
    }
}

// --- backward: S X in blocks of 6 rows and 16 columns, which are sums in registers ---

constexpr int kRows = 6, kColumns = 16;

template <int Rows>
SB_HOST_DEVICE void sumBlock(std::int64_t F, std::int64_t D, const float* s, const float* x,
                             const float* dense, float* dx)
{
    Floats8 sum[Rows][2] = {};
    if (dense) {
        load8(dense, sum[0][0]);
        load8(dense + 8, sum[0][1]);
    }
    for (std::int64_t k = 0; k < F; ++k) {
        Floats8 x0, x1;
        load8(x + k * D, x0);
        load8(x + k * D + 8, x1);
#pragma GCC unroll 6
        for (int r = 0; r < Rows; ++r) {
            const float factor = s[r * F + k];
            sum[r][0] += factor * x0;
            sum[r][1] += factor * x1;
        }
    }
#pragma GCC unroll 6
    for (int r = 0; r < Rows; ++r) {
        store8(sum[r][0], dx + r * D);
        store8(sum[r][1], dx + r * D + 8);
    }
}

template <int Rows>
SB_HOST_DEVICE void sumBlocks(std::int64_t rows, std::int64_t F, std::int64_t D, const float* s,
                              const float* x, const float* dense, float* dx)
{
    if (rows == Rows)
        return sumBlock<Rows>(F, D, s, x, dense, dx);
    if constexpr (Rows > 1)
        sumBlocks<Rows - 1>(rows, F, D, s, x, dense, dx);
}

/// s: room for [F,F].
SB_TARGET_CLONES void backwardSample(std::int64_t F, std::int64_t D, const float* x,
                                     NextSample read, NextSample written, const float* dy, float* s,
                                     float* dx)
{
    const float* from = dy + D;
    for (std::int64_t i = 0; i < F; from += i, ++i) {
        s[i * F + i] = 0.0f;
        for (std::int64_t j = 0; j < i; ++j)
            s[i * F + j] = s[j * F + i] = from[j];
    }
    const std::int64_t whole = D / kColumns * kColumns;
    for (std::int64_t i = 0; i < F; i += kRows)
        for (std::int64_t d = 0; d < whole; d += kColumns) {
            read.fetchLines<false>(kLines);
            written.fetchLines<true>(kLines);
            sumBlocks<kRows>(std::min<std::int64_t>(kRows, F - i), F, D, s + i * F, x + d,
                             i == 0 ? dy + d : nullptr, dx + i * D + d);
        }
    for (std::int64_t i = 0; whole < D && i < F; ++i) {
        for (std::int64_t d = whole; d < D; ++d)
            dx[i * D + d] = i == 0 ? dy[d] : 0.0f;
        for (std::int64_t k = 0; k < F; ++k)
            for (std::int64_t d = whole; d < D; ++d)
                dx[i * D + d] += s[i * F + k] * x[k * D + d];
    }
}

// --- bf16 ---

void triangle(const DotInteractionParams& p, const bf16_t* x, const bf16_t* z, bf16_t* y)
{
    std::memcpy(y, x, std::size_t(p.D) * sizeof(bf16_t));
    bf16_t* to = y + p.D;
    for (std::int64_t i = 1; i < p.F; to += i, ++i)
        std::memcpy(to, z + i * p.F, std::size_t(i) * sizeof(bf16_t));
}

void symmetric(const DotInteractionParams& p, const bf16_t* dy, bf16_t* s)
{
    const bf16_t* from = dy + p.D;
    for (std::int64_t i = 0; i < p.F; from += i, ++i) {
        s[i * p.F + i] = bf16_t(0);
        for (std::int64_t j = 0; j < i; ++j)
            s[i * p.F + j] = s[j * p.F + i] = from[j];
    }
}

SB_TARGET_CLONES void addRow(const bf16_t* from, bf16_t* to, std::int64_t n)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        store(to + i, load(to + i) + load(from + i));
}

/// body(sample) for all samples, in tasks of several.
template <class Body>
void everySample(const DotInteractionParams& p, Body&& body)
{
    parallelRanges(p.B, kGrain, [&](std::int64_t b, std::int64_t e) {
        for (std::int64_t n = b; n < e; ++n)
            body(n);
    });
}

} // namespace

void dotInteractionForward(const DotInteractionParams& p, const float* x, float* y)
{
    everySample(p, [&](std::int64_t n) {
        const std::int64_t size = p.F * p.D, at = n * size;
        thread_local std::vector<float> rows;
        rows.resize(std::size_t(kHigh * (p.F + kLow)));
        forwardSample(p.F, p.D, x + at, NextSample(x + at, size, n + 1 == p.B), rows.data(),
                      y + n * p.width());
    });
}

void dotInteractionBackward(const DotInteractionParams& p, const float* x, const float* dy,
                            float* dx)
{
    everySample(p, [&](std::int64_t n) {
        thread_local std::vector<float> s;
        s.resize(std::size_t(p.F * p.F));
        const std::int64_t size = p.F * p.D, at = n * size;
        const bool last = n + 1 == p.B;
        backwardSample(p.F, p.D, x + at, NextSample(x + at, size, last),
                       NextSample(dx + at, size, last), dy + n * p.width(), s.data(), dx + at);
    });
}

void dotInteractionPairs(const DotInteractionParams& p, const bf16_t* x, const bf16_t* z, bf16_t* y)
{
    everySample(p, [&](std::int64_t n) {
        triangle(p, x + n * p.F * p.D, z + n * p.F * p.F, y + n * p.width());
    });
}

void dotInteractionSymmetric(const DotInteractionParams& p, const bf16_t* dy, bf16_t* s)
{
    everySample(p, [&](std::int64_t n) { symmetric(p, dy + n * p.width(), s + n * p.F * p.F); });
}

void dotInteractionAddDense(const DotInteractionParams& p, const bf16_t* dy, bf16_t* dx)
{
    everySample(p, [&](std::int64_t n) { addRow(dy + n * p.width(), dx + n * p.F * p.D, p.D); });
}

} // namespace scalebench::kernels::cpu
