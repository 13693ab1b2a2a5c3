// SPDX-License-Identifier: GPL-3.0-or-later
// SCALEBENCH_MAX_CPU_ISA=sse|avx2|avx512: what our own loops may use at most, so that a processor
// with AVX-512 can test and measure what one without runs. oneDNN is capped alike unless
// ONEDNN_MAX_CPU_ISA says otherwise.
//
// Loops marked SB_TARGET_CLONES are chosen by GNU ifunc resolvers, which the loader calls before
// anything of libc may be used; they ask libgcc's __cpu_indicator_init. The link option
// --wrap (kernels/CMakeLists.txt) puts this file in between. Only system calls and plain loops
// here, therefore.
#include "kernels/cpu_level.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SB_CAN_CAP 1
#include <cstdlib>
#include <fcntl.h>
#include <sys/syscall.h>
#endif

namespace scalebench::kernels::cpu {

#ifdef SB_CAN_CAP
namespace {

constexpr char kName[] = "SCALEBENCH_MAX_CPU_ISA=";
constexpr int kNameLength = int(sizeof kName) - 1;

long systemCall(long number, long a, long b, long c)
{
    long result = number;
    asm volatile("syscall" : "+a"(result) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

/// The first letters of the variable's value, packed; 0: not set.
unsigned readVariable()
{
    const long file = systemCall(SYS_open, long("/proc/self/environ"), O_RDONLY | O_CLOEXEC, 0);
    if (file < 0)
        return 0;
    unsigned value = 0;
    int matched = 0, letters = 0;
    char block[512];
    for (long n; (n = systemCall(SYS_read, file, long(block), sizeof block)) > 0;)
        for (long i = 0; i < n; ++i) {
            const char c = block[i];
            if (c == '\0')
                matched = 0;
            else if (matched == kNameLength)
                value = letters++ < 4 ? value << 8 | static_cast<unsigned char>(c) : value;
            else
                matched = matched >= 0 && c == kName[matched] ? matched + 1 : -1;
        }
    systemCall(SYS_close, file, 0, 0);
    return value;
}

constexpr unsigned packed(const char* text)
{
    unsigned value = 0;
    for (; *text != '\0'; ++text)
        value = value << 8 | static_cast<unsigned char>(*text);
    return value;
}

CpuLevel readCap()
{
    const unsigned value = readVariable();
    return value == packed("sse")    ? CpuLevel::Sse
           : value == packed("avx2") ? CpuLevel::Avx2
                                     : CpuLevel::Avx512;
}

CpuLevel cap()
{
    static int known = -1;
    if (known < 0)
        known = int(readCap());
    return CpuLevel(known);
}

/// Before main and before oneDNN's first use, which reads its variable then.
[[gnu::constructor]] void capLibrary()
{
    if (cap() != CpuLevel::Avx512)
        ::setenv("ONEDNN_MAX_CPU_ISA", cap() == CpuLevel::Avx2 ? "AVX2" : "SSE41", 0);
}

} // namespace

CpuLevel cpuLevel()
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4") && cap() >= CpuLevel::Avx512)
        return CpuLevel::Avx512;
    return __builtin_cpu_supports("x86-64-v3") && cap() >= CpuLevel::Avx2 ? CpuLevel::Avx2
                                                                          : CpuLevel::Sse;
}

#else

CpuLevel cpuLevel()
{
    return CpuLevel::Sse;
}

#endif

} // namespace scalebench::kernels::cpu

#ifdef SB_CAN_CAP
// Of libgcc: bit 97 is the level x86-64-v3 and bit 98 v4, counted from the 32 bits of __cpu_model
// on (gcc/common/config/i386/i386-cpuinfo.h, whose numbers never change).
extern "C" [[gnu::visibility("hidden")]] unsigned __cpu_features2[];
extern "C" int __real___cpu_indicator_init();
extern "C" int __wrap___cpu_indicator_init()
{
    using scalebench::kernels::cpu::CpuLevel;
    const int result = __real___cpu_indicator_init();
    const CpuLevel most = scalebench::kernels::cpu::cap();
    if (most < CpuLevel::Avx512)
        __cpu_features2[2] &= ~(1u << (98 - 96));
    if (most < CpuLevel::Avx2)
        __cpu_features2[2] &= ~(1u << (97 - 96));
    return result;
}
#endif
