// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/vector_ops.h"

#include <cmath>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::int64_t kGrain = 65536;

// Element i of the output depends on element i of the inputs only, so in place is safe.
SB_TARGET_CLONES void scaleLoop(std::int64_t n, float a, const float* x, float* y)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        y[i] = a * x[i];
}
SB_TARGET_CLONES void axpyLoop(std::int64_t n, float a, const float* x, float* y)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        y[i] += a * x[i];
}
SB_TARGET_CLONES void multiplyLoop(std::int64_t n, const float* x, const float* y, float* z)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        z[i] = x[i] * y[i];
}
SB_TARGET_CLONES void divideLoop(std::int64_t n, const float* x, const float* y, float* z)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        z[i] = x[i] / y[i];
}
SB_TARGET_CLONES void rootLoop(std::int64_t n, const float* x, float* y)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        y[i] = std::sqrt(x[i]);
}
SB_TARGET_CLONES void addLoop(std::int64_t n, float a, const float* x, float* y)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        y[i] = x[i] + a;
}

} // namespace

void scale(std::int64_t n, float a, const float* x, float* y)
{
    parallelRanges(n, kGrain,
                   [&](std::int64_t b, std::int64_t e) { scaleLoop(e - b, a, x + b, y + b); });
}

void axpy(std::int64_t n, float a, const float* x, float* y)
{
    parallelRanges(n, kGrain,
                   [&](std::int64_t b, std::int64_t e) { axpyLoop(e - b, a, x + b, y + b); });
}

void multiply(std::int64_t n, const float* x, const float* y, float* z)
{
    parallelRanges(n, kGrain, [&](std::int64_t b, std::int64_t e) {
        multiplyLoop(e - b, x + b, y + b, z + b);
    });
}

void divide(std::int64_t n, const float* x, const float* y, float* z)
{
    parallelRanges(n, kGrain,
                   [&](std::int64_t b, std::int64_t e) { divideLoop(e - b, x + b, y + b, z + b); });
}

void squareRoot(std::int64_t n, const float* x, float* y)
{
    parallelRanges(n, kGrain,
                   [&](std::int64_t b, std::int64_t e) { rootLoop(e - b, x + b, y + b); });
}

void addScalar(std::int64_t n, float a, const float* x, float* y)
{
    parallelRanges(n, kGrain,
                   [&](std::int64_t b, std::int64_t e) { addLoop(e - b, a, x + b, y + b); });
}

} // namespace scalebench::kernels::cpu
