// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/batch_norm.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/cpu/batch_norm_loops.h"
#include "kernels/cpu/parallel.h"
#include "kernels/formula/batch_norm.h"
#include "kernels/formula/bf16.h"

// The loops see rows of `width` values. Narrow tensors are folded: four rows of 16 channels are one
// row of 64, with the per-channel numbers repeated, so that the inner loop always fills registers.

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using norm::kNarrow;

constexpr std::int64_t kChunkElements = 65536; // per partial sum; fits the second-level cache
// Rows that are summed in fp32, one after the other, before their sums are added in double. Of
// thousands the mean is off by 1e-6 of the deviation, and how many the compiler adds in one chain
// is its own affair: four times more with g++ 14 than with 12.
constexpr std::int64_t kPieceRows = 128;

/// Rows folded into one.
std::int64_t foldOf(std::int64_t C)
{
    return C < kNarrow && kNarrow % C == 0 ? kNarrow / C : 1;
}

std::int64_t chunkRowsOf(std::int64_t C)
{
    const std::int64_t fold = foldOf(C);
    return std::max<std::int64_t>(64, kChunkElements / C / fold * fold);
}

std::int64_t chunksOf(const BatchNormParams& p)
{
    const std::int64_t rows = chunkRowsOf(p.C);
    return (p.rows + rows - 1) / rows;
}

// --- folding, partial sums ---

/// `values` repeated `fold` times.
void repeat(const float* values, std::int64_t C, std::int64_t fold, float* out)
{
    for (std::int64_t f = values == out ? 1 : 0; f < fold; ++f)
        std::memcpy(out + f * C, values, std::size_t(C) * sizeof(float));
}

/// Calls body(first, rows, fold) for the folded rows of a chunk, `atOnce` of them at a time, then
/// for the few left over.
template <class Body>
void foldedRows(std::int64_t begin, std::int64_t end, std::int64_t fold, std::int64_t atOnce,
                Body&& body)
{
    const std::int64_t folded = (end - begin) / fold;
    for (std::int64_t r = 0; r < folded; r += atOnce)
        body(begin + r * fold, std::min(atOnce, folded - r), fold);
    const std::int64_t rest = begin + folded * fold;
    if (rest < end)
        body(rest, end - rest, std::int64_t(1));
}

void addPartials(const double* partials, std::int64_t chunks, std::int64_t n, double* sums)
{
    std::fill_n(sums, n, 0.0);
    for (std::int64_t i = 0; i < chunks; ++i)
        for (std::int64_t c = 0; c < n; ++c)
            sums[c] += partials[i * n + c];
}

template <class T>
void statistics(const BatchNormParams& p, const T* x, double* partials)
{
    const std::int64_t C = p.C, fold = foldOf(C), chunkRows = chunkRowsOf(C);
    parallelFor(chunksOf(p), [&](std::int64_t i) {
        double* out = partials + i * 2 * C;
        std::fill_n(out, 2 * C, 0.0);
        thread_local std::vector<float> scratch;
        scratch.resize(std::size_t(2 * C * fold));
        foldedRows(i * chunkRows, std::min(p.rows, (i + 1) * chunkRows), fold, kPieceRows,
                   [&](std::int64_t first, std::int64_t rows, std::int64_t f) {
                       const T* base = x + first * C;
                       float* s = scratch.data();
                       float* q = s + C * f;
                       norm::loopsOf(x).sums(base, rows, C * f, s, q);
                       // Undo the shift in double: sum x = s + n k, sum x^2 = q + 2 k s + n k^2.
                       const double n = double(rows);
                       for (; f > 0; --f, base += C, s += C, q += C)
                           for (std::int64_t c = 0; c < C; ++c) {
                               const double k = load(base + c);
                               out[c] += s[c] + n * k;
                               out[C + c] += q[c] + 2.0 * k * s[c] + n * k * k;
                           }
                   });
    });
}

/// scale and shift of forward, repeated for folded rows.
struct AffineOf {
    std::vector<float> scale, shift;
    AffineOf(std::int64_t C, std::int64_t fold, const float* mean, const float* invStd,
             const float* gamma, const float* beta)
        : scale(std::size_t(C * fold)), shift(std::size_t(C * fold))
    {
        for (std::int64_t c = 0; c < C; ++c) {
            scale[std::size_t(c)] = gamma[c] * invStd[c];
            shift[std::size_t(c)] = beta[c] - mean[c] * scale[std::size_t(c)];
        }
        repeat(scale.data(), C, fold, scale.data());
        repeat(shift.data(), C, fold, shift.data());
    }
    norm::Affine get() const { return {scale.data(), shift.data()}; }
};

template <class T>
norm::Chunk<T> chunkAt(const BatchNormBackward& b, void* dx, std::int64_t element,
                       std::int64_t rows, std::int64_t width)
{
    auto at = [&](const void* p) { return p ? static_cast<const T*>(p) + element : nullptr; };
    auto mut = [&](void* p) { return p ? static_cast<T*>(p) + element : nullptr; };
    return {at(b.x), at(b.y), at(b.dy), at(b.dyMore), mut(b.dz), mut(dx), rows, width};
}

template <class T>
void backwardSums(const BatchNormParams& p, const BatchNormBackward& b, double* partials)
{
    const std::int64_t C = p.C, fold = foldOf(C), chunkRows = chunkRowsOf(C);
    const AffineOf affine(C, fold, b.mean, b.invStd, b.gamma, b.beta);
    std::vector<float> mean(std::size_t(C * fold));
    repeat(b.mean, C, fold, mean.data());
    const norm::Mask mask = !p.relu ? norm::kNone : b.dz ? norm::kFromOutput : norm::kFromInput;
    parallelFor(chunksOf(p), [&](std::int64_t i) {
        double* out = partials + i * 2 * C;
        std::fill_n(out, 2 * C, 0.0);
        thread_local std::vector<float> scratch;
        scratch.resize(std::size_t(2 * C * fold));
        foldedRows(i * chunkRows, std::min(p.rows, (i + 1) * chunkRows), fold, kPieceRows,
                   [&](std::int64_t first, std::int64_t rows, std::int64_t f) {
                       const auto k = chunkAt<T>(b, nullptr, first * C, rows, C * f);
                       float* s = scratch.data();
                       float* q = s + C * f;
                       norm::loopsOf(k.x).backwardSums(k, mask, mean.data(), affine.get(), s, q);
                       for (; f > 0; --f, s += C, q += C)
                           for (std::int64_t c = 0; c < C; ++c) {
                               out[c] += s[c];
                               out[C + c] += double(q[c]) * b.invStd[c];
                           }
                   });
    });
}

template <class T>
void apply(const BatchNormParams& p, const T* x, const T* z, norm::Affine f, T* y)
{
    const std::int64_t C = p.C;
    parallelRanges(p.rows, chunkRowsOf(C), [&](std::int64_t begin, std::int64_t end) {
        foldedRows(begin, end, foldOf(C), end - begin,
                   [&](std::int64_t first, std::int64_t rows, std::int64_t fold) {
                       const std::int64_t o = first * C;
                       norm::loopsOf(x).apply(x + o, z ? z + o : nullptr, f, y + o, rows, C * fold,
                                              p.relu);
                   });
    });
}

template <class T>
void backwardApply(const BatchNormParams& p, const BatchNormBackward& b, norm::Mask mask,
                   norm::Affine f, norm::Slopes slopes, void* dx)
{
    const std::int64_t C = p.C;
    parallelRanges(p.rows, chunkRowsOf(C), [&](std::int64_t begin, std::int64_t end) {
        foldedRows(begin, end, foldOf(C), end - begin,
                   [&](std::int64_t first, std::int64_t rows, std::int64_t fold) {
                       const auto k = chunkAt<T>(b, dx, first * C, rows, C * fold);
                       norm::loopsOf(k.x).backwardApply(k, mask, f, slopes);
                   });
    });
}

} // namespace

std::size_t batchNormWorkspaceBytes(const BatchNormParams& p)
{
    return std::size_t(chunksOf(p) * 2 * p.C) * sizeof(double);
}

void batchNormStatistics(const BatchNormParams& p, const void* x, double* sums, void* workspace)
{
    auto* partials = static_cast<double*>(workspace);
    if (p.dtype == DType::F32)
        statistics(p, static_cast<const float*>(x), partials);
    else
        statistics(p, static_cast<const bf16_t*>(x), partials);
    addPartials(partials, chunksOf(p), 2 * p.C, sums);
}

void batchNormFinish(std::int64_t C, double count, double epsilon, double momentum,
                     const double* sums, float* mean, float* invStd, float* runningMean,
                     float* runningVar)
{
    for (std::int64_t c = 0; c < C; ++c) {
        const formula::ChannelMoments m = formula::batchNormMoments(sums[c], sums[C + c], count);
        mean[c] = float(m.mean);
        invStd[c] = formula::batchNormInvStd(m.variance, epsilon);
        if (runningMean)
            runningMean[c] = formula::runningStatistic(runningMean[c], m.mean, momentum);
        if (runningVar)
            runningVar[c] = formula::runningStatistic(
                runningVar[c], formula::unbiasedVariance(m, count), momentum);
    }
}

void batchNormApply(const BatchNormParams& p, const void* x, const void* z, const float* mean,
                    const float* invStd, const float* gamma, const float* beta, void* y)
{
    const AffineOf affine(p.C, foldOf(p.C), mean, invStd, gamma, beta);
    if (p.dtype == DType::F32)
        apply(p, static_cast<const float*>(x), static_cast<const float*>(z), affine.get(),
              static_cast<float*>(y));
    else
        apply(p, static_cast<const bf16_t*>(x), static_cast<const bf16_t*>(z), affine.get(),
              static_cast<bf16_t*>(y));
}

void batchNormBackwardSums(const BatchNormParams& p, const BatchNormBackward& b, double* sums,
                           void* workspace)
{
    auto* partials = static_cast<double*>(workspace);
    if (p.dtype == DType::F32)
        backwardSums<float>(p, b, partials);
    else
        backwardSums<bf16_t>(p, b, partials);
    addPartials(partials, chunksOf(p), 2 * p.C, sums);
}

void batchNormBackwardApply(const BatchNormParams& p, const BatchNormBackward& b,
                            const double* sums, double count, void* dx)
{
    const std::int64_t C = p.C, fold = foldOf(C);
    const auto n = std::size_t(C * fold);
    const AffineOf affine(C, fold, b.mean, b.invStd, b.gamma, b.beta);
    std::vector<float> a(n), bx(n), c0(n);
    for (std::int64_t c = 0; c < C; ++c) {
        const formula::BatchNormSlopes f = formula::batchNormSlopes(
            b.gamma[c], b.mean[c], b.invStd[c], sums[c], sums[C + c], count);
        const auto i = std::size_t(c);
        a[i] = f.a;
        bx[i] = f.b;
        c0[i] = f.c;
    }
    for (auto* v : {&a, &bx, &c0})
        repeat(v->data(), C, fold, v->data());
    BatchNormBackward q = b;
    norm::Mask mask = p.relu ? norm::kFromInput : norm::kNone;
    if (b.dz) { // the first call has masked and added
        q.dy = b.dz;
        q.dyMore = nullptr;
        mask = norm::kNone;
    }
    const norm::Slopes slopes{a.data(), bx.data(), c0.data()};
    if (p.dtype == DType::F32)
        backwardApply<float>(p, q, mask, affine.get(), slopes, dx);
    else
        backwardApply<bf16_t>(p, q, mask, affine.get(), slopes, dx);
}

} // namespace scalebench::kernels::cpu
