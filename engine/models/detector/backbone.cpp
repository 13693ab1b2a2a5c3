// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/detector/backbone.h"

#include "kernels/check.h"

#include <utility>

namespace scalebench {
namespace {

constexpr double kEpsilon = 1e-5, kMomentum = 0.1;

BackboneConfig bottlenecks()
{
    BackboneConfig c;
    c.bottleneck = true;
    c.blocks = {3, 4, 6, 3};
    return c;
}

} // namespace

BackboneConfig BackboneConfig::byName(const std::string& name)
{
    BackboneConfig c;
    if (name == "resnet_small") {
        c.blocks = {1, 1, 1, 1};
        c.widths = {24, 48, 96, 128};
        c.stemChannels = 24;
        c.imageNetStem = false;
    } else if (name == "resnet10") {
        c.blocks = {1, 1, 1, 1};
    } else if (name == "resnet34") {
        c.blocks = {3, 4, 6, 3};
    } else if (name == "resnet50") {
        c = bottlenecks();
    } else if (name == "resnet50_caffe") {
        c = bottlenecks();
        c.strideInFirst = true;
    } else if (name == "resnext50") {
        c = bottlenecks();
        c.groups = 32;
        c.groupWidth = 4;
    } else if (name != "resnet18") {
        throw InvalidArgument("unknown backbone \"" + name +
                              "\": use resnet_small, resnet10, resnet18, resnet34, resnet50, "
                              "resnet50_caffe or resnext50");
    }
    return c;
}

Backbone::Backbone(ParameterSet& parameters, const BackboneConfig& config,
                   const std::string& prefix)
    : config_(config)
{
    SB_REQUIRE(config.blocks.size() == config.widths.size(),
               "a backbone needs one width for each stage");
    const bool frozenStem = config.frozenStages > 0;
    const int kernel = config.imageNetStem ? 7 : 3;
    stem_ = Conv2d(parameters, prefix + "stem.conv", 3, config.stemChannels, kernel,
                   {.stride = 2, .padding = kernel / 2, .frozen = frozenStem});
    stemNorm_ = BatchNorm(parameters, prefix + "stem.bn", config.stemChannels,
                          {kEpsilon, kMomentum, true}, frozenStem || config.frozenNorm);
    int in = config.stemChannels;
    for (std::size_t s = 0; s < config.blocks.size(); ++s) {
        const ResidualBlockKind kind{.bottleneck = config.bottleneck,
                                     .shortcut = Shortcut::Projection,
                                     .epsilon = kEpsilon,
                                     .momentum = kMomentum,
                                     .groups = config.groups,
                                     .groupWidth = config.groupWidth,
                                     .strideInFirst = config.strideInFirst,
                                     .frozen = int(s) + 1 < config.frozenStages,
                                     .frozenNorm = config.frozenNorm};
        // The pool, or with a small stem the first stage, halves the picture the second time.
        const bool halves = s > 0 || !config.imageNetStem;
        std::vector<ResidualBlock>& stage = stages_.emplace_back();
        for (int i = 0; i < config.blocks[s]; ++i) {
            stage.emplace_back(parameters, kind,
                               prefix + "stage" + std::to_string(s + 1) + ".block" +
                                   std::to_string(i + 1),
                               in, config.widths[s], i == 0 && halves ? 2 : 1);
            in = config.bottleneck ? 4 * config.widths[s] : config.widths[s];
        }
        channels_.push_back(in);
    }
}

std::vector<Variable> Backbone::operator()(Tape& tape, const ParameterSet& parameters,
                                           const Variable& images, bool training,
                                           const StatReducer& reducer) const
{
    Variable x =
        stemNorm_(tape, parameters, stem_(tape, parameters, images), Variable(), training, reducer);
    if (config_.imageNetStem)
        x = autograd::maxPool(tape, x, 3, 2, 1);
    std::vector<Variable> maps;
    for (const std::vector<ResidualBlock>& stage : stages_) {
        for (const ResidualBlock& block : stage)
            x = block.forward(tape, parameters, x, training, reducer);
        maps.push_back(x);
    }
    return maps;
}

void Backbone::initialise(ParameterSet& parameters, std::uint64_t seed) const
{
    stem_.initialise(parameters, seed);
    stemNorm_.initialise(parameters, 1.0f);
    for (const std::vector<ResidualBlock>& stage : stages_)
        for (const ResidualBlock& block : stage)
            block.initialise(parameters, seed, false);
}

} // namespace scalebench
