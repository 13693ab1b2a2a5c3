// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/elementwise.h"

#include "engine/backend/cuda/families.h"
#include "engine/backend/elementwise_arguments.h"
#include "kernels/cuda/activation_op.h"
#include "kernels/cuda/broadcast.h"
#include "kernels/cuda/dropout.h"
#include "kernels/cuda/elementwise.h"

namespace scalebench::cuda_backend {

namespace cuda = kernels::cuda;

Tensor CudaElementwise::cast(const Tensor& input, DType dtype)
{
    if (input.dtype() == dtype)
        return input;
    const CudaContext::Timer timer(context_, "cast");
    requireActivation("cast", input, 0);
    if (dtype != DType::F32 && dtype != DType::BF16 && dtype != DType::F16)
        throw Unsupported("cast " + input.describe() + " to " + dtypeName(dtype) +
                          ": only between f32, bf16 and f16");
    Tensor output = context_.make(input.shape(), dtype);
    cuda::cast(input.dtype(), dtype, input.count(), input.data(), output.data(), context_.stream());
    return output;
}

Tensor CudaElementwise::sum(std::vector<Tensor> terms)
{
    SB_REQUIRE(!terms.empty(), "sum of no tensors");
    if (terms.size() == 1)
        return std::move(terms[0]);
    const CudaContext::Timer timer(context_, "sum");
    requireActivation("sum", terms[0], 0);
    std::vector<const void*> pointers;
    for (const Tensor& term : terms) {
        requireSame("sum", terms[0], term);
        pointers.push_back(term.data());
    }
    Tensor total = terms[0].unique() ? terms[0] : context_.make(terms[0].shape(), terms[0].dtype());
    cuda::sumTerms(total.dtype(), total.count(), pointers, total.data(), context_.stream());
    return total;
}

Tensor CudaElementwise::reluForward(const Tensor& input)
{
    return activationForward(Activation::Relu, input);
}

Tensor CudaElementwise::reluBackward(const Tensor& output, const Tensor& gradOutput)
{
    return activationBackward(Activation::Relu, output, gradOutput);
}

Tensor CudaElementwise::activationForward(Activation activation, const Tensor& input)
{
    const CudaContext::Timer timer(context_, activationName(activation));
    requireActivation(activationName(activation), input, 0);
    Tensor output = context_.make(input.shape(), input.dtype());
    cuda::activationForward(activation, input.dtype(), input.count(), input.data(), output.data(),
                            context_.stream());
    return output;
}

Tensor CudaElementwise::activationBackward(Activation activation, const Tensor& kept,
                                           const Tensor& gradOutput)
{
    const CudaContext::Timer timer(context_, "activation backward");
    requireActivation("activation backward", kept, 0);
    requireSame("activation backward", kept, gradOutput);
    Tensor gradInput = context_.make(kept.shape(), kept.dtype());
    cuda::activationBackward(activation, kept.dtype(), kept.count(), kept.data(), gradOutput.data(),
                             gradInput.data(), context_.stream());
    return gradInput;
}

Tensor CudaElementwise::binaryForward(BinaryOp op, const Tensor& a, const Tensor& b)
{
    const CudaContext::Timer timer(context_, binaryOpName(op));
    requireActivation(binaryOpName(op), a, 0);
    const BroadcastParams p = broadcastParams(op, a, b);
    Tensor output = context_.make(broadcastShape(a, b), a.dtype());
    cuda::binaryForward(p, a.data(), b.data(), output.data(), context_.stream());
    return output;
}

Tensor CudaElementwise::binaryBackward(BinaryOp op, bool ofB, const Tensor& a, const Tensor& b,
                                       const Tensor& gradOutput)
{
    const CudaContext::Timer timer(context_, "binary backward");
    requireActivation(binaryOpName(op), a, 0);
    const BroadcastParams p = broadcastParams(op, a, b);
    requireBinaryGradient(op, a, b, gradOutput);
    const Shape& shape = gradOutput.shape();
    const Tensor& operand = ofB ? b : a;
    Tensor gradient = context_.make(operand.shape(), a.dtype());
    const std::vector<int> axes = repeatedAxes(operand.shape(), shape);
    if (operand.count() == gradOutput.count()) { // repeats along axes of size 1 at most
        cuda::binaryBackward(p, ofB, a.data(), b.data(), gradOutput.data(), gradient.data(),
                             context_.stream());
        return gradient;
    }
    const ReduceParams reduction =
        reduceParams(ReduceOp::Sum, shape, a.dtype(), a.dtype(), reducedAxes(shape, axes));
    cuda::binaryBackwardReduced(
        p, ofB, reduction, a.data(), b.data(), gradOutput.data(), gradient.data(),
        context_.workspace(cuda::binaryBackwardScratchBytes(reduction)), context_.stream());
    return gradient;
}

Tensor CudaElementwise::scale(const Tensor& input, float factor)
{
    const CudaContext::Timer timer(context_, "scale");
    requireActivation("scale", input, 0);
    Tensor output = context_.make(input.shape(), input.dtype());
    cuda::scale(input.dtype(), input.count(), factor, input.data(), output.data(),
                context_.stream());
    return output;
}

Tensor CudaElementwise::dropout(const Tensor& input, const DropoutArgs& args)
{
    const CudaContext::Timer timer(context_, "dropout");
    requireActivation("dropout", input, 0);
    const DropoutParams p = dropoutParams("dropout", input, args);
    Tensor output = context_.make(input.shape(), input.dtype());
    cuda::dropout(p, input.data(), output.data(), context_.stream());
    return output;
}

Tensor CudaElementwise::dropoutAdd(const Tensor& input, const Tensor& residual,
                                   const DropoutArgs& args)
{
    const CudaContext::Timer timer(context_, "dropout");
    requireActivation("dropout with residual", input, 0);
    const DropoutParams p = dropoutParams("dropout with residual", input, args);
    requireSame("dropout with residual", input, residual);
    Tensor output = context_.make(input.shape(), input.dtype());
    cuda::dropoutAdd(p, input.data(), residual.data(), output.data(), context_.stream());
    return output;
}

std::unique_ptr<ElementwiseOps> makeElementwiseOps(CudaContext& context)
{
    return std::make_unique<CudaElementwise>(context);
}

} // namespace scalebench::cuda_backend
