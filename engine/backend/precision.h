// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a user asks for (Precision) and what a device really computes in (ComputePrecision).

#include <string>

#include "kernels/types.h"

namespace scalebench {

enum class Precision { Fp32, Bf16, Fp16 };

/// "fp32", "bf16", "fp16".
const char* precisionName(Precision p);
/// Inverse of precisionName(); InvalidArgument names the accepted words.
Precision parsePrecision(const std::string& name);

struct ComputePrecision {
    Precision precision = Precision::Fp32; ///< of activations, their gradients and packed weights
    std::string reason; ///< one sentence for logs: why this and not something else
    DType activationType() const
    {
        return precision == Precision::Bf16   ? DType::BF16
               : precision == Precision::Fp16 ? DType::F16
                                              : DType::F32;
    }
};

} // namespace scalebench
