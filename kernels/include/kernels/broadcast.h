// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Arithmetic of two tensors with numpy's broadcasting: shapes are aligned at the last axis and an
// axis of size 1 is repeated (https://numpy.org/doc/stable/user/basics.broadcasting.html).

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/types.h"

namespace scalebench {

enum class BinaryOp : std::uint8_t { Add, Subtract, Multiply, Divide };

constexpr const char* binaryOpName(BinaryOp op)
{
    return op == BinaryOp::Add        ? "add"
           : op == BinaryOp::Subtract ? "subtract"
           : op == BinaryOp::Multiply ? "multiply"
                                      : "divide";
}

struct BroadcastParams {
    static constexpr int kMaxAxes = 6;
    BinaryOp op = BinaryOp::Add;
    DType dtype = DType::F32;
    int axes = 0; ///< of the result, after merging neighbours; the last one innermost
    std::array<std::int64_t, kMaxAxes> size{};
    std::array<std::int64_t, kMaxAxes> strideA{}, strideB{}; ///< elements; 0: repeated

    /// Elements of the result.
    std::int64_t count() const;
    /// Merges axes that both operands walk alike. False when the shapes do not fit or more than
    /// kMaxAxes axes remain. A shape of no axes is a scalar.
    static bool make(BinaryOp op, DType dtype, const std::vector<std::int64_t>& a,
                     const std::vector<std::int64_t>& b, BroadcastParams& p);
    /// Shape of the result; false when the shapes do not fit.
    static bool resultShape(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b,
                            std::vector<std::int64_t>& result);
};

namespace kernels::cpu {

/// y = a op b, contiguous in the shape of the result; y may be an operand of that shape.
void binaryForward(const BroadcastParams& p, const void* a, const void* b, void* y);
/// Gradient of operand A or B before it is summed over the repeated axes: F32 when `f32Output`
/// (to be summed), else in p.dtype; in the shape of the result. dy in p.dtype.
void binaryBackward(const BroadcastParams& p, bool ofB, const void* a, const void* b,
                    const void* dy, bool f32Output, void* g);
/// y = factor x, n elements. y may be x.
void scaleForward(DType dtype, std::int64_t n, float factor, const void* x, void* y);

} // namespace kernels::cpu
} // namespace scalebench
