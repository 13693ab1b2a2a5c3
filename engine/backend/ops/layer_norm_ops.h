// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layer normalisation (alone, or of a residual sum) and softmax of a backend, over the last axis.
// Activations are F32 or BF16; gamma and beta F32 [C].

#include "engine/tensor/tensor.h"

namespace scalebench {

struct LayerNormArgs {
    float epsilon = 1e-5f;
};

/// What layerNormForward() gives.
struct LayerNormResult {
    Tensor sum;          ///< input + residual; the input itself without residual
    Tensor output;       ///< normalised sum
    Tensor mean, invStd; ///< F32 [rows], for the backward; undefined unless kept
};

struct LayerNormGradients {
    Tensor gamma, beta; ///< F32 [C], written, or added to where `accumulate...`
    bool accumulateGamma = false, accumulateBeta = false;
};

class LayerNormOps
{
public:
    virtual ~LayerNormOps() = default;

    /// residual may be undefined. `keep`: for layerNormBackward().
    virtual LayerNormResult layerNormForward(const LayerNormArgs& args, const Tensor& input,
                                             const Tensor& residual, const Tensor& gamma,
                                             const Tensor& beta, bool keep) = 0;
    /// Returns the gradient of the sum (of the input, and of the residual): that of the output, and
    /// of `gradSum`, which reached the sum on other ways and may be undefined.
    virtual Tensor layerNormBackward(const LayerNormArgs& args, const LayerNormResult& forward,
                                     const Tensor& gamma, const Tensor& gradOutput,
                                     const Tensor& gradSum,
                                     const LayerNormGradients& gradients) = 0;

    virtual Tensor softmaxForward(const Tensor& input) = 0;
    virtual Tensor softmaxBackward(const Tensor& output, const Tensor& gradOutput) = 0;
};

} // namespace scalebench
