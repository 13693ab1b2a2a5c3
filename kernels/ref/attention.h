// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Scaled dot product attention, layer normalisation and softmax in double precision, forward;
// layouts as in kernels/attention.h, layer_norm.h and softmax.h.

#include <cstdint>
#include <span>

#include "kernels/attention.h"
#include "kernels/ref/values.h"

namespace scalebench::kernels::ref {

/// q [queryRows, strideQ], k [keyRows, strideK], v [keyRows, strideV], of which the first
/// heads * headDim columns from the offset given are taken. Returns [queryRows, heads * headDim].
Values attentionForward(const AttentionParams& p, std::span<const AttentionSegment> segments,
                        const Values& q, std::int64_t offsetQ, const Values& k,
                        std::int64_t offsetK, const Values& v, std::int64_t offsetV);

/// z may be empty; then y of x alone.
Values layerNormForward(std::int64_t rows, std::int64_t C, double epsilon, const Values& x,
                        const Values& z, const Values& gamma, const Values& beta);

Values softmaxForward(std::int64_t rows, std::int64_t C, const Values& x);

} // namespace scalebench::kernels::ref
