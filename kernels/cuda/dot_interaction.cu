// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/dot_interaction.h"

#include <string>
#include <type_traits>

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/vector.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kTile = 4; ///< forward: pairs of 4 x 4 vectors a thread, read once from shared memory
constexpr int kSlices = 8; ///< forward: neighbouring lanes, among whom the elements are dealt out
constexpr int kRows = 8;   ///< backward: gradients of a thread, all of one column

/// Elements from a vector in shared memory to the next: four vectors on, the banks have moved by
/// the lanes of a tile.
__host__ __device__ inline int vectorStride(int D)
{
    return (D + 7) / 8 * 8 + 2;
}

__host__ __device__ inline int roundedUp(int n, int step)
{
    return (n + step - 1) / step * step;
}

/// Vectors of one sample as fp32, zeros from vector F on up to `room`. W: elements of an access.
template <class T, int W>
__device__ void loadSample(int F, int room, int D, const T* x, float* vectors)
{
    const int stride = vectorStride(D);
    for (int i = int(threadIdx.x) * W; i < F * D; i += kThreads * W) {
        float v[W];
        loadFloats<W>(x + i, v);
        float* const to = vectors + i / D * stride + i % D;
        SB_UNROLL
        for (int k = 0; k < W; ++k)
            to[k] = v[k];
    }
    for (int i = F * D + int(threadIdx.x); i < room * D; i += kThreads)
        vectors[i / D * stride + i % D] = 0.0f;
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

/// Adds v[0..2N) over the lanes that differ in `bit`; v[0..N) then holds this lane's half.
template <int N>
__device__ __forceinline__ void shareSums(float* v, int bit)
{
    const bool upper = int(threadIdx.x) & bit;
    SB_UNROLL
    for (int k = 0; k < N; ++k) {
        const float keep = upper ? v[N + k] : v[k], give = upper ? v[k] : v[N + k];
        v[k] = keep + __shfl_xor_sync(kAllLanes, give, bit);
    }
}

template <class T, int W>
__global__ void __launch_bounds__(kThreads) forwardKernel(int F, int D, const T* x, T* y)
{
    SB_DYNAMIC_SHARED(float, vectors);
    const int pairs = F * (F - 1) / 2, stride = vectorStride(D);
    const int room = roundedUp(F, kTile), tileRows = room / kTile;
    const int tiles = tileRows * (tileRows + 1) / 2;
    const T* const sample = x + std::int64_t(blockIdx.x) * F * D;
    T* const out = y + std::int64_t(blockIdx.x) * (D + pairs);
    loadSample<T, W>(F, room, D, sample, vectors);
    for (int d = int(threadIdx.x); d < D; d += kThreads)
        out[d] = sample[d];
    __syncthreads();
    const int slice = int(threadIdx.x) % kSlices;
    // Whole warps stay in the loop: they exchange sums.
    for (int first = int(threadIdx.x) / 32 * (32 / kSlices); first < tiles;
         first += kThreads / kSlices) {
        const int tile = min(first + int(threadIdx.x) % 32 / kSlices, tiles - 1);
        const int up = rowOfPair(tile), row = up - 1, column = tile - up * row / 2;
        const float* const a = vectors + row * kTile * stride;
        const float* const b = vectors + column * kTile * stride;
        float sum[kTile * kTile] = {};
        for (int d = slice; d < D; d += kSlices) {
            float left[kTile], right[kTile];
            SB_UNROLL
            for (int k = 0; k < kTile; ++k) {
                left[k] = a[k * stride + d];
                right[k] = b[k * stride + d];
            }
            SB_UNROLL
            for (int k = 0; k < kTile * kTile; ++k)
                sum[k] += left[k / kTile] * right[k % kTile];
        }
        shareSums<8>(sum, 4);
        shareSums<4>(sum, 2);
        shareSums<2>(sum, 1);
        const int mine = (slice & 4 ? 8 : 0) + (slice & 2 ? 4 : 0) + (slice & 1 ? 2 : 0);
        SB_UNROLL
        for (int k = 0; k < 2; ++k) {
            const int i = row * kTile + (mine + k) / kTile, j = column * kTile + (mine + k) % kTile;
            if (i < F && j < i)
                out[D + i * (i - 1) / 2 + j] = fromFloat<T>(sum[k]);
        }
    }
}

template <class T, int W>
__global__ void __launch_bounds__(kThreads)
    backwardKernel(int F, int D, const T* x, const T* dy, T* dx)
{
    SB_DYNAMIC_SHARED(float, symmetric); // [F, room], zeros on the diagonal and behind F
    const int room = roundedUp(F, kRows), pairs = F * (F - 1) / 2, stride = vectorStride(D);
    float* const vectors = symmetric + F * room;
    const T* const gradient = dy + std::int64_t(blockIdx.x) * (D + pairs);
    loadSample<T, W>(F, F, D, x + std::int64_t(blockIdx.x) * F * D, vectors);
    for (int n = int(threadIdx.x); n < F * room; n += kThreads) {
        const int i = n / room, j = n % room, high = max(i, j), low = min(i, j);
        symmetric[n] = i == j || j >= F ? 0.0f : toFloat(gradient[D + high * (high - 1) / 2 + low]);
    }
    __syncthreads();
    T* const out = dx + std::int64_t(blockIdx.x) * F * D;
    for (int n = int(threadIdx.x); n < room / kRows * D; n += kThreads) {
        const int first = n / D * kRows, d = n % D;
        float sum[kRows] = {};
        for (int j = 0; j < F; ++j) {
            const float v = vectors[j * stride + d];
            float factors[kRows];
            loadFloats<kRows>(symmetric + j * room + first, factors);
            SB_UNROLL
            for (int k = 0; k < kRows; ++k)
                sum[k] += factors[k] * v;
        }
        if (first == 0)
            sum[0] += toFloat(gradient[d]);
        SB_UNROLL
        for (int k = 0; k < kRows; ++k)
            if (first + k < F)
                out[(first + k) * D + d] = fromFloat<T>(sum[k]);
    }
}

void requireRoom(const DotInteractionParams& p, std::size_t bytes, std::size_t sharedBytes)
{
    if (bytes > sharedBytes || p.F > 46340)
        throw Unsupported("dot interaction of " + std::to_string(p.F) + " vectors of " +
                          std::to_string(p.D) + ": a sample needs " + std::to_string(bytes) +
                          " bytes of shared memory, the device has " + std::to_string(sharedBytes));
}

/// Calls f(type, elements of an access).
template <class F>
void withAccess(const DotInteractionParams& p, const void* x, F&& f)
{
    withActivationType(p.dtype, "dot interaction", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if (p.D % kVector<T> == 0 && aligned({x}))
            f(tag, std::integral_constant<int, kVector<T>>());
        else
            f(tag, std::integral_constant<int, 1>());
    });
}

} // namespace

void dotInteractionForward(const DotInteractionParams& p, const void* x, void* y,
                           std::size_t sharedBytes, cudaStream_t stream)
{
    if (p.B == 0)
        return;
    const std::size_t bytes = std::size_t(roundedUp(int(p.F), kTile)) *
                              std::size_t(vectorStride(int(p.D))) * sizeof(float);
    requireRoom(p, bytes, sharedBytes);
    withAccess(p, x, [&](auto tag, auto width) {
        using T = typename decltype(tag)::Type;
        launch("dot interaction", stream, {dim3(unsigned(p.B)), dim3(kThreads), bytes},
               forwardKernel<T, decltype(width)::value>, int(p.F), int(p.D),
               static_cast<const T*>(x), static_cast<T*>(y));
    });
}

void dotInteractionBackward(const DotInteractionParams& p, const void* x, const void* dy, void* dx,
                            std::size_t sharedBytes, cudaStream_t stream)
{
    if (p.B == 0)
        return;
    const std::size_t bytes =
        std::size_t(p.F) *
        (std::size_t(vectorStride(int(p.D))) + std::size_t(roundedUp(int(p.F), kRows))) *
        sizeof(float);
    requireRoom(p, bytes, sharedBytes);
    withAccess(p, x, [&](auto tag, auto width) {
        using T = typename decltype(tag)::Type;
        launch("dot interaction backward", stream, {dim3(unsigned(p.B)), dim3(kThreads), bytes},
               backwardKernel<T, decltype(width)::value>, int(p.F), int(p.D),
               static_cast<const T*>(x), static_cast<const T*>(dy), static_cast<T*>(dx));
    });
}

} // namespace scalebench::kernels::cuda
