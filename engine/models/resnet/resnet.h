// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Residual networks (He et al. 2015, arXiv 1512.03385) from one description: the CIFAR networks of
// section 4.2 (depth 6n+2, three stages of 16, 32, 64 channels, parameter-free option-A shortcuts),
// ResNet-50 v1.5 (bottlenecks with the stride in the 3x3 convolution, projection shortcuts) and
// ResNet-18 (table 1), for small pictures with one 3x3 convolution as its stem.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/models/resnet/residual_block.h"
#include "engine/nn/network.h"

namespace scalebench {

class Backend;

struct ResNetConfig {
    std::string name;
    int classes = 10;
    int imageSize = 32;        ///< usual height and width; any other works too
    bool imageNetStem = false; ///< 7x7/2 convolution and 3x3/2 max pool instead of one 3x3
    bool bottleneck = false;   ///< 1x1, 3x3, 1x1 (four times wider) instead of 3x3, 3x3
    Shortcut shortcut = Shortcut::PadZero;
    std::vector<int> blocks;   ///< residual blocks per stage; the first of each later stage halves
    std::vector<int> channels; ///< width of each stage (of the 3x3 convolution)
    bool zeroInitResidual = false;  ///< last batch-norm scale of a block starts at 0 (arXiv
                                    ///< 1706.02677, section 5.1)
    double batchNormMomentum = 0.1; ///< weight of the new value, as in torch
    double batchNormEpsilon = 1e-5;

    /// "resnet8", "resnet14", "resnet20", "resnet32", "resnet56", ... (6n+2, up to 1202) and
    /// "resnet50", "resnet18" (set imageNetStem for pictures of 224); InvalidArgument otherwise.
    static ResNetConfig byName(const std::string& name, int classes);
};

class ResNet final : public ImageClassifier
{
public:
    /// Builds the parameters and draws the initial weights from `seed`: He normal, fan out, for
    /// convolutions (arXiv 1502.01852), uniform +-1/sqrt(in) for the last layer; the same on every
    /// rank and platform. `backend` must outlive the network. `requested` precision becomes what
    /// backend.computePrecision() says.
    ResNet(const ResNetConfig& config, Backend& backend, Precision requested, std::uint64_t seed,
           const ArenaAllocator& gradientArena = {});
    ~ResNet() override;

    Variable forward(Tape& tape, const Tensor& input, bool training) override;
    ParameterSet& parameters() noexcept override;
    const ComputePrecision& precision() const noexcept override;
    void setStatReducer(StatReducer reducer) override;
    const ResNetConfig& config() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench
