// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include "kernels/sgd.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

class CpuOptimizer final : public OptimizerOps
{
public:
    explicit CpuOptimizer(CpuContext& context) : context_(context) {}

    void sgdStep(float learningRate, float momentum, float weightDecay, bool nesterov,
                 std::span<const float> grad, std::span<float> weight,
                 std::span<float> velocity) override
    {
        const CpuContext::Timer timer(context_, "sgd");
        SB_REQUIRE(grad.size() == weight.size() && grad.size() == velocity.size(),
                   "sgd: gradients, weights and velocity must have one size");
        cpu::sgdStep({learningRate, momentum, weightDecay, nesterov}, std::int64_t(grad.size()),
                     grad.data(), weight.data(), velocity.data());
    }

private:
    CpuContext& context_;
};

} // namespace

std::unique_ptr<OptimizerOps> makeOptimizerOps(CpuContext& context)
{
    return std::make_unique<CpuOptimizer>(context);
}

} // namespace scalebench::cpu_backend
