// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include "kernels/softmax_ce.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

class CpuLoss final : public LossOps
{
public:
    explicit CpuLoss(CpuContext& context) : context_(context) {}

    SoftmaxCeResult softmaxCrossEntropy(const Tensor& logits, const Tensor& labels,
                                        float labelSmoothing, float scale, bool needGradient,
                                        Tensor& gradLogits) override
    {
        const CpuContext::Timer timer(context_, "softmax cross-entropy");
        SB_REQUIRE(logits.dtype() == DType::F32 && logits.shape().size() == 2,
                   "softmax cross-entropy: logits must be f32 [N,classes], not " +
                       logits.describe());
        SB_REQUIRE(labels.dtype() == DType::I32 && labels.count() == logits.dim(0),
                   "softmax cross-entropy: labels must be i32 [N], not " + labels.describe() +
                       " for logits " + logits.describe());
        SB_REQUIRE(labelSmoothing >= 0.0f && labelSmoothing < 1.0f,
                   "label smoothing must be in [0,1), not " + std::to_string(labelSmoothing));
        for (auto label : labels.i32())
            SB_REQUIRE(label < logits.dim(1), "label " + std::to_string(label) +
                                                  " in a problem with " +
                                                  std::to_string(logits.dim(1)) + " classes");
        if (needGradient)
            gradLogits = context_.make(logits.shape(), DType::F32);
        return cpu::softmaxCrossEntropy({logits.dim(0), logits.dim(1), labelSmoothing, scale},
                                        logits.f32().data(), labels.i32().data(),
                                        needGradient ? gradLogits.f32().data() : nullptr);
    }

private:
    CpuContext& context_;
};

} // namespace

std::unique_ptr<LossOps> makeLossOps(CpuContext& context)
{
    return std::make_unique<CpuLoss>(context);
}

} // namespace scalebench::cpu_backend
