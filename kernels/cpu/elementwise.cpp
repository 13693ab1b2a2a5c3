// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/elementwise.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/activation.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kGrain = 65536;
constexpr std::int64_t kColumnRows = 4096; // rows of one partial column sum

template <class T>
SB_HOST_DEVICE void add(const T* x, T* y, std::int64_t n)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        store(y + i, load(y + i) + load(x + i));
}
SB_TARGET_CLONES void addF32(const float* x, float* y, std::int64_t n)
{
    add(x, y, n);
}
SB_TARGET_CLONES void addBf16(const bf16_t* x, bf16_t* y, std::int64_t n)
{
    add(x, y, n);
}

template <class T>
SB_HOST_DEVICE void relu(const T* x, T* y, std::int64_t n)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        store(y + i, formula::relu(load(x + i)));
}
SB_TARGET_CLONES void reluF32(const float* x, float* y, std::int64_t n)
{
    relu(x, y, n);
}
SB_TARGET_CLONES void reluBf16(const bf16_t* x, bf16_t* y, std::int64_t n)
{
    relu(x, y, n);
}

template <class T>
SB_HOST_DEVICE void reluGrad(const T* y, const T* dy, T* dx, std::int64_t n)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        dx[i] = formula::positive(y + i) ? dy[i] : T(0);
}
SB_TARGET_CLONES void reluGradF32(const float* y, const float* dy, float* dx, std::int64_t n)
{
    reluGrad(y, dy, dx, n);
}
SB_TARGET_CLONES void reluGradBf16(const bf16_t* y, const bf16_t* dy, bf16_t* dx, std::int64_t n)
{
    reluGrad(y, dy, dx, n);
}

SB_TARGET_CLONES void toBf16(const float* __restrict x, bf16_t* __restrict y, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; ++i)
        y[i] = formula::f32ToBf16(x[i]);
}
SB_TARGET_CLONES void toF32(const bf16_t* __restrict x, float* __restrict y, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; ++i)
        y[i] = formula::bf16ToF32(x[i]);
}

template <class T>
SB_HOST_DEVICE void columns(const T* x, std::int64_t rows, std::int64_t C, float* sums)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const T* row = x + r * C;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c)
            sums[c] += load(row + c);
    }
}
SB_TARGET_CLONES void columnsF32(const float* x, std::int64_t rows, std::int64_t C, float* sums)
{
    columns(x, rows, C, sums);
}
SB_TARGET_CLONES void columnsBf16(const bf16_t* x, std::int64_t rows, std::int64_t C, float* sums)
{
    columns(x, rows, C, sums);
}

} // namespace

void addInPlace(DType dtype, std::int64_t n, const void* x, void* y)
{
    parallelRanges(n, kGrain, [&](std::int64_t b, std::int64_t e) {
        if (dtype == DType::F32)
            addF32(static_cast<const float*>(x) + b, static_cast<float*>(y) + b, e - b);
        else
            addBf16(static_cast<const bf16_t*>(x) + b, static_cast<bf16_t*>(y) + b, e - b);
    });
}

void reluForward(DType dtype, std::int64_t n, const void* x, void* y)
{
    parallelRanges(n, kGrain, [&](std::int64_t b, std::int64_t e) {
        if (dtype == DType::F32)
            reluF32(static_cast<const float*>(x) + b, static_cast<float*>(y) + b, e - b);
        else
            reluBf16(static_cast<const bf16_t*>(x) + b, static_cast<bf16_t*>(y) + b, e - b);
    });
}

void reluBackward(DType dtype, std::int64_t n, const void* y, const void* dy, void* dx)
{
    parallelRanges(n, kGrain, [&](std::int64_t b, std::int64_t e) {
        if (dtype == DType::F32)
            reluGradF32(static_cast<const float*>(y) + b, static_cast<const float*>(dy) + b,
                        static_cast<float*>(dx) + b, e - b);
        else
            reluGradBf16(static_cast<const bf16_t*>(y) + b, static_cast<const bf16_t*>(dy) + b,
                         static_cast<bf16_t*>(dx) + b, e - b);
    });
}

void castF32ToBf16(std::int64_t n, const float* x, bf16_t* y)
{
    parallelRanges(n, kGrain, [&](std::int64_t b, std::int64_t e) { toBf16(x + b, y + b, e - b); });
}

void castBf16ToF32(std::int64_t n, const bf16_t* x, float* y)
{
    parallelRanges(n, kGrain, [&](std::int64_t b, std::int64_t e) { toF32(x + b, y + b, e - b); });
}

void columnSums(DType dtype, std::int64_t rows, std::int64_t C, const void* x, float* sums,
                bool accumulate)
{
    // Partial sums over a fixed number of rows: short fp32 sums, the same for any thread count.
    const std::int64_t chunks = (rows + kColumnRows - 1) / kColumnRows;
    std::vector<float> partials(std::size_t(chunks * C), 0.0f);
    parallelFor(chunks, [&](std::int64_t i) {
        const std::int64_t first = i * kColumnRows, n = std::min(rows - first, kColumnRows);
        if (dtype == DType::F32)
            columnsF32(static_cast<const float*>(x) + first * C, n, C, partials.data() + i * C);
        else
            columnsBf16(static_cast<const bf16_t*>(x) + first * C, n, C, partials.data() + i * C);
    });
    for (std::int64_t c = 0; c < C; ++c) {
        double sum = accumulate ? double(sums[c]) : 0.0;
        for (std::int64_t i = 0; i < chunks; ++i)
            sum += double(partials[std::size_t(i * C + c)]);
        sums[c] = float(sum);
    }
}

// Pure copies of whole pixels: the element type matters only by its size.
void shortcutPadForward(const ShortcutPadParams& p, const void* x, void* y)
{
    const std::size_t size = dtypeBytes(p.dtype), keep = std::size_t(p.C) * size,
                      full = std::size_t(p.K) * size;
    const auto* in = static_cast<const char*>(x);
    auto* out = static_cast<char*>(y);
    const std::int64_t outH = p.outH(), outW = p.outW();
    parallelFor(p.N, [&](std::int64_t n) {
        for (std::int64_t h = 0; h < outH; ++h)
            for (std::int64_t w = 0; w < outW; ++w) {
                const char* from =
                    in + std::size_t((n * p.H + h * p.stride) * p.W + w * p.stride) * keep;
                char* to = out + std::size_t((n * outH + h) * outW + w) * full;
                std::memcpy(to, from, keep);
                std::memset(to + keep, 0, full - keep);
            }
    });
}

void shortcutPadBackward(const ShortcutPadParams& p, const void* dy, void* dx)
{
    const std::size_t size = dtypeBytes(p.dtype), keep = std::size_t(p.C) * size,
                      full = std::size_t(p.K) * size;
    const auto* in = static_cast<const char*>(dy);
    auto* out = static_cast<char*>(dx);
    const std::int64_t outH = p.outH(), outW = p.outW();
    parallelFor(p.N, [&](std::int64_t n) {
        char* image = out + std::size_t(n * p.H * p.W) * keep;
        std::memset(image, 0, std::size_t(p.H * p.W) * keep);
        for (std::int64_t h = 0; h < outH; ++h)
            for (std::int64_t w = 0; w < outW; ++w)
                std::memcpy(image + std::size_t(h * p.stride * p.W + w * p.stride) * keep,
                            in + std::size_t((n * outH + h) * outW + w) * full, keep);
    });
}

} // namespace scalebench::kernels::cpu
