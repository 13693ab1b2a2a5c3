// SPDX-License-Identifier: GPL-3.0-or-later
// A block turns a piece of one filter, some channels with all their taps, in shared memory, so that
// reads and writes of global memory are both contiguous.
#include "kernels/cuda/pack_weights.h"

#include "kernels/cuda/launch.h"
#include "kernels/cuda/number.h"

#include <algorithm>
#include <string>

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256, kSharedFloats = 8192;

template <class T>
__global__ void packKernel(std::int64_t C, int taps, int piece, const float* w, T* packed)
{
    SB_DYNAMIC_SHARED(float, tile);
    const std::int64_t filter = blockIdx.x, first = std::int64_t(blockIdx.y) * piece;
    const int channels = int(C - first < piece ? C - first : piece);
    const float* from = w + (filter * C + first) * taps;
    for (int i = int(threadIdx.x); i < channels * taps; i += int(blockDim.x))
        tile[i] = from[i];
    __syncthreads();
    T* to = packed + filter * taps * C + first;
    for (int i = int(threadIdx.x); i < channels * taps; i += int(blockDim.x)) {
        const int tap = i / channels, c = i % channels;
        to[tap * C + c] = fromFloat<T>(tile[c * taps + tap]);
    }
}

template <class T>
__global__ void unpackKernel(std::int64_t C, int taps, int piece, const T* packed, float* dw,
                             bool accumulate)
{
    SB_DYNAMIC_SHARED(float, tile);
    const std::int64_t filter = blockIdx.x, first = std::int64_t(blockIdx.y) * piece;
    const int channels = int(C - first < piece ? C - first : piece);
    const T* from = packed + filter * taps * C + first;
    for (int i = int(threadIdx.x); i < channels * taps; i += int(blockDim.x)) {
        const int tap = i / channels, c = i % channels;
        tile[c * taps + tap] = toFloat(from[tap * C + c]);
    }
    __syncthreads();
    float* to = dw + (filter * C + first) * taps;
    for (int i = int(threadIdx.x); i < channels * taps; i += int(blockDim.x))
        to[i] = accumulate ? to[i] + tile[i] : tile[i];
}

/// Channels per block.
int pieceOf(std::int64_t C, std::int64_t taps, const char* op)
{
    if (taps > kSharedFloats)
        throw Unsupported(std::string(op) + ": a kernel of " + std::to_string(taps) +
                          " taps; the CUDA backend turns weights of up to " +
                          std::to_string(kSharedFloats));
    return int(std::min<std::int64_t>(C, kSharedFloats / taps));
}

Grid gridOf(std::int64_t K, std::int64_t C, std::int64_t taps, int piece)
{
    return {dim3(unsigned(K), unsigned((C + piece - 1) / piece)), dim3(kThreads),
            std::size_t(piece) * std::size_t(taps) * sizeof(float)};
}

} // namespace

void packConvWeight(DType dtype, std::int64_t K, std::int64_t C, std::int64_t taps, const float* w,
                    void* packed, cudaStream_t stream)
{
    if (K * C * taps == 0)
        return;
    const int piece = pieceOf(C, taps, "convolution weight");
    withActivationType(dtype, "convolution weight", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch("convolution weight", stream, gridOf(K, C, taps, piece), packKernel<T>, C, int(taps),
               piece, w, static_cast<T*>(packed));
    });
}

void unpackConvGradient(DType dtype, std::int64_t K, std::int64_t C, std::int64_t taps,
                        const void* packed, float* dw, bool accumulate, cudaStream_t stream)
{
    if (K * C * taps == 0)
        return;
    const int piece = pieceOf(C, taps, "convolution weight gradient");
    withActivationType(dtype, "convolution weight gradient", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch("convolution weight gradient", stream, gridOf(K, C, taps, piece), unpackKernel<T>, C,
               int(taps), piece, static_cast<const T*>(packed), dw, accumulate);
    });
}

} // namespace scalebench::kernels::cuda
