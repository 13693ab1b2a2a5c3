// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Residual networks without their classifier, as detectors look at them: the maps of several
// stages. ResNet (He et al. 2015, arXiv 1512.03385), ResNeXt (Xie et al. 2016, arXiv 1611.05431).

#include "engine/models/resnet/residual_block.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench {

struct BackboneConfig {
    bool bottleneck = false;
    std::vector<int> blocks = {2, 2, 2, 2}; ///< of each stage
    std::vector<int> widths = {64, 128, 256, 512};
    int stemChannels = 64;
    bool imageNetStem = true;        ///< 7x7/2 convolution and 3x3/2 max pool instead of one 3x3/2
    int groups = 1, groupWidth = 64; ///< ResNeXt-50 32x4d: 32, 4
    bool strideInFirst = false;      ///< Caffe's: the first 1x1 of a bottleneck has the stride
    bool frozenNorm = false;         ///< batch norm with fixed statistics, scale and shift
    int frozenStages = 0;            ///< of [stem, stage 1, ...]: these have no gradient
    /// "resnet10", "resnet18", "resnet34", "resnet50", "resnet50_caffe", "resnext50" and
    /// "resnet_small" (four stages of one block, 24 to 128 channels, 3x3 stem);
    /// InvalidArgument otherwise.
    static BackboneConfig byName(const std::string& name);
};

class Backbone
{
public:
    Backbone() = default;
    /// Parameters "<prefix>stem.conv.weight", "<prefix>stage1.block1.conv1.weight", ...: frozen
    /// ones are buffers of the set.
    Backbone(ParameterSet& parameters, const BackboneConfig& config, const std::string& prefix);

    /// The maps of all stages, [N,H/4,W/4,C1], [N,H/8,W/8,C2], ... rounded up; images in the type
    /// of activations.
    std::vector<Variable> operator()(Tape& tape, const ParameterSet& parameters,
                                     const Variable& images, bool training,
                                     const StatReducer& reducer) const;
    /// Channels of each stage's map.
    const std::vector<int>& channels() const { return channels_; }
    void initialise(ParameterSet& parameters, std::uint64_t seed) const;

private:
    BackboneConfig config_;
    Conv2d stem_;
    BatchNorm stemNorm_;
    std::vector<std::vector<ResidualBlock>> stages_;
    std::vector<int> channels_;
};

} // namespace scalebench
