// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/elementwise.h"

#include "engine/backend/cuda/families.h"
#include "kernels/cuda/activation_op.h"
#include "kernels/cuda/broadcast.h"
#include "kernels/cuda/copy_rows.h"
#include "kernels/cuda/dropout.h"
#include "kernels/cuda/elementwise.h"
#include "kernels/cuda/gather.h"
#include "kernels/cuda/permute.h"
#include "kernels/cuda/reduce.h"
#include "kernels/cuda/top_k.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

struct ElementwiseDevice {
    using Context = CudaContext;
    using Family = ElementwiseFamily<ElementwiseDevice>;
    static constexpr auto requireActivation = cuda_backend::requireActivation;
    static constexpr auto activationForward = cuda::activationForward;
    static constexpr auto activationBackward = cuda::activationBackward;
    static constexpr auto binaryForward = cuda::binaryForward;
    static constexpr auto scale = cuda::scale;
    static constexpr auto dropout = cuda::dropout;
    static constexpr auto dropoutAdd = cuda::dropoutAdd;
    static constexpr auto reduceForward = cuda::reduceForward;
    static constexpr auto reduceBackward = cuda::reduceBackward;
    static constexpr auto reduceScratchBytes = cuda::reduceScratchBytes;
    static constexpr auto copyRows = cuda::copyRows;
    static constexpr auto padRows = cuda::padRows;
    static constexpr auto permute = cuda::permute;
    static constexpr auto topK = cuda::topK;
    static constexpr auto topKScratchBytes = cuda::topKScratchBytes;

    static constexpr const char* kCastTypes = "f32, bf16 and f16";
    static bool canCastTo(DType dtype)
    {
        return dtype == DType::F32 || dtype == DType::BF16 || dtype == DType::F16;
    }
    static void cast(CudaContext& context, const Tensor& from, const Tensor& to)
    {
        cuda::cast(from.dtype(), to.dtype(), from.count(), from.data(), to.data(),
                   context.stream());
    }

    static Tensor sumTerms(CudaContext& context, const std::vector<Tensor>& terms)
    {
        std::vector<const void*> pointers;
        for (const Tensor& term : terms)
            pointers.push_back(term.data());
        Tensor total =
            terms[0].unique() ? terms[0] : context.make(terms[0].shape(), terms[0].dtype());
        cuda::sumTerms(total.dtype(), total.count(), pointers, total.data(), context.stream());
        return total;
    }

    static Tensor binaryGradient(Family&, CudaContext& context, const BroadcastParams& p, bool ofB,
                                 const Tensor& a, const Tensor& b, const Tensor& gradOutput)
    {
        const Shape& shape = gradOutput.shape();
        const Tensor& operand = ofB ? b : a;
        Tensor gradient = context.make(operand.shape(), a.dtype());
        const std::vector<int> axes = repeatedAxes(operand.shape(), shape);
        if (operand.count() == gradOutput.count()) { // repeats along axes of size 1 at most
            cuda::binaryBackward(p, ofB, a.data(), b.data(), gradOutput.data(), gradient.data(),
                                 context.stream());
            return gradient;
        }
        const ReduceParams reduction =
            reduceParams(ReduceOp::Sum, shape, a.dtype(), a.dtype(), reducedAxes(shape, axes));
        cuda::binaryBackwardReduced(
            p, ofB, reduction, a.data(), b.data(), gradOutput.data(), gradient.data(),
            context.workspace(cuda::binaryBackwardScratchBytes(reduction)), context.stream());
        return gradient;
    }

    static void gatherForward(CudaContext& context, const GatherParams& p, const Tensor& ids,
                              const Tensor& input, const Tensor& output)
    {
        cuda::gatherForward(p, input.data(), ids.i32().data(), output.data(),
                            context.badIndex("gather"), context.stream());
    }

    static void gatherBackward(CudaContext& context, const GatherParams& p, const Tensor& ids,
                               const Tensor& gradOutput, const Tensor& gradInput)
    {
        cuda::gatherBackward(p, ids.i32().data(), gradOutput.data(), gradInput.data(),
                             context.badIndex("gather backward"),
                             context.workspace(cuda::gatherBackwardScratchBytes(p)),
                             context.stream());
    }
};

} // namespace

std::unique_ptr<ElementwiseOps> makeElementwiseOps(CudaContext& context)
{
    return std::make_unique<ElementwiseDevice::Family>(context);
}

} // namespace scalebench::cuda_backend
