// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The recurrent ops of kernels/include in double precision: the truth that tests compare with.

#include <cstdint>
#include <vector>

#include "kernels/additive_attention.h"
#include "kernels/lstm.h"
#include "kernels/ref/reference.h"

namespace scalebench::kernels::ref {

struct LstmResult {
    Values y, hN, cN; ///< [T,B,H], [B,H], [B,H]
};

/// Rows of y are dense, whatever p.ldy. bx, bh, h0, c0 and lengths may be empty.
LstmResult lstmForward(const LstmParams& p, const Values& x, const Values& wx, const Values& wh,
                       const Values& bx, const Values& bh, const Values& h0, const Values& c0,
                       const std::vector<std::int32_t>& lengths);

struct AdditiveAttentionResult {
    Values context, probabilities; ///< [Tq,B,V], [B,Tq,Tk]
};

/// bias may be empty, scale when not normalised, lengths when all keys count.
AdditiveAttentionResult additiveAttentionForward(const AdditiveAttentionParams& p, const Values& q,
                                                 const Values& k, const Values& value,
                                                 const Values& v, const Values& scale,
                                                 const Values& bias,
                                                 const std::vector<std::int32_t>& lengths);

} // namespace scalebench::kernels::ref
