// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/softmax.h"

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/row_max.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/math.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kElements = 16384; // of a piece of work

// The exponentials are computed twice rather than kept: a row may be longer than any fixed buffer,
// and a bf16 result cannot hold them.
template <class T>
SB_HOST_DEVICE void forwardRows(const T* x, T* y, std::int64_t rows, std::int64_t C)
{
    for (std::int64_t r = 0; r < rows; ++r, x += C, y += C) {
        const float top = rowMax(x, C);
        float sum = 0.0f;
        for (std::int64_t c = 0; c < C; ++c)
            sum += formula::exp(load(x + c) - top);
        const float inverse = 1.0f / sum;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c)
            store(y + c, formula::exp(load(x + c) - top) * inverse);
    }
}
SB_TARGET_CLONES void forwardF32(const float* x, float* y, std::int64_t rows, std::int64_t C)
{
    forwardRows(x, y, rows, C);
}
SB_TARGET_CLONES void forwardBf16(const bf16_t* x, bf16_t* y, std::int64_t rows, std::int64_t C)
{
    forwardRows(x, y, rows, C);
}

template <class T>
SB_HOST_DEVICE void backwardRows(const T* y, const T* dy, T* dx, std::int64_t rows, std::int64_t C)
{
    for (std::int64_t r = 0; r < rows; ++r, y += C, dy += C, dx += C) {
        float sum = 0.0f;
        for (std::int64_t c = 0; c < C; ++c)
            sum += load(y + c) * load(dy + c);
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c)
            store(dx + c, load(y + c) * (load(dy + c) - sum));
    }
}
SB_TARGET_CLONES void backwardF32(const float* y, const float* dy, float* dx, std::int64_t rows,
                                  std::int64_t C)
{
    backwardRows(y, dy, dx, rows, C);
}
SB_TARGET_CLONES void backwardBf16(const bf16_t* y, const bf16_t* dy, bf16_t* dx, std::int64_t rows,
                                   std::int64_t C)
{
    backwardRows(y, dy, dx, rows, C);
}

std::int64_t rowsPerPiece(std::int64_t C)
{
    return C >= kElements ? 1 : kElements / C;
}

} // namespace

void softmaxForward(DType dtype, std::int64_t rows, std::int64_t C, const void* x, void* y)
{
    if (C == 0)
        return;
    parallelRanges(rows, rowsPerPiece(C), [&](std::int64_t b, std::int64_t e) {
        if (dtype == DType::F32)
            forwardF32(static_cast<const float*>(x) + b * C, static_cast<float*>(y) + b * C, e - b,
                       C);
        else
            forwardBf16(static_cast<const bf16_t*>(x) + b * C, static_cast<bf16_t*>(y) + b * C,
                        e - b, C);
    });
}

void softmaxBackward(DType dtype, std::int64_t rows, std::int64_t C, const void* y, const void* dy,
                     void* dx)
{
    if (C == 0)
        return;
    parallelRanges(rows, rowsPerPiece(C), [&](std::int64_t b, std::int64_t e) {
        if (dtype == DType::F32)
            backwardF32(static_cast<const float*>(y) + b * C, static_cast<const float*>(dy) + b * C,
                        static_cast<float*>(dx) + b * C, e - b, C);
        else
            backwardBf16(static_cast<const bf16_t*>(y) + b * C,
                         static_cast<const bf16_t*>(dy) + b * C, static_cast<bf16_t*>(dx) + b * C,
                         e - b, C);
    });
}

} // namespace scalebench::kernels::cpu
