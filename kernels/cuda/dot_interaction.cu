// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/dot_interaction.h"

#include <string>

#include "kernels/cuda/launch.h"
#include "kernels/cuda/number.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256;

/// Vectors of one sample, rows of D + 1: the lanes of a warp read neighbouring rows from different
/// banks.
template <class T>
__device__ void loadSample(int F, int D, const T* x, float* vectors)
{
    for (int i = int(threadIdx.x); i < F * D; i += kThreads)
        vectors[i / D * (D + 1) + i % D] = toFloat(x[i]);
}

/// Pair number n = i (i - 1) / 2 + j, j < i.
__device__ int rowOfPair(int n)
{
    int i = int((1.0f + sqrtf(1.0f + 8.0f * float(n))) * 0.5f);
    while (i * (i - 1) / 2 > n)
        --i;
    while ((i + 1) * i / 2 <= n)
        ++i;
    return i;
}

template <class T>
__global__ void forwardKernel(int F, int D, const T* x, T* y)
{
    SB_DYNAMIC_SHARED(float, vectors);
    const int pairs = F * (F - 1) / 2;
    const T* const sample = x + std::int64_t(blockIdx.x) * F * D;
    T* const out = y + std::int64_t(blockIdx.x) * (D + pairs);
    loadSample(F, D, sample, vectors);
    for (int d = int(threadIdx.x); d < D; d += kThreads)
        out[d] = sample[d];
    __syncthreads();
    for (int n = int(threadIdx.x); n < pairs; n += kThreads) {
        const int i = rowOfPair(n), j = n - i * (i - 1) / 2;
        const float *a = vectors + i * (D + 1), *b = vectors + j * (D + 1);
        float sum = 0.0f;
        for (int d = 0; d < D; ++d)
            sum += a[d] * b[d];
        out[D + n] = fromFloat<T>(sum);
    }
}

template <class T>
__global__ void backwardKernel(int F, int D, const T* x, const T* dy, T* dx)
{
    SB_DYNAMIC_SHARED(float, vectors);
    float* const symmetric = vectors + F * (D + 1);
    const int pairs = F * (F - 1) / 2;
    const T* const gradient = dy + std::int64_t(blockIdx.x) * (D + pairs);
    loadSample(F, D, x + std::int64_t(blockIdx.x) * F * D, vectors);
    for (int n = int(threadIdx.x); n < pairs; n += kThreads) {
        const int i = rowOfPair(n), j = n - i * (i - 1) / 2;
        symmetric[i * F + j] = symmetric[j * F + i] = toFloat(gradient[D + n]);
    }
    __syncthreads();
    T* const out = dx + std::int64_t(blockIdx.x) * F * D;
    for (int n = int(threadIdx.x); n < F * D; n += kThreads) {
        const int i = n / D, d = n % D;
        float sum = i == 0 ? toFloat(gradient[d]) : 0.0f;
        for (int j = 0; j < F; ++j)
            if (j != i)
                sum += symmetric[i * F + j] * vectors[j * (D + 1) + d];
        out[n] = fromFloat<T>(sum);
    }
}

void requireRoom(const DotInteractionParams& p, std::size_t bytes, std::size_t sharedBytes)
{
    if (bytes > sharedBytes || p.F > 46340)
        throw Unsupported("dot interaction of " + std::to_string(p.F) + " vectors of " +
                          std::to_string(p.D) + ": a sample needs " + std::to_string(bytes) +
                          " bytes of shared memory, the device has " + std::to_string(sharedBytes));
}

} // namespace

void dotInteractionForward(const DotInteractionParams& p, const void* x, void* y,
                           std::size_t sharedBytes, cudaStream_t stream)
{
    if (p.B == 0)
        return;
    const std::size_t bytes = std::size_t(p.F * (p.D + 1)) * sizeof(float);
    requireRoom(p, bytes, sharedBytes);
    withActivationType(p.dtype, "dot interaction", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch("dot interaction", stream, {dim3(unsigned(p.B)), dim3(kThreads), bytes},
               forwardKernel<T>, int(p.F), int(p.D), static_cast<const T*>(x), static_cast<T*>(y));
    });
}

void dotInteractionBackward(const DotInteractionParams& p, const void* x, const void* dy, void* dx,
                            std::size_t sharedBytes, cudaStream_t stream)
{
    if (p.B == 0)
        return;
    const std::size_t bytes = std::size_t(p.F * (p.D + 1) + p.F * p.F) * sizeof(float);
    requireRoom(p, bytes, sharedBytes);
    withActivationType(p.dtype, "dot interaction", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch("dot interaction backward", stream, {dim3(unsigned(p.B)), dim3(kThreads), bytes},
               backwardKernel<T>, int(p.F), int(p.D), static_cast<const T*>(x),
               static_cast<const T*>(dy), static_cast<T*>(dx));
    });
}

} // namespace scalebench::kernels::cuda
