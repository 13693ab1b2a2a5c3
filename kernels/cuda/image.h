// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Kernels whose threads each compute a run of channels of one pixel of an image [N,H,W,C].

#include <cuda_runtime.h>

#include "kernels/cuda/index.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/vector.h"

#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace scalebench::kernels::cuda {

inline constexpr int kImageThreads = 256;

/// Sizes of an image in runs of channels.
template <class I>
struct Image {
    I n, h, w, runs;
    Divider<I> byRuns, byW, byH;

    Image(std::int64_t N, std::int64_t H, std::int64_t W, std::int64_t runsOfPixel)
        : n(I(N)), h(I(H)), w(I(W)), runs(I(runsOfPixel)), byRuns(runsOfPixel), byW(W), byH(H)
    {
    }
    __device__ __forceinline__ I count() const { return n * h * w * runs; }
    /// Number of a run.
    __device__ __forceinline__ I at(I in, I ih, I iw, I ic) const
    {
        return ((in * h + ih) * w + iw) * runs + ic;
    }

    struct Place {
        I n, h, w, c;
    };
    __device__ __forceinline__ Place place(I i) const
    {
        const I pixel = byRuns.quotient(i), row = byW.quotient(pixel), image = byH.quotient(row);
        return {image, row - image * h, pixel - row * w, i - pixel * runs};
    }
};

/// body(place, number of the run) for every run of `image`.
template <class I, class Body>
__device__ __forceinline__ void forImage(const Image<I>& image, const Body& body)
{
    const I count = image.count();
    for (I i = I(blockIdx.x) * kImageThreads + threadIdx.x; i < count;
         i += I(gridDim.x) * kImageThreads)
        body(image.place(i), i);
}

/// Calls f(tag of T, length of runs, tag of the index type): what a kernel over images of C
/// channels of `dtype` is made for. `elements`: of the largest tensor.
template <class F>
void withImageRuns(DType dtype, const char* op, std::int64_t C, std::int64_t elements,
                   std::initializer_list<const void*> pointers, F&& f)
{
    withActivationType(dtype, op, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        constexpr int kN = kVector<T>;
        const bool wide = C % kN == 0 && aligned(pointers);
        const std::integral_constant<int, kN> many;
        const std::integral_constant<int, 1> one;
        if (countsIn32Bits(elements) && wide)
            f(tag, many, TypeTag<std::uint32_t>());
        else if (countsIn32Bits(elements))
            f(tag, one, TypeTag<std::uint32_t>());
        else if (wide)
            f(tag, many, TypeTag<std::uint64_t>());
        else
            f(tag, one, TypeTag<std::uint64_t>());
    });
}

} // namespace scalebench::kernels::cuda
