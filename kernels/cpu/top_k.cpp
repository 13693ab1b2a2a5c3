// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/top_k.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/row_max.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/order.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::orderKey;

constexpr std::int64_t kBlock = 16;

/// Whether one of kBlock numbers is above `top`, or not a number.
template <class T>
bool anyAbove(const T* x, float top)
{
    constexpr std::int64_t kLanes = 4;
    const Lanes tops = Lanes{} + top;
    Lanes v;
    loadLanes(x, v);
    auto within = v <= tops;
    for (std::int64_t i = kLanes; i < kBlock; i += kLanes) {
        loadLanes(x + i, v);
        within &= v <= tops;
    }
    std::uint64_t halves[2];
    std::memcpy(halves, &within, sizeof halves);
    return (halves[0] & halves[1]) != ~std::uint64_t{0};
}

template <class T>
void rowTopK(const TopKParams& p, const T* x, T* values, std::int32_t* indices, std::uint64_t* heap)
{
    // The k best so far, the worst of them on top.
    const std::greater<std::uint64_t> order;
    for (std::int64_t i = 0; i < p.k; ++i)
        heap[i] = orderKey(load(x + i), std::uint32_t(i));
    std::make_heap(heap, heap + p.k, order);
    const auto consider = [&](std::int64_t i) {
        const std::uint64_t key = orderKey(load(x + i), std::uint32_t(i));
        if (key <= heap[0])
            return;
        std::pop_heap(heap, heap + p.k, order);
        heap[p.k - 1] = key;
        std::push_heap(heap, heap + p.k, order);
    };
    // Of a long row nearly all are below the worst of the best; of equals the first counts.
    std::int64_t next = p.k;
    for (; next + kBlock <= p.n; next += kBlock)
        if (anyAbove(x + next, formula::valueOfKey(heap[0])))
            for (std::int64_t i = next; i < next + kBlock; ++i)
                consider(i);
    for (; next < p.n; ++next)
        consider(next);
    std::sort(heap, heap + p.k, order);
    for (std::int64_t i = 0; i < p.k; ++i) {
        indices[i] = std::int32_t(formula::positionOfKey(heap[i]));
        values[i] = x[indices[i]];
    }
}

} // namespace

std::size_t topKScratchBytes(const TopKParams& p)
{
    return std::size_t(p.rows * p.k) * sizeof(std::uint64_t);
}

void topK(const TopKParams& p, const void* x, void* values, std::int32_t* indices, void* scratch)
{
    if (p.k == 0)
        return;
    parallelFor(p.rows, [&](std::int64_t r) {
        auto* heap = static_cast<std::uint64_t*>(scratch) + r * p.k;
        if (p.dtype == DType::F32)
            rowTopK(p, static_cast<const float*>(x) + r * p.n,
                    static_cast<float*>(values) + r * p.k, indices + r * p.k, heap);
        else
            rowTopK(p, static_cast<const bf16_t*>(x) + r * p.n,
                    static_cast<bf16_t*>(values) + r * p.k, indices + r * p.k, heap);
    });
}

} // namespace scalebench::kernels::cpu
