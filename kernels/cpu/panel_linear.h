// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A linear layer by the products of panel_gemm.h: rows in blocks that the second-level cache holds,
// from the gradient of the activation to the product that reads it.

#include <cstddef>
#include <cstdint>

#include "kernels/linear.h"

namespace scalebench::kernels::cpu {

class PanelLinear
{
public:
    /// Whether products of this layer are these. In bf16 the same for any number of rows and any
    /// activation, as the weight is packed for it; in fp32 it is packed by each call.
    static bool suits(const LinearParams& p);

    explicit PanelLinear(const LinearParams& p);
    std::size_t packedWeightBytes() const; ///< 0 in fp32
    std::size_t workspaceBytes() const;
    void pack(const float* w, void* packed) const;
    /// Of the activations only ReLU is applied.
    void forward(const void* x, const float* w, const void* packed, const float* b, void* y,
                 void* workspace) const;
    void backward(const LinearBackward& b, void* workspace) const;

private:
    template <class T>
    struct Piece;
    struct DataBlock;
    template <class T>
    void forwardRows(const void* x, const std::uint32_t* weight, const float* b, void* y) const;
    template <class T>
    void gradientBlock(const Piece<T>& piece, std::int64_t row, std::int64_t rows) const;
    template <class T>
    void dataGradient(const Piece<T>& piece, const T* g, const DataBlock& d) const;
    template <class T>
    void backwardPieces(const LinearBackward& all, const std::uint32_t* weight,
                        void* workspace) const;
    std::int64_t words(std::int64_t depth) const; ///< in the type of the layer
    std::int64_t transposedWords() const;
    std::int64_t plainWords() const;
    std::int64_t deepPieces() const; ///< that the data gradient is summed in

    LinearParams p_;
    int threads_;
    std::int64_t pieceRows_; ///< of backward at once
};

} // namespace scalebench::kernels::cpu
