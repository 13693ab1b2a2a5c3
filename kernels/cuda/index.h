// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From the number of an element to its place in tensors that are walked with other strides. An
// integer division costs some 20 instructions in 32 bits and some 70 in 64: small tensors count in
// 32 bits and divide by multiplication.

#include <cuda_runtime.h>

#include <cstdint>

namespace scalebench::kernels::cuda {

/// Division by a number known at launch.
template <class I>
struct Divider;

/// Of numbers below 2^31, by multiplication with the reciprocal (Granlund and Montgomery, "Division
/// by invariant integers using multiplication", PLDI 1994, figure 4.1).
template <>
struct Divider<std::uint32_t> {
    std::uint32_t divisor = 1, magic = 1, shift = 0;

    Divider() = default;
    /// By 1 where d is 0 (an axis without entries).
    explicit Divider(std::int64_t d) : divisor(std::uint32_t(d > 0 ? d : 1))
    {
        d = divisor;
        while ((std::uint64_t(1) << shift) < std::uint64_t(d))
            ++shift;
        magic = std::uint32_t(
            ((std::uint64_t(1) << 32) * ((std::uint64_t(1) << shift) - std::uint64_t(d))) /
                std::uint64_t(d) +
            1);
    }
    __device__ __forceinline__ std::uint32_t quotient(std::uint32_t n) const
    {
        return (std::uint32_t((std::uint64_t(n) * magic) >> 32) + n) >> shift;
    }
};

template <>
struct Divider<std::uint64_t> {
    std::uint64_t divisor = 1;

    Divider() = default;
    explicit Divider(std::int64_t d) : divisor(std::uint64_t(d > 0 ? d : 1)) {}
    __device__ __forceinline__ std::uint64_t quotient(std::uint64_t n) const { return n / divisor; }
};

/// Whether a loop over n elements may count in 32 bits: the last step beyond the end included.
inline bool countsIn32Bits(std::int64_t n)
{
    return n < (std::int64_t(1) << 30);
}

/// Walks up to Axes axes, innermost first, of K operands.
template <class I, int K, int Axes>
struct Strides {
    int axes = 0;
    Divider<I> size[Axes];
    I stride[K][Axes] = {};

    /// at[k] = place of element `index` in operand k.
    __device__ __forceinline__ void places(I index, I* at) const
    {
        for (int k = 0; k < K; ++k)
            at[k] = 0;
        for (int a = 0; a < Axes; ++a) {
            if (a == axes)
                break;
            const I rest = a + 1 == axes ? 0 : size[a].quotient(index);
            const I here = index - rest * size[a].divisor;
            for (int k = 0; k < K; ++k)
                at[k] += here * stride[k][a];
            index = rest;
        }
    }
    /// Outermost last.
    void add(std::int64_t entries, const std::int64_t* strides)
    {
        size[axes] = Divider<I>(entries);
        for (int k = 0; k < K; ++k)
            stride[k][axes] = I(strides[k]);
        ++axes;
    }
};

} // namespace scalebench::kernels::cuda
