// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The elementwise family of the CUDA backend: arithmetic in elementwise.cpp, reductions and data
// movement in data_movement.cpp.

#include "engine/backend/cuda/cuda_context.h"

namespace scalebench::cuda_backend {

class CudaElementwise final : public ElementwiseOps
{
public:
    explicit CudaElementwise(CudaContext& context) : context_(context) {}

    Tensor cast(const Tensor& input, DType dtype) override;
    Tensor sum(std::vector<Tensor> terms) override;
    Tensor reluForward(const Tensor& input) override;
    Tensor reluBackward(const Tensor& output, const Tensor& gradOutput) override;
    Tensor activationForward(Activation activation, const Tensor& input) override;
    Tensor activationBackward(Activation activation, const Tensor& kept,
                              const Tensor& gradOutput) override;
    Tensor binaryForward(BinaryOp op, const Tensor& a, const Tensor& b) override;
    Tensor binaryBackward(BinaryOp op, bool ofB, const Tensor& a, const Tensor& b,
                          const Tensor& gradOutput) override;
    Tensor scale(const Tensor& input, float factor) override;
    Tensor dropout(const Tensor& input, const DropoutArgs& args) override;
    Tensor dropoutAdd(const Tensor& input, const Tensor& residual,
                      const DropoutArgs& args) override;

    Tensor reduceForward(ReduceOp op, const Tensor& input, const std::vector<int>& axes,
                         bool keepAxes, DType dtype, Tensor* argmax) override;
    Tensor reduceBackward(ReduceOp op, const Shape& inputShape, DType inputType,
                          const std::vector<int>& axes, const Tensor& gradOutput,
                          const Tensor& argmax) override;
    Tensor concat(const std::vector<Tensor>& parts, int axis) override;
    Tensor slice(const Tensor& input, int axis, std::int64_t begin, std::int64_t end) override;
    Tensor sliceBackward(const Shape& inputShape, int axis, std::int64_t begin,
                         const Tensor& gradOutput) override;
    Tensor permute(const Tensor& input, const std::vector<int>& order) override;
    Tensor gather(const Tensor& input, int axis, const Tensor& ids) override;
    Tensor gatherBackward(const Shape& inputShape, int axis, const Tensor& ids,
                          const Tensor& gradOutput) override;
    TopK topK(const Tensor& input, std::int64_t k) override;

private:
    CudaContext& context_;
};

} // namespace scalebench::cuda_backend
