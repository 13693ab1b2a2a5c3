// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/embedding_bag.h"

#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::store;

constexpr std::int64_t kBagGrain = 128;
constexpr std::int64_t kColumns = 256; // fp32 sums of one strip of a row, in registers and cache

std::int64_t bagEnd(const EmbeddingBagParams& p, const std::int32_t* offsets, std::int64_t bag)
{
    return bag + 1 < p.bags ? offsets[bag + 1] : p.ids.n;
}

/// Factor of a bag's rows: 1, or 1 / number of ids that count.
float bagWeight(const EmbeddingBagParams& p, const std::int32_t* ids, std::int64_t begin,
                std::int64_t end)
{
    if (!p.mean)
        return 1.0f;
    std::int64_t counted = 0;
    for (std::int64_t i = begin; i < end; ++i)
        counted += ids[i] != p.ids.padding ? 1 : 0;
    return counted > 0 ? 1.0f / float(counted) : 1.0f;
}

template <class T>
SB_HOST_DEVICE void sumBag(const float* table, const std::int32_t* ids, std::int64_t n,
                           std::int64_t dim, std::int32_t padding, float weight, T* y)
{
    float sum[kColumns];
    for (std::int64_t c0 = 0; c0 < dim; c0 += kColumns) {
        const std::int64_t width = dim - c0 < kColumns ? dim - c0 : kColumns;
        for (std::int64_t c = 0; c < width; ++c)
            sum[c] = 0.0f;
        for (std::int64_t i = 0; i < n; ++i) {
            if (ids[i] == padding)
                continue;
            const float* row = table + ids[i] * dim + c0;
            for (std::int64_t c = 0; c < width; ++c)
                sum[c] += row[c];
        }
        for (std::int64_t c = 0; c < width; ++c)
            store(y + c0 + c, weight * sum[c]);
    }
}
SB_TARGET_CLONES void sumBagF32(const float* table, const std::int32_t* ids, std::int64_t n,
                                std::int64_t dim, std::int32_t padding, float weight, float* y)
{
    sumBag(table, ids, n, dim, padding, weight, y);
}
SB_TARGET_CLONES void sumBagBf16(const float* table, const std::int32_t* ids, std::int64_t n,
                                 std::int64_t dim, std::int32_t padding, float weight, bf16_t* y)
{
    sumBag(table, ids, n, dim, padding, weight, y);
}

} // namespace

bool embeddingBagOffsetsValid(const EmbeddingBagParams& p, const std::int32_t* offsets)
{
    if (p.bags == 0)
        return p.ids.n == 0;
    for (std::int64_t b = 0; b < p.bags; ++b)
        if (bagEnd(p, offsets, b) < offsets[b])
            return false;
    return offsets[0] == 0;
}

void embeddingBagForward(const EmbeddingBagParams& p, const float* table, const std::int32_t* ids,
                         const std::int32_t* offsets, void* y)
{
    const std::int64_t dim = p.ids.dim;
    parallelRanges(p.bags, kBagGrain, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t b = first; b < last; ++b) {
            const std::int64_t begin = offsets[b], end = bagEnd(p, offsets, b);
            const float weight = bagWeight(p, ids, begin, end);
            if (p.ids.dtype == DType::F32)
                sumBagF32(table, ids + begin, end - begin, dim, p.ids.padding, weight,
                          static_cast<float*>(y) + b * dim);
            else
                sumBagBf16(table, ids + begin, end - begin, dim, p.ids.padding, weight,
                           static_cast<bf16_t*>(y) + b * dim);
        }
    });
}

void embeddingBagSources(const EmbeddingBagParams& p, const std::int32_t* ids,
                         const std::int32_t* offsets, std::int32_t* source, float* weight)
{
    parallelRanges(p.bags, kBagGrain, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t b = first; b < last; ++b) {
            const std::int64_t begin = offsets[b], end = bagEnd(p, offsets, b);
            weight[b] = bagWeight(p, ids, begin, end);
            for (std::int64_t i = begin; i < end; ++i)
                source[i] = std::int32_t(b);
        }
    });
}

} // namespace scalebench::kernels::cpu
