// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/peak.h"

#include "engine/bench/disturbance.h"
#include "engine/bench/memory_bench.h"
#include "engine/core/compute_clock.h"
#include "engine/core/memory_info.h"
#include "engine/core/processors.h"
#include "kernels/cpu_features.h"
#include "kernels/cpu_level.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include <omp.h>

#if defined(__x86_64__)
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace scalebench::bench {
namespace {

/// Runs a loop of multiply-adds and returns how many operations it did.
using Loop = double (*)(std::int64_t rounds);

struct Choice {
    Loop loop = nullptr;
    const char* method = "";
    double flopsOfOne = 0; ///< of one instruction (SSE: of a multiplication and an addition)
};

constexpr char kPairs[] = "SSE multiply and add";

#if defined(__x86_64__)

// Written out, as compilers keep sums that pass through a loop of inline assembly in memory: stores
// then set the pace (one a cycle against two multiply-adds). Independent sums hide the latency of a
// multiply-add: 4 cycles, two a cycle. Every sum runs towards 2: s = s / 2 + 1.
#define SB_SUMS_8(op, v, tail)                                                                     \
    op "%%" v "0" tail op "%%" v "1" tail op "%%" v "2" tail op "%%" v "3" tail op "%%" v          \
       "4" tail op "%%" v "5" tail op "%%" v "6" tail op "%%" v "7" tail
#define SB_SUMS_4(op, v, tail)                                                                     \
    op "%%" v "8" tail op "%%" v "9" tail op "%%" v "10" tail op "%%" v "11" tail
#define SB_SUMS_12(op, v, tail) SB_SUMS_8(op, v, tail) SB_SUMS_4(op, v, tail)
#define SB_SUMS_24(op, v, tail)                                                                    \
    SB_SUMS_12(op, v, tail)                                                                        \
    op "%%" v "12" tail op "%%" v "13" tail op "%%" v "14" tail op "%%" v "15" tail op "%%" v      \
       "16" tail op "%%" v "17" tail op "%%" v "18" tail op "%%" v "19" tail op "%%" v             \
       "20" tail op "%%" v "21" tail op "%%" v "22" tail op "%%" v "23" tail

constexpr float kHalf = 0.5f, kOne = 1.0f;

double mulAddSse(std::int64_t rounds)
{
    std::int64_t left = rounds;
    asm volatile("movss %1, %%xmm14\n\tshufps $0, %%xmm14, %%xmm14\n\t"
                 "movss %2, %%xmm15\n\tshufps $0, %%xmm15, %%xmm15\n\t" //
                 SB_SUMS_12("movaps %%xmm15, ", "xmm",
                            "\n\t") ".p2align 5\n"
                                    "1:\n\t" SB_SUMS_12("mulps %%xmm14, ", "xmm", "\n\t")
                                        SB_SUMS_12("addps %%xmm15, ", "xmm", "\n\t") //
                 "decq %0\n\tjnz 1b"
                 : "+r"(left)
                 : "m"(kHalf), "m"(kOne)
                 : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                   "xmm9", "xmm10", "xmm11", "xmm14", "xmm15");
    return 2.0 * 4 * 12 * double(rounds);
}

[[gnu::target("avx2,fma")]] double fmaAvx2(std::int64_t rounds)
{
    std::int64_t left = rounds;
    asm volatile(
        "vbroadcastss %1, %%ymm14\n\tvbroadcastss %2, %%ymm15\n\t" //
        SB_SUMS_12("vmovaps %%ymm15, ", "ymm",
                   "\n\t") ".p2align 5\n"
                           "1:\n\t" SB_SUMS_12("vfmadd213ps %%ymm15, %%ymm14, ", "ymm", "\n\t") //
        "decq %0\n\tjnz 1b"
        : "+r"(left)
        : "m"(kHalf), "m"(kOne)
        : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
          "xmm10", "xmm11", "xmm14", "xmm15");
    _mm256_zeroupper();
    return 2.0 * 8 * 12 * double(rounds);
}

#define SB_ALL_VECTORS                                                                             \
    "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20",  \
        "xmm21", "xmm22", "xmm23", "xmm30", "xmm31"

[[gnu::target("avx512f")]] double fmaAvx512(std::int64_t rounds)
{
    std::int64_t left = rounds;
    asm volatile(
        "vbroadcastss %1, %%zmm30\n\tvbroadcastss %2, %%zmm31\n\t" //
        SB_SUMS_24("vmovaps %%zmm31, ", "zmm",
                   "\n\t") ".p2align 5\n"
                           "1:\n\t" SB_SUMS_24("vfmadd213ps %%zmm31, %%zmm30, ", "zmm", "\n\t") //
        "decq %0\n\tjnz 1b"
        : "+r"(left)
        : "m"(kHalf), "m"(kOne)
        : SB_ALL_VECTORS);
    _mm256_zeroupper();
    return 2.0 * 16 * 24 * double(rounds);
}

[[gnu::target("avx512f,avx512bf16")]] double dotAvx512(std::int64_t rounds)
{
    std::int64_t left = rounds;
    // Pairs of 1.0 and 0 in bf16: the bits of 1.0f.
    asm volatile(
        "vbroadcastss %1, %%zmm30\n\tvmovaps %%zmm30, %%zmm31\n\t" //
        SB_SUMS_24("vmovaps %%zmm31, ", "zmm",
                   "\n\t") ".p2align 5\n"
                           "1:\n\t" SB_SUMS_24("vdpbf16ps %%zmm31, %%zmm30, ", "zmm", "\n\t") //
        "decq %0\n\tjnz 1b"
        : "+r"(left)
        : "m"(kOne)
        : SB_ALL_VECTORS);
    _mm256_zeroupper();
    return 2.0 * 32 * 24 * double(rounds);
}

#undef SB_ALL_VECTORS
#undef SB_SUMS_24
#undef SB_SUMS_12
#undef SB_SUMS_4
#undef SB_SUMS_8

struct TileConfig {
    std::uint8_t palette = 1, startRow = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t rowBytes[16] = {};
    std::uint8_t rows[16] = {};
};

/// Tiles of 16 rows of 64 bytes: C[16,16] += A[16,32] B[32,16] in one instruction. Four sums from
/// two A and two B tiles, the shape that matrix products use.
[[gnu::target("amx-tile,amx-bf16")]] double tilesAmx(std::int64_t rounds)
{
    TileConfig config;
    for (int t = 0; t < 8; ++t) {
        config.rowBytes[t] = 64;
        config.rows[t] = 16;
    }
    alignas(64) static thread_local std::uint16_t ones[16 * 32];
    alignas(64) static thread_local float sums[16 * 16];
    std::fill(std::begin(ones), std::end(ones), std::uint16_t(0x3f80));
    _tile_loadconfig(&config);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    _tile_loadd(4, ones, 64);
    _tile_loadd(5, ones, 64);
    _tile_loadd(6, ones, 64);
    _tile_loadd(7, ones, 64);
    // What stands between two products costs nothing on a quiet core, and beside another thread it
    // has back half of what they lose there (kernels/cpu/amx_pace.h).
    for (std::int64_t i = 0; i < rounds; ++i) {
        _tile_dpbf16ps(0, 4, 6);
        asm volatile(".rept 8\n\tnop\n\t.endr");
        _tile_dpbf16ps(1, 4, 7);
        asm volatile(".rept 8\n\tnop\n\t.endr");
        _tile_dpbf16ps(2, 5, 6);
        asm volatile(".rept 8\n\tnop\n\t.endr");
        _tile_dpbf16ps(3, 5, 7);
        asm volatile(".rept 8\n\tnop\n\t.endr");
    }
    _tile_stored(0, sums, 64);
    _tile_release();
    return 2.0 * 4 * 16 * 16 * 32 * double(rounds);
}

/// Linux hands out the tile registers on request (ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA).
bool allowAmx()
{
    constexpr long kRequestPermission = 0x1023, kTileData = 18;
    return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

Choice chooseLoop(DType dtype)
{
    if (dtype == DType::BF16) {
        const kernels::cpu::CpuFeatures features = kernels::cpu::cpuFeatures();
        if (!features.bf16Fast)
            return {};
        // By oneDNN's view of the processor, which a cap for tests also lowers.
        if (features.isa.find("AMX") != std::string::npos && allowAmx())
            return {tilesAmx, "AMX bf16", 2.0 * 16 * 16 * 32};
        if (kernels::cpu::cpuLevel() == kernels::cpu::CpuLevel::Avx512 &&
            __builtin_cpu_supports("avx512bf16"))
            return {dotAvx512, "AVX-512 bf16", 2.0 * 32};
        return {};
    }
    switch (kernels::cpu::cpuLevel()) {
    case kernels::cpu::CpuLevel::Avx512:
        return {fmaAvx512, "AVX-512 FMA", 2.0 * 16};
    case kernels::cpu::CpuLevel::Avx2:
        return {fmaAvx2, "AVX2 FMA", 2.0 * 8};
    case kernels::cpu::CpuLevel::Sse:
        break;
    }
    return {mulAddSse, kPairs, 2.0 * 4};
}

#else

typedef float PlainVector __attribute__((vector_size(16)));

double fmaPlain(std::int64_t rounds)
{
    PlainVector sums[12] = {};
    for (std::int64_t i = 0; i < rounds; ++i)
        for (PlainVector& sum : sums)
            sum = sum * 0.5f + 1.0f;
    asm volatile("" : : "m"(sums));
    return 2.0 * 4 * 12 * double(rounds);
}

Choice chooseLoop(DType dtype)
{
    return dtype == DType::BF16 ? Choice{} : Choice{fmaPlain, "vector multiply and add", 2.0 * 4};
}

#endif

double secondsNow()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

struct Rate {
    double flops = 0, clockHz = 0;
};

/// Operations per second of this thread: the best of many short tries, so that other programs,
/// which take the processor for some milliseconds at a time, do not lower the peak.
Rate bestRate(Loop loop, std::int64_t rounds)
{
    Rate best;
    const double begin = secondsNow();
    do {
        const double start = secondsNow();
        const double operations = loop(rounds);
        best.flops = std::max(best.flops, operations / (secondsNow() - start));
        best.clockHz = std::max(best.clockHz, measureClock(1));
    } while (secondsNow() - begin < 0.15);
    return best;
}

/// Golden Cove and later have three units for the two halves of a pair (multiplications on ports 0
/// and 1, additions on 1 and 5): 1.5 a cycle at most, and 1.25 to 1.29 as the core of an Emerald
/// Rapids binds the instructions of this loop to them.
constexpr double kFewestOfThree = 1.2;

/// While tiles multiply, clocks are lower than those measured beside it: 16 cycles become 20 on a
/// quiet Emerald Rapids.
constexpr double kSlowestTiles = 1.0 / 22;

std::string peakSentence(const ComputePeak& peak)
{
    char text[240], cycles[100] = "";
    if (peak.clockHz > 0)
        std::snprintf(cycles, sizeof cycles, ": %.3g a cycle at %.2f GHz", peak.perCycle,
                      peak.clockHz / 1e9);
    std::snprintf(text, sizeof text, "Peak measured here: %.1f GFLOP/s (%s, %d thread%s%s)",
                  peak.flops / 1e9, peak.method.c_str(), peak.threads, peak.threads == 1 ? "" : "s",
                  cycles);
    return text;
}

void addPeak(const std::string& type, const ComputePeak& peak, int threads, Report& report)
{
    report.addPeak(type + "_gflops", peak.flops / 1e9, peakSentence(peak));
    if (threads > peak.threads)
        report.addNote("More threads than processors: " + std::to_string(threads) +
                       " take turns on " + std::to_string(peak.threads) +
                       ". The peak is that of the processors.");
    if (peak.plausible())
        return;
    char text[240];
    std::snprintf(
        text, sizeof text,
        "This peak is doubtful: %.3g instructions a cycle are none that processors have, so "
        "something disturbed it. Shares of it are too high.",
        peak.perCycle);
    report.addNote(text);
}

} // namespace

bool ComputePeak::ofTiles() const
{
    return method.find("AMX") != std::string::npos;
}

bool ComputePeak::plausible() const
{
    if (clockHz <= 0)
        return true;
    if (ofTiles())
        return perCycle > kSlowestTiles && perCycle < 1.1 / 16;
    if (method == kPairs && perCycle > kFewestOfThree && perCycle < 1.1 * 1.5)
        return true;
    const double power = std::round(std::log2(perCycle));
    return std::abs(perCycle / std::exp2(power) - 1) < 0.1;
}

ComputePeak measureComputePeak(DType dtype, int threads)
{
    const Choice choice = chooseLoop(dtype);
    if (choice.loop == nullptr)
        return {};
    std::int64_t rounds = 1000;
    for (double seconds = 0; seconds < 200e-6; rounds *= 2) {
        const double start = secondsNow();
        choice.loop(rounds);
        seconds = secondsNow() - start;
    }
    threads = std::min(threads, processorCount());
    double total = 0, clockHz = 0;
    // All at once, as clocks drop when more cores compute.
#pragma omp parallel num_threads(threads) reduction(+ : total, clockHz)
    {
        const Rate rate = bestRate(choice.loop, rounds);
        total += rate.flops;
        clockHz += rate.clockHz;
    }
    ComputePeak peak{total, choice.method, clockHz / threads, 0, threads};
    if (clockHz > 0)
        peak.perCycle = total / choice.flopsOfOne / clockHz;
    return peak;
}

MemoryPeak measureMemoryPeak(int threads, std::int64_t mostBytes)
{
    // Three arrays; a quarter of what is free leaves others alone.
    const std::int64_t wanted = std::min(4 * lastLevelCacheBytes(), mostBytes);
    const std::int64_t bytes = std::max<std::int64_t>(
        1 << 20, std::min(wanted, std::int64_t(availableMemoryBytes() / 12)));
    MemoryPeak peak;
    peak.arrayBytes = bytes / 4096 * 4096;
    StreamArrays arrays(peak.arrayBytes, threads);
    for (int attempt = 0; attempt < 3; ++attempt) {
        const double copy = computeSeconds();
        arrays.run(StreamKernel::Copy);
        const double triad = computeSeconds();
        arrays.run(StreamKernel::Triad);
        const double end = computeSeconds();
        peak.copy = std::max(peak.copy, 2.0 * double(peak.arrayBytes) / (triad - copy));
        peak.triad = std::max(peak.triad, 3.0 * double(peak.arrayBytes) / (end - triad));
    }
    return peak;
}

double addComputePeak(const Options& options, Report& report)
{
    if (options.dtype == DType::BF16) {
        const ComputePeak peak = measureComputePeak(DType::BF16, options.threads);
        if (peak.flops > 0) {
            addPeak("bf16", peak, options.threads, report);
            return peak.flops;
        }
        report.addNote(kernels::cpu::cpuFeatures().bf16Reason);
    }
    const ComputePeak peak = measureComputePeak(DType::F32, options.threads);
    addPeak("fp32", peak, options.threads, report);
    return peak.flops;
}

} // namespace scalebench::bench
