// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The block that residual networks and the backbones of detectors are made of (He et al. 2015,
// arXiv 1512.03385).

#include "engine/nn/layers.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench {

enum class Shortcut {
    PadZero,   ///< option A: every second pixel, missing channels zero
    Projection ///< option B: 1x1 convolution and batch norm where the shape changes
};

struct ResidualBlockKind {
    bool bottleneck = false; ///< 1x1, 3x3, 1x1 (four times wider) instead of 3x3, 3x3
    Shortcut shortcut = Shortcut::PadZero;
    double epsilon = 1e-5, momentum = 0.1; ///< of batch norm
    int groups = 1, groupWidth = 64; ///< ResNeXt: the 3x3 has width / 64 * groupWidth * groups
                                     ///< channels in so many groups
    bool strideInFirst = false;      ///< the first 1x1 of a bottleneck has the stride, not the 3x3
    bool frozen = false;             ///< nothing of it is trained
    bool frozenNorm = false;         ///< its batch norms are not
};

/// One residual block. The shortcut comes first, so that parameters are declared in the order in
/// which forward() uses them.
struct ResidualBlock {
    bool project = false;
    int padChannels = 0; // option A: channels of the padded shortcut; 0: none
    int stride = 1;
    Conv2d shortcutConv;
    BatchNorm shortcutNorm;
    std::vector<Conv2d> convs;
    std::vector<BatchNorm> norms; // the last one adds the shortcut

    /// `width`: of the 3x3 convolution; the output has four times as many channels where there is a
    /// bottleneck.
    ResidualBlock(ParameterSet& parameters, const ResidualBlockKind& config,
                  const std::string& name, int in, int width, int blockStride);

    Variable forward(Tape& tape, const ParameterSet& parameters, const Variable& input,
                     bool training, const StatReducer& reducer) const;
    /// zeroLast: the last batch-norm scale starts at 0.
    void initialise(ParameterSet& parameters, std::uint64_t seed, bool zeroLast) const;
};

} // namespace scalebench
