// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The settings of an optimizer, as a recipe gives them.

#include <string>
#include <vector>

namespace scalebench {

enum class OptimizerKind { Sgd, Lars, Adam, AdamW, Lamb };
const char* optimizerName(OptimizerKind kind);
/// "sgd", "lars", "adam", "adamw", "lamb"; InvalidArgument lists them.
OptimizerKind parseOptimizerKind(const std::string& name);

struct OptimizerConfig {
    OptimizerKind kind = OptimizerKind::Sgd;
    /// On parameters declared with decay. Sgd, Lars, Adam: added to the gradient; AdamW, Lamb:
    /// decoupled.
    double weightDecay = 0.0;
    double momentum = 0.9;                             ///< Sgd, Lars; 0: Sgd without state
    bool nesterov = false;                             ///< Sgd
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8; ///< Adam, AdamW, Lamb
    double larsEta = 1e-3, larsEpsilon = 0.0;
    bool larsRateInMomentum = true; ///< see kernels/lars.h
    bool lambAdaptAll = false;      ///< trust ratio without weight decay too ("nvlamb")
    /// Divide the gradient by its global norm, whatever it is (NVLAMB); not with maxGradNorm.
    bool normaliseGradient = false;
    /// Gradients are scaled down to this global norm; 0: never.
    double maxGradNorm = 0.0;
    /// Factor on the learning rate of parameters without decay (Mask R-CNN's biases: 2).
    double noDecayRateFactor = 1.0;
    /// Leave everything as it is when a gradient is infinite or not a number (loss scaling).
    bool skipNonFinite = false;
    /// Parameters whose name contains one of these have no decay, and no adapted rate where the
    /// kind has one: biases and normalisation, which the models declare so, and what a recipe adds.
    std::vector<std::string> noDecay;
    /// One pass over memory per step for all tensors; false: one pass per elementary operation and
    /// tensor, the same result but for rounding.
    bool fused = true;
};

/// The published settings of a kind: Lamb has epsilon 1e-6, maxGradNorm 1.
OptimizerConfig optimizerDefaults(OptimizerKind kind);
/// InvalidArgument names the first field that cannot work.
void validate(const OptimizerConfig& config);

} // namespace scalebench
