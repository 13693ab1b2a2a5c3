// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/peak.h"

#include "engine/bench/memory_bench.h"
#include "kernels/cpu_features.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include <omp.h>

#if defined(__x86_64__)
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace scalebench::bench {
namespace {

/// Runs a loop of multiply-adds and returns how many operations it did. The result goes to `sink`
/// so that nothing is optimised away.
using Loop = double (*)(std::int64_t rounds, float* sink);

/// `Chains` independent accumulators hide the latency of a multiply-add (4 cycles, two a cycle).
template <typename Vector, int Chains>
[[gnu::always_inline]] inline double fmaChains(std::int64_t rounds, float* sink)
{
    Vector sums[Chains] = {};
    const Vector factor = Vector{} + 0.5f, term = Vector{} + 1.0f;
    for (std::int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 32 // else the sums stay in memory
        for (int c = 0; c < Chains; ++c)
            sums[c] = sums[c] * factor + term;
            // Without this the loops would be exchanged and unrolled into one chain at a time.
#pragma GCC unroll 32
        for (int c = 0; c < Chains; ++c)
            asm volatile("" : "+v"(sums[c]));
    }
    for (int c = 1; c < Chains; ++c)
        sums[0] = sums[0] + sums[c];
    *sink = sums[0][0];
    return 2.0 * double(sizeof(Vector) / sizeof(float)) * Chains * double(rounds);
}

#if defined(__x86_64__)

typedef float Vector16 __attribute__((vector_size(16)));
typedef float Vector32 __attribute__((vector_size(32)));
typedef float Vector64 __attribute__((vector_size(64)));

double fmaSse(std::int64_t rounds, float* sink)
{
    return fmaChains<Vector16, 12>(rounds, sink);
}

[[gnu::target("avx2,fma")]] double fmaAvx2(std::int64_t rounds, float* sink)
{
    return fmaChains<Vector32, 12>(rounds, sink);
}

[[gnu::target("avx512f,fma")]] double fmaAvx512(std::int64_t rounds, float* sink)
{
    return fmaChains<Vector64, 24>(rounds, sink);
}

[[gnu::target("avx512f,avx512bf16")]] double dotAvx512(std::int64_t rounds, float* sink)
{
    constexpr int kChains = 24;
    __m512 sums[kChains];
    for (__m512& sum : sums)
        sum = _mm512_setzero_ps();
    const __m512bh ones = (__m512bh)_mm512_set1_epi16(0x3f80);
    for (std::int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 32
        for (int c = 0; c < kChains; ++c)
            sums[c] = _mm512_dpbf16_ps(sums[c], ones, ones);
#pragma GCC unroll 32
        for (int c = 0; c < kChains; ++c)
            asm volatile("" : "+v"(sums[c]));
    }
    for (int c = 1; c < kChains; ++c)
        sums[0] = _mm512_add_ps(sums[0], sums[c]);
    *sink = _mm512_cvtss_f32(sums[0]);
    return 2.0 * 32 * kChains * double(rounds);
}

struct TileConfig {
    std::uint8_t palette = 1, startRow = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t rowBytes[16] = {};
    std::uint8_t rows[16] = {};
};

/// Tiles of 16 rows of 64 bytes: C[16,16] += A[16,32] B[32,16] in one instruction. Four sums from
/// two A and two B tiles, the shape that matrix products use.
[[gnu::target("amx-tile,amx-bf16")]] double tilesAmx(std::int64_t rounds, float* sink)
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
    for (std::int64_t i = 0; i < rounds; ++i) {
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, sums, 64);
    _tile_release();
    *sink = sums[0];
    return 2.0 * 4 * 16 * 16 * 32 * double(rounds);
}

/// Linux hands out the tile registers on request (ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA).
bool allowAmx()
{
    constexpr long kRequestPermission = 0x1023, kTileData = 18;
    return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

struct Choice {
    Loop loop = nullptr;
    const char* method = "";
};

Choice chooseLoop(DType dtype)
{
    if (dtype == DType::BF16) {
        const kernels::cpu::CpuFeatures features = kernels::cpu::cpuFeatures();
        if (!features.bf16Fast)
            return {};
        // By oneDNN's view of the processor, which a cap for tests also lowers.
        if (features.isa.find("AMX") != std::string::npos && allowAmx())
            return {tilesAmx, "AMX bf16"};
        if (__builtin_cpu_supports("avx512bf16"))
            return {dotAvx512, "AVX-512 bf16"};
        return {};
    }
    if (__builtin_cpu_supports("avx512f"))
        return {fmaAvx512, "AVX-512 FMA"};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {fmaAvx2, "AVX2 FMA"};
    return {fmaSse, "SSE multiply and add"};
}

#else

typedef float PlainVector __attribute__((vector_size(16)));

double fmaPlain(std::int64_t rounds, float* sink)
{
    PlainVector sums[12] = {};
    for (std::int64_t i = 0; i < rounds; ++i)
        for (PlainVector& sum : sums)
            sum = sum * 0.5f + 1.0f;
    for (int c = 1; c < 12; ++c)
        sums[0] = sums[0] + sums[c];
    *sink = sums[0][0];
    return 2.0 * 4 * 12 * double(rounds);
}

struct Choice {
    Loop loop = nullptr;
    const char* method = "";
};

Choice chooseLoop(DType dtype)
{
    return dtype == DType::BF16 ? Choice{} : Choice{fmaPlain, "vector multiply and add"};
}

#endif

double secondsNow()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Operations per second of this thread: the best of many short tries, so that other programs,
/// which take the processor for some milliseconds at a time, do not lower the peak.
double bestRate(Loop loop, std::int64_t rounds)
{
    float sink = 0;
    double best = 0;
    const double begin = secondsNow();
    do {
        const double start = secondsNow();
        const double operations = loop(rounds, &sink);
        best = std::max(best, operations / (secondsNow() - start));
        asm volatile("" : : "m"(sink));
    } while (secondsNow() - begin < 0.15);
    return best;
}

} // namespace

ComputePeak measureComputePeak(DType dtype, int threads)
{
    const Choice choice = chooseLoop(dtype);
    if (choice.loop == nullptr)
        return {};
    float sink = 0;
    std::int64_t rounds = 1000;
    for (double seconds = 0; seconds < 200e-6; rounds *= 2) {
        const double start = secondsNow();
        choice.loop(rounds, &sink);
        seconds = secondsNow() - start;
    }
    double total = 0;
    // All at once, as clocks drop when more cores compute.
#pragma omp parallel num_threads(threads) reduction(+ : total)
    total += bestRate(choice.loop, rounds);
    return {total, choice.method};
}

MemoryPeak measureMemoryPeak(int threads, std::int64_t mostBytes)
{
    // Three arrays; a quarter of what is free leaves others alone.
    const std::int64_t wanted = std::min(4 * lastLevelCacheBytes(), mostBytes);
    const std::int64_t bytes =
        std::max<std::int64_t>(1 << 20, std::min(wanted, availableMemory() / 12));
    MemoryPeak peak;
    peak.arrayBytes = bytes / 4096 * 4096;
    StreamArrays arrays(peak.arrayBytes, threads);
    for (int attempt = 0; attempt < 3; ++attempt) {
        const double copy = secondsNow();
        arrays.run(StreamKernel::Copy);
        const double triad = secondsNow();
        arrays.run(StreamKernel::Triad);
        const double end = secondsNow();
        peak.copy = std::max(peak.copy, 2.0 * double(peak.arrayBytes) / (triad - copy));
        peak.triad = std::max(peak.triad, 3.0 * double(peak.arrayBytes) / (end - triad));
    }
    return peak;
}

double addComputePeak(const Options& options, Report& report)
{
    char text[200];
    if (options.dtype == DType::BF16) {
        const ComputePeak peak = measureComputePeak(DType::BF16, options.threads);
        if (peak.flops > 0) {
            std::snprintf(text, sizeof text, "Peak measured here: %.1f GFLOP/s (%s, %d thread%s)",
                          peak.flops / 1e9, peak.method.c_str(), options.threads,
                          options.threads == 1 ? "" : "s");
            report.addPeak("bf16_gflops", peak.flops / 1e9, text);
            return peak.flops;
        }
        report.addNote(kernels::cpu::cpuFeatures().bf16Reason);
    }
    const ComputePeak peak = measureComputePeak(DType::F32, options.threads);
    std::snprintf(text, sizeof text, "Peak measured here: %.1f GFLOP/s (%s, %d thread%s)",
                  peak.flops / 1e9, peak.method.c_str(), options.threads,
                  options.threads == 1 ? "" : "s");
    report.addPeak("fp32_gflops", peak.flops / 1e9, text);
    return peak.flops;
}

} // namespace scalebench::bench
