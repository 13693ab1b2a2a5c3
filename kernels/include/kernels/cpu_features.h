// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What this processor computes fast, as oneDNN sees it (its ISA cap, ONEDNN_MAX_CPU_ISA, counts).

#include <string>

namespace scalebench::kernels::cpu {

struct CpuFeatures {
    std::string vendor;     ///< cpuid vendor string, "AuthenticAMD"
    std::string isa;        ///< oneDNN's effective instruction set in words
    std::string library;    ///< "oneDNN 2.6.3"
    bool bf16Fast = false;  ///< bf16 convolutions and products beat fp32
    std::string bf16Reason; ///< one sentence that explains bf16Fast
};

CpuFeatures cpuFeatures();

} // namespace scalebench::kernels::cpu
