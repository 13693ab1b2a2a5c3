// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/additive_rows.h"

#include "kernels/formula/additive_attention.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::Four;
using formula::load;
using formula::store;

template <class T>
SB_HOST_DEVICE Four units(const float* q, const T* const k[4], std::int64_t a)
{
    return formula::tanh4({q[a] + load(k[0] + a), q[a] + load(k[1] + a), q[a] + load(k[2] + a),
                           q[a] + load(k[3] + a)});
}

template <class T>
SB_HOST_DEVICE void scores(std::int64_t A, const float* q, const T* k0, const T* k1, const T* k2,
                           const T* k3, const float* w, float* result)
{
    const T* const k[4] = {k0, k1, k2, k3};
    float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
    for (std::int64_t a = 0; a < A; ++a) {
        const Four u = units(q, k, a);
        s0 += w[a] * u.a;
        s1 += w[a] * u.b;
        s2 += w[a] * u.c;
        s3 += w[a] * u.d;
    }
    result[0] = s0, result[1] = s1, result[2] = s2, result[3] = s3;
}
SB_TARGET_CLONES void scoresF32(std::int64_t A, const float* q, const float* const* k,
                                const float* w, float* result)
{
    scores(A, q, k[0], k[1], k[2], k[3], w, result);
}
SB_TARGET_CLONES void scoresBf16(std::int64_t A, const float* q, const bf16_t* const* k,
                                 const float* w, float* result)
{
    scores(A, q, k[0], k[1], k[2], k[3], w, result);
}

template <class T>
SB_HOST_DEVICE void gradients(std::int64_t A, const float* q, const T* k0, const T* k1, const T* k2,
                              const T* k3, Four d, float* dq, float* dk0, float* dk1, float* dk2,
                              float* dk3, float* dw)
{
    const T* const k[4] = {k0, k1, k2, k3};
#pragma GCC ivdep
    for (std::int64_t a = 0; a < A; ++a) {
        const Four u = units(q, k, a);
        const float sa = d.a * (1.0f - u.a * u.a), sb = d.b * (1.0f - u.b * u.b),
                    sc = d.c * (1.0f - u.c * u.c), sd = d.d * (1.0f - u.d * u.d);
        dk0[a] += sa;
        dk1[a] += sb;
        dk2[a] += sc;
        dk3[a] += sd;
        dq[a] += (sa + sb) + (sc + sd);
        dw[a] += (d.a * u.a + d.b * u.b) + (d.c * u.c + d.d * u.d);
    }
}
SB_TARGET_CLONES void gradientsF32(std::int64_t A, const float* q, const float* const* k,
                                   const float* d, float* dq, float* const* dk, float* dw)
{
    gradients(A, q, k[0], k[1], k[2], k[3], {d[0], d[1], d[2], d[3]}, dq, dk[0], dk[1], dk[2],
              dk[3], dw);
}
SB_TARGET_CLONES void gradientsBf16(std::int64_t A, const float* q, const bf16_t* const* k,
                                    const float* d, float* dq, float* const* dk, float* dw)
{
    gradients(A, q, k[0], k[1], k[2], k[3], {d[0], d[1], d[2], d[3]}, dq, dk[0], dk[1], dk[2],
              dk[3], dw);
}

template <class T>
SB_HOST_DEVICE void widen(std::int64_t A, const T* x, const float* bias, float* y)
{
#pragma GCC ivdep
    for (std::int64_t a = 0; a < A; ++a)
        y[a] = load(x + a) + (bias ? bias[a] : 0.0f);
}
SB_TARGET_CLONES void widenF32(std::int64_t A, const float* x, const float* bias, float* y)
{
    widen(A, x, bias, y);
}
SB_TARGET_CLONES void widenBf16(std::int64_t A, const bf16_t* x, const float* bias, float* y)
{
    widen(A, x, bias, y);
}

template <class T>
SB_HOST_DEVICE void scaled(std::int64_t A, const float* x, const float* w, T* y)
{
#pragma GCC ivdep
    for (std::int64_t a = 0; a < A; ++a)
        store(y + a, x[a] * w[a]);
}
SB_TARGET_CLONES void scaledF32(std::int64_t A, const float* x, const float* w, float* y)
{
    scaled(A, x, w, y);
}
SB_TARGET_CLONES void scaledBf16(std::int64_t A, const float* x, const float* w, bf16_t* y)
{
    scaled(A, x, w, y);
}

} // namespace

void additiveScores(DType dtype, std::int64_t A, const float* q, const void* const k[4],
                    const float* w, float result[4])
{
    if (dtype == DType::F32) {
        const float* const rows[4] = {
            static_cast<const float*>(k[0]), static_cast<const float*>(k[1]),
            static_cast<const float*>(k[2]), static_cast<const float*>(k[3])};
        scoresF32(A, q, rows, w, result);
    } else {
        const bf16_t* const rows[4] = {
            static_cast<const bf16_t*>(k[0]), static_cast<const bf16_t*>(k[1]),
            static_cast<const bf16_t*>(k[2]), static_cast<const bf16_t*>(k[3])};
        scoresBf16(A, q, rows, w, result);
    }
}

void additiveGradients(DType dtype, std::int64_t A, const float* q, const void* const k[4],
                       const float dscore[4], float* dq, float* const dk[4], float* dw)
{
    if (dtype == DType::F32) {
        const float* const rows[4] = {
            static_cast<const float*>(k[0]), static_cast<const float*>(k[1]),
            static_cast<const float*>(k[2]), static_cast<const float*>(k[3])};
        gradientsF32(A, q, rows, dscore, dq, dk, dw);
    } else {
        const bf16_t* const rows[4] = {
            static_cast<const bf16_t*>(k[0]), static_cast<const bf16_t*>(k[1]),
            static_cast<const bf16_t*>(k[2]), static_cast<const bf16_t*>(k[3])};
        gradientsBf16(A, q, rows, dscore, dq, dk, dw);
    }
}

void additiveWiden(DType dtype, std::int64_t A, const void* x, const float* bias, float* y)
{
    if (dtype == DType::F32)
        widenF32(A, static_cast<const float*>(x), bias, y);
    else
        widenBf16(A, static_cast<const bf16_t*>(x), bias, y);
}

void additiveStore(DType dtype, std::int64_t A, const float* x, const float* w, void* y)
{
    if (dtype == DType::F32)
        scaledF32(A, x, w, static_cast<float*>(y));
    else
        scaledBf16(A, x, w, static_cast<bf16_t*>(y));
}

} // namespace scalebench::kernels::cpu
