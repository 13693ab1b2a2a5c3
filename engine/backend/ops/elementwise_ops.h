// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Element by element operations, reductions and data movement of a backend. Activations are F32 or
// BF16; arithmetic is fp32. Axes count from 0, negative ones from the end.

#include <cstdint>
#include <vector>

#include "engine/tensor/tensor.h"
#include "kernels/activation.h"
#include "kernels/broadcast.h"
#include "kernels/reduce.h"

namespace scalebench {

/// Which elements dropout keeps: those that the counter-based generator picks for `key`, the same
/// on every device (kernels/formula/dropout.h).
struct DropoutArgs {
    float probability = 0.1f; ///< of being dropped, in [0,1)
    std::uint64_t key = 0;    ///< Tape::drawRandomKey()
    std::uint64_t offset = 0; ///< number of the first element in the sequence of that key
    /// In a device's memory: `key` is a draw from it, see Tape::seedRandomFrom().
    const std::uint64_t* step = nullptr;
};

struct TopK {
    Tensor values;  ///< [..., k], largest first
    Tensor indices; ///< I32, positions on the last axis; the lowest first among equal values
};

class ElementwiseOps
{
public:
    virtual ~ElementwiseOps() = default;

    virtual Tensor cast(const Tensor& input, DType dtype) = 0;
    /// Sum of one or more tensors of one shape and type; may reuse the first when unshared.
    virtual Tensor sum(std::vector<Tensor> terms) = 0;
    virtual Tensor reluForward(const Tensor& input) = 0;
    virtual Tensor reluBackward(const Tensor& output, const Tensor& gradOutput) = 0;

    /// `kept` of the backward is the input for the GELUs, the output for the others
    /// (kernels/activation_op.h).
    virtual Tensor activationForward(Activation activation, const Tensor& input) = 0;
    virtual Tensor activationBackward(Activation activation, const Tensor& kept,
                                      const Tensor& gradOutput) = 0;

    /// numpy's broadcasting; both operands of one type.
    virtual Tensor binaryForward(BinaryOp op, const Tensor& a, const Tensor& b) = 0;
    /// Gradient of b (`ofB`) or a, in its shape and type.
    virtual Tensor binaryBackward(BinaryOp op, bool ofB, const Tensor& a, const Tensor& b,
                                  const Tensor& gradOutput) = 0;
    virtual Tensor scale(const Tensor& input, float factor) = 0;

    /// input * mask / (1 - probability). Its own backward: nothing is stored.
    virtual Tensor dropout(const Tensor& input, const DropoutArgs& args) = 0;
    /// residual + dropout(input) in one pass.
    virtual Tensor dropoutAdd(const Tensor& input, const Tensor& residual,
                              const DropoutArgs& args) = 0;

    /// Over `axes` (all when empty), which stay with size 1 when `keepAxes`; a result without axes
    /// is [1]. The result is in `dtype`. argmax (Max only): what the backward wants, I32.
    virtual Tensor reduceForward(ReduceOp op, const Tensor& input, const std::vector<int>& axes,
                                 bool keepAxes, DType dtype, Tensor* argmax) = 0;
    virtual Tensor reduceBackward(ReduceOp op, const Shape& inputShape, DType inputType,
                                  const std::vector<int>& axes, const Tensor& gradOutput,
                                  const Tensor& argmax) = 0;

    /// Parts of one type that agree on all axes but `axis`.
    virtual Tensor concat(const std::vector<Tensor>& parts, int axis) = 0;
    /// Entries [begin, end) of an axis.
    virtual Tensor slice(const Tensor& input, int axis, std::int64_t begin, std::int64_t end) = 0;
    /// Zero but for the slice.
    virtual Tensor sliceBackward(const Shape& inputShape, int axis, std::int64_t begin,
                                 const Tensor& gradOutput) = 0;
    /// Axis i of the result is axis order[i] of the input.
    virtual Tensor permute(const Tensor& input, const std::vector<int>& order) = 0;
    /// Entries ids (I32 [n]) of an axis, as torch.index_select.
    virtual Tensor gather(const Tensor& input, int axis, const Tensor& ids) = 0;
    virtual Tensor gatherBackward(const Shape& inputShape, int axis, const Tensor& ids,
                                  const Tensor& gradOutput) = 0;
    /// Of the last axis.
    virtual TopK topK(const Tensor& input, std::int64_t k) = 0;
};

} // namespace scalebench
