// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/activation_op.h"

#include "kernels/cpu/parallel.h"
#include "kernels/formula/activation.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kGrain = 32768;

template <Activation A, class T>
SB_HOST_DEVICE void forward(const T* x, T* y, std::int64_t n)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        store(y + i, formula::activate(A, load(x + i)));
}

template <Activation A, class T>
SB_HOST_DEVICE void backward(const T* kept, const T* dy, T* dx, std::int64_t n)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        store(dx + i, formula::activateBackward(A, load(kept + i), load(dy + i)));
}

template <class T>
SB_HOST_DEVICE void forwardOf(Activation a, const T* x, T* y, std::int64_t n)
{
    switch (a) { // a loop each, with the function as a constant
    case Activation::None:
        return forward<Activation::None>(x, y, n);
    case Activation::Relu:
        return forward<Activation::Relu>(x, y, n);
    case Activation::GeluErf:
        return forward<Activation::GeluErf>(x, y, n);
    case Activation::GeluTanh:
        return forward<Activation::GeluTanh>(x, y, n);
    case Activation::Tanh:
        return forward<Activation::Tanh>(x, y, n);
    case Activation::Sigmoid:
        return forward<Activation::Sigmoid>(x, y, n);
    }
}

template <class T>
SB_HOST_DEVICE void backwardOf(Activation a, const T* kept, const T* dy, T* dx, std::int64_t n)
{
    switch (a) {
    case Activation::None:
        return backward<Activation::None>(kept, dy, dx, n);
    case Activation::Relu:
        return backward<Activation::Relu>(kept, dy, dx, n);
    case Activation::GeluErf:
        return backward<Activation::GeluErf>(kept, dy, dx, n);
    case Activation::GeluTanh:
        return backward<Activation::GeluTanh>(kept, dy, dx, n);
    case Activation::Tanh:
        return backward<Activation::Tanh>(kept, dy, dx, n);
    case Activation::Sigmoid:
        return backward<Activation::Sigmoid>(kept, dy, dx, n);
    }
}

SB_TARGET_CLONES void forwardF32(Activation a, const float* x, float* y, std::int64_t n)
{
    forwardOf(a, x, y, n);
}
SB_TARGET_CLONES void forwardBf16(Activation a, const bf16_t* x, bf16_t* y, std::int64_t n)
{
    forwardOf(a, x, y, n);
}
SB_TARGET_CLONES void backwardF32(Activation a, const float* kept, const float* dy, float* dx,
                                  std::int64_t n)
{
    backwardOf(a, kept, dy, dx, n);
}
SB_TARGET_CLONES void backwardBf16(Activation a, const bf16_t* kept, const bf16_t* dy, bf16_t* dx,
                                   std::int64_t n)
{
    backwardOf(a, kept, dy, dx, n);
}

} // namespace

void activationForward(Activation a, DType dtype, std::int64_t n, const void* x, void* y)
{
    parallelRanges(n, kGrain, [&](std::int64_t b, std::int64_t e) {
        if (dtype == DType::F32)
            forwardF32(a, static_cast<const float*>(x) + b, static_cast<float*>(y) + b, e - b);
        else
            forwardBf16(a, static_cast<const bf16_t*>(x) + b, static_cast<bf16_t*>(y) + b, e - b);
    });
}

void activationBackward(Activation a, DType dtype, std::int64_t n, const void* kept, const void* dy,
                        void* dx)
{
    parallelRanges(n, kGrain, [&](std::int64_t b, std::int64_t e) {
        if (dtype == DType::F32)
            backwardF32(a, static_cast<const float*>(kept) + b, static_cast<const float*>(dy) + b,
                        static_cast<float*>(dx) + b, e - b);
        else
            backwardBf16(a, static_cast<const bf16_t*>(kept) + b,
                         static_cast<const bf16_t*>(dy) + b, static_cast<bf16_t*>(dx) + b, e - b);
    });
}

} // namespace scalebench::kernels::cpu
