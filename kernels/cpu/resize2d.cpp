// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/resize2d.h"

#include <cstring>
#include <vector>

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/pixel_sums.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/resize.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using ResizeTap = formula::ResizeTap<std::int64_t>;
using formula::store;

/// Where every output pixel of one axis looks.
std::vector<ResizeTap> tapsOf(ResizeMode mode, std::int64_t in, std::int64_t out)
{
    std::vector<ResizeTap> taps(static_cast<std::size_t>(out));
    for (std::int64_t i = 0; i < out; ++i) {
        if (mode == ResizeMode::Bilinear) {
            taps[std::size_t(i)] = formula::bilinearSource(i, in, out);
        } else {
            const std::int64_t source = formula::nearestSource(i, in, out);
            taps[std::size_t(i)] = {source, source, 0.0f};
        }
    }
    return taps;
}

/// The other way round: for input pixel i the output pixels entries[start[i]..start[i+1]) that look
/// at it.
struct Readers {
    struct Entry {
        std::int64_t output;
        float weight;
    };
    std::vector<std::size_t> start;
    std::vector<Entry> entries;

    Readers(const std::vector<ResizeTap>& taps, std::int64_t in)
        : start(std::size_t(in) + 1), entries(2 * taps.size())
    {
        for (const ResizeTap& t : taps) {
            ++start[std::size_t(t.low) + 1];
            ++start[std::size_t(t.high) + 1];
        }
        for (std::size_t i = 1; i < start.size(); ++i)
            start[i] += start[i - 1];
        std::vector<std::size_t> next(start.begin(), start.end() - 1);
        for (std::size_t i = 0; i < taps.size(); ++i) {
            const ResizeTap& t = taps[i];
            entries[next[std::size_t(t.low)]++] = {std::int64_t(i), 1.0f - t.weight};
            entries[next[std::size_t(t.high)]++] = {std::int64_t(i), t.weight};
        }
    }
};

template <class T>
SB_HOST_DEVICE void bilinearRow(const T* top, const T* bottom, float down, const ResizeTap* taps,
                                std::int64_t outW, std::int64_t C, T* y)
{
    for (std::int64_t ow = 0; ow < outW; ++ow) {
        const float right = taps[ow].weight;
        const T *a = top + taps[ow].low * C, *b = top + taps[ow].high * C;
        const T *d = bottom + taps[ow].low * C, *e = bottom + taps[ow].high * C;
        T* out = y + ow * C;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c) {
            const float upper = load(a + c) * (1.0f - right) + load(b + c) * right;
            const float lower = load(d + c) * (1.0f - right) + load(e + c) * right;
            store(out + c, upper * (1.0f - down) + lower * down);
        }
    }
}
SB_TARGET_CLONES void bilinearRowF32(const float* top, const float* bottom, float down,
                                     const ResizeTap* taps, std::int64_t outW, std::int64_t C,
                                     float* y)
{
    bilinearRow(top, bottom, down, taps, outW, C, y);
}
SB_TARGET_CLONES void bilinearRowBf16(const bf16_t* top, const bf16_t* bottom, float down,
                                      const ResizeTap* taps, std::int64_t outW, std::int64_t C,
                                      bf16_t* y)
{
    bilinearRow(top, bottom, down, taps, outW, C, y);
}

template <class T>
void forward(const Resize2dParams& p, const T* x, T* y)
{
    const auto rows = tapsOf(p.mode, p.H, p.outH), columns = tapsOf(p.mode, p.W, p.outW);
    const std::int64_t inRow = p.W * p.C, outRow = p.outW * p.C;
    parallelFor(p.N * p.outH, [&](std::int64_t i) {
        const ResizeTap& row = rows[std::size_t(i % p.outH)];
        const T* image = x + i / p.outH * p.H * inRow;
        const T *top = image + row.low * inRow, *bottom = image + row.high * inRow;
        T* out = y + i * outRow;
        if (p.mode == ResizeMode::Nearest) {
            for (std::int64_t ow = 0; ow < p.outW; ++ow)
                std::memcpy(out + ow * p.C, top + columns[std::size_t(ow)].low * p.C,
                            std::size_t(p.C) * sizeof(T));
        } else if constexpr (sizeof(T) == 4) {
            bilinearRowF32(top, bottom, row.weight, columns.data(), p.outW, p.C, out);
        } else {
            bilinearRowBf16(top, bottom, row.weight, columns.data(), p.outW, p.C, out);
        }
    });
}

template <class T>
void backward(const Resize2dParams& p, const T* dy, T* dx)
{
    const Readers rows(tapsOf(p.mode, p.H, p.outH), p.H);
    const Readers columns(tapsOf(p.mode, p.W, p.outW), p.W);
    // Gather per input pixel: no two threads write one place, sums stay in fp32.
    parallelFor(p.N * p.H, [&](std::int64_t i) {
        thread_local std::vector<float> sum;
        const auto h = std::size_t(i % p.H);
        const T* image = dy + i / p.H * p.outH * p.outW * p.C;
        for (std::int64_t w = 0; w < p.W; ++w) {
            sum.assign(std::size_t(p.C), 0.0f);
            for (std::size_t r = rows.start[h]; r < rows.start[h + 1]; ++r)
                for (std::size_t s = columns.start[std::size_t(w)];
                     s < columns.start[std::size_t(w) + 1]; ++s) {
                    const float weight = rows.entries[r].weight * columns.entries[s].weight;
                    if (weight != 0.0f)
                        addPixel(image +
                                     (rows.entries[r].output * p.outW + columns.entries[s].output) *
                                         p.C,
                                 weight, sum.data(), p.C);
                }
            storePixel(sum.data(), dx + (i * p.W + w) * p.C, p.C);
        }
    });
}

} // namespace

void resize2dForward(const Resize2dParams& p, const void* x, void* y)
{
    if (p.dtype == DType::F32)
        forward(p, static_cast<const float*>(x), static_cast<float*>(y));
    else
        forward(p, static_cast<const bf16_t*>(x), static_cast<bf16_t*>(y));
}

void resize2dBackward(const Resize2dParams& p, const void* dy, void* dx)
{
    if (p.dtype == DType::F32)
        backward(p, static_cast<const float*>(dy), static_cast<float*>(dx));
    else
        backward(p, static_cast<const bf16_t*>(dy), static_cast<bf16_t*>(dx));
}

} // namespace scalebench::kernels::cpu
