// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"
#include "kernels/cpu_features.h"

#include <cstring>
#include <map>
#include <string>

namespace scalebench {
namespace {

using namespace cpu_backend;

class CpuBackend final : public Backend
{
public:
    std::string describe() const override
    {
        return "cpu (" + features_.library + ", " + features_.isa + ")";
    }
    Allocator& allocator() override { return context_.allocator(); }

    Tensor upload(const Tensor& host) override { return host; }
    Tensor download(const Tensor& tensor) override { return tensor; }
    void copy(const Tensor& from, Tensor to) override
    {
        requireSame("copy", from, to);
        if (from.data() != to.data())
            std::memcpy(to.data(), from.data(), from.bytes());
    }
    Tensor zeros(Shape shape, DType dtype) override
    {
        return Tensor::zeros(std::move(shape), dtype, context_.allocator());
    }
    void clear(Tensor tensor) override { std::memset(tensor.data(), 0, tensor.bytes()); }
    void synchronize() override {}
    Tensor one() override
    {
        static float value = 1.0f;
        return Tensor::view(&value, {1}, DType::F32);
    }

    ComputePrecision computePrecision(Precision requested) const override
    {
        if (requested == Precision::Fp32)
            return {Precision::Fp32, "fp32 as requested"};
        if (requested == Precision::Fp16)
            throw Unsupported("precision fp16 is for device cuda; on processors use fp32 or bf16",
                              "precision_unavailable");
        return {features_.bf16Fast ? Precision::Bf16 : Precision::Fp32, features_.bf16Reason};
    }

    AttentionOps& attention() override { return *attention_; }
    ConvolutionOps& convolution() override { return *convolution_; }
    DetectionOps& detection() override { return *detection_; }
    ElementwiseOps& elementwise() override { return *elementwise_; }
    EmbeddingOps& embedding() override { return *embedding_; }
    LossOps& loss() override { return *loss_; }
    MatmulOps& matmul() override { return *matmul_; }
    NormalizationOps& normalization() override { return *normalization_; }
    OptimizerOps& optimizer() override { return *optimizer_; }
    PoolingOps& pooling() override { return *pooling_; }
    RecurrentOps& recurrent() override { return *recurrent_; }

    void setProfiling(bool on) override { context_.setProfiling(on); }
    std::vector<OpTime> profile() override { return context_.profile(); }
    const std::map<std::string, OpWork>& work() const { return context_.work(); }

private:
    kernels::cpu::CpuFeatures features_ = kernels::cpu::cpuFeatures();
    CpuContext context_;
    std::unique_ptr<ElementwiseOps> elementwise_ = makeElementwiseOps(context_);
    std::unique_ptr<AttentionOps> attention_ = makeAttentionOps(context_);
    std::unique_ptr<ConvolutionOps> convolution_ = makeConvolutionOps(context_, *elementwise_);
    std::unique_ptr<DetectionOps> detection_ = makeDetectionOps(context_);
    std::unique_ptr<EmbeddingOps> embedding_ = makeEmbeddingOps(context_);
    std::unique_ptr<LossOps> loss_ = makeLossOps(context_);
    std::unique_ptr<MatmulOps> matmul_ = makeMatmulOps(context_);
    std::unique_ptr<NormalizationOps> normalization_ =
        makeNormalizationOps(context_, *elementwise_);
    std::unique_ptr<OptimizerOps> optimizer_ = makeOptimizerOps(context_);
    std::unique_ptr<PoolingOps> pooling_ = makePoolingOps(context_);
    std::unique_ptr<RecurrentOps> recurrent_ = makeRecurrentOps(context_);
};

} // namespace

std::map<std::string, OpWork> profiledWork(const Backend& backend)
{
    const auto* cpu = dynamic_cast<const CpuBackend*>(&backend);
    return cpu != nullptr ? cpu->work() : std::map<std::string, OpWork>();
}

std::unique_ptr<Backend> makeCpuBackend()
{
    return std::make_unique<CpuBackend>();
}

} // namespace scalebench
