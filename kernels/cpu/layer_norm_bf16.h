// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The loops of layer norm over a chunk of rows, in bf16 with AVX512_BF16: the compiler's own, which
// round with integers, take 1.6 times as long forward and 1.2 backward (Zen 4).

#include <cstdint>

#include "kernels/layer_norm.h"

namespace scalebench::kernels::cpu {

struct LayerNormLoops {
    /// Rows first to first + n - 1, C wide.
    void (*forward)(const LayerNormForward& f, std::int64_t first, std::int64_t n, std::int64_t C,
                    float epsilon);
    /// dgamma and dbeta of these rows, [C], overwritten.
    void (*backward)(const LayerNormBackward& b, std::int64_t first, std::int64_t n, std::int64_t C,
                     float* dgamma, float* dbeta);
};

/// Null where the processor has no such instructions.
const LayerNormLoops* bf16LayerNorm();

} // namespace scalebench::kernels::cpu
