// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The loops of additive attention over the attention units, for one query and four keys. Private to
// kernels/cpu/additive_attention.cpp.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu {

/// scores[j] = w . tanh(q + k[j]). q, w [A] F32, k[j] [A] in `dtype`.
void additiveScores(DType dtype, std::int64_t A, const float* q, const void* const k[4],
                    const float* w, float scores[4]);

/// With u[j] = tanh(q + k[j]) and s[j] = dscore[j] (1 - u[j]^2): dq += sum of s[j], dk[j] += s[j],
/// dw += sum of dscore[j] u[j]. The factor w of dq and dk is the caller's. dk[j] do not overlap.
void additiveGradients(DType dtype, std::int64_t A, const float* q, const void* const k[4],
                       const float dscore[4], float* dq, float* const dk[4], float* dw);

/// y = x + bias in F32 (bias may be null), y = x * w in `dtype`.
void additiveWiden(DType dtype, std::int64_t A, const void* x, const float* bias, float* y);
void additiveStore(DType dtype, std::int64_t A, const float* x, const float* w, void* y);

} // namespace scalebench::kernels::cpu
