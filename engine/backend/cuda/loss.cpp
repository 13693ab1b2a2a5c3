// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/families.h"

#include <type_traits>

#include "engine/backend/families/loss.h"
#include "kernels/cuda/multibox_loss.h"
#include "kernels/cuda/sigmoid_loss.h"
#include "kernels/cuda/softmax_ce.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

struct LossDevice {
    using Context = CudaContext;
    static constexpr auto requireActivation = cuda_backend::requireActivation;
    static constexpr auto softmaxCrossEntropy = cuda::softmaxCrossEntropy;
    static constexpr auto sigmoidCrossEntropy = cuda::sigmoidCrossEntropy;
    static constexpr auto focalLoss = cuda::focalLoss;
    static constexpr auto smoothL1 = cuda::smoothL1;
    static constexpr auto multiboxLoss = cuda::multiboxLoss;

    /// The kernels note a wrong one: see CudaContext::badIndex().
    static void requireLabels(const char*, const Tensor&, std::int64_t, std::int32_t, std::int32_t)
    {
    }

    /// The sums stay on the device and are fetched when asked for, each time anew: a graph that is
    /// replayed writes them again. The scale is among the kernel's parameters.
    template <class Kernel, class Params, class... Arguments>
    static LossOutput run(CudaContext& context, const char* op, float, Kernel kernel,
                          const Params& params, const Arguments&... arguments)
    {
        const Tensor sums = context.make({std::int64_t(sizeof(SoftmaxCeResult))}, DType::U8);
        const auto now = [&context, sums] {
            SoftmaxCeResult result;
            context.download(sums.data(), &result, sizeof result);
            return result;
        };
        const auto later = [&context, sums] {
            return LossSums(
                [&context, read = context.startRead(sums.data(), sizeof(SoftmaxCeResult))] {
                    SoftmaxCeResult result;
                    context.finishRead(*read, &result, sizeof result);
                    return result;
                });
        };
        LossOutput out{context.make({1}, DType::F32), LossSums(now, later)};
        const cuda::LossTarget target{static_cast<SoftmaxCeResult*>(sums.data()),
                                      out.value.f32().data()};
        void* scratch = context.workspace(cuda::lossScratchBytes(params));
        if constexpr (std::is_invocable_v<Kernel, Params, Arguments..., cuda::LossTarget, BadIndex,
                                          void*, cudaStream_t>)
            kernel(params, arguments..., target, context.badIndex(op), scratch, context.stream());
        else
            kernel(params, arguments..., target, scratch, context.stream());
        return out;
    }
};

} // namespace

std::unique_ptr<LossOps> makeLossOps(CudaContext& context)
{
    return std::make_unique<LossFamily<LossDevice>>(context);
}

} // namespace scalebench::cuda_backend
