// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Feature pyramid (Lin et al. 2016, arXiv 1612.03144): every map gets a 1x1 convolution, the next
// coarser one enlarged to its size (nearest) is added, and a 3x3 convolution follows.

#include "engine/nn/layers.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench {

class FeaturePyramid
{
public:
    enum class Further {
        None,
        Pool,        ///< one more level: every second place of the last (Mask R-CNN's P6)
        Convolutions ///< two more: 3x3/2 on the last, ReLU and 3x3/2 on that (RetinaNet's P6, P7)
    };
    FeaturePyramid() = default;
    /// Names "<name>.inner1", "<name>.layer1", ... (finest first), "<name>.further1", ...
    FeaturePyramid(ParameterSet& parameters, const std::string& name,
                   const std::vector<int>& inChannels, int channels, Further further);

    /// maps: finest first; returns the levels, finest first, [N,h,w,channels].
    std::vector<Variable> operator()(Tape& tape, const ParameterSet& parameters,
                                     const std::vector<Variable>& maps) const;
    /// Uniform as He's with slope 1 (torchvision's kaiming_uniform_(a=1)), biases 0.
    void initialise(ParameterSet& parameters, std::uint64_t seed) const;

private:
    std::vector<Conv2d> inner_, layer_, further_;
    Further kind_ = Further::None;
};

} // namespace scalebench
