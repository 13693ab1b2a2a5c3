// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/elementwise.h"

#include "kernels/cuda/map.h"
#include "kernels/cuda/words.h"

#include <algorithm>

namespace scalebench::kernels::cuda {
namespace {

struct Identity {
    __device__ float operator()(const float* x) const { return x[0]; }
};
struct Scale {
    float factor;
    __device__ float operator()(const float* x) const { return factor * x[0]; }
};
template <int K>
struct Sum {
    __device__ float operator()(const float* x) const
    {
        float sum = x[0];
        SB_UNROLL
        for (int k = 1; k < K; ++k)
            sum += x[k];
        return sum;
    }
};

template <int K, class T>
void sumOf(std::int64_t n, const void* const* terms, void* y, cudaStream_t stream)
{
    Map<Sum<K>, K, T> map{{}, {}, static_cast<T*>(y)};
    for (int k = 0; k < K; ++k)
        map.x[k] = static_cast<const T*>(terms[k]);
    launchMap("sum", stream, n, map);
}

template <class T>
void sumUpToFour(std::int64_t n, const void* const* terms, std::size_t count, void* y,
                 cudaStream_t stream)
{
    switch (count) {
    case 1:
        return sumOf<1, T>(n, terms, y, stream);
    case 2:
        return sumOf<2, T>(n, terms, y, stream);
    case 3:
        return sumOf<3, T>(n, terms, y, stream);
    default:
        return sumOf<4, T>(n, terms, y, stream);
    }
}

/// Pixels of whole words: y from x, zero behind the channels of x.
template <class Word, class I>
__global__ void shortcutForwardKernel(I words, Divider<I> outChannels, Divider<I> outW,
                                      Divider<I> outH, I channels, I W, I H, I stride,
                                      const Word* x, Word* y)
{
    for (I i = I(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
         i += I(gridDim.x) * blockDim.x) {
        const I pixel = outChannels.quotient(i), c = i - pixel * outChannels.divisor;
        const I row = outW.quotient(pixel), w = pixel - row * outW.divisor;
        const I n = outH.quotient(row), h = row - n * outH.divisor;
        Word word{};
        if (c < channels)
            word = x[((n * H + h * stride) * W + w * stride) * channels + c];
        y[i] = word;
    }
}

/// dx from dy, zero where a pixel was skipped.
template <class Word, class I>
__global__ void shortcutBackwardKernel(I words, Divider<I> channels, Divider<I> W, Divider<I> H,
                                       Divider<I> stride, I outChannels, I outW, I outH,
                                       const Word* dy, Word* dx)
{
    for (I i = I(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
         i += I(gridDim.x) * blockDim.x) {
        const I pixel = channels.quotient(i), c = i - pixel * channels.divisor;
        const I row = W.quotient(pixel), w = pixel - row * W.divisor;
        const I n = H.quotient(row), h = row - n * H.divisor;
        const I oh = stride.quotient(h), ow = stride.quotient(w);
        Word word{};
        if (oh * stride.divisor == h && ow * stride.divisor == w)
            word = dy[((n * outH + oh) * outW + ow) * outChannels + c];
        dx[i] = word;
    }
}

/// The number of words of a pixel of `channels`.
std::int64_t wordsOf(const ShortcutPadParams& p, std::int64_t channels, std::size_t wordBytes)
{
    return channels * std::int64_t(dtypeBytes(p.dtype)) / std::int64_t(wordBytes);
}

std::size_t wordBytesOf(const ShortcutPadParams& p, const void* x, const void* y)
{
    return wordBytes(
        {std::size_t(p.C) * dtypeBytes(p.dtype), std::size_t(p.K) * dtypeBytes(p.dtype)}, {x, y});
}

} // namespace

void cast(DType from, DType to, std::int64_t n, const void* x, void* y, cudaStream_t stream)
{
    withActivationType(from, "cast", [&](auto in) {
        using T = typename decltype(in)::Type;
        withActivationType(to, "cast", [&](auto out) {
            using Out = typename decltype(out)::Type;
            launchMap(
                "cast", stream, n,
                Map<Identity, 1, T, Out>{{}, {static_cast<const T*>(x)}, static_cast<Out*>(y)});
        });
    });
}

void sumTerms(DType dtype, std::int64_t n, std::span<const void* const> terms, void* y,
              cudaStream_t stream)
{
    withActivationType(dtype, "sum", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        std::size_t done = std::min<std::size_t>(terms.size(), 4);
        sumUpToFour<T>(n, terms.data(), done, y, stream);
        while (done < terms.size()) {
            const std::size_t more = std::min<std::size_t>(terms.size() - done, 3);
            const void* next[4] = {y, nullptr, nullptr, nullptr};
            std::copy_n(terms.begin() + std::ptrdiff_t(done), more, next + 1);
            sumUpToFour<T>(n, next, more + 1, y, stream);
            done += more;
        }
    });
}

void scale(DType dtype, std::int64_t n, float factor, const void* x, void* y, cudaStream_t stream)
{
    withActivationType(dtype, "scale", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launchMap("scale", stream, n,
                  Map<Scale, 1, T>{{factor}, {static_cast<const T*>(x)}, static_cast<T*>(y)});
    });
}

void shortcutPadForward(const ShortcutPadParams& p, const void* x, void* y, cudaStream_t stream)
{
    const std::size_t bytes = wordBytesOf(p, x, y);
    const std::int64_t K = wordsOf(p, p.K, bytes), words = p.N * p.outH() * p.outW() * K;
    if (words == 0)
        return;
    withWord(bytes, [&](auto tag) {
        using Word = typename decltype(tag)::Type;
        withIndex(std::max(words, p.N * p.H * p.W * K), [&](auto index) {
            using I = typename decltype(index)::Type;
            launch("shortcut", stream, gridFor(words), shortcutForwardKernel<Word, I>, I(words),
                   Divider<I>(K), Divider<I>(p.outW()), Divider<I>(p.outH()),
                   I(wordsOf(p, p.C, bytes)), I(p.W), I(p.H), I(p.stride),
                   static_cast<const Word*>(x), static_cast<Word*>(y));
        });
    });
}

void shortcutPadBackward(const ShortcutPadParams& p, const void* dy, void* dx, cudaStream_t stream)
{
    const std::size_t bytes = wordBytesOf(p, dy, dx);
    const std::int64_t C = wordsOf(p, p.C, bytes), K = wordsOf(p, p.K, bytes);
    const std::int64_t words = p.N * p.H * p.W * C;
    if (words == 0)
        return;
    withWord(bytes, [&](auto tag) {
        using Word = typename decltype(tag)::Type;
        withIndex(p.N * p.H * p.W * K, [&](auto index) {
            using I = typename decltype(index)::Type;
            launch("shortcut backward", stream, gridFor(words), shortcutBackwardKernel<Word, I>,
                   I(words), Divider<I>(C), Divider<I>(p.W), Divider<I>(p.H), Divider<I>(p.stride),
                   I(K), I(p.outW()), I(p.outH()), static_cast<const Word*>(dy),
                   static_cast<Word*>(dx));
        });
    });
}

} // namespace scalebench::kernels::cuda
