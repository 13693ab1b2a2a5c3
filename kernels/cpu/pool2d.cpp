// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/pool2d.h"

#include <algorithm>
#include <vector>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

/// One tap of the window: takes x where it is larger than the best so far (or NaN).
template <class T>
SB_HOST_DEVICE void maxTap(const T* x, float* best, std::uint8_t* index, std::uint8_t tap,
                           std::int64_t C)
{
#pragma GCC ivdep
    for (std::int64_t c = 0; c < C; ++c) {
        const float v = load(x + c);
        const bool take = v > best[c] || v != v;
        best[c] = take ? v : best[c];
        index[c] = take ? tap : index[c];
    }
}
SB_TARGET_CLONES void maxTapF32(const float* x, float* best, std::uint8_t* index, std::uint8_t tap,
                                std::int64_t C)
{
    maxTap(x, best, index, tap, C);
}
SB_TARGET_CLONES void maxTapBf16(const bf16_t* x, float* best, std::uint8_t* index,
                                 std::uint8_t tap, std::int64_t C)
{
    maxTap(x, best, index, tap, C);
}
inline void tapOf(const float* x, float* b, std::uint8_t* i, std::uint8_t tap, std::int64_t C)
{
    maxTapF32(x, b, i, tap, C);
}
inline void tapOf(const bf16_t* x, float* b, std::uint8_t* i, std::uint8_t tap, std::int64_t C)
{
    maxTapBf16(x, b, i, tap, C);
}

template <class T>
SB_HOST_DEVICE void storeRow(const float* x, T* y, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; ++i)
        store(y + i, x[i]);
}
SB_TARGET_CLONES void storeRowF32(const float* x, float* y, std::int64_t n)
{
    storeRow(x, y, n);
}
SB_TARGET_CLONES void storeRowBf16(const float* x, bf16_t* y, std::int64_t n)
{
    storeRow(x, y, n);
}
inline void storeOf(const float* x, float* y, std::int64_t n)
{
    storeRowF32(x, y, n);
}
inline void storeOf(const float* x, bf16_t* y, std::int64_t n)
{
    storeRowBf16(x, y, n);
}

/// dx += dy where `tap` won.
template <class T>
SB_HOST_DEVICE void scatterTap(const T* dy, const std::uint8_t* index, std::uint8_t tap, float* dx,
                               std::int64_t C)
{
#pragma GCC ivdep
    for (std::int64_t c = 0; c < C; ++c)
        dx[c] += index[c] == tap ? load(dy + c) : 0.0f;
}
SB_TARGET_CLONES void scatterTapF32(const float* dy, const std::uint8_t* index, std::uint8_t tap,
                                    float* dx, std::int64_t C)
{
    scatterTap(dy, index, tap, dx, C);
}
SB_TARGET_CLONES void scatterTapBf16(const bf16_t* dy, const std::uint8_t* index, std::uint8_t tap,
                                     float* dx, std::int64_t C)
{
    scatterTap(dy, index, tap, dx, C);
}
inline void scatterOf(const float* dy, const std::uint8_t* i, std::uint8_t tap, float* dx,
                      std::int64_t C)
{
    scatterTapF32(dy, i, tap, dx, C);
}
inline void scatterOf(const bf16_t* dy, const std::uint8_t* i, std::uint8_t tap, float* dx,
                      std::int64_t C)
{
    scatterTapBf16(dy, i, tap, dx, C);
}

template <class T>
void forward(const MaxPoolParams& p, const T* x, T* y, std::uint8_t* argmax)
{
    const std::int64_t outH = p.outH(), outW = p.outW(), C = p.C;
    parallelFor(p.N * outH, [&](std::int64_t row) {
        thread_local std::vector<float> best;
        thread_local std::vector<std::uint8_t> unused;
        best.resize(std::size_t(C));
        unused.resize(std::size_t(C));
        const std::int64_t n = row / outH, oh = row % outH;
        for (std::int64_t ow = 0; ow < outW; ++ow) {
            const std::int64_t o = (row * outW + ow) * C;
            std::uint8_t* index = argmax ? argmax + o : unused.data();
            bool first = true;
            for (std::int64_t r = 0; r < p.window; ++r) {
                const std::int64_t h = oh * p.stride - p.padding + r;
                if (h < 0 || h >= p.H)
                    continue;
                for (std::int64_t s = 0; s < p.window; ++s) {
                    const std::int64_t w = ow * p.stride - p.padding + s;
                    if (w < 0 || w >= p.W)
                        continue;
                    const auto tap = std::uint8_t(r * p.window + s);
                    const T* px = x + ((n * p.H + h) * p.W + w) * C;
                    if (first) {
                        for (std::int64_t c = 0; c < C; ++c)
                            best[std::size_t(c)] = load(px + c);
                        std::fill_n(index, C, tap);
                        first = false;
                    } else {
                        tapOf(px, best.data(), index, tap, C);
                    }
                }
            }
            storeOf(best.data(), y + o, C);
        }
    });
}

template <class T>
void backward(const MaxPoolParams& p, const T* dy, const std::uint8_t* argmax, T* dx)
{
    const std::int64_t outH = p.outH(), outW = p.outW(), C = p.C;
    // Gather per input pixel: no two threads write one place, sums stay in fp32.
    parallelFor(p.N * p.H, [&](std::int64_t row) {
        thread_local std::vector<float> sum;
        sum.resize(std::size_t(C));
        const std::int64_t n = row / p.H, h = row % p.H;
        for (std::int64_t w = 0; w < p.W; ++w) {
            std::fill(sum.begin(), sum.end(), 0.0f);
            for (std::int64_t r = 0; r < p.window; ++r) {
                const std::int64_t top = h + p.padding - r;
                if (top < 0 || top % p.stride != 0 || top / p.stride >= outH)
                    continue;
                for (std::int64_t s = 0; s < p.window; ++s) {
                    const std::int64_t left = w + p.padding - s;
                    if (left < 0 || left % p.stride != 0 || left / p.stride >= outW)
                        continue;
                    const std::int64_t o =
                        ((n * outH + top / p.stride) * outW + left / p.stride) * C;
                    scatterOf(dy + o, argmax + o, std::uint8_t(r * p.window + s), sum.data(), C);
                }
            }
            storeOf(sum.data(), dx + (row * p.W + w) * C, C);
        }
    });
}

template <class T>
SB_HOST_DEVICE void averageImage(const T* x, std::int64_t pixels, std::int64_t C, float* sum, T* y)
{
    for (std::int64_t c = 0; c < C; ++c)
        sum[c] = 0.0f;
    for (std::int64_t i = 0; i < pixels; ++i)
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c)
            sum[c] += load(x + i * C + c);
    const float inverse = 1.0f / float(pixels);
    for (std::int64_t c = 0; c < C; ++c)
        store(y + c, sum[c] * inverse);
}
SB_TARGET_CLONES void averageF32(const float* x, std::int64_t pixels, std::int64_t C, float* sum,
                                 float* y)
{
    averageImage(x, pixels, C, sum, y);
}
SB_TARGET_CLONES void averageBf16(const bf16_t* x, std::int64_t pixels, std::int64_t C, float* sum,
                                  bf16_t* y)
{
    averageImage(x, pixels, C, sum, y);
}

template <class T>
SB_HOST_DEVICE void spreadImage(const T* dy, std::int64_t pixels, std::int64_t C, T* dx)
{
    const float inverse = 1.0f / float(pixels);
    for (std::int64_t i = 0; i < pixels; ++i)
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c)
            store(dx + i * C + c, load(dy + c) * inverse);
}
SB_TARGET_CLONES void spreadF32(const float* dy, std::int64_t pixels, std::int64_t C, float* dx)
{
    spreadImage(dy, pixels, C, dx);
}
SB_TARGET_CLONES void spreadBf16(const bf16_t* dy, std::int64_t pixels, std::int64_t C, bf16_t* dx)
{
    spreadImage(dy, pixels, C, dx);
}

} // namespace

void maxPoolForward(const MaxPoolParams& p, const void* x, void* y, std::uint8_t* argmax)
{
    if (p.dtype == DType::F32)
        forward(p, static_cast<const float*>(x), static_cast<float*>(y), argmax);
    else
        forward(p, static_cast<const bf16_t*>(x), static_cast<bf16_t*>(y), argmax);
}

void maxPoolBackward(const MaxPoolParams& p, const void* dy, const std::uint8_t* argmax, void* dx)
{
    if (p.dtype == DType::F32)
        backward(p, static_cast<const float*>(dy), argmax, static_cast<float*>(dx));
    else
        backward(p, static_cast<const bf16_t*>(dy), argmax, static_cast<bf16_t*>(dx));
}

void globalAvgPoolForward(const GlobalAvgPoolParams& p, const void* x, void* y)
{
    const std::int64_t pixels = p.H * p.W, image = pixels * p.C;
    parallelFor(p.N, [&](std::int64_t n) {
        thread_local std::vector<float> sum;
        sum.resize(std::size_t(p.C));
        if (p.dtype == DType::F32)
            averageF32(static_cast<const float*>(x) + n * image, pixels, p.C, sum.data(),
                       static_cast<float*>(y) + n * p.C);
        else
            averageBf16(static_cast<const bf16_t*>(x) + n * image, pixels, p.C, sum.data(),
                        static_cast<bf16_t*>(y) + n * p.C);
    });
}

void globalAvgPoolBackward(const GlobalAvgPoolParams& p, const void* dy, void* dx)
{
    const std::int64_t pixels = p.H * p.W, image = pixels * p.C;
    parallelFor(p.N, [&](std::int64_t n) {
        if (p.dtype == DType::F32)
            spreadF32(static_cast<const float*>(dy) + n * p.C, pixels, p.C,
                      static_cast<float*>(dx) + n * image);
        else
            spreadBf16(static_cast<const bf16_t*>(dy) + n * p.C, pixels, p.C,
                       static_cast<bf16_t*>(dx) + n * image);
    });
}

} // namespace scalebench::kernels::cpu
