// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/dropout.h"

#include <algorithm>

#include "kernels/cpu/dropout_words.h"
#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/dropout.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kGrain = 32768; // a multiple of the group of 64
constexpr std::int64_t kGroup = std::int64_t(formula::kDropoutGroup);

/// One piece of a call: elements first..first+n-1 of the numbered sequence.
struct Piece {
    std::uint64_t seed, stream, first;
    std::int64_t n;
    std::uint32_t threshold;
    float scale;
};

/// Groups whose words lie in the nearest cache together.
constexpr std::int64_t kTogether = 16;

/// use(at, count, words) for all elements of the piece, up to kTogether groups at a time.
template <class Use>
SB_HOST_DEVICE void everyGroup(const Piece& p, Use&& use)
{
    alignas(64) std::uint32_t words[kTogether * kGroup];
    for (std::int64_t at = 0; at < p.n;) {
        const std::uint64_t element = p.first + std::uint64_t(at);
        const std::int64_t skip = std::int64_t(element % formula::kDropoutGroup);
        const std::int64_t left = (skip + p.n - at + kGroup - 1) / kGroup;
        const std::int64_t groups = left < kTogether ? left : kTogether;
        dropoutWords(p.seed, p.stream, element / formula::kDropoutGroup, groups, words);
        const std::int64_t count =
            p.n - at < groups * kGroup - skip ? p.n - at : groups * kGroup - skip;
        use(at, count, words + skip);
        at += count;
    }
}

template <class T>
SB_HOST_DEVICE void scaled(const Piece& p, const T* x, T* y)
{
    everyGroup(p, [&](std::int64_t at, std::int64_t n, const std::uint32_t* w) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            store(y + at + i,
                  load(x + at + i) * formula::dropoutFactor(w[i], p.threshold, p.scale));
    });
}
SB_TARGET_CLONES void scaledF32(const Piece& p, const float* x, float* y)
{
    scaled(p, x, y);
}
SB_TARGET_CLONES void scaledBf16(const Piece& p, const bf16_t* x, bf16_t* y)
{
    scaled(p, x, y);
}

template <class T>
SB_HOST_DEVICE void scaledAdd(const Piece& p, const T* x, const T* residual, T* y)
{
    everyGroup(p, [&](std::int64_t at, std::int64_t n, const std::uint32_t* w) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            store(y + at + i,
                  load(residual + at + i) +
                      load(x + at + i) * formula::dropoutFactor(w[i], p.threshold, p.scale));
    });
}
SB_TARGET_CLONES void scaledAddF32(const Piece& p, const float* x, const float* r, float* y)
{
    scaledAdd(p, x, r, y);
}
SB_TARGET_CLONES void scaledAddBf16(const Piece& p, const bf16_t* x, const bf16_t* r, bf16_t* y)
{
    scaledAdd(p, x, r, y);
}

SB_TARGET_CLONES void factorsOnly(const Piece& p, float* y)
{
    everyGroup(p, [&](std::int64_t at, std::int64_t n, const std::uint32_t* w) {
        for (std::int64_t i = 0; i < n; ++i)
            y[at + i] = formula::dropoutFactor(w[i], p.threshold, p.scale);
    });
}

/// body(piece, start) for pieces that end on group boundaries.
template <class Body>
void everyPiece(const DropoutParams& p, Body&& body)
{
    const std::uint32_t threshold = formula::dropoutThreshold(p.probability);
    const float scale = formula::dropoutScale(p.probability);
    const std::int64_t lead = std::int64_t(p.offset % std::uint64_t(kGroup));
    parallelRanges(p.n + lead, kGrain, [&](std::int64_t b, std::int64_t e) {
        const std::int64_t start = std::max<std::int64_t>(b - lead, 0);
        body(Piece{p.seed, p.stream, p.offset + std::uint64_t(start), e - lead - start, threshold,
                   scale},
             start);
    });
}

} // namespace

void dropout(const DropoutParams& p, const void* x, void* y)
{
    everyPiece(p, [&](const Piece& piece, std::int64_t at) {
        if (p.dtype == DType::F32)
            scaledF32(piece, static_cast<const float*>(x) + at, static_cast<float*>(y) + at);
        else
            scaledBf16(piece, static_cast<const bf16_t*>(x) + at, static_cast<bf16_t*>(y) + at);
    });
}

void dropoutAdd(const DropoutParams& p, const void* x, const void* residual, void* y)
{
    everyPiece(p, [&](const Piece& piece, std::int64_t at) {
        if (p.dtype == DType::F32)
            scaledAddF32(piece, static_cast<const float*>(x) + at,
                         static_cast<const float*>(residual) + at, static_cast<float*>(y) + at);
        else
            scaledAddBf16(piece, static_cast<const bf16_t*>(x) + at,
                          static_cast<const bf16_t*>(residual) + at, static_cast<bf16_t*>(y) + at);
    });
}

void dropoutFactors(const DropoutParams& p, float* factors)
{
    everyPiece(p, [&](const Piece& piece, std::int64_t at) { factorsOnly(piece, factors + at); });
}

} // namespace scalebench::kernels::cpu
