// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Additive (Bahdanau) attention on the tape; formula: kernels/additive_attention.h.

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

struct AdditiveAttentionRefs {
    ParameterRef weight; ///< [A]
    ParameterRef scale;  ///< [1]; undefined: the weight is not normalised
    ParameterRef bias;   ///< [A]; may be undefined
};

/// query [Tq,B,A] and key [Tk,B,A], projected; value [Tk,B,V]; lengths I32 [B], constant, may be
/// undefined (every key counts). Returns the context [Tq,B,V].
/// `probabilities`, if not null, gets where each query has looked: [B,Tq,Tk] in the type of the
/// query, constant; not to be changed.
Variable additiveAttention(Tape& tape, const Variable& query, const Variable& key,
                           const Variable& value, const AdditiveAttentionRefs& refs,
                           const Tensor& lengths = {}, Tensor* probabilities = nullptr);

} // namespace scalebench::autograd
