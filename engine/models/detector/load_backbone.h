// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights of a backbone from a file (engine/nn/weights_file.h): of torchvision's residual networks
// and detectors, or of a run of Scalebench.

#include "engine/nn/parameter_set.h"

#include <string>
#include <string_view>
#include <vector>

namespace scalebench {

/// The name that a Backbone gives to what torchvision's networks call `published`, without the
/// prefixes of both: "layer1.0.bn2.weight" is "stage1.block1.bn2.weight". One of ours is returned
/// as it is, and anything else as an empty text.
std::string backboneName(std::string_view published);

struct LoadedWeights {
    std::string format; ///< of the file
    int taken = 0;      ///< tensors, that is all of the backbone's
    /// Of the file, not wanted: the classifier, stages that the detector does not have ...
    std::vector<std::string> leftOver;

    /// "101 tensors of FILE (safetensors); left over: fc.bias, fc.weight"
    std::string describe(const std::string& file) const;
};

/// Fills everything of the set that is named "<prefix>stem..." or "<prefix>stageN...", be it
/// trained, frozen or a statistic; on the host, before moveTo(). Throws InvalidArgument (`weights`)
/// where the file lacks some of it, or has it in another shape: it is of another network then, and
/// nothing has been changed.
LoadedWeights loadBackbone(ParameterSet& parameters, const std::string& file,
                           const std::string& prefix);

} // namespace scalebench
