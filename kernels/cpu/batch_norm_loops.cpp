// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/batch_norm_loops.h"

#include "kernels/formula/activation.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu::norm {
namespace {

using formula::load;
using formula::positive;
using formula::store;

constexpr std::int64_t kPrefetchBytes = 2048;

// --- compiled for several instruction sets ---

/// Rows of kNarrow values, sums in registers.
template <class T>
SB_HOST_DEVICE void sumBlock(const T* x, std::int64_t rows, float* sums, float* squares)
{
    float k[kNarrow], s[kNarrow], q[kNarrow];
    for (std::int64_t j = 0; j < kNarrow; ++j) {
        k[j] = load(x + j);
        s[j] = q[j] = 0.0f;
    }
    for (std::int64_t r = 0; r < rows; ++r) {
        const T* row = x + r * kNarrow;
        for (std::int64_t j = 0; j < kNarrow; ++j) {
            const float d = load(row + j) - k[j];
            s[j] += d;
            q[j] += d * d;
        }
    }
    for (std::int64_t j = 0; j < kNarrow; ++j) {
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

template <class T>
SB_HOST_DEVICE void sumChunk(const T* x, std::int64_t rows, std::int64_t width, float* sums,
                             float* squares)
{
    if (width == kNarrow) {
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
SB_HOST_DEVICE void applyLoop(const T* x, const T* z, Affine f, T* y, std::int64_t rows,
                              std::int64_t width)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const T* xr = x + r * width;
        const T* zr = kResidual ? z + r * width : nullptr;
        T* yr = y + r * width;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < width; ++c) {
            float v = formula::normalise(load(xr + c), f.scale[c], f.shift[c]);
            if (kResidual)
                v += load(zr + c);
            if (kRelu)
                v = formula::relu(v);
            store(yr + c, v);
        }
    }
}

template <class T>
SB_HOST_DEVICE void applyChunk(const T* x, const T* z, Affine f, T* y, std::int64_t rows,
                               std::int64_t width, bool relu)
{
    if (z && relu)
        applyLoop<true, true>(x, z, f, y, rows, width);
    else if (z)
        applyLoop<true, false>(x, z, f, y, rows, width);
    else if (relu)
        applyLoop<false, true>(x, z, f, y, rows, width);
    else
        applyLoop<false, false>(x, z, f, y, rows, width);
}

SB_TARGET_CLONES void applyChunkF32(const float* x, const float* z, Affine f, float* y,
                                    std::int64_t rows, std::int64_t width, bool relu)
{
    applyChunk(x, z, f, y, rows, width, relu);
}
SB_TARGET_CLONES void applyChunkBf16(const bf16_t* x, const bf16_t* z, Affine f, bf16_t* y,
                                     std::int64_t rows, std::int64_t width, bool relu)
{
    applyChunk(x, z, f, y, rows, width, relu);
}

/// Rows of kNarrow values, sums in registers.
template <Mask kMask, bool kMore, bool kWrite, class T>
SB_HOST_DEVICE void backwardSumBlock(const Chunk<T>& k, const float* mean, Affine f, float* sums,
                                     float* products)
{
    float s[kNarrow], q[kNarrow], m[kNarrow], sc[kNarrow], sh[kNarrow];
    for (std::int64_t j = 0; j < kNarrow; ++j) {
        s[j] = q[j] = 0.0f;
        m[j] = mean[j];
        sc[j] = f.scale[j];
        sh[j] = f.shift[j];
    }
    for (std::int64_t r = 0; r < k.rows; ++r) {
        const std::int64_t o = r * kNarrow;
        const T* x = k.x + o;
        const T* dy = k.dy + o;
        const T* dyMore = kMore ? k.dyMore + o : nullptr;
        const T* y = kMask == kFromOutput ? k.y + o : nullptr;
        T* dz = kWrite ? k.dz + o : nullptr;
#pragma GCC ivdep
        for (std::int64_t j = 0; j < kNarrow; ++j) {
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
    for (std::int64_t j = 0; j < kNarrow; ++j) {
        sums[j] = s[j];
        products[j] = q[j];
    }
}

/// One row, sums in memory (see sumRows; here the many streams keep memory busy enough).
template <Mask kMask, bool kMore, bool kWrite, class T>
SB_HOST_DEVICE void backwardSumRow(const Chunk<T>& k, std::int64_t row, const float* mean, Affine f,
                                   float* sums, float* products)
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
            g = formula::normalise(xv, f.scale[c], f.shift[c]) > 0.0f ? g : 0.0f;
        if (kMask == kFromOutput)
            g = positive(y + c) ? g : 0.0f;
        if (kWrite)
            store(dz + c, g);
        sums[c] += g;
        products[c] += g * (xv - mean[c]);
    }
}

template <Mask kMask, bool kMore, bool kWrite, class T>
SB_HOST_DEVICE void backwardSumLoop(const Chunk<T>& k, const float* mean, Affine f, float* sums,
                                    float* products)
{
    if (k.width == kNarrow) {
        backwardSumBlock<kMask, kMore, kWrite>(k, mean, f, sums, products);
        return;
    }
    for (std::int64_t c = 0; c < k.width; ++c)
        sums[c] = products[c] = 0.0f;
    for (std::int64_t r = 0; r < k.rows; ++r)
        backwardSumRow<kMask, kMore, kWrite>(k, r, mean, f, sums, products);
}

template <class T>
SB_HOST_DEVICE void backwardSumChunk(const Chunk<T>& k, Mask mask, const float* mean, Affine f,
                                     float* sums, float* products)
{
    const bool more = k.dyMore != nullptr;
    if (k.dz && mask == kFromOutput) {
        if (more)
            backwardSumLoop<kFromOutput, true, true>(k, mean, f, sums, products);
        else
            backwardSumLoop<kFromOutput, false, true>(k, mean, f, sums, products);
    } else if (k.dz) {
        if (more)
            backwardSumLoop<kNone, true, true>(k, mean, f, sums, products);
        else
            backwardSumLoop<kNone, false, true>(k, mean, f, sums, products);
    } else if (mask == kFromInput) {
        if (more)
            backwardSumLoop<kFromInput, true, false>(k, mean, f, sums, products);
        else
            backwardSumLoop<kFromInput, false, false>(k, mean, f, sums, products);
    } else {
        if (more)
            backwardSumLoop<kNone, true, false>(k, mean, f, sums, products);
        else
            backwardSumLoop<kNone, false, false>(k, mean, f, sums, products);
    }
}

SB_TARGET_CLONES void backwardSumChunkF32(const Chunk<float>& k, Mask mask, const float* mean,
                                          Affine f, float* sums, float* products)
{
    backwardSumChunk(k, mask, mean, f, sums, products);
}
SB_TARGET_CLONES void backwardSumChunkBf16(const Chunk<bf16_t>& k, Mask mask, const float* mean,
                                           Affine f, float* sums, float* products)
{
    backwardSumChunk(k, mask, mean, f, sums, products);
}

template <Mask kMask, bool kMore, class T>
SB_HOST_DEVICE void backwardApplyLoop(const Chunk<T>& k, Affine f, Slopes slopes)
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
            store(dx + c, formula::normaliseBackward(g, xv, slopes.a[c], slopes.b[c], slopes.c[c]));
        }
    }
}

template <class T>
SB_HOST_DEVICE void backwardApplyChunk(const Chunk<T>& k, Mask mask, Affine f, Slopes slopes)
{
    if (mask == kFromInput && k.dyMore)
        backwardApplyLoop<kFromInput, true>(k, f, slopes);
    else if (mask == kFromInput)
        backwardApplyLoop<kFromInput, false>(k, f, slopes);
    else if (k.dyMore)
        backwardApplyLoop<kNone, true>(k, f, slopes);
    else
        backwardApplyLoop<kNone, false>(k, f, slopes);
}

SB_TARGET_CLONES void backwardApplyChunkF32(const Chunk<float>& k, Mask mask, Affine f,
                                            Slopes slopes)
{
    backwardApplyChunk(k, mask, f, slopes);
}
SB_TARGET_CLONES void backwardApplyChunkBf16(const Chunk<bf16_t>& k, Mask mask, Affine f,
                                             Slopes slopes)
{
    backwardApplyChunk(k, mask, f, slopes);
}

} // namespace

const Loops<float>& loopsOf(const float*)
{
    static constexpr Loops<float> loops{sumChunkF32, applyChunkF32, backwardSumChunkF32,
                                        backwardApplyChunkF32};
    return loops;
}

const Loops<bf16_t>& loopsOf(const bf16_t*)
{
    static constexpr Loops<bf16_t> loops{sumChunkBf16, applyChunkBf16, backwardSumChunkBf16,
                                         backwardApplyChunkBf16};
    const Loops<bf16_t>* const own = bf16Loops();
    return own ? *own : loops;
}

} // namespace scalebench::kernels::cpu::norm
