// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What float_gemm.cpp (blocks, shared by threads), float_operands.cpp (their order) and
// float_kernels.cpp (the innermost loops) know of one another.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "kernels/cpu/float_gemm.h"
#include "kernels/cpu_level.h"

namespace scalebench::kernels::cpu::floats {

constexpr std::int64_t kSlack = 16; ///< floats that packing may write behind a panel of A
constexpr std::int64_t kLine = 16;  ///< floats of a cache line

constexpr std::int64_t roundUp(std::int64_t n, std::int64_t to)
{
    return (n + to - 1) / to * to;
}

/// Heights of `panels` panels of n rows differ by one at most, so that none is much shorter than
/// what hides the latency of a sum.
constexpr std::int64_t panelBegin(std::int64_t n, std::int64_t panels, std::int64_t i)
{
    return n / panels * i + std::min(i, n % panels);
}

inline FloatMatrix moved(FloatMatrix m, std::int64_t rows, std::int64_t columns)
{
    m.at += rows * m.rowStride + columns * m.columnStride;
    return m;
}

/// Lines of memory that one call of the innermost loop fetches, one with each step, for later ones:
/// many at a time would hold up the operands, whose loads would wait behind them.
struct Lines {
    /// `count` lines, each `step` floats behind the one before it.
    struct Run {
        const float* at;
        std::int64_t step, count;
    };
    static constexpr std::int64_t kMost = 4; ///< runs
    Run runs[kMost];
    std::int64_t count = 0;
    std::int64_t share = 0; ///< of the next panel of B, in rows
};

/// What a block of C becomes.
struct Result {
    float* at;
    std::int64_t ldc;
    bool accumulate;
    FloatFinish finish; ///< bias of its first column
};

/// How one instruction set copies operands.
struct Packing {
    int wide = 0; ///< floats that `side` writes at once
    /// A panel of A.
    void (*rows)(FloatMatrix A, std::int64_t height, std::int64_t depth, float* out) = nullptr;
    /// All panels of a block of an A whose rows are stored side by side.
    void (*side)(FloatMatrix A, std::int64_t rows, std::int64_t panels, std::int64_t depth,
                 float* out) = nullptr;
    /// A panel of B.
    void (*columns)(FloatMatrix B, std::int64_t width, std::int64_t depth, float* out) = nullptr;
};
extern const Packing kPackingAvx2, kPackingAvx512;

/// `height` rows of A, packed or `step` apart, against a panel of B.
using Multiply = void (*)(int height, std::int64_t depth, const float* A, std::int64_t step,
                          const float* B, const float* next, const Lines& lines, const Result& C);

/// One instruction set.
struct Level {
    int height = 0, width = 0; ///< of the largest block of C in registers
    std::int64_t depth = 1;    ///< of a block: K is summed in pieces of this
    std::int64_t rows = 1;     ///< of a block of A, which stays in the second-level cache
    const Packing* packing = nullptr;
    Multiply multiply = nullptr;
    /// Of rows where they lie, which costs less than to copy them for few columns of C.
    Multiply multiplyInPlace = nullptr;
    std::int64_t inPlaceColumns = 0; ///< at most
};

/// That of this processor; a height of 0 where there is none.
const Level& level();
/// That of a processor of this kind, by the vendor's name in cpuid.
const Level& levelOf(CpuLevel set, std::string_view vendor);

/// To panels of level().height rows at most.
void packBlock(FloatMatrix A, std::int64_t rows, std::int64_t panels, std::int64_t depth,
               float* out);
/// To panels of level().width columns.
void packPanels(FloatMatrix B, std::int64_t columns, std::int64_t depth, float* out);

} // namespace scalebench::kernels::cpu::floats
