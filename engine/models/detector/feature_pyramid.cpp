// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/detector/feature_pyramid.h"

#include "engine/autograd/functions.h"
#include "kernels/check.h"

#include <string>

namespace scalebench {

FeaturePyramid::FeaturePyramid(ParameterSet& parameters, const std::string& name,
                               const std::vector<int>& inChannels, int channels, Further further)
    : kind_(further)
{
    SB_REQUIRE(!inChannels.empty(), "a feature pyramid needs at least one map");
    // Declared as forward uses them: from the coarsest map down.
    inner_.resize(inChannels.size());
    layer_.resize(inChannels.size());
    for (std::size_t i = inChannels.size(); i-- > 0;) {
        const std::string number = std::to_string(i + 1);
        inner_[i] = Conv2d(parameters, name + ".inner" + number, inChannels[i], channels, 1,
                           {.bias = true});
        layer_[i] = Conv2d(parameters, name + ".layer" + number, channels, channels, 3,
                           {.padding = 1, .bias = true});
    }
    if (further == Further::Convolutions)
        for (const char* number : {"1", "2"})
            further_.emplace_back(parameters, name + ".further" + number, channels, channels, 3,
                                  Conv2dOptions{.stride = 2, .padding = 1, .bias = true});
}

std::vector<Variable> FeaturePyramid::operator()(Tape& tape, const ParameterSet& parameters,
                                                 const std::vector<Variable>& maps) const
{
    SB_REQUIRE(maps.size() == inner_.size(), "a feature pyramid wants " +
                                                 std::to_string(inner_.size()) + " maps, not " +
                                                 std::to_string(maps.size()));
    std::vector<Variable> levels(maps.size());
    Variable above;
    for (std::size_t i = maps.size(); i-- > 0;) {
        Variable here = inner_[i](tape, parameters, maps[i]);
        if (above.value().defined())
            here = autograd::add(tape, here,
                                 autograd::resize(tape, above, here.value().dim(1),
                                                  here.value().dim(2), ResizeMode::Nearest));
        above = here;
        levels[i] = layer_[i](tape, parameters, here);
    }
    if (kind_ == Further::Pool)
        levels.push_back(autograd::maxPool(tape, levels.back(), 1, 2, 0));
    for (std::size_t i = 0; i < further_.size(); ++i)
        levels.push_back(further_[i](tape, parameters,
                                     i == 0 ? levels.back() : autograd::relu(tape, levels.back())));
    return levels;
}

void FeaturePyramid::initialise(ParameterSet& parameters, std::uint64_t seed) const
{
    for (const std::vector<Conv2d>* convs : {&inner_, &layer_, &further_})
        for (const Conv2d& conv : *convs)
            conv.initialiseUniform(parameters, seed);
}

} // namespace scalebench
