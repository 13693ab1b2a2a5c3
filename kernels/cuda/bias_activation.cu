// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/bias_activation.h"

#include "kernels/cuda/launch.h"
#include "kernels/cuda/number.h"
#include "kernels/formula/activation.h"

#include <type_traits>

namespace scalebench::kernels::cuda {
namespace {

template <class T, int V, Activation A>
__global__ void biasActivationKernel(std::int64_t packs, std::int64_t columns, const T* x,
                                     const float* bias, T* kept, T* y)
{
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < packs;
         i += step) {
        const std::int64_t at = i * V, column = at % columns;
        const auto in = *reinterpret_cast<const Pack<T, V>*>(x + at);
        Pack<T, V> before, after;
        for (int j = 0; j < V; ++j) {
            const float v = toFloat(in.v[j]) + (bias != nullptr ? bias[column + j] : 0.0f);
            before.v[j] = fromFloat<T>(v);
            after.v[j] = fromFloat<T>(formula::activate(A, v));
        }
        if (kept != nullptr)
            *reinterpret_cast<Pack<T, V>*>(kept + at) = before;
        *reinterpret_cast<Pack<T, V>*>(y + at) = after;
    }
}

template <class T, int V>
__global__ void castKernel(std::int64_t packs, const float* from, T* to)
{
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < packs;
         i += step) {
        const auto in = *reinterpret_cast<const Pack<float, V>*>(from + i * V);
        Pack<T, V> out;
        for (int j = 0; j < V; ++j)
            out.v[j] = fromFloat<T>(in.v[j]);
        *reinterpret_cast<Pack<T, V>*>(to + i * V) = out;
    }
}

bool aligned(const void* p, std::size_t bytes)
{
    return reinterpret_cast<std::uintptr_t>(p) % bytes == 0;
}

template <class T, Activation A>
void issue(std::int64_t rows, std::int64_t columns, const void* x, const float* bias, void* kept,
           void* y, cudaStream_t stream)
{
    constexpr int kVector = 16 / int(sizeof(T));
    const std::int64_t n = rows * columns;
    const auto with = [&](auto kernel, int vector) {
        launch("bias and activation", stream, gridFor(n, 256, vector), kernel, n / vector, columns,
               static_cast<const T*>(x), bias, static_cast<T*>(kept), static_cast<T*>(y));
    };
    if (columns % kVector == 0 && aligned(x, 16) && aligned(kept, 16) && aligned(y, 16))
        with(biasActivationKernel<T, kVector, A>, kVector);
    else
        with(biasActivationKernel<T, 1, A>, 1);
}

} // namespace

void biasActivation(Activation a, DType dtype, std::int64_t rows, std::int64_t columns,
                    const void* x, const float* bias, void* kept, void* y, cudaStream_t stream)
{
    if (rows * columns == 0)
        return;
    withActivationType(dtype, "bias and activation", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const auto with = [&](auto chosen) {
            issue<T, decltype(chosen)::value>(rows, columns, x, bias, kept, y, stream);
        };
        switch (a) {
        case Activation::None:
            return with(std::integral_constant<Activation, Activation::None>());
        case Activation::Relu:
            return with(std::integral_constant<Activation, Activation::Relu>());
        case Activation::GeluErf:
            return with(std::integral_constant<Activation, Activation::GeluErf>());
        case Activation::GeluTanh:
            return with(std::integral_constant<Activation, Activation::GeluTanh>());
        case Activation::Tanh:
            return with(std::integral_constant<Activation, Activation::Tanh>());
        case Activation::Sigmoid:
            return with(std::integral_constant<Activation, Activation::Sigmoid>());
        }
    });
}

void castFromF32(DType dtype, std::int64_t n, const float* from, void* to, cudaStream_t stream)
{
    if (n == 0)
        return;
    withActivationType(dtype, "cast", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if (n % 4 == 0 && aligned(from, 16) && aligned(to, 4 * sizeof(T)))
            launch("cast", stream, gridFor(n, 256, 4), castKernel<T, 4>, n / 4, from,
                   static_cast<T*>(to));
        else
            launch("cast", stream, gridFor(n), castKernel<T, 1>, n, from, static_cast<T*>(to));
    });
}

} // namespace scalebench::kernels::cuda
