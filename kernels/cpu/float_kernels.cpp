// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loops of products in fp32, for each instruction set, with the sizes of its
// registers and caches.
#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/cpu/float_level.h"
#include "kernels/cpu_features.h"
#include "kernels/cpu_level.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu::floats {

#if defined(__x86_64__)

namespace {

constexpr std::int64_t kLong = 128; ///< depth from which C is fetched before it is needed

/// Steps for each of `share` lines that are fetched during `steps`, as a power of two: no more than
/// there are, or a part would not be fetched at all. Where there are many, as few as suit the
/// processor (`apart`), as that is over soon.
constexpr int repeatsOf(std::int64_t share, std::int64_t steps, int apart)
{
    const std::int64_t each = steps / std::max<std::int64_t>(share, 1);
    return each >= 8 ? std::countr_zero(unsigned(apart)) : each >= 4 ? 2 : each >= 2 ? 1 : 0;
}

/// Height x 2 vectors of C in registers over `depth`. Packed: A is, else rows are `step` apart.
/// next: as much as B is, fetched meanwhile. lines: fetched too, as many as there are steps for:
/// one with every Apart steps.
template <class Vector, int Height, int Apart, bool Packed>
SB_HOST_DEVICE void microKernel(std::int64_t depth, const float* A, std::int64_t step,
                                const float* B, const float* next, const Lines& lines,
                                const Result& C)
{
    constexpr int kWidth = int(sizeof(Vector) / sizeof(float));
    constexpr bool kSpread = sizeof(Vector) == 32; // measured with AVX2 (Zen 3 class) only
    float* const at = C.at;
    const std::int64_t ldc = C.ldc;
    Vector c[Height][2] = {};
    // Of every third row, from where an address reaches two more: registers are few.
    constexpr int kReach = 3;
    const float* rows[(Height + kReach - 1) / kReach];
    for (int i = 0; i * kReach < Height; ++i)
        rows[i] = A + i * kReach * step;
    const auto add = [&](std::int64_t k) SB_INLINE {
        Vector b0, b1;
        std::memcpy(&b0, B + k * 2 * kWidth, sizeof b0);
        std::memcpy(&b1, B + k * 2 * kWidth + kWidth, sizeof b1);
#pragma GCC unroll 16
        for (int m = 0; m < Height; ++m) {
            const float a = Packed ? A[k * Height + m] : rows[m / kReach][m % kReach * step];
            c[m][0] += a * b0;
            c[m][1] += a * b1;
        }
        if constexpr (!Packed)
#pragma GCC unroll 4
            for (const float*& row : rows)
                ++row;
    };
    std::int64_t k = 0;
    const auto during = [&](std::int64_t count, auto&& fetch) SB_INLINE {
        const std::int64_t end = std::min(depth, k + count * Apart);
#pragma GCC unroll 1
        for (std::int64_t i = 0; k < end; ++k, ++i) {
            if (Apart == 1 || i % Apart == 0)
                fetch();
            add(k);
        }
    };
    // While many sums are made, what they are stored to comes near, a row with each, as more at a
    // time would hold up the operands; not unrolled, as sums in a row would be made in pairs.
    const float* row = at;
    during(depth >= kLong ? Height : 0, [&]() SB_INLINE {
#pragma GCC unroll 3
        for (int n = 0; n <= 2 * kWidth; n += int(kLine))
            __builtin_prefetch(row + std::min(n, 2 * kWidth - 1), 1);
        row += ldc;
    });
    // Then lines that are needed later,
#pragma GCC unroll 1
    for (std::int64_t i = 0; i < lines.count; ++i) {
        const float* line = lines.runs[i].at;
        during(lines.runs[i].count, [&]() SB_INLINE {
            __builtin_prefetch(line, 0, 2);
            line += lines.runs[i].step;
        });
    }
    // and a part of the next panel of B. Where that is much, as A has few panels, a line has
    // several steps: it comes from far away, and operands would wait behind many that are on their
    // way. Asking for it again costs less than a loop within the loop.
    const int again = kSpread || Apart > 1 ? repeatsOf(lines.share, depth - k, Apart) : 0;
    const std::int64_t sharing = std::min(depth - k, lines.share << again);
#pragma GCC unroll 1
    for (std::int64_t i = 0; i < sharing; ++i, ++k) {
        const float* const line = next + (i >> again) * 2 * kWidth;
        for (int n = 0; n < 2 * kWidth; n += int(kLine))
            __builtin_prefetch(line + n, 0, 2);
        add(k);
    }
#pragma GCC unroll 1
    for (; k < depth; ++k)
        add(k);
    if (C.accumulate)
#pragma GCC unroll 16
        for (int m = 0; m < Height; ++m)
#pragma GCC unroll 2
            for (int n = 0; n < 2; ++n) {
                Vector old;
                std::memcpy(&old, at + m * ldc + n * kWidth, sizeof old);
                c[m][n] += old;
            }
    if (const float* const bias = C.finish.bias) {
        Vector b[2];
        std::memcpy(b, bias, sizeof b);
#pragma GCC unroll 16
        for (int m = 0; m < Height; ++m)
            c[m][0] += b[0], c[m][1] += b[1];
    }
    if (C.finish.relu)
#pragma GCC unroll 16
        for (int m = 0; m < Height; ++m)
#pragma GCC unroll 2
            for (int n = 0; n < 2; ++n)
                c[m][n] = c[m][n] < 0.0f ? Vector{} : c[m][n];
#pragma GCC unroll 16
    for (int m = 0; m < Height; ++m)
#pragma GCC unroll 2
        for (int n = 0; n < 2; ++n)
            std::memcpy(at + m * ldc + n * kWidth, &c[m][n], sizeof(Vector));
}

/// The kernel for each height up to Height, chosen at run time.
template <class Vector, int Height, int Apart, bool Packed>
SB_HOST_DEVICE void microKernels(int height, std::int64_t depth, const float* A, std::int64_t step,
                                 const float* B, const float* next, const Lines& lines,
                                 const Result& C)
{
    if (height == Height)
        return microKernel<Vector, Height, Apart, Packed>(depth, A, step, B, next, lines, C);
    if constexpr (Height > 1)
        microKernels<Vector, Height - 1, Apart, Packed>(height, depth, A, step, B, next, lines, C);
}

// A function for each way: all heights of both in one are slower (6 % with a depth of 128), how
// ever their loops are aligned.
#define SB_FLOAT_LOOPS(name, isa, bytes, height, apart, packed)                                    \
    [[gnu::target(isa)]] void multiply##name(int rows, std::int64_t depth, const float* A,         \
                                             std::int64_t step, const float* B, const float* next, \
                                             const Lines& lines, const Result& C)                  \
    {                                                                                              \
        using Vector [[gnu::vector_size(bytes)]] = float;                                          \
        microKernels<Vector, height, apart, packed>(rows, depth, A, step, B, next, lines, C);      \
    }
SB_FLOAT_LOOPS(Avx2, "arch=x86-64-v3", 32, 6, 1, true)
SB_FLOAT_LOOPS(Avx512, "arch=x86-64-v4", 64, 12, 1, true)
SB_FLOAT_LOOPS(Intel512, "arch=x86-64-v4", 64, 12, 4, true)
SB_FLOAT_LOOPS(Intel512InPlace, "arch=x86-64-v4", 64, 12, 4, false)
#undef SB_FLOAT_LOOPS

// Depths and rows as measured: with AVX2 (Zen 3 class) 512 x 72 is 2 % faster than 256 x 144. Intel
// makes two 512-bit products a cycle, so that a step is half as long: fetching a line with each
// kept more of them on their way than the first-level cache has buffers for (Emerald Rapids, layers
// of a Transformer: 143 GFLOP/s, with every fourth step 151, of 171).
constexpr Level kAvx2{6, 16, 512, 72, &kPackingAvx2, multiplyAvx2},
    kAvx512{12, 32, 384, 120, &kPackingAvx512, multiplyAvx512},
    kIntel512{12, 32, 256, 180, &kPackingAvx512, multiplyIntel512, multiplyIntel512InPlace, 512};
static_assert(std::max(kAvx2.width, kAvx512.width) <= kFloatPanelWidth);

} // namespace

const Level& levelOf(CpuLevel set, std::string_view vendor)
{
    static const Level none;
    if (set == CpuLevel::Avx512)
        return vendor == "GenuineIntel" ? kIntel512 : kAvx512;
    return set == CpuLevel::Avx2 ? kAvx2 : none;
}

#else

const Level& levelOf(CpuLevel, std::string_view)
{
    static const Level none;
    return none;
}

#endif

const Level& level()
{
    static const Level& chosen = levelOf(cpuLevel(), cpuFeatures().vendor);
    return chosen;
}

} // namespace scalebench::kernels::cpu::floats
