// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <cstring>

#include <oneapi/dnnl/dnnl.hpp>

namespace scalebench::kernels::cpu {
namespace {

std::string vendorName()
{
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(0, &a, &b, &c, &d)) {
        char text[13] = {};
        std::memcpy(text, &b, 4);
        std::memcpy(text + 4, &d, 4);
        std::memcpy(text + 8, &c, 4);
        return text;
    }
#endif
    return "unknown";
}

std::string isaName(dnnl::cpu_isa isa)
{
    switch (isa) {
    case dnnl::cpu_isa::sse41:
        return "SSE4.1";
    case dnnl::cpu_isa::avx:
        return "AVX";
    case dnnl::cpu_isa::avx2:
        return "AVX2";
    case dnnl::cpu_isa::avx2_vnni:
        return "AVX2 with VNNI";
    case dnnl::cpu_isa::avx512_core:
        return "AVX-512";
    case dnnl::cpu_isa::avx512_core_vnni:
        return "AVX-512 with VNNI";
    case dnnl::cpu_isa::avx512_core_bf16:
        return "AVX-512 with bf16";
    case dnnl::cpu_isa::avx512_core_amx:
        return "AVX-512 with AMX bf16";
    default:
        return "instruction set " + std::to_string(int(isa));
    }
}

} // namespace

CpuFeatures cpuFeatures()
{
    CpuFeatures f;
    f.vendor = vendorName();
    const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
    f.isa = isaName(isa);
    const dnnl_version_t* v = dnnl_version();
    f.library = "oneDNN " + std::to_string(v->major) + "." + std::to_string(v->minor) + "." +
                std::to_string(v->patch);
    const bool amx = isa == dnnl::cpu_isa::avx512_core_amx;
    const bool avx512Bf16 = isa == dnnl::cpu_isa::avx512_core_bf16;
    if (amx) {
        f.bf16Fast = true;
        f.bf16Reason = "bf16 is computed in bf16: this processor has AMX";
    } else if (avx512Bf16 && f.vendor == "AuthenticAMD") {
        f.bf16Fast = true;
        f.bf16Reason =
            "bf16 is computed in bf16: AMD processors run AVX-512 bf16 at twice the fp32 "
            "rate";
    } else if (avx512Bf16) {
        f.bf16Reason = "bf16 is computed in fp32: without AMX this processor's AVX-512 bf16 is "
                       "slower than fp32";
    } else {
        f.bf16Reason =
            "bf16 is computed in fp32: this processor (" + f.isa + ") has no bf16 arithmetic";
    }
    return f;
}

} // namespace scalebench::kernels::cpu
