// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sums of losses in pieces that depend on the size alone.

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {

/// Sum over [0,n) of body(begin, end), a Result with +=. At most 64 pieces of at least `grain`,
/// added up in their order.
template <class Result, class Body>
Result sumOfRanges(std::int64_t n, std::int64_t grain, Body&& body)
{
    constexpr std::int64_t kPieces = 64;
    std::array<Result, kPieces> parts{};
    const std::int64_t size = std::max(grain, (n + kPieces - 1) / kPieces);
    parallelRanges(n, size, [&](std::int64_t b, std::int64_t e) {
        parts[std::size_t(b / size)] = body(b, e);
    });
    Result total{};
    for (const Result& part : parts)
        total += part;
    return total;
}

constexpr std::int64_t kLossBlock = 1024; ///< terms summed in fp32 before they join a double

/// Sum of a short array, over 16 lanes: written out because a compiler does not reorder sums.
SB_HOST_DEVICE double sumOfBlock(const float* terms, std::int64_t n)
{
    constexpr int kLanes = 16;
    float lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        for (int j = 0; j < kLanes; ++j)
            lanes[j] += terms[i + j];
    double sum = 0.0;
    for (; i < n; ++i)
        sum += double(terms[i]);
    for (int j = 0; j < kLanes; ++j)
        sum += double(lanes[j]);
    return sum;
}

/// Sum over [0,n) of term(i), evaluated in blocks so that the compiler vectorises it; term() may
/// store on the way. terms, unless null: [n], gets all of them.
template <class Term>
SB_HOST_DEVICE double sumOfTerms(std::int64_t n, Term&& term, float* terms = nullptr)
{
    alignas(64) float block[kLossBlock];
    double total = 0.0;
    for (std::int64_t b = 0; b < n; b += kLossBlock) {
        const std::int64_t size = kLossBlock < n - b ? kLossBlock : n - b;
        float* const to = terms ? terms + b : block;
#pragma GCC ivdep
        for (std::int64_t i = 0; i < size; ++i)
            to[i] = term(b + i);
        total += sumOfBlock(to, size);
    }
    return total;
}

} // namespace scalebench::kernels::cpu
