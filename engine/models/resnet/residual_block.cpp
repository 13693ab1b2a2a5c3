// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/resnet/residual_block.h"

namespace scalebench {

ResidualBlock::ResidualBlock(ParameterSet& parameters, const ResidualBlockKind& config,
                             const std::string& name, int in, int width, int blockStride)
    : stride(blockStride)
{
    const BatchNormArgs plain{config.epsilon, config.momentum, false};
    const BatchNormArgs withRelu{config.epsilon, config.momentum, true};
    const int out = config.bottleneck ? 4 * width : width;
    if (stride != 1 || in != out) {
        project = config.shortcut == Shortcut::Projection;
        padChannels = project ? 0 : out;
    }
    if (project) {
        shortcutConv = Conv2d(parameters, name + ".shortcut.conv", in, out, 1, stride, 0);
        shortcutNorm = BatchNorm(parameters, name + ".shortcut.bn", out, plain);
    }
    auto add = [&](int from, int to, int kernel, int s) {
        const std::string index = std::to_string(convs.size() + 1);
        convs.emplace_back(parameters, name + ".conv" + index, from, to, kernel, s, kernel / 2);
        norms.emplace_back(parameters, name + ".bn" + index, to, withRelu);
    };
    if (config.bottleneck) { // v1.5: the 3x3 convolution has the stride, not the first 1x1
        add(in, width, 1, 1);
        add(width, width, 3, stride);
        add(width, out, 1, 1);
    } else {
        add(in, width, 3, stride);
        add(width, out, 3, 1);
    }
}

Variable ResidualBlock::forward(Tape& tape, const ParameterSet& parameters, const Variable& input,
                                bool training, const StatReducer& reducer) const
{
    Variable shortcut = input;
    if (project)
        shortcut = shortcutNorm(tape, parameters, shortcutConv(tape, parameters, input), Variable(),
                                training, reducer);
    else if (padChannels > 0)
        shortcut = autograd::shortcutPad(tape, input, padChannels, stride);
    Variable x = input;
    for (std::size_t i = 0; i < convs.size(); ++i)
        x = norms[i](tape, parameters, convs[i](tape, parameters, x),
                     i + 1 == convs.size() ? shortcut : Variable(), training, reducer);
    return x;
}

void ResidualBlock::initialise(ParameterSet& parameters, std::uint64_t seed, bool zeroLast) const
{
    if (project) {
        shortcutConv.initialise(parameters, seed);
        shortcutNorm.initialise(parameters, 1.0f);
    }
    for (std::size_t i = 0; i < convs.size(); ++i) {
        convs[i].initialise(parameters, seed);
        norms[i].initialise(parameters, zeroLast && i + 1 == convs.size() ? 0.0f : 1.0f);
    }
}

} // namespace scalebench
