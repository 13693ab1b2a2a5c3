// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrix products of a backend, row-major. Products of f32 tensors are f32; products of bf16
// tensors are rounded to the output type asked for (sums are fp32).

#include "engine/backend/ops/weight_ref.h"
#include "engine/tensor/tensor.h"
#include "kernels/activation.h"

namespace scalebench {

struct LinearArgs {
    Activation activation = Activation::None;
    /// BF16 only for BF16 inputs.
    DType outputType = DType::F32;
};

struct LinearGradients {
    Tensor weight, bias; ///< F32, as the parameters; undefined: not wanted
    bool accumulateWeight = false, accumulateBias = false; ///< add to them
};

struct MatmulArgs {
    bool transA = false, transB = false; ///< a is [...,K,M], b is [...,N,K]
    DType outputType = DType::F32;
};

class MatmulOps
{
public:
    virtual ~MatmulOps() = default;

    /// act(input weight^T + bias): input [...,in], weight [out,in], bias F32 [out] or undefined;
    /// returns [...,out]. `kept` (may be null): what backward needs besides the input, possibly the
    /// output itself; undefined without activation.
    virtual Tensor linearForward(const LinearArgs& args, const Tensor& input,
                                 const WeightRef& weight, const Tensor& bias, Tensor* kept) = 0;
    /// Returns the gradient of the input, as the input; undefined unless `needInput`. gradOutput
    /// has the output's type.
    virtual Tensor linearBackward(const LinearArgs& args, const Tensor& input,
                                  const WeightRef& weight, const Tensor& kept,
                                  const Tensor& gradOutput, bool needInput,
                                  const LinearGradients& gradients) = 0;

    /// a [...,M,K] times b [...,K,N] with equal leading axes; b may have two axes only and then
    /// serves all batches. Returns [...,M,N].
    virtual Tensor matmul(const MatmulArgs& args, const Tensor& a, const Tensor& b) = 0;
};

} // namespace scalebench
