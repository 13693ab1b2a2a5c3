// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/pool2d.h"

#include <algorithm>
#include <vector>

#include "kernels/cpu/max_pool_taps.h"
#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;
using pool::Tap;

// --- over the channels, compiled for several instruction sets ---

template <class T>
SB_HOST_DEVICE void largestOf(const Tap<T>* taps, int n, std::int64_t C, T* y, std::uint8_t* index,
                              float* best)
{
    const T* const first = taps[0].at;
#pragma GCC ivdep
    for (std::int64_t c = 0; c < C; ++c)
        best[c] = load(first + c);
    std::fill_n(index, C, taps[0].number);
    for (int i = 1; i < n; ++i) {
        const T* const x = taps[i].at;
        const std::uint8_t number = taps[i].number;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c) {
            const float v = load(x + c);
            const bool take = v > best[c] || v != v;
            best[c] = take ? v : best[c];
            index[c] = take ? number : index[c];
        }
    }
    for (std::int64_t c = 0; c < C; ++c)
        store(y + c, best[c]);
}
SB_TARGET_CLONES void largestF32(const Tap<float>* taps, int n, std::int64_t C, float* y,
                                 std::uint8_t* index, float* room)
{
    largestOf(taps, n, C, y, index, room);
}
SB_TARGET_CLONES void largestBf16(const Tap<bf16_t>* taps, int n, std::int64_t C, bf16_t* y,
                                  std::uint8_t* index, float* room)
{
    largestOf(taps, n, C, y, index, room);
}

template <class T>
SB_HOST_DEVICE void gradientOf(const Tap<T>* taps, int n, std::int64_t C, T* dx, float* sum)
{
    for (std::int64_t c = 0; c < C; ++c)
        sum[c] = 0.0f;
    for (int i = 0; i < n; ++i) {
        const Tap<T> tap = taps[i];
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c) {
            const float g = load(tap.at + c);
            sum[c] += tap.won[c] == tap.number ? g : 0.0f;
        }
    }
    for (std::int64_t c = 0; c < C; ++c)
        store(dx + c, sum[c]);
}
SB_TARGET_CLONES void gradientF32(const Tap<float>* taps, int n, std::int64_t C, float* dx,
                                  float* room)
{
    gradientOf(taps, n, C, dx, room);
}
SB_TARGET_CLONES void gradientBf16(const Tap<bf16_t>* taps, int n, std::int64_t C, bf16_t* dx,
                                   float* room)
{
    gradientOf(taps, n, C, dx, room);
}

const pool::Loops<float>& loopsOf(const float*)
{
    static constexpr pool::Loops<float> loops{largestF32, gradientF32};
    return loops;
}

const pool::Loops<bf16_t>& loopsOf(const bf16_t*)
{
    static constexpr pool::Loops<bf16_t> loops{largestBf16, gradientBf16};
    const pool::Loops<bf16_t>* const own = pool::bf16Loops();
    return own ? *own : loops;
}

// --- over the pixels ---

constexpr std::int64_t kMostTaps = 15 * 15;

template <class T>
void forward(const MaxPoolParams& p, const T* x, T* y, std::uint8_t* argmax)
{
    const pool::Loops<T>& loops = loopsOf(x);
    const std::int64_t outH = p.outH(), outW = p.outW(), C = p.C;
    parallelFor(p.N * outH, [&](std::int64_t row) {
        thread_local std::vector<std::uint8_t> unused;
        thread_local std::vector<float> room;
        unused.resize(std::size_t(C));
        room.resize(std::size_t(C));
        const std::int64_t n = row / outH, oh = row % outH;
        Tap<T> taps[kMostTaps];
        for (std::int64_t ow = 0; ow < outW; ++ow) {
            int count = 0;
            for (std::int64_t r = 0; r < p.window; ++r) {
                const std::int64_t h = oh * p.stride - p.padding + r;
                if (h < 0 || h >= p.H)
                    continue;
                for (std::int64_t s = 0; s < p.window; ++s) {
                    const std::int64_t w = ow * p.stride - p.padding + s;
                    if (w >= 0 && w < p.W)
                        taps[count++] = {x + ((n * p.H + h) * p.W + w) * C, nullptr,
                                         std::uint8_t(r * p.window + s)};
                }
            }
            const std::int64_t o = (row * outW + ow) * C;
            loops.largest(taps, count, C, y + o, argmax ? argmax + o : unused.data(), room.data());
        }
    });
}

template <class T>
void backward(const MaxPoolParams& p, const T* dy, const std::uint8_t* argmax, T* dx)
{
    const pool::Loops<T>& loops = loopsOf(dy);
    const std::int64_t outH = p.outH(), outW = p.outW(), C = p.C;
    // Gather per input pixel: no two threads write one place, sums stay in fp32.
    parallelFor(p.N * p.H, [&](std::int64_t row) {
        thread_local std::vector<float> room;
        room.resize(std::size_t(C));
        const std::int64_t n = row / p.H, h = row % p.H;
        Tap<T> taps[kMostTaps];
        for (std::int64_t w = 0; w < p.W; ++w) {
            int count = 0;
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
                    taps[count++] = {dy + o, argmax + o, std::uint8_t(r * p.window + s)};
                }
            }
            loops.gradient(taps, count, C, dx + (row * p.W + w) * C, room.data());
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
