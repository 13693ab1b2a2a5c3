// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/top_k.h"

#include <algorithm>
#include <functional>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;

/// Larger key = earlier in the result: the value as an ordered integer, then the smaller index.
std::uint64_t keyOf(float v, std::int64_t index)
{
    const float plain = v == 0.0f ? 0.0f : v; // -0 equals +0
    std::uint32_t bits = __builtin_bit_cast(std::uint32_t, plain);
    bits = v != v ? 0xffffffffu : bits >> 31 != 0u ? ~bits : bits | 0x80000000u;
    return std::uint64_t(bits) << 32 | (0xffffffffu - std::uint32_t(index));
}

template <class T>
void rowTopK(const TopKParams& p, const T* x, T* values, std::int32_t* indices, std::uint64_t* heap)
{
    // The k best so far, the worst of them on top.
    const std::greater<std::uint64_t> order;
    for (std::int64_t i = 0; i < p.k; ++i)
        heap[i] = keyOf(load(x + i), i);
    std::make_heap(heap, heap + p.k, order);
    for (std::int64_t i = p.k; i < p.n; ++i) {
        const std::uint64_t key = keyOf(load(x + i), i);
        if (key <= heap[0])
            continue;
        std::pop_heap(heap, heap + p.k, order);
        heap[p.k - 1] = key;
        std::push_heap(heap, heap + p.k, order);
    }
    std::sort(heap, heap + p.k, order);
    for (std::int64_t i = 0; i < p.k; ++i) {
        indices[i] = std::int32_t(0xffffffffu - std::uint32_t(heap[i]));
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
