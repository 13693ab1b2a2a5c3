// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/layer_norm.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/layer_norm_bf16.h"
#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kRows = 64; // of one chunk and one partial sum of the gradients

// --- forward ---

/// One row that fits the first-level cache: three short passes over it cost less than one clever
/// one, and the variance about the mean cannot cancel.
template <class T>
SB_HOST_DEVICE void forwardRow(const T* x, const T* z, T* sum, const float* gamma,
                               const float* beta, T* y, std::int64_t C, float epsilon, float& mean,
                               float& invStd)
{
    if (z) {
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c)
            store(sum + c, load(x + c) + load(z + c));
        x = sum;
    }
    float total = 0.0f;
    for (std::int64_t c = 0; c < C; ++c)
        total += load(x + c);
    mean = total / float(C);
    const float m = mean;
    float squares = 0.0f;
    for (std::int64_t c = 0; c < C; ++c) {
        const float d = load(x + c) - m;
        squares += d * d;
    }
    invStd = 1.0f / __builtin_sqrtf(squares / float(C) + epsilon);
    const float scale = invStd;
#pragma GCC ivdep
    for (std::int64_t c = 0; c < C; ++c)
        store(y + c, (load(x + c) - m) * scale * gamma[c] + beta[c]);
}

template <class T>
SB_HOST_DEVICE void forwardRows(const LayerNormForward& f, std::int64_t first, std::int64_t n,
                                std::int64_t C, float epsilon)
{
    for (std::int64_t r = first; r < first + n; ++r) {
        float mean, invStd;
        const std::int64_t at = r * C;
        forwardRow(static_cast<const T*>(f.x) + at,
                   f.z ? static_cast<const T*>(f.z) + at : static_cast<const T*>(nullptr),
                   f.z ? static_cast<T*>(f.sum) + at : static_cast<T*>(nullptr), f.gamma, f.beta,
                   static_cast<T*>(f.y) + at, C, epsilon, mean, invStd);
        if (f.mean) {
            f.mean[r] = mean;
            f.invStd[r] = invStd;
        }
    }
}
SB_TARGET_CLONES void forwardF32(const LayerNormForward& f, std::int64_t first, std::int64_t n,
                                 std::int64_t C, float epsilon)
{
    forwardRows<float>(f, first, n, C, epsilon);
}
SB_TARGET_CLONES void forwardBf16(const LayerNormForward& f, std::int64_t first, std::int64_t n,
                                  std::int64_t C, float epsilon)
{
    forwardRows<bf16_t>(f, first, n, C, epsilon);
}

// --- backward ---

/// With h = (s - mean) invStd and g = dy gamma:
/// ds = invStd (g - mean(g) - h mean(g h)) + dsMore, dgamma += dy h, dbeta += dy.
template <class T>
SB_HOST_DEVICE void backwardRow(const T* s, const T* dy, const T* more, T* ds, const float* gamma,
                                float* dgamma, float* dbeta, std::int64_t C, float mean,
                                float invStd)
{
    float sumG = 0.0f, sumGh = 0.0f;
#pragma GCC ivdep
    for (std::int64_t c = 0; c < C; ++c) {
        const float d = load(dy + c), h = (load(s + c) - mean) * invStd, g = d * gamma[c];
        sumG += g;
        sumGh += g * h;
        dgamma[c] += d * h;
        dbeta[c] += d;
    }
    const float a = sumG / float(C), b = sumGh / float(C);
    if (more) {
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c) {
            const float h = (load(s + c) - mean) * invStd, g = load(dy + c) * gamma[c];
            store(ds + c, load(more + c) + invStd * (g - a - h * b));
        }
    } else {
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c) {
            const float h = (load(s + c) - mean) * invStd, g = load(dy + c) * gamma[c];
            store(ds + c, invStd * (g - a - h * b));
        }
    }
}

template <class T>
SB_HOST_DEVICE void backwardRows(const LayerNormBackward& b, std::int64_t first, std::int64_t n,
                                 std::int64_t C, float* dgamma, float* dbeta)
{
    for (std::int64_t c = 0; c < C; ++c)
        dgamma[c] = dbeta[c] = 0.0f;
    for (std::int64_t r = first; r < first + n; ++r) {
        const std::int64_t at = r * C;
        backwardRow(static_cast<const T*>(b.s) + at, static_cast<const T*>(b.dy) + at,
                    b.dsMore ? static_cast<const T*>(b.dsMore) + at
                             : static_cast<const T*>(nullptr),
                    static_cast<T*>(b.ds) + at, b.gamma, dgamma, dbeta, C, b.mean[r], b.invStd[r]);
    }
}
SB_TARGET_CLONES void backwardF32(const LayerNormBackward& b, std::int64_t first, std::int64_t n,
                                  std::int64_t C, float* dgamma, float* dbeta)
{
    backwardRows<float>(b, first, n, C, dgamma, dbeta);
}
SB_TARGET_CLONES void backwardBf16(const LayerNormBackward& b, std::int64_t first, std::int64_t n,
                                   std::int64_t C, float* dgamma, float* dbeta)
{
    backwardRows<bf16_t>(b, first, n, C, dgamma, dbeta);
}

const LayerNormLoops& loopsOf(DType type)
{
    static constexpr LayerNormLoops floats{forwardF32, backwardF32},
        bf16{forwardBf16, backwardBf16};
    if (type == DType::F32)
        return floats;
    const LayerNormLoops* const own = bf16LayerNorm();
    return own ? *own : bf16;
}

std::int64_t chunksOf(std::int64_t rows)
{
    return (rows + kRows - 1) / kRows;
}

/// Rows of partial sums [chunks][2][C], in order, in double.
void reduceSums(const float* partials, std::int64_t chunks, std::int64_t C, float* out,
                bool accumulate)
{
    for (std::int64_t c = 0; c < C; ++c) {
        double sum = accumulate ? double(out[c]) : 0.0;
        for (std::int64_t i = 0; i < chunks; ++i)
            sum += double(partials[i * 2 * C + c]);
        out[c] = float(sum);
    }
}

} // namespace

void layerNormForward(const LayerNormParams& p, const LayerNormForward& f)
{
    if (p.C == 0)
        return;
    const LayerNormLoops& loops = loopsOf(p.dtype);
    parallelRanges(p.rows, kRows, [&](std::int64_t b, std::int64_t e) {
        loops.forward(f, b, e - b, p.C, p.epsilon);
    });
}

std::size_t layerNormWorkspaceBytes(const LayerNormParams& p)
{
    return std::size_t(chunksOf(p.rows) * 2 * p.C) * sizeof(float);
}

void layerNormBackward(const LayerNormParams& p, const LayerNormBackward& b, void* workspace)
{
    auto* partials = static_cast<float*>(workspace);
    const std::int64_t chunks = chunksOf(p.rows);
    const LayerNormLoops& loops = loopsOf(p.dtype);
    parallelFor(chunks, [&](std::int64_t i) {
        float* sums = partials + i * 2 * p.C;
        loops.backward(b, i * kRows, std::min(kRows, p.rows - i * kRows), p.C, sums, sums + p.C);
    });
    reduceSums(partials, chunks, p.C, b.dgamma, b.accumulateGamma);
    reduceSums(partials + p.C, chunks, p.C, b.dbeta, b.accumulateBeta);
}

} // namespace scalebench::kernels::cpu
