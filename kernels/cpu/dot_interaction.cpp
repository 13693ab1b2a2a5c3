// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/dot_interaction.h"

#include <cstring>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kGrain = 64; // samples of one task

template <class T>
void triangle(const DotInteractionParams& p, const T* x, const T* z, T* y)
{
    std::memcpy(y, x, std::size_t(p.D) * sizeof(T));
    T* to = y + p.D;
    for (std::int64_t i = 1; i < p.F; to += i, ++i)
        std::memcpy(to, z + i * p.F, std::size_t(i) * sizeof(T));
}

template <class T>
void symmetric(const DotInteractionParams& p, const T* dy, T* s)
{
    const T* from = dy + p.D;
    for (std::int64_t i = 0; i < p.F; from += i, ++i) {
        s[i * p.F + i] = T(0);
        for (std::int64_t j = 0; j < i; ++j)
            s[i * p.F + j] = s[j * p.F + i] = from[j];
    }
}

template <class T>
SB_HOST_DEVICE void addRow(const T* from, T* to, std::int64_t n)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        store(to + i, load(to + i) + load(from + i));
}
SB_TARGET_CLONES void addRowF32(const float* from, float* to, std::int64_t n)
{
    addRow(from, to, n);
}
SB_TARGET_CLONES void addRowBf16(const bf16_t* from, bf16_t* to, std::int64_t n)
{
    addRow(from, to, n);
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

void dotInteractionForward(const DotInteractionParams& p, const void* x, const void* z, void* y)
{
    everySample(p, [&](std::int64_t n) {
        const std::int64_t ax = n * p.F * p.D, az = n * p.F * p.F, ay = n * p.width();
        if (p.dtype == DType::F32)
            triangle(p, static_cast<const float*>(x) + ax, static_cast<const float*>(z) + az,
                     static_cast<float*>(y) + ay);
        else
            triangle(p, static_cast<const bf16_t*>(x) + ax, static_cast<const bf16_t*>(z) + az,
                     static_cast<bf16_t*>(y) + ay);
    });
}

void dotInteractionSymmetric(const DotInteractionParams& p, const void* dy, void* s)
{
    everySample(p, [&](std::int64_t n) {
        const std::int64_t from = n * p.width(), to = n * p.F * p.F;
        if (p.dtype == DType::F32)
            symmetric(p, static_cast<const float*>(dy) + from, static_cast<float*>(s) + to);
        else
            symmetric(p, static_cast<const bf16_t*>(dy) + from, static_cast<bf16_t*>(s) + to);
    });
}

void dotInteractionAddDense(const DotInteractionParams& p, const void* dy, void* dx)
{
    everySample(p, [&](std::int64_t n) {
        const std::int64_t from = n * p.width(), to = n * p.F * p.D;
        if (p.dtype == DType::F32)
            addRowF32(static_cast<const float*>(dy) + from, static_cast<float*>(dx) + to, p.D);
        else
            addRowBf16(static_cast<const bf16_t*>(dy) + from, static_cast<bf16_t*>(dx) + to, p.D);
    });
}

} // namespace scalebench::kernels::cpu
