// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/elementwise.h"

#include "engine/backend/elementwise_arguments.h"
#include "kernels/cuda/copy_rows.h"
#include "kernels/cuda/gather.h"
#include "kernels/cuda/permute.h"
#include "kernels/cuda/reduce.h"
#include "kernels/cuda/top_k.h"

namespace scalebench::cuda_backend {

namespace cuda = kernels::cuda;

Tensor CudaElementwise::reduceForward(ReduceOp op, const Tensor& input,
                                      const std::vector<int>& axes, bool keepAxes, DType dtype,
                                      Tensor* argmax)
{
    const CudaContext::Timer timer(context_, "reduction");
    requireActivation("reduction", input, 0);
    const std::vector<bool> reduced = reducedAxes(input.shape(), axes);
    const ReduceParams p = reduceParams(op, input.shape(), input.dtype(), dtype, reduced);
    if (argmax)
        requireCountable(input);
    const Shape shape = reducedShape(input.shape(), reduced, keepAxes);
    Tensor output = context_.make(shape, dtype);
    requireActivation("reduction", output, 0);
    if (argmax)
        *argmax = context_.make(shape, DType::I32);
    cuda::reduceForward(p, input.data(), output.data(), argmax ? argmax->i32().data() : nullptr,
                        context_.workspace(cuda::reduceScratchBytes(p)), context_.stream());
    return output;
}

Tensor CudaElementwise::reduceBackward(ReduceOp op, const Shape& inputShape, DType inputType,
                                       const std::vector<int>& axes, const Tensor& gradOutput,
                                       const Tensor& argmax)
{
    const CudaContext::Timer timer(context_, "reduction backward");
    requireActivation("reduction backward", gradOutput, 0);
    const ReduceParams p =
        reduceParams(op, inputShape, inputType, gradOutput.dtype(), reducedAxes(inputShape, axes));
    requireReduceGradient(p, inputShape, gradOutput, argmax);
    Tensor gradInput = context_.make(inputShape, inputType);
    cuda::reduceBackward(p, gradOutput.data(), op == ReduceOp::Max ? argmax.i32().data() : nullptr,
                         gradInput.data(), context_.stream());
    return gradInput;
}

Tensor CudaElementwise::concat(const std::vector<Tensor>& parts, int axis)
{
    const CudaContext::Timer timer(context_, "concat");
    const Shape shape = concatShape(parts, axis);
    const std::size_t a = axisOf("concat", shape, axis);
    Tensor output = context_.make(shape, parts[0].dtype());
    const Around around(shape, a);
    const std::size_t unit = std::size_t(around.inner) * dtypeBytes(output.dtype());
    std::size_t at = 0;
    for (const Tensor& part : parts) {
        const std::size_t bytes = std::size_t(part.shape()[a]) * unit;
        cuda::copyRows(around.outer, bytes, part.data(), bytes,
                       static_cast<char*>(output.data()) + at, std::size_t(shape[a]) * unit,
                       context_.stream());
        at += bytes;
    }
    return output;
}

Tensor CudaElementwise::slice(const Tensor& input, int axis, std::int64_t begin, std::int64_t end)
{
    const CudaContext::Timer timer(context_, "slice");
    const Shape shape = sliceShape(input, axis, begin, end);
    const std::size_t a = axisOf("slice", shape, axis);
    Tensor output = context_.make(shape, input.dtype());
    const Around around(shape, a);
    const std::size_t unit = std::size_t(around.inner) * dtypeBytes(input.dtype());
    const std::size_t bytes = std::size_t(end - begin) * unit;
    cuda::copyRows(around.outer, bytes,
                   static_cast<const char*>(input.data()) + std::size_t(begin) * unit,
                   std::size_t(input.shape()[a]) * unit, output.data(), bytes, context_.stream());
    return output;
}

Tensor CudaElementwise::sliceBackward(const Shape& inputShape, int axis, std::int64_t begin,
                                      const Tensor& gradOutput)
{
    const CudaContext::Timer timer(context_, "slice backward");
    requireSliceGradient(inputShape, axis, begin, gradOutput);
    const std::size_t a = axisOf("slice backward", inputShape, axis);
    Tensor gradInput = context_.make(inputShape, gradOutput.dtype());
    const Around around(inputShape, a);
    const std::size_t unit = std::size_t(around.inner) * dtypeBytes(gradOutput.dtype());
    cuda::padRows(around.outer, std::size_t(gradOutput.shape()[a]) * unit, gradOutput.data(),
                  std::size_t(begin) * unit, std::size_t(inputShape[a]) * unit, gradInput.data(),
                  context_.stream());
    return gradInput;
}

Tensor CudaElementwise::permute(const Tensor& input, const std::vector<int>& order)
{
    const CudaContext::Timer timer(context_, "permute");
    Shape shape;
    const PermuteParams p = permuteParams(input, order, shape);
    Tensor output = context_.make(shape, input.dtype());
    cuda::permute(p, input.data(), output.data(), context_.stream());
    return output;
}

Tensor CudaElementwise::gather(const Tensor& input, int axis, const Tensor& ids)
{
    const CudaContext::Timer timer(context_, "gather");
    const GatherParams p = gatherParams(input.shape(), axis, ids, input.dtype());
    Shape shape = input.shape();
    shape[axisOf("gather", shape, axis)] = p.n;
    Tensor output = context_.make(shape, input.dtype());
    cuda::gatherForward(p, input.data(), ids.i32().data(), output.data(),
                        context_.badIndex("gather"), context_.stream());
    return output;
}

Tensor CudaElementwise::gatherBackward(const Shape& inputShape, int axis, const Tensor& ids,
                                       const Tensor& gradOutput)
{
    const CudaContext::Timer timer(context_, "gather backward");
    requireActivation("gather backward", gradOutput, 0);
    const GatherParams p = gatherParams(inputShape, axis, ids, gradOutput.dtype());
    requireGatherGradient(p, inputShape, gradOutput);
    Tensor gradInput = context_.make(inputShape, gradOutput.dtype());
    cuda::gatherBackward(p, ids.i32().data(), gradOutput.data(), gradInput.data(),
                         context_.badIndex("gather backward"),
                         context_.workspace(cuda::gatherBackwardScratchBytes(p)),
                         context_.stream());
    return gradInput;
}

TopK CudaElementwise::topK(const Tensor& input, std::int64_t k)
{
    const CudaContext::Timer timer(context_, "top-k");
    requireActivation("top-k", input, 0);
    const TopKParams p = topKParams(input, k);
    Shape shape = input.shape();
    shape.back() = k;
    TopK result{context_.make(shape, input.dtype()), context_.make(shape, DType::I32)};
    cuda::topK(p, input.data(), result.values.data(), result.indices.i32().data(),
               context_.workspace(cuda::topKScratchBytes(p)), context_.stream());
    return result;
}

} // namespace scalebench::cuda_backend
