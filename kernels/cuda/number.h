// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Element types of CUDA kernels. bf16 and fp16 share std::uint16_t as storage on the host
// (kernels/types.h); here each has a type of its own, so that one kernel template serves all three.

#include <cuda_runtime.h>
#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

#include "kernels/check.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/f16.h"
#include "kernels/types.h"

#include <string>

namespace scalebench::kernels::cuda {

struct BFloat16 {
    std::uint16_t bits;
};
struct Float16 {
    std::uint16_t bits;
};

SB_HOST_DEVICE float toFloat(float v)
{
    return v;
}
SB_HOST_DEVICE float toFloat(BFloat16 v)
{
    return formula::bf16ToF32(v.bits);
}
SB_HOST_DEVICE float toFloat(Float16 v)
{
#if defined(__CUDA_ARCH__)
    return __half2float(__ushort_as_half(v.bits));
#else
    return formula::f16ToF32(v.bits);
#endif
}

/// Rounds to nearest even; fp16: beyond 65504 infinity.
template <class T>
SB_HOST_DEVICE T fromFloat(float v);
template <>
SB_HOST_DEVICE float fromFloat<float>(float v)
{
    return v;
}
template <>
SB_HOST_DEVICE BFloat16 fromFloat<BFloat16>(float v)
{
#if defined(__CUDA_ARCH__)
    return {__bfloat16_as_ushort(__float2bfloat16_rn(v))};
#else
    return {formula::f32ToBf16(v)};
#endif
}
template <>
SB_HOST_DEVICE Float16 fromFloat<Float16>(float v)
{
#if defined(__CUDA_ARCH__)
    return {__half_as_ushort(__float2half_rn(v))};
#else
    return {formula::f32ToF16(v)};
#endif
}

template <class T>
struct TypeTag {
    using Type = T;
};

/// Calls f(TypeTag<T>()) with the kernel type of an activation; Unsupported for others.
template <class F>
decltype(auto) withActivationType(DType dtype, const char* op, F&& f)
{
    switch (dtype) {
    case DType::F32:
        return f(TypeTag<float>());
    case DType::BF16:
        return f(TypeTag<BFloat16>());
    case DType::F16:
        return f(TypeTag<Float16>());
    default:
        throw Unsupported(std::string(op) +
                          ": the CUDA backend computes in f32, bf16 and f16, not " +
                          dtypeName(dtype));
    }
}

/// N elements that are loaded and stored as one access (at most 16 bytes).
template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
    T v[N];
};

} // namespace scalebench::kernels::cuda
