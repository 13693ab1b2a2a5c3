// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/batch_norm.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/activation.h"
#include "kernels/formula/batch_norm.h"
#include "kernels/formula/bf16.h"

// The loops see rows of `width` values. Narrow tensors are folded: four rows of 16 channels are one
// row of 64, with the per-channel numbers repeated, so that the inner loop always fills registers.

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::positive;
using formula::store;

constexpr std::int64_t kBlock = 64; // channels summed in registers at a time
constexpr std::int64_t kPrefetchBytes = 2048;
constexpr std::int64_t kChunkElements = 65536; // per partial sum; fits the second-level cache
// Rows that are summed in fp32, one after the other, before their sums are added in double. Of
// thousands the mean is off by 1e-6 of the deviation, and how many the compiler adds in one chain
// is its own affair: four times more with g++ 14 than with 12.
constexpr std::int64_t kPieceRows = 128;

/// Rows folded into one.
std::int64_t foldOf(std::int64_t C)
{
    return C < kBlock && kBlock % C == 0 ? kBlock / C : 1;
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

/// How backward finds what the ReLU let through.
enum Mask { kNone, kFromInput, kFromOutput };

// --- loops over one chunk, compiled for several instruction sets ---

/// Rows of kBlock values, sums in registers.
template <class T>
SB_HOST_DEVICE void sumBlock(const T* x, std::int64_t rows, float* sums, float* squares)
{
    float k[kBlock], s[kBlock], q[kBlock];
    for (std::int64_t j = 0; j < kBlock; ++j) {
        k[j] = load(x + j);
        s[j] = q[j] = 0.0f;
    }
    for (std::int64_t r = 0; r < rows; ++r) {
        const T* row = x + r * kBlock;
        for (std::int64_t j = 0; j < kBlock; ++j) {
            const float d = load(row + j) - k[j];
            s[j] += d;
            q[j] += d * d;
        }
    }
    for (std::int64_t j = 0; j < kBlock; ++j) {
        sums[j] = s[j];
        squares[j] = q[j];
    }
}

/// Asks for memory that a later group of rows will read.
SB_HOST_DEVICE void prefetch(const void* p, std::int64_t bytes)
{
    for (std::int64_t b = 0; b < bytes; b += 64)
        __builtin_prefetch(static_cast<const char*>(p) + b);
}

/// The same for wide rows: four at a time with the sums in the first-level cache, so that memory is
/// read in order. Column blocks would read each row in pieces, which no prefetcher foresees.
template <int R, class T>
SB_HOST_DEVICE void sumRows(const T* first, const T* x, std::int64_t width, float* sums,
                            float* squares)
{
#pragma GCC ivdep
    for (std::int64_t c = 0; c < width; ++c) {
        const float k = load(first + c);
        float s = 0.0f, q = 0.0f;
        for (int r = 0; r < R; ++r) {
            const float d = load(x + r * width + c) - k;
            s += d;
            q += d * d;
        }
        sums[c] += s;
        squares[c] += q;
    }
}

/// Sums of x - x[0] and of its square per column; shifted so that fp32 keeps the small differences.
template <class T>
SB_HOST_DEVICE void sumChunk(const T* x, std::int64_t rows, std::int64_t width, float* sums,
                             float* squares)
{
    if (width == kBlock) {
        sumBlock(x, rows, sums, squares);
        return;
    }
    for (std::int64_t c = 0; c < width; ++c)
        sums[c] = squares[c] = 0.0f;
    std::int64_t r = 0;
    const std::int64_t group = 4 * width * std::int64_t(sizeof(T));
    const std::int64_t ahead = (kPrefetchBytes / group + 1) * 4;
    for (; r + 4 <= rows; r += 4) {
        prefetch(x + (r + ahead) * width, group);
        sumRows<4>(x, x + r * width, width, sums, squares);
    }
    for (; r < rows; ++r)
        sumRows<1>(x, x + r * width, width, sums, squares);
}

SB_TARGET_CLONES void sumChunkF32(const float* x, std::int64_t rows, std::int64_t width,
                                  float* sums, float* squares)
{
    sumChunk(x, rows, width, sums, squares);
}
SB_TARGET_CLONES void sumChunkBf16(const bf16_t* x, std::int64_t rows, std::int64_t width,
                                   float* sums, float* squares)
{
    sumChunk(x, rows, width, sums, squares);
}

template <bool kResidual, bool kRelu, class T>
SB_HOST_DEVICE void applyLoop(const T* x, const T* z, const float* scale, const float* shift, T* y,
                              std::int64_t rows, std::int64_t width)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const T* xr = x + r * width;
        const T* zr = kResidual ? z + r * width : nullptr;
        T* yr = y + r * width;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < width; ++c) {
            float v = formula::normalise(load(xr + c), scale[c], shift[c]);
            if (kResidual)
                v += load(zr + c);
            if (kRelu)
                v = formula::relu(v);
            store(yr + c, v);
        }
    }
}

template <class T>
SB_HOST_DEVICE void applyChunk(const T* x, const T* z, const float* scale, const float* shift, T* y,
                               std::int64_t rows, std::int64_t width, bool relu)
{
    if (z && relu)
        applyLoop<true, true>(x, z, scale, shift, y, rows, width);
    else if (z)
        applyLoop<true, false>(x, z, scale, shift, y, rows, width);
    else if (relu)
        applyLoop<false, true>(x, z, scale, shift, y, rows, width);
    else
        applyLoop<false, false>(x, z, scale, shift, y, rows, width);
}

SB_TARGET_CLONES void applyChunkF32(const float* x, const float* z, const float* scale,
                                    const float* shift, float* y, std::int64_t rows,
                                    std::int64_t width, bool relu)
{
    applyChunk(x, z, scale, shift, y, rows, width, relu);
}
SB_TARGET_CLONES void applyChunkBf16(const bf16_t* x, const bf16_t* z, const float* scale,
                                     const float* shift, bf16_t* y, std::int64_t rows,
                                     std::int64_t width, bool relu)
{
    applyChunk(x, z, scale, shift, y, rows, width, relu);
}

/// Pointers of one chunk of backward, first row and first column of the chunk.
template <class T>
struct Chunk {
    const T *x, *y, *dy, *dyMore;
    T* dz;
    T* dx;
    std::int64_t rows, width;
};

/// Rows of kBlock values, sums in registers.
template <Mask kMask, bool kMore, bool kWrite, class T>
SB_HOST_DEVICE void backwardSumBlock(const Chunk<T>& k, const float* mean, const float* scale,
                                     const float* shift, float* sums, float* products)
{
    float s[kBlock], q[kBlock], m[kBlock], sc[kBlock], sh[kBlock];
    for (std::int64_t j = 0; j < kBlock; ++j) {
        s[j] = q[j] = 0.0f;
        m[j] = mean[j];
        sc[j] = scale[j];
        sh[j] = shift[j];
    }
    for (std::int64_t r = 0; r < k.rows; ++r) {
        const std::int64_t o = r * kBlock;
        const T* x = k.x + o;
        const T* dy = k.dy + o;
        const T* dyMore = kMore ? k.dyMore + o : nullptr;
        const T* y = kMask == kFromOutput ? k.y + o : nullptr;
        T* dz = kWrite ? k.dz + o : nullptr;
#pragma GCC ivdep
        for (std::int64_t j = 0; j < kBlock; ++j) {
            const float xv = load(x + j);
            float g = load(dy + j);
            if (kMore)
                g += load(dyMore + j);
            if (kMask == kFromInput)
                g = formula::normalise(xv, sc[j], sh[j]) > 0.0f ? g : 0.0f;
            if (kMask == kFromOutput)
                g = positive(y + j) ? g : 0.0f;
            if (kWrite)
                store(dz + j, g);
            s[j] += g;
            q[j] += g * (xv - m[j]);
        }
    }
    for (std::int64_t j = 0; j < kBlock; ++j) {
        sums[j] = s[j];
        products[j] = q[j];
    }
}

/// One row, sums in memory (see sumRows; here the many streams keep memory busy enough).
template <Mask kMask, bool kMore, bool kWrite, class T>
SB_HOST_DEVICE void backwardSumRow(const Chunk<T>& k, std::int64_t row, const float* mean,
                                   const float* scale, const float* shift, float* sums,
                                   float* products)
{
    const std::int64_t o = row * k.width;
    const T* x = k.x + o;
    const T* dy = k.dy + o;
    const T* dyMore = kMore ? k.dyMore + o : nullptr;
    const T* y = kMask == kFromOutput ? k.y + o : nullptr;
    T* dz = kWrite ? k.dz + o : nullptr;
#pragma GCC ivdep
    for (std::int64_t c = 0; c < k.width; ++c) {
        const float xv = load(x + c);
        float g = load(dy + c);
        if (kMore)
            g += load(dyMore + c);
        if (kMask == kFromInput)
            g = formula::normalise(xv, scale[c], shift[c]) > 0.0f ? g : 0.0f;
        if (kMask == kFromOutput)
            g = positive(y + c) ? g : 0.0f;
        if (kWrite)
            store(dz + c, g);
        sums[c] += g;
        products[c] += g * (xv - mean[c]);
    }
}

template <Mask kMask, bool kMore, bool kWrite, class T>
SB_HOST_DEVICE void backwardSumLoop(const Chunk<T>& k, const float* mean, const float* scale,
                                    const float* shift, float* sums, float* products)
{
    if (k.width == kBlock) {
        backwardSumBlock<kMask, kMore, kWrite>(k, mean, scale, shift, sums, products);
        return;
    }
    for (std::int64_t c = 0; c < k.width; ++c)
        sums[c] = products[c] = 0.0f;
    for (std::int64_t r = 0; r < k.rows; ++r)
        backwardSumRow<kMask, kMore, kWrite>(k, r, mean, scale, shift, sums, products);
}

template <class T>
SB_HOST_DEVICE void backwardSumChunk(const Chunk<T>& k, Mask mask, const float* mean,
                                     const float* scale, const float* shift, float* sums,
                                     float* products)
{
    const bool more = k.dyMore != nullptr;
    if (k.dz && mask == kFromOutput) {
        if (more)
            backwardSumLoop<kFromOutput, true, true>(k, mean, scale, shift, sums, products);
        else
            backwardSumLoop<kFromOutput, false, true>(k, mean, scale, shift, sums, products);
    } else if (k.dz) {
        if (more)
            backwardSumLoop<kNone, true, true>(k, mean, scale, shift, sums, products);
        else
            backwardSumLoop<kNone, false, true>(k, mean, scale, shift, sums, products);
    } else if (mask == kFromInput) {
        if (more)
            backwardSumLoop<kFromInput, true, false>(k, mean, scale, shift, sums, products);
        else
            backwardSumLoop<kFromInput, false, false>(k, mean, scale, shift, sums, products);
    } else {
        if (more)
            backwardSumLoop<kNone, true, false>(k, mean, scale, shift, sums, products);
        else
            backwardSumLoop<kNone, false, false>(k, mean, scale, shift, sums, products);
    }
}

SB_TARGET_CLONES void backwardSumChunkF32(const Chunk<float>& k, Mask mask, const float* mean,
                                          const float* scale, const float* shift, float* sums,
                                          float* products)
{
    backwardSumChunk(k, mask, mean, scale, shift, sums, products);
}
SB_TARGET_CLONES void backwardSumChunkBf16(const Chunk<bf16_t>& k, Mask mask, const float* mean,
                                           const float* scale, const float* shift, float* sums,
                                           float* products)
{
    backwardSumChunk(k, mask, mean, scale, shift, sums, products);
}

/// Per-channel numbers of backward, `width` long each.
struct Coefficients {
    const float *scale, *shift; // of forward, for the mask
    const float *a, *b, *c;
};

template <Mask kMask, bool kMore, class T>
SB_HOST_DEVICE void backwardApplyLoop(const Chunk<T>& k, const Coefficients& f)
{
    for (std::int64_t r = 0; r < k.rows; ++r) {
        const std::int64_t o = r * k.width;
        const T* x = k.x + o;
        const T* dy = k.dy + o;
        const T* dyMore = kMore ? k.dyMore + o : nullptr;
        T* dx = k.dx + o;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < k.width; ++c) {
            const float xv = load(x + c);
            float g = load(dy + c);
            if (kMore)
                g += load(dyMore + c);
            if (kMask == kFromInput)
                g = formula::normalise(xv, f.scale[c], f.shift[c]) > 0.0f ? g : 0.0f;
            store(dx + c, formula::normaliseBackward(g, xv, f.a[c], f.b[c], f.c[c]));
        }
    }
}

template <class T>
SB_HOST_DEVICE void backwardApplyChunk(const Chunk<T>& k, Mask mask, const Coefficients& f)
{
    if (mask == kFromInput && k.dyMore)
        backwardApplyLoop<kFromInput, true>(k, f);
    else if (mask == kFromInput)
        backwardApplyLoop<kFromInput, false>(k, f);
    else if (k.dyMore)
        backwardApplyLoop<kNone, true>(k, f);
    else
        backwardApplyLoop<kNone, false>(k, f);
}

SB_TARGET_CLONES void backwardApplyChunkF32(const Chunk<float>& k, Mask mask, const Coefficients& f)
{
    backwardApplyChunk(k, mask, f);
}
SB_TARGET_CLONES void backwardApplyChunkBf16(const Chunk<bf16_t>& k, Mask mask,
                                             const Coefficients& f)
{
    backwardApplyChunk(k, mask, f);
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
                       if constexpr (sizeof(T) == 4)
                           sumChunkF32(base, rows, C * f, s, q);
                       else
                           sumChunkBf16(base, rows, C * f, s, q);
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
struct Affine {
    std::vector<float> scale, shift;
    Affine(std::int64_t C, std::int64_t fold, const float* mean, const float* invStd,
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
};

template <class T>
Chunk<T> chunkAt(const BatchNormBackward& b, void* dx, std::int64_t element, std::int64_t rows,
                 std::int64_t width)
{
    auto at = [&](const void* p) { return p ? static_cast<const T*>(p) + element : nullptr; };
    auto mut = [&](void* p) { return p ? static_cast<T*>(p) + element : nullptr; };
    return {at(b.x), at(b.y), at(b.dy), at(b.dyMore), mut(b.dz), mut(dx), rows, width};
}

template <class T>
void backwardSums(const BatchNormParams& p, const BatchNormBackward& b, double* partials)
{
    const std::int64_t C = p.C, fold = foldOf(C), chunkRows = chunkRowsOf(C);
    const Affine affine(C, fold, b.mean, b.invStd, b.gamma, b.beta);
    std::vector<float> mean(std::size_t(C * fold));
    repeat(b.mean, C, fold, mean.data());
    const Mask mask = !p.relu ? kNone : b.dz ? kFromOutput : kFromInput;
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
                       if constexpr (sizeof(T) == 4)
                           backwardSumChunkF32(k, mask, mean.data(), affine.scale.data(),
                                               affine.shift.data(), s, q);
                       else
                           backwardSumChunkBf16(k, mask, mean.data(), affine.scale.data(),
                                                affine.shift.data(), s, q);
                       for (; f > 0; --f, s += C, q += C)
                           for (std::int64_t c = 0; c < C; ++c) {
                               out[c] += s[c];
                               out[C + c] += double(q[c]) * b.invStd[c];
                           }
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
    const std::int64_t C = p.C, fold = foldOf(C);
    const Affine affine(C, fold, mean, invStd, gamma, beta);
    parallelRanges(p.rows, chunkRowsOf(C), [&](std::int64_t begin, std::int64_t end) {
        foldedRows(begin, end, fold, end - begin,
                   [&](std::int64_t first, std::int64_t rows, std::int64_t f) {
                       const std::int64_t o = first * C;
                       if (p.dtype == DType::F32)
                           applyChunkF32(static_cast<const float*>(x) + o,
                                         z ? static_cast<const float*>(z) + o : nullptr,
                                         affine.scale.data(), affine.shift.data(),
                                         static_cast<float*>(y) + o, rows, C * f, p.relu);
                       else
                           applyChunkBf16(static_cast<const bf16_t*>(x) + o,
                                          z ? static_cast<const bf16_t*>(z) + o : nullptr,
                                          affine.scale.data(), affine.shift.data(),
                                          static_cast<bf16_t*>(y) + o, rows, C * f, p.relu);
                   });
    });
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
    const Affine affine(C, fold, b.mean, b.invStd, b.gamma, b.beta);
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
    const Coefficients f{affine.scale.data(), affine.shift.data(), a.data(), bx.data(), c0.data()};
    BatchNormBackward q = b;
    Mask mask = p.relu ? kFromInput : kNone;
    if (b.dz) { // the first call has masked and added
        q.dy = b.dz;
        q.dyMore = nullptr;
        mask = kNone;
    }
    parallelRanges(p.rows, chunkRowsOf(C), [&](std::int64_t begin, std::int64_t end) {
        foldedRows(
            begin, end, fold, end - begin,
            [&](std::int64_t first, std::int64_t rows, std::int64_t g) {
                if (p.dtype == DType::F32)
                    backwardApplyChunkF32(chunkAt<float>(q, dx, first * C, rows, C * g), mask, f);
                else
                    backwardApplyChunkBf16(chunkAt<bf16_t>(q, dx, first * C, rows, C * g), mask, f);
            });
    });
}

} // namespace scalebench::kernels::cpu
