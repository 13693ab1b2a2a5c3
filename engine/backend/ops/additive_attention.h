// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Arguments of AttentionOps' additive attention; formula: kernels/additive_attention.h.

#include "engine/tensor/tensor.h"

namespace scalebench {

/// Time-major; query, key and value have one type, F32 or BF16. Weights are F32.
struct AdditiveAttentionArgs {
    Tensor query;   ///< [Tq,B,A], projected
    Tensor key;     ///< [Tk,B,A], projected
    Tensor value;   ///< [Tk,B,V]
    Tensor weight;  ///< [A]
    Tensor scale;   ///< [1]: the weight is normalised and scaled; undefined: it is used as it is
    Tensor bias;    ///< [A]; may be undefined
    Tensor lengths; ///< I32 [B], keys that count, in [0,Tk]; undefined: all
};

/// Overwritten, or added to with `accumulate`; each may be undefined.
struct AdditiveAttentionWeightGradients {
    Tensor weight, scale, bias;
    bool accumulate = false;
};

struct AdditiveAttentionInputGradients {
    Tensor query, key, value;
};

} // namespace scalebench
