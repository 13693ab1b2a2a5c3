// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/softmax.h"

#include "kernels/cuda/warp_row.h"
#include "kernels/formula/math.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 128; // of blocks of warps with a row each
constexpr int kWide = 256;    // of blocks with one row

template <class T, int V, int K>
__global__ void __launch_bounds__(kThreads) forwardWarps(std::int64_t rows, int C, const T* x, T* y)
{
    for (std::int64_t r = firstWarpRow(); r < rows; r += warpRowStep()) {
        float v[K * V];
        loadWarpRow<V, K>(x + r * C, C, -INFINITY, v);
        float top = v[0];
        SB_UNROLL
        for (int j = 1; j < K * V; ++j)
            top = MaxOp()(top, v[j]);
        top = warpMax(top);
        float sum = 0.0f;
        forPacks<V, K>(C, [&](int, int j) {
            for (int i = j; i < j + V; ++i) {
                v[i] = formula::exp(v[i] - top);
                sum += v[i];
            }
        });
        const float inverse = 1.0f / warpSum(sum);
        SB_UNROLL
        for (int j = 0; j < K * V; ++j)
            v[j] *= inverse;
        storeWarpRow<V, K>(y + r * C, C, v);
    }
}

template <class T>
__global__ void __launch_bounds__(kWide)
    forwardBlocks(std::int64_t rows, std::int64_t C, const T* x, T* y)
{
    for (std::int64_t r = blockIdx.x; r < rows; r += gridDim.x) {
        const T* from = x + r * C;
        float top = -INFINITY, sum = 0.0f;
        for (std::int64_t c = threadIdx.x; c < C; c += kWide)
            top = MaxOp()(top, toFloat(from[c]));
        top = blockMax(top);
        for (std::int64_t c = threadIdx.x; c < C; c += kWide)
            sum += formula::exp(toFloat(from[c]) - top);
        const float inverse = 1.0f / blockSum(sum);
        for (std::int64_t c = threadIdx.x; c < C; c += kWide)
            y[r * C + c] = fromFloat<T>(formula::exp(toFloat(from[c]) - top) * inverse);
    }
}

template <class T, int V, int K>
__global__ void __launch_bounds__(kThreads)
    backwardWarps(std::int64_t rows, int C, const T* y, const T* dy, T* dx)
{
    for (std::int64_t r = firstWarpRow(); r < rows; r += warpRowStep()) {
        float v[K * V], d[K * V];
        loadWarpRow<V, K>(y + r * C, C, 0.0f, v);
        loadWarpRow<V, K>(dy + r * C, C, 0.0f, d);
        float sum = 0.0f;
        SB_UNROLL
        for (int j = 0; j < K * V; ++j)
            sum += v[j] * d[j];
        sum = warpSum(sum);
        SB_UNROLL
        for (int j = 0; j < K * V; ++j)
            d[j] = v[j] * (d[j] - sum);
        storeWarpRow<V, K>(dx + r * C, C, d);
    }
}

template <class T>
__global__ void __launch_bounds__(kWide)
    backwardBlocks(std::int64_t rows, std::int64_t C, const T* y, const T* dy, T* dx)
{
    for (std::int64_t r = blockIdx.x; r < rows; r += gridDim.x) {
        const std::int64_t at = r * C;
        float sum = 0.0f;
        for (std::int64_t c = threadIdx.x; c < C; c += kWide)
            sum += toFloat(y[at + c]) * toFloat(dy[at + c]);
        sum = blockSum(sum);
        for (std::int64_t c = threadIdx.x; c < C; c += kWide)
            dx[at + c] = fromFloat<T>(toFloat(y[at + c]) * (toFloat(dy[at + c]) - sum));
    }
}

/// Calls warps(TypeTag<T>, width, packs per lane) or blocks(TypeTag<T>), by the length of the rows.
template <class Warps, class Blocks>
void overRows(DType dtype, const char* op, std::int64_t rows, std::int64_t C,
              std::initializer_list<const void*> pointers, Warps&& warps, Blocks&& blocks)
{
    if (rows == 0 || C == 0)
        return;
    withActivationType(dtype, op, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if (C > kWarpRow)
            blocks(tag);
        else
            withWarpRow<T>(C, packable<T>(C, pointers),
                           [&](auto width, auto packs) { warps(tag, width, packs); });
    });
}

} // namespace

void softmaxForward(DType dtype, std::int64_t rows, std::int64_t C, const void* x, void* y,
                    cudaStream_t stream)
{
    const char* op = "softmax";
    overRows(
        dtype, op, rows, C, {x, y},
        [&](auto tag, auto width, auto packs) {
            using T = typename decltype(tag)::Type;
            launch(op, stream, warpRowGrid(rows, kThreads),
                   forwardWarps<T, decltype(width)::value, decltype(packs)::value>, rows, C,
                   static_cast<const T*>(x), static_cast<T*>(y));
        },
        [&](auto tag) {
            using T = typename decltype(tag)::Type;
            launch(op, stream, gridFor(rows * kWide, kWide), forwardBlocks<T>, rows, C,
                   static_cast<const T*>(x), static_cast<T*>(y));
        });
}

void softmaxBackward(DType dtype, std::int64_t rows, std::int64_t C, const void* y, const void* dy,
                     void* dx, cudaStream_t stream)
{
    const char* op = "softmax backward";
    overRows(
        dtype, op, rows, C, {y, dy, dx},
        [&](auto tag, auto width, auto packs) {
            using T = typename decltype(tag)::Type;
            launch(op, stream, warpRowGrid(rows, kThreads),
                   backwardWarps<T, decltype(width)::value, decltype(packs)::value>, rows, C,
                   static_cast<const T*>(y), static_cast<const T*>(dy), static_cast<T*>(dx));
        },
        [&](auto tag) {
            using T = typename decltype(tag)::Type;
            launch(op, stream, gridFor(rows * kWide, kWide), backwardBlocks<T>, rows, C,
                   static_cast<const T*>(y), static_cast<const T*>(dy), static_cast<T*>(dx));
        });
}

} // namespace scalebench::kernels::cuda
