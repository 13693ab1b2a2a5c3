// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include "engine/backend/families/loss.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

struct LossDevice {
    using Context = CpuContext;
    static constexpr auto requireActivation = cpu_backend::requireActivation;
    static constexpr auto softmaxCrossEntropy = cpu::softmaxCrossEntropy;
    static constexpr auto sigmoidCrossEntropy = cpu::sigmoidCrossEntropy;
    static constexpr auto focalLoss = cpu::focalLoss;
    static constexpr auto smoothL1 = cpu::smoothL1;
    static constexpr auto multiboxLoss = cpu::multiboxLoss;

    /// InvalidArgument unless all labels are in [low, classes) or `ignored`.
    static void requireLabels(const char* op, const Tensor& labels, std::int64_t classes,
                              std::int32_t low, std::int32_t ignored)
    {
        for (const std::int32_t label : labels.i32())
            SB_REQUIRE((label < classes && label >= low) || label == ignored,
                       std::string(op) + ": label " + std::to_string(label) +
                           " in a problem with " + std::to_string(classes) + " classes");
    }

    template <class Kernel, class... Arguments>
    static LossOutput run(CpuContext& context, const char*, float scale, Kernel kernel,
                          const Arguments&... arguments)
    {
        const SoftmaxCeResult sums = sumsOf(kernel(arguments...));
        LossOutput out{context.make({1}, DType::F32), LossSums(sums)};
        out.value.f32()[0] = float(double(scale) * sums.lossSum);
        return out;
    }

    static SoftmaxCeResult sumsOf(const SoftmaxCeResult& sums) { return sums; }
    static SoftmaxCeResult sumsOf(double sum) { return {sum, 0, 0}; }
};

} // namespace

std::unique_ptr<LossOps> makeLossOps(CpuContext& context)
{
    return std::make_unique<LossFamily<LossDevice>>(context);
}

} // namespace scalebench::cpu_backend
