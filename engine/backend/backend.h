// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The operations an engine needs of a device, by family. A backend owns plans (prepared vendor
// primitives, created once per shape), scratch memory, packed copies of weights and the allocator.
// Every tensor is contiguous, images NHWC; outputs come from allocator() and are overwritten unless
// said otherwise; gradients of parameters are written into the tensor given, or added to it when
// `accumulate`. Calls are synchronous on the CPU and ordered on the backend's stream elsewhere.
// An unsupported case throws Unsupported naming op, shapes, type, layout and reason. One thread at
// a time per backend; different backends are independent.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "engine/backend/precision.h"
#include "engine/tensor/tensor.h"
#include "kernels/conv2d.h"
#include "kernels/softmax_ce.h"

namespace scalebench {

/// Sums the numbers over all workers, in place; empty: this worker only.
using StatReducer = std::function<void(std::span<double>)>;

/// A master weight (F32) and ParameterSet::version() of its values, by which packed copies are
/// kept.
struct WeightRef {
    Tensor value;
    std::uint64_t version = 0;
};

struct BatchNormArgs {
    double epsilon = 1e-5, momentum = 0.1; ///< momentum: weight of the new value, as in torch
    bool relu = false;
};

/// What batchNormForward keeps for batchNormBackward.
struct BatchNormSaved {
    Tensor mean, invStd; ///< F32 [C]
    double count = 0;    ///< rows behind the statistics, of all workers
};

struct BatchNormGradients {
    Tensor input;    ///< as the input
    Tensor residual; ///< as the input; undefined without residual
};

/// Executed time per op, for profiles.
struct OpTime {
    std::string op;
    double ms = 0;
    std::int64_t calls = 0;
};

class Backend
{
public:
    virtual ~Backend() = default;

    /// "cpu (oneDNN 2.6.3, AVX-512 with bf16)".
    virtual std::string describe() const = 0;
    virtual CachingAllocator& allocator() = 0;
    /// What `requested` really computes in here, and why.
    virtual ComputePrecision computePrecision(Precision requested) const = 0;

    // --- convolution: x [N,H,W,C], w [K,C,R,S] F32, y [N,outH,outW,K] ---
    virtual Tensor conv2dForward(const Conv2dParams& p, const Tensor& input,
                                 const WeightRef& weight) = 0;
    virtual Tensor conv2dBackwardData(const Conv2dParams& p, const Tensor& gradOutput,
                                      const WeightRef& weight) = 0;
    virtual void conv2dBackwardWeight(const Conv2dParams& p, const Tensor& input,
                                      const Tensor& gradOutput, Tensor gradWeight,
                                      bool accumulate) = 0;

    // --- linear: x [N,in], w [out,in] F32, b [out] F32, y [N,out] F32 ---
    virtual Tensor linearForward(const Tensor& input, const WeightRef& weight,
                                 const Tensor& bias) = 0;
    /// Returns the gradient of the input, in its type. gradOutput F32.
    virtual Tensor linearBackward(const Tensor& input, const WeightRef& weight,
                                  const Tensor& gradOutput, Tensor gradWeight, Tensor gradBias,
                                  bool accumulate) = 0;

    // --- normalisation: x [..., C]; gamma, beta, running statistics F32 [C] ---
    /// Batch statistics; updates runningMean and runningVar. residual may be undefined.
    virtual Tensor batchNormForward(const BatchNormArgs& args, const Tensor& input,
                                    const Tensor& residual, const Tensor& gamma, const Tensor& beta,
                                    Tensor runningMean, Tensor runningVar,
                                    const StatReducer& reducer, BatchNormSaved& saved) = 0;
    /// Running statistics.
    virtual Tensor batchNormInference(const BatchNormArgs& args, const Tensor& input,
                                      const Tensor& residual, const Tensor& gamma,
                                      const Tensor& beta, const Tensor& runningMean,
                                      const Tensor& runningVar) = 0;
    /// gradOutputs: one or more tensors to be summed; consumed (they may be overwritten when no one
    /// else holds them). gradGamma and gradBeta get this worker's sums.
    virtual BatchNormGradients
    batchNormBackward(const BatchNormArgs& args, const Tensor& input, const Tensor& output,
                      bool hasResidual, std::vector<Tensor> gradOutputs, const Tensor& gamma,
                      const Tensor& beta, const BatchNormSaved& saved, const StatReducer& reducer,
                      Tensor gradGamma, Tensor gradBeta, bool accumulate) = 0;

    // --- pooling ---
    /// argmax (U8, as the output) is written when `needGradient`.
    virtual Tensor maxPoolForward(const Tensor& input, int window, int stride, int padding,
                                  bool needGradient, Tensor& argmax) = 0;
    virtual Tensor maxPoolBackward(const Shape& inputShape, int window, int stride, int padding,
                                   const Tensor& gradOutput, const Tensor& argmax) = 0;
    virtual Tensor globalAvgPoolForward(const Tensor& input) = 0;
    virtual Tensor globalAvgPoolBackward(const Shape& inputShape, const Tensor& gradOutput) = 0;

    // --- loss: logits [N,classes] F32, labels [N] I32 ---
    /// Sums; gradLogits (as the logits) is made when `needGradient`.
    virtual SoftmaxCeResult softmaxCrossEntropy(const Tensor& logits, const Tensor& labels,
                                                float labelSmoothing, float scale,
                                                bool needGradient, Tensor& gradLogits) = 0;

    // --- elementwise ---
    virtual Tensor cast(const Tensor& input, DType dtype) = 0;
    /// Sum of one or more tensors of one shape and type; may reuse the first when unshared.
    virtual Tensor sum(std::vector<Tensor> terms) = 0;
    virtual Tensor reluForward(const Tensor& input) = 0;
    virtual Tensor reluBackward(const Tensor& output, const Tensor& gradOutput) = 0;
    virtual Tensor shortcutPadForward(const Tensor& input, std::int64_t channels,
                                      std::int64_t stride) = 0;
    virtual Tensor shortcutPadBackward(const Shape& inputShape, std::int64_t stride,
                                       const Tensor& gradOutput) = 0;

    // --- optimizer: plain F32 arrays ---
    virtual void sgdStep(float learningRate, float momentum, float weightDecay, bool nesterov,
                         std::span<const float> grad, std::span<float> weight,
                         std::span<float> velocity) = 0;

    // --- profile ---
    virtual void setProfiling(bool on) = 0;
    /// Times since setProfiling(true), largest first.
    virtual std::vector<OpTime> profile() const = 0;
};

/// The CPU backend; throws Unsupported where oneDNN lacks what is needed. Threads: see
/// engine/core/thread_count.h.
std::unique_ptr<Backend> makeCpuBackend();

} // namespace scalebench
