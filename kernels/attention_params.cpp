// SPDX-License-Identifier: GPL-3.0-or-later
// What the attention kernels of every device know of their parameters.
#include "kernels/additive_attention.h"
#include "kernels/attention.h"
#include "kernels/check.h"

namespace scalebench {

void validate(const AttentionParams& p, std::span<const AttentionSegment> segments)
{
    const std::string what = "attention with " + std::to_string(p.heads) + " heads of " +
                             std::to_string(p.headDim) + ", " + std::to_string(p.queryRows) +
                             " queries, " + std::to_string(p.keyRows) + " keys: ";
    SB_REQUIRE(p.heads >= 0 && p.headDim >= 0 && p.queryRows >= 0 && p.keyRows >= 0,
               what + "negative size");
    SB_REQUIRE(p.dtype == DType::F32 || p.dtype == DType::BF16 || p.dtype == DType::F16,
               what + "type must be f32, bf16 or f16");
    SB_REQUIRE(p.dropout >= 0.0f && p.dropout < 1.0f, what + "dropout must be in [0,1)");
    SB_REQUIRE(p.scale > 0.0f, what + "the scale must be positive");
    for (const std::int64_t stride : {p.strideQ, p.strideK, p.strideV, p.strideO})
        SB_REQUIRE(stride >= p.heads * p.headDim, what + "a stride is shorter than all heads");
    for (const AttentionSegment& s : segments)
        SB_REQUIRE(s.queryBegin >= 0 && s.queryCount >= 0 && s.keyBegin >= 0 && s.keyCount >= 0 &&
                       s.queryBegin + s.queryCount <= p.queryRows &&
                       s.keyBegin + s.keyCount <= p.keyRows,
                   what + "a segment reaches outside");
}

std::string AdditiveAttentionParams::describe() const
{
    const auto shape = [&](std::int64_t T, std::int64_t size) {
        std::string text = "[";
        for (const std::int64_t n : {T, B})
            text += std::to_string(n) + ",";
        return text + std::to_string(size) + "]";
    };
    return std::string("additive attention q=") + dtypeName(dtype) + shape(Tq, A) +
           " k=" + shape(Tk, A) + " value=" + shape(Tk, V) + (normalised ? "" : " not normalised");
}

} // namespace scalebench
