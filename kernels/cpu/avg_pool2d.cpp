// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/avg_pool2d.h"

#include <vector>

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/pixel_sums.h"
#include "kernels/formula/window.h"

namespace scalebench::kernels::cpu {
namespace {

using Span = formula::Span<std::int64_t>;

Span windowOf(std::int64_t o, std::int64_t size, const AvgPoolParams& p)
{
    return formula::windowOf(o, size, p.window, p.stride, p.padding);
}
Span outputsOf(std::int64_t i, std::int64_t out, const AvgPoolParams& p)
{
    return formula::outputsOf(i, out, p.window, p.stride, p.padding);
}

float inverseOf(const AvgPoolParams& p, const Span& h, const Span& w)
{
    return 1.0f / float(p.countPadding ? p.window * p.window : h.size() * w.size());
}

template <class T>
void forward(const AvgPoolParams& p, const T* x, T* y)
{
    const std::int64_t outH = p.outH(), outW = p.outW(), C = p.C;
    parallelFor(p.N * outH, [&](std::int64_t row) {
        thread_local std::vector<float> sum;
        const Span rows = windowOf(row % outH, p.H, p);
        for (std::int64_t ow = 0; ow < outW; ++ow) {
            sum.assign(std::size_t(C), 0.0f);
            const Span columns = windowOf(ow, p.W, p);
            const float inverse = inverseOf(p, rows, columns);
            for (std::int64_t h = rows.begin; h < rows.end; ++h)
                for (std::int64_t w = columns.begin; w < columns.end; ++w)
                    addPixel(x + ((row / outH * p.H + h) * p.W + w) * C, inverse, sum.data(), C);
            storePixel(sum.data(), y + (row * outW + ow) * C, C);
        }
    });
}

template <class T>
void backward(const AvgPoolParams& p, const T* dy, T* dx)
{
    const std::int64_t outH = p.outH(), outW = p.outW(), C = p.C;
    // Gather per input pixel: no two threads write one place, sums stay in fp32.
    parallelFor(p.N * p.H, [&](std::int64_t row) {
        thread_local std::vector<float> sum;
        const Span outRows = outputsOf(row % p.H, outH, p);
        for (std::int64_t w = 0; w < p.W; ++w) {
            sum.assign(std::size_t(C), 0.0f);
            const Span outColumns = outputsOf(w, outW, p);
            for (std::int64_t oh = outRows.begin; oh < outRows.end; ++oh)
                for (std::int64_t ow = outColumns.begin; ow < outColumns.end; ++ow)
                    addPixel(dy + ((row / p.H * outH + oh) * outW + ow) * C,
                             inverseOf(p, windowOf(oh, p.H, p), windowOf(ow, p.W, p)), sum.data(),
                             C);
            storePixel(sum.data(), dx + (row * p.W + w) * C, C);
        }
    });
}

} // namespace

void avgPoolForward(const AvgPoolParams& p, const void* x, void* y)
{
    if (p.dtype == DType::F32)
        forward(p, static_cast<const float*>(x), static_cast<float*>(y));
    else
        forward(p, static_cast<const bf16_t*>(x), static_cast<bf16_t*>(y));
}

void avgPoolBackward(const AvgPoolParams& p, const void* dy, void* dx)
{
    if (p.dtype == DType::F32)
        backward(p, static_cast<const float*>(dy), static_cast<float*>(dx));
    else
        backward(p, static_cast<const bf16_t*>(dy), static_cast<bf16_t*>(dx));
}

} // namespace scalebench::kernels::cpu
