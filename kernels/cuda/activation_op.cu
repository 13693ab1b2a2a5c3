// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/activation_op.h"

#include "kernels/cuda/map.h"
#include "kernels/formula/activation.h"

namespace scalebench::kernels::cuda {
namespace {

template <Activation A>
struct Forward {
    __device__ float operator()(const float* x) const { return formula::activate(A, x[0]); }
};
template <Activation A>
struct Backward {
    __device__ float operator()(const float* x) const
    {
        return formula::activateBackward(A, x[0], x[1]);
    }
};

template <Activation A>
struct ActivationTag {
    static constexpr Activation kValue = A;
};

/// A kernel each, with the function as a constant.
template <class F>
void withActivation(Activation a, F&& f)
{
    switch (a) {
    case Activation::None:
        return f(ActivationTag<Activation::None>());
    case Activation::Relu:
        return f(ActivationTag<Activation::Relu>());
    case Activation::GeluErf:
        return f(ActivationTag<Activation::GeluErf>());
    case Activation::GeluTanh:
        return f(ActivationTag<Activation::GeluTanh>());
    case Activation::Tanh:
        return f(ActivationTag<Activation::Tanh>());
    case Activation::Sigmoid:
        return f(ActivationTag<Activation::Sigmoid>());
    }
}

} // namespace

void activationForward(Activation a, DType dtype, std::int64_t n, const void* x, void* y,
                       cudaStream_t stream)
{
    withActivationType(dtype, activationName(a), [&](auto type) {
        using T = typename decltype(type)::Type;
        withActivation(a, [&](auto activation) {
            launchMap(activationName(a), stream, n,
                      Map<Forward<decltype(activation)::kValue>, 1, T>{
                          {}, {static_cast<const T*>(x)}, static_cast<T*>(y)});
        });
    });
}

void activationBackward(Activation a, DType dtype, std::int64_t n, const void* kept, const void* dy,
                        void* dx, cudaStream_t stream)
{
    withActivationType(dtype, "activation backward", [&](auto type) {
        using T = typename decltype(type)::Type;
        withActivation(a, [&](auto activation) {
            launchMap("activation backward", stream, n,
                      Map<Backward<decltype(activation)::kValue>, 2, T>{
                          {},
                          {static_cast<const T*>(kept), static_cast<const T*>(dy)},
                          static_cast<T*>(dx)});
        });
    });
}

} // namespace scalebench::kernels::cuda
