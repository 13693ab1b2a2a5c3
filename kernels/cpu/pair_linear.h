// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A linear layer in bf16 by the products of pair_gemm.h: rows in blocks that the second-level cache
// holds, from the gradient of the activation to the product that reads it.

#include <cstddef>
#include <cstdint>

#include "kernels/linear.h"

namespace scalebench::kernels::cpu {

class PairLinear
{
public:
    /// Whether products of this layer are these: the same for any number of rows and any
    /// activation, as the weight is packed for it.
    static bool suits(const LinearParams& p);

    explicit PairLinear(const LinearParams& p);
    std::size_t packedWeightBytes() const;
    std::size_t workspaceBytes() const;
    void pack(const float* w, void* packed) const;
    /// Of the activations only ReLU is applied.
    void forward(const void* x, const void* packed, const float* b, void* y) const;
    void backward(const LinearBackward& b, void* workspace) const;

private:
    struct Piece;
    void gradientBlock(const Piece& piece, std::int64_t row, std::int64_t rows) const;

    LinearParams p_;
    int threads_;
    std::int64_t pieceRows_; ///< of backward at once
};

} // namespace scalebench::kernels::cpu
