// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Normalisation layers of a backend. x [..., C]; gamma, beta, running statistics F32 [C].

#include <functional>
#include <span>
#include <vector>

#include "engine/backend/ops/layer_norm_ops.h"
#include "engine/tensor/tensor.h"

namespace scalebench {

/// Sums the numbers over all workers, in place; empty: this worker only.
using StatReducer = std::function<void(std::span<double>)>;

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

class NormalizationOps : public LayerNormOps
{
public:
    /// Batch statistics; updates runningMean and runningVar. residual may be undefined.
    virtual Tensor batchNormForward(const BatchNormArgs& args, const Tensor& input,
                                    const Tensor& residual, const Tensor& gamma, const Tensor& beta,
                                    Tensor runningMean, Tensor runningVar,
                                    const StatReducer& reducer, BatchNormSaved& saved) = 0;
    /// Fixed statistics, those of inference and of frozen layers.
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

    /// Backward of batchNormInference() where gamma and beta are fixed too. output: read only with
    /// ReLU. gradOutputs as above.
    virtual BatchNormGradients frozenBatchNormBackward(const BatchNormArgs& args,
                                                       const Tensor& output, bool hasResidual,
                                                       std::vector<Tensor> gradOutputs,
                                                       const Tensor& gamma,
                                                       const Tensor& runningVar) = 0;
    /// Fixed statistics for batchNormBackward(), to train gamma and beta alone.
    virtual BatchNormSaved fixedStatistics(const BatchNormArgs& args, const Tensor& runningMean,
                                           const Tensor& runningVar) = 0;
};

} // namespace scalebench
