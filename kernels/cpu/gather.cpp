// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gather.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kStrip = 256; // columns summed at a time
constexpr std::int64_t kGrain = 64;  // entries of one task

template <class T>
SB_HOST_DEVICE void sumEntries(const T* dy, std::int64_t inner, const std::int32_t* entries,
                               std::int64_t count, T* to)
{
    float sum[kStrip];
    for (std::int64_t c0 = 0; c0 < inner; c0 += kStrip) {
        const std::int64_t width = inner - c0 < kStrip ? inner - c0 : kStrip;
        for (std::int64_t c = 0; c < width; ++c)
            sum[c] = 0.0f;
        for (std::int64_t i = 0; i < count; ++i) {
            const T* from = dy + entries[i] * inner + c0;
            for (std::int64_t c = 0; c < width; ++c)
                sum[c] += load(from + c);
        }
        for (std::int64_t c = 0; c < width; ++c)
            store(to + c0 + c, sum[c]);
    }
}
SB_TARGET_CLONES void sumEntriesF32(const float* dy, std::int64_t inner,
                                    const std::int32_t* entries, std::int64_t count, float* to)
{
    sumEntries(dy, inner, entries, count, to);
}
SB_TARGET_CLONES void sumEntriesBf16(const bf16_t* dy, std::int64_t inner,
                                     const std::int32_t* entries, std::int64_t count, bf16_t* to)
{
    sumEntries(dy, inner, entries, count, to);
}

} // namespace

void gatherForward(const GatherParams& p, const void* x, const std::int32_t* ids, void* y)
{
    const std::size_t bytes = std::size_t(p.inner) * dtypeBytes(p.dtype);
    if (bytes == 0)
        return;
    parallelRanges(p.outer * p.n, kGrain, [&](std::int64_t b, std::int64_t e) {
        for (std::int64_t i = b; i < e; ++i)
            std::memcpy(static_cast<char*>(y) + std::size_t(i) * bytes,
                        static_cast<const char*>(x) +
                            std::size_t(i / p.n * p.axis + ids[i % p.n]) * bytes,
                        bytes);
    });
}

void gatherBackward(const GatherParams& p, const EmbeddingGroups& groups, const void* dy, void* dx)
{
    std::memset(dx, 0, std::size_t(p.outer * p.axis * p.inner) * dtypeBytes(p.dtype));
    const std::int64_t pieces = (groups.count + kGrain - 1) / kGrain;
    parallelFor(p.outer * pieces, [&](std::int64_t task) {
        const std::int64_t outer = task / pieces, first = task % pieces * kGrain;
        const std::int64_t from = outer * p.n * p.inner;
        for (std::int64_t g = first; g < std::min(first + kGrain, groups.count); ++g) {
            const std::int64_t to = (outer * p.axis + groups.rows[g]) * p.inner;
            const std::int32_t* entries = groups.entry + groups.begin[g];
            const std::int64_t count = groups.begin[g + 1] - groups.begin[g];
            if (p.dtype == DType::F32)
                sumEntriesF32(static_cast<const float*>(dy) + from, p.inner, entries, count,
                              static_cast<float*>(dx) + to);
            else
                sumEntriesBf16(static_cast<const bf16_t*>(dy) + from, p.inner, entries, count,
                               static_cast<bf16_t*>(dx) + to);
        }
    });
}

} // namespace scalebench::kernels::cpu
