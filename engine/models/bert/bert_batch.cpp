// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/bert/bert_batch.h"

#include "kernels/check.h"

#include <string>

namespace scalebench {
namespace {

void check(const Tensor& t, const char* what, std::size_t axes)
{
    SB_REQUIRE(t.defined() && t.dtype() == DType::I32 && t.shape().size() == axes,
               std::string("BERT: ") + what + " must be i32 with " + std::to_string(axes) +
                   " axes, not " + t.describe());
}

AttentionMask maskOf(const Batch& batch)
{
    const auto& t = batch.tensors;
    const std::int64_t sequences = t[4].count();
    if (t[5].count() == sequences + 1) {
        const AttentionMask mask = packedMask(t[5].i32(), t[5].i32());
        const std::int64_t end = t[5].i32()[std::size_t(sequences)];
        SB_REQUIRE(end <= t[0].count(), "BERT: offsets reach " + std::to_string(end) + " of " +
                                            std::to_string(t[0].count()) + " tokens");
        return mask;
    }
    SB_REQUIRE(t[5].count() == sequences && t[0].dim(0) == sequences,
               "BERT: " + t[5].describe() + " are neither lengths nor offsets of " +
                   std::to_string(sequences) + " sequences in " + t[0].describe());
    return sentenceMask(sequences, t[0].dim(1), t[0].dim(1), t[5].i32());
}

} // namespace

BertRows rowsOf(const Batch& batch, std::int64_t positions, Backend& backend)
{
    const auto& t = batch.tensors;
    SB_REQUIRE(t.size() == 6 || t.size() == 7,
               "BERT: a batch has tokens, types, masked rows and labels, next labels, lengths or "
               "offsets, and perhaps a factor");
    check(t[0], "tokens", 2);
    check(t[1], "types", 2);
    SB_REQUIRE(t[1].shape() == t[0].shape(),
               "BERT: types " + t[1].describe() + " for tokens " + t[0].describe());
    check(t[2], "masked rows", 1);
    check(t[3], "masked labels", 1);
    SB_REQUIRE(t[2].count() == t[3].count(), "BERT: " + std::to_string(t[3].count()) +
                                                 " labels for " + std::to_string(t[2].count()) +
                                                 " masked rows");
    check(t[4], "next labels", 1);
    check(t[5], "lengths", 1);

    BertRows rows;
    rows.mask = maskOf(batch);
    // Where tensors are the host's, their cache spares fresh pages in every step.
    CachingAllocator own;
    Allocator& host = backend.allocator().onDevice() ? own : backend.allocator();
    rows.positions = Tensor::zeros({t[0].count()}, DType::I32, host);
    rows.firsts = Tensor::empty({t[4].count()}, DType::I32, host);
    std::size_t sequence = 0;
    for (const AttentionSegment& s : *rows.mask) {
        SB_REQUIRE(s.keyCount > 0 && s.keyCount <= positions,
                   "BERT: sequence " + std::to_string(sequence) + " has " +
                       std::to_string(s.keyCount) + " tokens, not 1 to " +
                       std::to_string(positions));
        rows.firsts.i32()[sequence++] = std::int32_t(s.queryBegin);
        for (std::int64_t p = 0; p < s.keyCount; ++p)
            rows.positions.i32()[std::size_t(s.queryBegin + p)] = std::int32_t(p);
    }
    return rows;
}

float wordFactor(const Batch& batch)
{
    return batch.tensors.size() > 6 ? batch.tensors[6].f32()[0] : 1.0f;
}

} // namespace scalebench
