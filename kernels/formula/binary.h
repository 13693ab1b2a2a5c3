// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Arithmetic of two operands, per element, and the gradient of each operand.

#include "kernels/broadcast.h"
#include "kernels/formula/host_device.h"

namespace scalebench::formula {

SB_HOST_DEVICE float binary(BinaryOp op, float a, float b)
{
    switch (op) {
    case BinaryOp::Add:
        return a + b;
    case BinaryOp::Subtract:
        return a - b;
    case BinaryOp::Multiply:
        return a * b;
    case BinaryOp::Divide:
        return a / b;
    }
    return a;
}

/// Gradient of the first operand, from that of the result.
SB_HOST_DEVICE float binaryGradientA(BinaryOp op, float, float b, float dy)
{
    return op == BinaryOp::Multiply ? dy * b : op == BinaryOp::Divide ? dy / b : dy;
}

/// Gradient of the second.
SB_HOST_DEVICE float binaryGradientB(BinaryOp op, float a, float b, float dy)
{
    switch (op) {
    case BinaryOp::Add:
        return dy;
    case BinaryOp::Subtract:
        return -dy;
    case BinaryOp::Multiply:
        return dy * a;
    case BinaryOp::Divide:
        return -dy * a / (b * b);
    }
    return dy;
}

} // namespace scalebench::formula
