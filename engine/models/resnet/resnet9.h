// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The nine-layer network that reached 94 % on CIFAR-10 fastest (David Page, "How to train your
// ResNet", myrtle.ai 2018, entry in DAWNBench): convolutions of 64, 128, 256 and 512 channels, each
// with batch norm and ReLU, halved by max pooling; residual pairs at 128 and 512 channels; a
// classifier whose outputs are scaled by 1/8. Differs from it: the classifier has a bias.

#include <cstdint>
#include <memory>

#include "engine/nn/network.h"

namespace scalebench {

class ResNet9 final : public ImageClassifier
{
public:
    /// Pictures of 32 x 32 are usual; edges must be a multiple of 8. Otherwise as ResNet.
    ResNet9(int classes, Backend& backend, Precision requested, std::uint64_t seed,
            const ArenaAllocator& gradientArena = {});
    ~ResNet9() override;

    Variable forward(Tape& tape, const Tensor& input, bool training) override;
    ParameterSet& parameters() noexcept override;
    const ComputePrecision& precision() const noexcept override;
    void setStatReducer(StatReducer reducer) override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench
