// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Products in fp32 by the processor's bf16 instructions, where those are many times faster (AMX
// multiplies 16 pairs of bf16 in the time of one of fp32). An operand is the sum of three bf16
// numbers, x = high + middle + low, without a rest, as each has 8 of its 24 bits; of the nine
// products of such parts six are summed, in fp32:
//
//   high high + high middle + middle high + high low + low high + middle middle
//
// What is left out is below 2^-25 of |a b|: less than fp32 loses when it rounds a product (Henry,
// Tang and Heinecke, "Leveraging the bfloat16 artificial intelligence datatype for higher-precision
// computations", ARITH 2019). Three things differ from fp32's own instructions: parts below 2^-126
// become zero, an operand that is no finite number (or above bf16's largest, 3.39e38) makes the
// sums that it enters no number, and sums are rounded in another order.
//
// The same interface, and the same promise, as float_gemm.h's: the order in which products are
// summed depends on K alone.

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/float_gemm.h"

namespace scalebench::kernels::cpu {

/// Whether this processor has the instructions that this is written for: AMX, or those of
/// AVX512_BF16, with which it can be tested.
bool splitGemmAvailable();
/// Whether it is faster here than floatGemm(): with AMX.
bool splitGemmFaster();

std::size_t splitGemmWorkspace(std::int64_t N, int tasks);
void splitGemm(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A, FloatMatrix B,
               float* C, std::int64_t ldc, bool accumulate, int tasks, void* workspace,
               const FloatFinish& finish = {});
void splitGemmPanels(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                     const FloatPanels& B, float* C, std::int64_t ldc, bool accumulate, int tasks,
                     void* workspace, const FloatFinish& finish = {});

/// Half as large again as B.
std::size_t splitGemmPackedBytes(std::int64_t N, std::int64_t K);
void splitGemmPack(std::int64_t N, std::int64_t K, FloatMatrix B, float* packed);
void splitGemmPacked(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                     const float* packed, float* C, std::int64_t ldc, bool accumulate, int tasks,
                     void* workspace, const FloatFinish& finish = {});

} // namespace scalebench::kernels::cpu
