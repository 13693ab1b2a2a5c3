// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The convolutions of a network, found by running it: a CPU backend that notes what it is asked.

#include "engine/backend/backend.h"

#include <memory>
#include <utility>
#include <vector>

namespace scalebench::test {

class ConvolutionRecorder final : public ConvolutionOps
{
public:
    explicit ConvolutionRecorder(ConvolutionOps& real) : real_(real) {}

    std::vector<Conv2dParams> layers;
    std::vector<ConvTranspose2dParams> transposedLayers;

    Tensor conv2dForward(const Conv2dParams& p, const Tensor& input, const WeightRef& weight,
                         const Tensor& bias) override
    {
        layers.push_back(p);
        return real_.conv2dForward(p, input, weight, bias);
    }
    Tensor conv2dBackwardData(const Conv2dParams& p, const Tensor& gradOutput,
                              const WeightRef& weight) override
    {
        return real_.conv2dBackwardData(p, gradOutput, weight);
    }
    void conv2dBackwardWeight(const Conv2dParams& p, const Tensor& input, const Tensor& gradOutput,
                              Tensor gradWeight, bool accumulate) override
    {
        real_.conv2dBackwardWeight(p, input, gradOutput, std::move(gradWeight), accumulate);
    }
    Tensor convTranspose2dForward(const ConvTranspose2dParams& p, const Tensor& input,
                                  const WeightRef& weight, const Tensor& bias) override
    {
        transposedLayers.push_back(p);
        return real_.convTranspose2dForward(p, input, weight, bias);
    }
    Tensor convTranspose2dBackwardData(const ConvTranspose2dParams& p, const Tensor& gradOutput,
                                       const WeightRef& weight) override
    {
        return real_.convTranspose2dBackwardData(p, gradOutput, weight);
    }
    void convTranspose2dBackwardWeight(const ConvTranspose2dParams& p, const Tensor& input,
                                       const Tensor& gradOutput, Tensor gradWeight,
                                       bool accumulate) override
    {
        real_.convTranspose2dBackwardWeight(p, input, gradOutput, std::move(gradWeight),
                                            accumulate);
    }
    Tensor biasReluBackward(const Tensor& output, std::vector<Tensor> gradOutputs, Tensor gradBias,
                            bool accumulate) override
    {
        return real_.biasReluBackward(output, std::move(gradOutputs), std::move(gradBias),
                                      accumulate);
    }

private:
    ConvolutionOps& real_;
};

class RecordingBackend final : public Backend
{
public:
    ConvolutionRecorder& recorder() { return recorder_; }

    std::string describe() const override { return real_->describe(); }
    Allocator& allocator() override { return real_->allocator(); }
    Tensor upload(const Tensor& host) override { return real_->upload(host); }
    Tensor uploadPictures(const Tensor& bytes, const RawPictures& still) override
    {
        return real_->uploadPictures(bytes, still);
    }
    Tensor download(const Tensor& tensor) override { return real_->download(tensor); }
    void copy(const Tensor& from, Tensor to) override { real_->copy(from, std::move(to)); }
    Tensor zeros(Shape shape, DType dtype) override
    {
        return real_->zeros(std::move(shape), dtype);
    }
    void clear(Tensor tensor) override { real_->clear(std::move(tensor)); }
    void synchronize() override { real_->synchronize(); }
    Tensor one() override { return real_->one(); }
    ComputePrecision computePrecision(Precision requested) const override
    {
        return real_->computePrecision(requested);
    }
    ConvolutionOps& convolution() override { return recorder_; }
    MatmulOps& matmul() override { return real_->matmul(); }
    NormalizationOps& normalization() override { return real_->normalization(); }
    RecurrentOps& recurrent() override { return real_->recurrent(); }
    AttentionOps& attention() override { return real_->attention(); }
    PoolingOps& pooling() override { return real_->pooling(); }
    ElementwiseOps& elementwise() override { return real_->elementwise(); }
    EmbeddingOps& embedding() override { return real_->embedding(); }
    DetectionOps& detection() override { return real_->detection(); }
    LossOps& loss() override { return real_->loss(); }
    OptimizerOps& optimizer() override { return real_->optimizer(); }
    void setProfiling(bool on) override { real_->setProfiling(on); }
    std::vector<OpTime> profile() override { return real_->profile(); }

private:
    std::unique_ptr<Backend> real_ = makeCpuBackend();
    ConvolutionRecorder recorder_{real_->convolution()};
};

} // namespace scalebench::test
