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
    const bool frozenNorm = config.frozen || config.frozenNorm;
    if (project) {
        shortcutConv = Conv2d(parameters, name + ".shortcut.conv", in, out, 1,
                              {.stride = stride, .frozen = config.frozen});
        shortcutNorm = BatchNorm(parameters, name + ".shortcut.bn", out, plain, frozenNorm);
    }
    auto add = [&](int from, int to, int kernel, int s, int groups = 1) {
        const std::string index = std::to_string(convs.size() + 1);
        convs.emplace_back(
            parameters, name + ".conv" + index, from, to, kernel,
            Conv2dOptions{
                .stride = s, .padding = kernel / 2, .groups = groups, .frozen = config.frozen});
        norms.emplace_back(parameters, name + ".bn" + index, to, withRelu, frozenNorm);
    };
    if (config.bottleneck) { // v1.5: the 3x3 convolution has the stride, not the first 1x1
        const int inner = width * config.groupWidth / 64 * config.groups;
        const int first = config.strideInFirst ? stride : 1;
        add(in, inner, 1, first);
        add(inner, inner, 3, stride / first, config.groups);
        add(inner, out, 1, 1);
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
