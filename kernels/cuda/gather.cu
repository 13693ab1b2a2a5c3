// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/gather.h"

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/vector.h"
#include "kernels/cuda/words.h"

#include <algorithm>

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256;

template <class Word, class I>
__global__ void __launch_bounds__(kThreads)
    gatherKernel(I words, Divider<I> inner, Divider<I> n, I axis, const Word* x,
                 const std::int32_t* ids, Word* y, BadIndex bad)
{
    for (I i = I(blockIdx.x) * kThreads + threadIdx.x; i < words; i += I(gridDim.x) * kThreads) {
        const I row = inner.quotient(i), c = i - row * inner.divisor;
        const I outer = n.quotient(row), position = row - outer * n.divisor;
        const std::int32_t id = ids[position];
        Word word{};
        if (bad.check((long long)(position), id, (long long)(axis)))
            word = x[(outer * axis + I(id)) * inner.divisor + c];
        y[i] = word;
    }
}

/// The positions of equal ids as lists: of every entry of the axis the first and last position, of
/// every position the next one. Both ends grow from zeroed memory: first holds n - position, last
/// position + 1.
struct Lists {
    std::int32_t *first, *last, *next;
};

__global__ void __launch_bounds__(kThreads)
    listEndsKernel(int n, std::int64_t axis, const std::int32_t* ids, Lists lists, BadIndex bad)
{
    for (int i = int(blockIdx.x) * kThreads + int(threadIdx.x); i < n;
         i += int(gridDim.x) * kThreads) {
        const std::int32_t id = ids[i];
        if (!bad.check(i, id, axis))
            continue;
        atomicMax(lists.first + id, n - i);
        atomicMax(lists.last + id, i + 1);
    }
}

/// A warp looks for the next equal id, 32 at a time.
__global__ void __launch_bounds__(kThreads)
    listLinksKernel(int n, std::int64_t axis, const std::int32_t* ids, Lists lists)
{
    const int lane = int(threadIdx.x) % 32;
    for (int i = (int(blockIdx.x) * kThreads + int(threadIdx.x)) / 32; i < n;
         i += int(gridDim.x) * (kThreads / 32)) {
        const std::int32_t id = ids[i];
        const bool more = id >= 0 && id < axis && lists.last[id] != i + 1;
        for (int at = i + 1; more && at < n; at += 32) {
            const bool equal = at + lane < n && ids[at + lane] == id;
            const unsigned found = __ballot_sync(kAllLanes, equal);
            if (found == 0)
                continue;
            if (lane == 0)
                lists.next[i] = at + __ffs(int(found)) - 1;
            break;
        }
    }
}

template <int N, class T, class I>
__global__ void __launch_bounds__(kThreads)
    gatherBackwardKernel(I runs, Divider<I> inner, Divider<I> axis, int n, Lists lists, const T* dy,
                         T* dx)
{
    for (I i = I(blockIdx.x) * kThreads + threadIdx.x; i < runs; i += I(gridDim.x) * kThreads) {
        const I row = inner.quotient(i), c = i - row * inner.divisor;
        const I outer = axis.quotient(row), entry = row - outer * axis.divisor;
        const int last = lists.last[entry] - 1;
        float sum[N] = {};
        for (int at = n - lists.first[entry]; at <= last; at = at < last ? lists.next[at] : n) {
            float v[N];
            loadFloats<N>(dy + std::int64_t((outer * I(n) + I(at)) * inner.divisor + c) * N, v);
            SB_UNROLL
            for (int k = 0; k < N; ++k)
                sum[k] += v[k];
        }
        storeFloats<N>(dx + std::int64_t(i) * N, sum);
    }
}

template <int N, class T>
void sumEntries(const GatherParams& p, const Lists& lists, const void* dy, void* dx,
                cudaStream_t stream)
{
    const std::int64_t inner = p.inner / N, runs = p.outer * p.axis * inner;
    withIndex(std::max(runs, p.outer * p.n * inner), [&](auto index) {
        using I = typename decltype(index)::Type;
        launch("gather backward", stream, gridFor(runs, kThreads), gatherBackwardKernel<N, T, I>,
               I(runs), Divider<I>(inner), Divider<I>(p.axis), int(p.n), lists,
               static_cast<const T*>(dy), static_cast<T*>(dx));
    });
}

} // namespace

void gatherForward(const GatherParams& p, const void* x, const std::int32_t* ids, void* y,
                   BadIndex bad, cudaStream_t stream)
{
    const std::size_t row = std::size_t(p.inner) * dtypeBytes(p.dtype);
    const std::size_t word = wordBytes({row}, {x, y});
    const std::int64_t inner = std::int64_t(row / word), words = p.outer * p.n * inner;
    if (words == 0)
        return;
    withWord(word, [&](auto tag) {
        using Word = typename decltype(tag)::Type;
        withIndex(std::max(words, p.outer * p.axis * inner), [&](auto index) {
            using I = typename decltype(index)::Type;
            launch("gather", stream, gridFor(words, kThreads), gatherKernel<Word, I>, I(words),
                   Divider<I>(inner), Divider<I>(p.n), I(p.axis), static_cast<const Word*>(x), ids,
                   static_cast<Word*>(y), bad);
        });
    });
}

std::size_t gatherBackwardScratchBytes(const GatherParams& p)
{
    return std::size_t(2 * p.axis + p.n) * sizeof(std::int32_t);
}

void gatherBackward(const GatherParams& p, const std::int32_t* ids, const void* dy, void* dx,
                    BadIndex bad, void* scratch, cudaStream_t stream)
{
    if (p.outer * p.axis * p.inner == 0)
        return;
    auto* memory = static_cast<std::int32_t*>(scratch);
    const Lists lists{memory, memory + p.axis, memory + 2 * p.axis};
    check(cudaMemsetAsync(memory, 0, std::size_t(2 * p.axis) * sizeof(std::int32_t), stream),
          "gather backward");
    if (p.n > 0) {
        launch("gather backward", stream, gridFor(p.n, kThreads), listEndsKernel, int(p.n), p.axis,
               ids, lists, bad);
        launch("gather backward", stream, gridFor(p.n * 32, kThreads), listLinksKernel, int(p.n),
               p.axis, ids, lists);
    }
    withActivationType(p.dtype, "gather backward", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        constexpr int kN = kVector<T>;
        if (p.inner % kN == 0 && aligned({dy, dx}))
            sumEntries<kN, T>(p, lists, dy, dx, stream);
        else
            sumEntries<1, T>(p, lists, dy, dx, stream);
    });
}

} // namespace scalebench::kernels::cuda
