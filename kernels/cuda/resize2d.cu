// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/resize2d.h"

#include "kernels/cuda/image.h"
#include "kernels/formula/resize.h"

#include <algorithm>
#include <type_traits>

namespace scalebench::kernels::cuda {
namespace {

template <int N, class T, class I>
__global__ void __launch_bounds__(kImageThreads)
    nearestForwardKernel(Image<I> in, Image<I> out, const T* x, T* y)
{
    forImage(out, [&](const auto& o, I run) {
        const I h = formula::nearestSource(o.h, in.h, out.h);
        const I w = formula::nearestSource(o.w, in.w, out.w);
        using Run = Pack<T, N>;
        reinterpret_cast<Run*>(y)[run] = reinterpret_cast<const Run*>(x)[in.at(o.n, h, w, o.c)];
    });
}

template <int N, class T, class I>
__global__ void __launch_bounds__(kImageThreads)
    nearestBackwardKernel(Image<I> in, Image<I> out, const T* dy, T* dx)
{
    forImage(in, [&](const auto& p, I run) {
        const auto rows = formula::nearestReaders(p.h, in.h, out.h);
        const auto columns = formula::nearestReaders(p.w, in.w, out.w);
        float sum[N] = {};
        for (I h = rows.begin; h < rows.end; ++h)
            for (I w = columns.begin; w < columns.end; ++w) {
                float v[N];
                loadFloats<N>(dy + std::int64_t(out.at(p.n, h, w, p.c)) * N, v);
                SB_UNROLL
                for (int i = 0; i < N; ++i)
                    sum[i] += v[i];
            }
        storeFloats<N>(dx + std::int64_t(run) * N, sum);
    });
}

/// Places of taps in signed numbers: they begin below 0.
template <class I>
using Signed = std::make_signed_t<I>;

template <int N, class T, class I>
__global__ void __launch_bounds__(kImageThreads)
    bilinearForwardKernel(Image<I> in, Image<I> out, const T* x, T* y)
{
    forImage(out, [&](const auto& o, I run) {
        using S = Signed<I>;
        const auto row = formula::bilinearSource(S(o.h), S(in.h), S(out.h));
        const auto column = formula::bilinearSource(S(o.w), S(in.w), S(out.w));
        const float down = row.weight, right = column.weight;
        auto load = [&](S h, S w, float* v) {
            loadFloats<N>(x + std::int64_t(in.at(o.n, I(h), I(w), o.c)) * N, v);
        };
        float a[N], b[N], d[N], e[N];
        load(row.low, column.low, a);
        load(row.low, column.high, b);
        load(row.high, column.low, d);
        load(row.high, column.high, e);
        SB_UNROLL
        for (int i = 0; i < N; ++i) {
            const float upper = a[i] * (1.0f - right) + b[i] * right;
            const float lower = d[i] * (1.0f - right) + e[i] * right;
            a[i] = upper * (1.0f - down) + lower * down;
        }
        storeFloats<N>(y + std::int64_t(run) * N, a);
    });
}

template <int N, class T, class I>
__global__ void __launch_bounds__(kImageThreads)
    bilinearBackwardKernel(Image<I> in, Image<I> out, const T* dy, T* dx)
{
    forImage(in, [&](const auto& p, I run) {
        using S = Signed<I>;
        const S H = S(in.h), W = S(in.w), outH = S(out.h), outW = S(out.w);
        const auto rows = formula::bilinearReaders(S(p.h), H, outH);
        const auto columns = formula::bilinearReaders(S(p.w), W, outW);
        float sum[N] = {};
        for (S h = rows.begin; h < rows.end; ++h) {
            const float down = formula::weightOf(formula::bilinearSource(h, H, outH), S(p.h));
            if (down == 0.0f)
                continue;
            for (S w = columns.begin; w < columns.end; ++w) {
                const float weight =
                    down * formula::weightOf(formula::bilinearSource(w, W, outW), S(p.w));
                if (weight == 0.0f)
                    continue;
                float v[N];
                loadFloats<N>(dy + std::int64_t(out.at(p.n, I(h), I(w), p.c)) * N, v);
                SB_UNROLL
                for (int i = 0; i < N; ++i)
                    sum[i] += weight * v[i];
            }
        }
        storeFloats<N>(dx + std::int64_t(run) * N, sum);
    });
}

/// f(tag of T, length of runs, input image, output image).
template <class F>
void withImages(const Resize2dParams& p, const char* op, const void* x, const void* y, F&& f)
{
    if (p.N * p.C == 0)
        return;
    // Places are found with products of both sizes, so these count too.
    const std::int64_t places = (2 * std::max(p.outH, p.outW) + 3) * (2 * std::max(p.H, p.W) + 3);
    const std::int64_t elements = p.N * p.C * std::max(p.H * p.W, p.outH * p.outW);
    withImageRuns(p.dtype, op, p.C, std::max(places, elements), {x, y},
                  [&](auto tag, auto length, auto index) {
                      using I = typename decltype(index)::Type;
                      const std::int64_t runs = p.C / length();
                      f(tag, length, Image<I>(p.N, p.H, p.W, runs),
                        Image<I>(p.N, p.outH, p.outW, runs));
                  });
}

template <class I>
Grid gridOf(const Image<I>& image)
{
    return gridFor(std::int64_t(image.n * image.h * image.w * image.runs), kImageThreads);
}

} // namespace

void resize2dForward(const Resize2dParams& p, const void* x, void* y, cudaStream_t stream)
{
    withImages(p, "resize", x, y, [&](auto tag, auto length, auto in, auto out) {
        using T = typename decltype(tag)::Type;
        using I = decltype(in.n);
        launch("resize", stream, gridOf(out),
               p.mode == ResizeMode::Nearest ? nearestForwardKernel<length(), T, I>
                                             : bilinearForwardKernel<length(), T, I>,
               in, out, static_cast<const T*>(x), static_cast<T*>(y));
    });
}

void resize2dBackward(const Resize2dParams& p, const void* dy, void* dx, cudaStream_t stream)
{
    withImages(p, "resize backward", dy, dx, [&](auto tag, auto length, auto in, auto out) {
        using T = typename decltype(tag)::Type;
        using I = decltype(in.n);
        launch("resize backward", stream, gridOf(in),
               p.mode == ResizeMode::Nearest ? nearestBackwardKernel<length(), T, I>
                                             : bilinearBackwardKernel<length(), T, I>,
               in, out, static_cast<const T*>(dy), static_cast<T*>(dx));
    });
}

} // namespace scalebench::kernels::cuda
