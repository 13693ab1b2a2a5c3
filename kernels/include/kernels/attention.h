// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Scaled dot product attention (arXiv 1706.03762, section 3.2.1), per head
//   O = dropout(softmax(scale Q K^T + mask)) V
// in tiles with a running softmax (arXiv 2205.14135), so that memory grows with the sequence length
// and not with its square: forward keeps one number per query and head, the logarithm of the sum of
// its exponentials; backward computes the probabilities again, unless forward left them behind.
//
// Operands are rows of tokens, read and written in place: token t of head h of an operand begins at
// element t * stride + h * headDim. A mask is a list of segments: each lets its queries see its
// keys and nothing else. One segment per sentence gives padding masks, several per row packed
// sequences (block-diagonal), `causal` hides later keys inside each segment. Rows of queries
// outside all segments, or in one without keys, give zeros and zero gradients.

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/types.h"

namespace scalebench {

/// Queries [queryBegin, +queryCount) and keys [keyBegin, +keyCount), numbers of rows. Neither the
/// queries nor the keys of two segments overlap.
struct AttentionSegment {
    std::int64_t queryBegin = 0, queryCount = 0, keyBegin = 0, keyCount = 0;
};

struct AttentionParams {
    std::int64_t heads = 1, headDim = 64;
    std::int64_t queryRows = 0, keyRows = 0; ///< of the whole operands
    /// Elements from one token to the next in q (and dq), k, v, o (and do); at least heads*headDim.
    std::int64_t strideQ = 0, strideK = 0, strideV = 0, strideO = 0;
    DType dtype = DType::F32;
    float scale = 1.0f;
    bool causal = false; ///< query i of a segment sees its keys 0 ... i
    /// Of the probabilities, formula/dropout.h; the elements are numbered by head, row of the query
    /// and number of the key in its segment, from `dropoutOffset`.
    float dropout = 0.0f;
    std::uint64_t seed = 0, stream = 0, dropoutOffset = 0;
};

/// Operands of attentionForward(); o and logSumExp are overwritten, all rows.
struct AttentionForward {
    const void *q = nullptr, *k = nullptr, *v = nullptr;
    void* o = nullptr;
    float* logSumExp = nullptr; ///< [heads, queryRows]; null: not kept
    void* kept = nullptr; ///< for backward, in a device's own form; null: nothing is left behind
};

/// Operands of attentionBackward(); dq, dk and dv are overwritten, all rows, with the strides of q,
/// k and v.
struct AttentionBackward {
    const void *q = nullptr, *k = nullptr, *v = nullptr, *o = nullptr;
    const float* logSumExp = nullptr;
    const void* dO = nullptr;
    void *dq = nullptr, *dk = nullptr, *dv = nullptr;
    const void* kept = nullptr; ///< as the forward left it; null: computed and drawn again
};

/// Throws InvalidArgument for sizes, strides or segments that cannot be.
void validate(const AttentionParams& p, std::span<const AttentionSegment> segments);

namespace kernels::cpu {

/// Scratch of the two calls below for segments no longer than these, 64-byte aligned.
std::size_t attentionForwardWorkspace(const AttentionParams& p, std::int64_t maxQueries,
                                      std::int64_t maxKeys);
std::size_t attentionBackwardWorkspace(const AttentionParams& p, std::int64_t maxQueries,
                                       std::int64_t maxKeys);

/// Of AttentionForward::kept: the probabilities of short sequences, which take no more memory than
/// the operands q, k, v and o; 0 for longer ones.
std::size_t attentionKeptBytes(const AttentionParams& p,
                               std::span<const AttentionSegment> segments);

void attentionForward(const AttentionParams& p, std::span<const AttentionSegment> segments,
                      const AttentionForward& f, void* workspace);
void attentionBackward(const AttentionParams& p, std::span<const AttentionSegment> segments,
                       const AttentionBackward& b, void* workspace);

} // namespace kernels::cpu
} // namespace scalebench
