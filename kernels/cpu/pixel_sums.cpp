// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/pixel_sums.h"

#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

template <class T>
SB_HOST_DEVICE void addLoop(const T* x, float factor, float* sum, std::int64_t C)
{
#pragma GCC ivdep
    for (std::int64_t c = 0; c < C; ++c)
        sum[c] += factor * formula::load(x + c);
}

template <class T>
SB_HOST_DEVICE void storeLoop(const float* sum, T* y, std::int64_t C)
{
#pragma GCC ivdep
    for (std::int64_t c = 0; c < C; ++c)
        formula::store(y + c, sum[c]);
}

// Clones have names of their own: overloads of one name cannot be cloned.
SB_TARGET_CLONES void addF32(const float* x, float factor, float* sum, std::int64_t C)
{
    addLoop(x, factor, sum, C);
}
SB_TARGET_CLONES void addBf16(const bf16_t* x, float factor, float* sum, std::int64_t C)
{
    addLoop(x, factor, sum, C);
}
SB_TARGET_CLONES void storeF32(const float* sum, float* y, std::int64_t C)
{
    storeLoop(sum, y, C);
}
SB_TARGET_CLONES void storeBf16(const float* sum, bf16_t* y, std::int64_t C)
{
    storeLoop(sum, y, C);
}

} // namespace

void addPixel(const float* x, float factor, float* sum, std::int64_t C)
{
    addF32(x, factor, sum, C);
}
void addPixel(const bf16_t* x, float factor, float* sum, std::int64_t C)
{
    addBf16(x, factor, sum, C);
}
void storePixel(const float* sum, float* y, std::int64_t C)
{
    storeF32(sum, y, C);
}
void storePixel(const float* sum, bf16_t* y, std::int64_t C)
{
    storeBf16(sum, y, C);
}

} // namespace scalebench::kernels::cpu
