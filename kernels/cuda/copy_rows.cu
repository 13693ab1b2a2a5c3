// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/copy_rows.h"

#include "kernels/cuda/launch.h"
#include "kernels/cuda/words.h"

#include <algorithm>

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256;

template <class Word, class I>
__global__ void __launch_bounds__(kThreads)
    copyRowsKernel(I words, Divider<I> row, I srcStride, I dstStride, const Word* src, Word* dst)
{
    for (I i = I(blockIdx.x) * kThreads + threadIdx.x; i < words; i += I(gridDim.x) * kThreads) {
        const I r = row.quotient(i), c = i - r * row.divisor;
        dst[r * dstStride + c] = src[r * srcStride + c];
    }
}

template <class Word, class I>
__global__ void __launch_bounds__(kThreads)
    padRowsKernel(I words, Divider<I> row, I before, I inner, const Word* src, Word* dst)
{
    for (I i = I(blockIdx.x) * kThreads + threadIdx.x; i < words; i += I(gridDim.x) * kThreads) {
        const I r = row.quotient(i), c = i - r * row.divisor;
        Word word{};
        if (c >= before && c < before + inner)
            word = src[r * inner + (c - before)];
        dst[i] = word;
    }
}

} // namespace

void copyRows(std::int64_t rows, std::size_t bytes, const void* src, std::size_t srcStride,
              void* dst, std::size_t dstStride, cudaStream_t stream)
{
    if (rows == 0 || bytes == 0)
        return;
    if (rows == 1 || (srcStride == bytes && dstStride == bytes)) {
        check(
            cudaMemcpyAsync(dst, src, std::size_t(rows) * bytes, cudaMemcpyDeviceToDevice, stream),
            "copy of rows");
        return;
    }
    const std::size_t word = wordBytes({bytes, srcStride, dstStride}, {src, dst});
    const std::int64_t words = rows * std::int64_t(bytes / word);
    withWord(word, [&](auto tag) {
        using Word = typename decltype(tag)::Type;
        withIndex(rows * std::int64_t(std::max(srcStride, dstStride) / word), [&](auto index) {
            using I = typename decltype(index)::Type;
            launch("copy of rows", stream, gridFor(words, kThreads), copyRowsKernel<Word, I>,
                   I(words), Divider<I>(std::int64_t(bytes / word)), I(srcStride / word),
                   I(dstStride / word), static_cast<const Word*>(src), static_cast<Word*>(dst));
        });
    });
}

void padRows(std::int64_t rows, std::size_t bytes, const void* src, std::size_t before,
             std::size_t dstBytes, void* dst, cudaStream_t stream)
{
    if (rows == 0 || dstBytes == 0)
        return;
    const std::size_t word = wordBytes({bytes, before, dstBytes}, {src, dst});
    const std::int64_t words = rows * std::int64_t(dstBytes / word);
    withWord(word, [&](auto tag) {
        using Word = typename decltype(tag)::Type;
        withIndex(words, [&](auto index) {
            using I = typename decltype(index)::Type;
            launch("padding of rows", stream, gridFor(words, kThreads), padRowsKernel<Word, I>,
                   I(words), Divider<I>(std::int64_t(dstBytes / word)), I(before / word),
                   I(bytes / word), static_cast<const Word*>(src), static_cast<Word*>(dst));
        });
    });
}

} // namespace scalebench::kernels::cuda
