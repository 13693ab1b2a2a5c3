// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <cstring>
#include <utility>

#include "kernels/cpu/dnnl_api.h"

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

/// The richest set that has a name here; what newer libraries and processors add to it is left out.
std::string isaName(dnnl::cpu_isa isa)
{
    using set = dnnl::cpu_isa;
    static constexpr std::pair<set, const char*> kNames[] = {
        {set::avx512_core_amx, "AVX-512 with AMX bf16"},
        {set::avx512_core_bf16, "AVX-512 with bf16"},
        {set::avx512_core_vnni, "AVX-512 with VNNI"},
        {set::avx512_core, "AVX-512"},
        {set::avx2_vnni, "AVX2 with VNNI"},
        {set::avx2, "AVX2"},
        {set::avx, "AVX"},
        {set::sse41, "SSE4.1"},
    };
    for (const auto& [part, name] : kNames)
        if (dnnl_api::includes(isa, part))
            return name;
    return "instruction set " + std::to_string(int(isa));
}

} // namespace

CpuFeatures cpuFeatures()
{
    CpuFeatures f;
    f.vendor = vendorName();
    const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
    f.isa = isaName(isa);
    f.library = dnnl_api::libraryVersion();
    const bool amx = dnnl_api::includes(isa, dnnl::cpu_isa::avx512_core_amx);
    const bool avx512Bf16 = dnnl_api::includes(isa, dnnl::cpu_isa::avx512_core_bf16);
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
