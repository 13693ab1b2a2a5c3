// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrix products in fp32 of any size, by blocks that stay in the caches (Goto and van de Geijn,
// "Anatomy of high-performance matrix multiplication", 2008): operands are copied block by block
// into the order in which the innermost loop reads them. Both operands may be stored either way
// round; a constant B may be copied once (packed) for many products.
//
// The order in which products are summed depends on K and the processor alone, not on threads or
// sizes.

#include <cstddef>
#include <cstdint>

namespace scalebench::kernels::cpu {

/// Element (row, column) is at[row * rowStride + column * columnStride]; one stride is 1.
struct FloatMatrix {
    const float* at = nullptr;
    std::int64_t rowStride = 0, columnStride = 0;
};

/// Whether this processor has the instructions that this is written for (AVX2 or AVX-512).
bool floatGemmAvailable();

/// What is done to sums when they are complete: C = relu(C + bias).
struct FloatFinish {
    const float* bias = nullptr; ///< [N]; null: none
    bool relu = false;
};

/// Scratch of floatGemm() with so many tasks (one per thread), 64-byte aligned.
std::size_t floatGemmWorkspace(std::int64_t N, int tasks);
/// C[M,N] = A[M,K] B[K,N], or C += A B. C: rows `ldc` elements apart, overlaps no operand.
void floatGemm(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A, FloatMatrix B,
               float* C, std::int64_t ldc, bool accumulate, int tasks, void* workspace,
               const FloatFinish& finish = {});

/// A B that is not stored as a matrix: copies rows [k, k + depth) of columns [n, n + width) to
/// out[depth][panel], zeros behind `width`. Called from several threads.
struct FloatPanels {
    void (*pack)(const void* source, std::int64_t k, std::int64_t depth, std::int64_t n,
                 std::int64_t width, std::int64_t panel, float* out);
    const void* source;
};
/// floatGemm() with such a B.
void floatGemmPanels(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                     const FloatPanels& B, float* C, std::int64_t ldc, bool accumulate, int tasks,
                     void* workspace, const FloatFinish& finish = {});

/// The same with a B that floatGemmPack() has copied.
std::size_t floatGemmPackedBytes(std::int64_t N, std::int64_t K);
void floatGemmPack(std::int64_t N, std::int64_t K, FloatMatrix B, float* packed);
/// The same with a B that is not stored as a matrix, called from several threads; at most
/// kFloatPanelRows rows of at most kFloatPanelWidth columns at a time.
constexpr std::int64_t kFloatPanelRows = 8, kFloatPanelWidth = 32;
void floatGemmPackPanels(std::int64_t N, std::int64_t K, const FloatPanels& B, float* packed);
void floatGemmPacked(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                     const float* packed, float* C, std::int64_t ldc, bool accumulate, int tasks,
                     void* workspace, const FloatFinish& finish = {});

} // namespace scalebench::kernels::cpu
