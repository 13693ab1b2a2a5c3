// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/pool2d.h"

#include "kernels/cuda/image.h"
#include "kernels/cuda/reduce.h"
#include "kernels/formula/window.h"

#include <algorithm>
#include <type_traits>

namespace scalebench::kernels::cuda {
namespace {

/// The same in both axes; signed, as windows begin outside the image.
struct Window {
    int size, stride, padding;

    __device__ formula::Span<int> over(int o, int pixels) const
    {
        return formula::windowOf(o, pixels, size, stride, padding);
    }
    __device__ formula::Span<int> readers(int i, int outputs) const
    {
        return formula::outputsOf(i, outputs, size, stride, padding);
    }
    /// First pixel of a window.
    __device__ int begin(int o) const { return o * stride - padding; }
};

template <int N, class T, class I>
__global__ void __launch_bounds__(kImageThreads)
    maxForwardKernel(Image<I> in, Image<I> out, Window window, const T* x, T* y,
                     std::uint8_t* argmax)
{
    forImage(out, [&](const auto& o, I run) {
        const auto rows = window.over(int(o.h), int(in.h)),
                   columns = window.over(int(o.w), int(in.w));
        float best[N] = {};
        Pack<std::uint8_t, N> taps{};
        for (int h = rows.begin; h < rows.end; ++h)
            for (int w = columns.begin; w < columns.end; ++w) {
                const bool first = h == rows.begin && w == columns.begin;
                const auto tap = std::uint8_t((h - window.begin(int(o.h))) * window.size +
                                              (w - window.begin(int(o.w))));
                float v[N];
                loadFloats<N>(x + std::int64_t(in.at(o.n, I(h), I(w), o.c)) * N, v);
                SB_UNROLL
                for (int i = 0; i < N; ++i) {
                    const bool take = first || v[i] > best[i] || v[i] != v[i];
                    best[i] = take ? v[i] : best[i];
                    taps.v[i] = take ? tap : taps.v[i];
                }
            }
        storeFloats<N>(y + std::int64_t(run) * N, best);
        if (argmax)
            *reinterpret_cast<Pack<std::uint8_t, N>*>(argmax + std::int64_t(run) * N) = taps;
    });
}

template <int N, class T, class I>
__global__ void __launch_bounds__(kImageThreads)
    maxBackwardKernel(Image<I> in, Image<I> out, Window window, const T* dy,
                      const std::uint8_t* argmax, T* dx)
{
    forImage(in, [&](const auto& p, I run) {
        const auto rows = window.readers(int(p.h), int(out.h));
        const auto columns = window.readers(int(p.w), int(out.w));
        float sum[N] = {};
        for (int h = rows.begin; h < rows.end; ++h)
            for (int w = columns.begin; w < columns.end; ++w) {
                const auto tap = std::uint8_t((int(p.h) - window.begin(h)) * window.size +
                                              (int(p.w) - window.begin(w)));
                const std::int64_t from = std::int64_t(out.at(p.n, I(h), I(w), p.c)) * N;
                const auto taps = *reinterpret_cast<const Pack<std::uint8_t, N>*>(argmax + from);
                float v[N];
                loadFloats<N>(dy + from, v);
                SB_UNROLL
                for (int i = 0; i < N; ++i)
                    sum[i] += taps.v[i] == tap ? v[i] : 0.0f;
            }
        storeFloats<N>(dx + std::int64_t(run) * N, sum);
    });
}

/// 1 / pixels that a window is divided by.
__device__ float shareOf(const Window& window, bool countPadding, const formula::Span<int>& rows,
                         const formula::Span<int>& columns)
{
    return 1.0f / float(countPadding ? window.size * window.size : rows.size() * columns.size());
}

template <int N, class T, class I>
__global__ void __launch_bounds__(kImageThreads)
    averageForwardKernel(Image<I> in, Image<I> out, Window window, bool countPadding, const T* x,
                         T* y)
{
    forImage(out, [&](const auto& o, I run) {
        const auto rows = window.over(int(o.h), int(in.h)),
                   columns = window.over(int(o.w), int(in.w));
        const float share = shareOf(window, countPadding, rows, columns);
        float sum[N] = {};
        for (int h = rows.begin; h < rows.end; ++h)
            for (int w = columns.begin; w < columns.end; ++w) {
                float v[N];
                loadFloats<N>(x + std::int64_t(in.at(o.n, I(h), I(w), o.c)) * N, v);
                SB_UNROLL
                for (int i = 0; i < N; ++i)
                    sum[i] += share * v[i];
            }
        storeFloats<N>(y + std::int64_t(run) * N, sum);
    });
}

template <int N, class T, class I>
__global__ void __launch_bounds__(kImageThreads)
    averageBackwardKernel(Image<I> in, Image<I> out, Window window, bool countPadding, const T* dy,
                          T* dx)
{
    forImage(in, [&](const auto& p, I run) {
        const auto rows = window.readers(int(p.h), int(out.h));
        const auto columns = window.readers(int(p.w), int(out.w));
        float sum[N] = {};
        for (int h = rows.begin; h < rows.end; ++h)
            for (int w = columns.begin; w < columns.end; ++w) {
                const float share = shareOf(window, countPadding, window.over(h, int(in.h)),
                                            window.over(w, int(in.w)));
                float v[N];
                loadFloats<N>(dy + std::int64_t(out.at(p.n, I(h), I(w), p.c)) * N, v);
                SB_UNROLL
                for (int i = 0; i < N; ++i)
                    sum[i] += share * v[i];
            }
        storeFloats<N>(dx + std::int64_t(run) * N, sum);
    });
}

/// f(tag of T, length of runs, input image, output image) of a pooling.
template <class Params, class F>
void withImages(const Params& p, const char* op, std::initializer_list<const void*> pointers, F&& f)
{
    const std::int64_t outputs = p.N * p.outH() * p.outW() * p.C;
    const std::int64_t inputs = p.N * p.H * p.W * p.C;
    if (outputs == 0)
        return;
    withImageRuns(p.dtype, op, p.C, std::max(inputs, outputs), pointers,
                  [&](auto tag, auto length, auto index) {
                      using I = typename decltype(index)::Type;
                      const std::int64_t runs = p.C / length();
                      f(tag, length, Image<I>(p.N, p.H, p.W, runs),
                        Image<I>(p.N, p.outH(), p.outW(), runs));
                  });
}

template <class Params>
Window windowOf(const Params& p)
{
    return {int(p.window), int(p.stride), int(p.padding)};
}

template <class I>
Grid gridOf(const Image<I>& image)
{
    return gridFor(std::int64_t(image.n * image.h * image.w * image.runs), kImageThreads);
}

/// A mean over the pixels of [N,H*W,C].
ReduceParams meanParams(const GlobalAvgPoolParams& p)
{
    ReduceParams r;
    ReduceParams::make(ReduceOp::Mean, p.dtype, p.dtype, {p.N, p.H * p.W, p.C},
                       {false, true, false}, r);
    return r;
}

} // namespace

void maxPoolForward(const MaxPoolParams& p, const void* x, void* y, std::uint8_t* argmax,
                    cudaStream_t stream)
{
    withImages(p, "max pool", {x, y, argmax}, [&](auto tag, auto length, auto in, auto out) {
        using T = typename decltype(tag)::Type;
        using I = decltype(in.n);
        launch("max pool", stream, gridOf(out), maxForwardKernel<length(), T, I>, in, out,
               windowOf(p), static_cast<const T*>(x), static_cast<T*>(y), argmax);
    });
}

void maxPoolBackward(const MaxPoolParams& p, const void* dy, const std::uint8_t* argmax, void* dx,
                     cudaStream_t stream)
{
    withImages(
        p, "max pool backward", {dy, dx, argmax}, [&](auto tag, auto length, auto in, auto out) {
            using T = typename decltype(tag)::Type;
            using I = decltype(in.n);
            launch("max pool backward", stream, gridOf(in), maxBackwardKernel<length(), T, I>, in,
                   out, windowOf(p), static_cast<const T*>(dy), argmax, static_cast<T*>(dx));
        });
}

void avgPoolForward(const AvgPoolParams& p, const void* x, void* y, cudaStream_t stream)
{
    withImages(p, "average pool", {x, y}, [&](auto tag, auto length, auto in, auto out) {
        using T = typename decltype(tag)::Type;
        using I = decltype(in.n);
        launch("average pool", stream, gridOf(out), averageForwardKernel<length(), T, I>, in, out,
               windowOf(p), p.countPadding, static_cast<const T*>(x), static_cast<T*>(y));
    });
}

void avgPoolBackward(const AvgPoolParams& p, const void* dy, void* dx, cudaStream_t stream)
{
    withImages(p, "average pool backward", {dy, dx}, [&](auto tag, auto length, auto in, auto out) {
        using T = typename decltype(tag)::Type;
        using I = decltype(in.n);
        launch("average pool backward", stream, gridOf(in), averageBackwardKernel<length(), T, I>,
               in, out, windowOf(p), p.countPadding, static_cast<const T*>(dy),
               static_cast<T*>(dx));
    });
}

std::size_t globalAvgPoolScratchBytes(const GlobalAvgPoolParams& p)
{
    return reduceScratchBytes(meanParams(p));
}

void globalAvgPoolForward(const GlobalAvgPoolParams& p, const void* x, void* y, void* scratch,
                          cudaStream_t stream)
{
    reduceForward(meanParams(p), x, y, nullptr, scratch, stream);
}

void globalAvgPoolBackward(const GlobalAvgPoolParams& p, const void* dy, void* dx,
                           cudaStream_t stream)
{
    reduceBackward(meanParams(p), dy, nullptr, dx, stream);
}

} // namespace scalebench::kernels::cuda
