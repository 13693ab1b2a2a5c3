// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/frozen_batch_norm.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/activation.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::positive;
using formula::store;

/// Rows per piece of work, about 64 Ki elements.
std::int64_t grainOf(const BatchNormParams& p)
{
    return std::max<std::int64_t>(1, 65536 / p.C);
}

template <bool kResidual, bool kRelu, class T>
SB_HOST_DEVICE void applyRows(const T* x, const T* z, const float* scale, const float* shift, T* y,
                              std::int64_t rows, std::int64_t C)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const T* xr = x + r * C;
        const T* zr = kResidual ? z + r * C : nullptr;
        T* yr = y + r * C;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c) {
            float v = formula::normalise(load(xr + c), scale[c], shift[c]);
            if (kResidual)
                v += load(zr + c);
            store(yr + c, kRelu ? formula::relu(v) : v);
        }
    }
}

template <class T>
SB_HOST_DEVICE void apply(const T* x, const T* z, const float* scale, const float* shift, T* y,
                          std::int64_t rows, std::int64_t C, bool relu)
{
    if (z && relu)
        applyRows<true, true>(x, z, scale, shift, y, rows, C);
    else if (z)
        applyRows<true, false>(x, z, scale, shift, y, rows, C);
    else if (relu)
        applyRows<false, true>(x, z, scale, shift, y, rows, C);
    else
        applyRows<false, false>(x, z, scale, shift, y, rows, C);
}
SB_TARGET_CLONES void applyF32(const float* x, const float* z, const float* scale,
                               const float* shift, float* y, std::int64_t rows, std::int64_t C,
                               bool relu)
{
    apply(x, z, scale, shift, y, rows, C, relu);
}
SB_TARGET_CLONES void applyBf16(const bf16_t* x, const bf16_t* z, const float* scale,
                                const float* shift, bf16_t* y, std::int64_t rows, std::int64_t C,
                                bool relu)
{
    apply(x, z, scale, shift, y, rows, C, relu);
}

/// Operands of backward from the first row on; dyMore and dz may be null.
template <class T>
struct Rows {
    const T *y, *dy, *dyMore;
    T *dx, *dz;
};

template <bool kRelu, bool kMore, bool kResidual, class T>
SB_HOST_DEVICE void backwardLoop(const Rows<T>& o, const float* scale, std::int64_t rows,
                                 std::int64_t C)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const T* y = kRelu ? o.y + r * C : nullptr;
        const T* dy = o.dy + r * C;
        const T* more = kMore ? o.dyMore + r * C : nullptr;
        T* dx = o.dx + r * C;
        T* dz = kResidual ? o.dz + r * C : nullptr;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c) {
            float g = load(dy + c);
            if (kMore)
                g += load(more + c);
            if (kRelu)
                g = positive(y + c) ? g : 0.0f;
            if (kResidual)
                store(dz + c, g);
            store(dx + c, g * scale[c]);
        }
    }
}

template <bool kRelu, class T>
SB_HOST_DEVICE void backwardRows(const Rows<T>& o, const float* scale, std::int64_t rows,
                                 std::int64_t C)
{
    if (o.dyMore && o.dz)
        backwardLoop<kRelu, true, true>(o, scale, rows, C);
    else if (o.dyMore)
        backwardLoop<kRelu, true, false>(o, scale, rows, C);
    else if (o.dz)
        backwardLoop<kRelu, false, true>(o, scale, rows, C);
    else
        backwardLoop<kRelu, false, false>(o, scale, rows, C);
}
SB_TARGET_CLONES void backwardF32(const Rows<float>& o, const float* scale, std::int64_t rows,
                                  std::int64_t C, bool relu)
{
    if (relu)
        backwardRows<true>(o, scale, rows, C);
    else
        backwardRows<false>(o, scale, rows, C);
}
SB_TARGET_CLONES void backwardBf16(const Rows<bf16_t>& o, const float* scale, std::int64_t rows,
                                   std::int64_t C, bool relu)
{
    if (relu)
        backwardRows<true>(o, scale, rows, C);
    else
        backwardRows<false>(o, scale, rows, C);
}

template <class T>
Rows<T> rowsAt(std::int64_t element, const void* y, const void* dy, const void* dyMore, void* dx,
               void* dz)
{
    auto at = [&](const void* p) { return p ? static_cast<const T*>(p) + element : nullptr; };
    auto mut = [&](void* p) { return p ? static_cast<T*>(p) + element : nullptr; };
    return {at(y), at(dy), at(dyMore), mut(dx), mut(dz)};
}

} // namespace

void frozenBatchNormFold(std::int64_t C, double epsilon, const float* gamma, const float* beta,
                         const float* mean, const float* variance, float* scale, float* shift)
{
    for (std::int64_t c = 0; c < C; ++c) {
        const double s = double(gamma[c]) / std::sqrt(double(variance[c]) + epsilon);
        scale[c] = float(s);
        shift[c] = float(double(beta[c]) - double(mean[c]) * s);
    }
}

void frozenBatchNormForward(const BatchNormParams& p, const void* x, const void* z,
                            const float* scale, const float* shift, void* y)
{
    parallelRanges(p.rows, grainOf(p), [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t o = begin * p.C;
        if (p.dtype == DType::F32)
            applyF32(static_cast<const float*>(x) + o,
                     z ? static_cast<const float*>(z) + o : nullptr, scale, shift,
                     static_cast<float*>(y) + o, end - begin, p.C, p.relu);
        else
            applyBf16(static_cast<const bf16_t*>(x) + o,
                      z ? static_cast<const bf16_t*>(z) + o : nullptr, scale, shift,
                      static_cast<bf16_t*>(y) + o, end - begin, p.C, p.relu);
    });
}

void frozenBatchNormBackward(const BatchNormParams& p, const void* y, const void* dy,
                             const void* dyMore, const float* scale, void* dx, void* dz)
{
    parallelRanges(p.rows, grainOf(p), [&](std::int64_t begin, std::int64_t end) {
        if (p.dtype == DType::F32)
            backwardF32(rowsAt<float>(begin * p.C, y, dy, dyMore, dx, dz), scale, end - begin, p.C,
                        p.relu);
        else
            backwardBf16(rowsAt<bf16_t>(begin * p.C, y, dy, dyMore, dx, dz), scale, end - begin,
                         p.C, p.relu);
    });
}

} // namespace scalebench::kernels::cpu
