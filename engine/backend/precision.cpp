// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/precision.h"

#include "kernels/check.h"

namespace scalebench {

const char* precisionName(Precision p)
{
    return p == Precision::Bf16 ? "bf16" : p == Precision::Fp16 ? "fp16" : "fp32";
}

Precision parsePrecision(const std::string& name)
{
    if (name == "fp32")
        return Precision::Fp32;
    if (name == "bf16")
        return Precision::Bf16;
    if (name == "fp16")
        return Precision::Fp16;
    throw InvalidArgument("unknown precision \"" + name + "\": use fp32, bf16 or fp16");
}

} // namespace scalebench
