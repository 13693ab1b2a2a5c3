// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/maskrcnn.h"
#include "kernels/check.h"

#include <utility>

namespace scalebench {
namespace {

/// Anchors of one size on each of five levels, strides 4 to 64.
std::vector<detection::AnchorLevel> anchorLevels(double finest)
{
    std::vector<detection::AnchorLevel> levels;
    for (int i = 0; i < 5; ++i)
        levels.push_back({4 << i, {finest * double(1 << i)}});
    return levels;
}

MaskRcnnConfig small(MaskRcnnConfig c)
{
    c.backbone = BackboneConfig::byName("resnet_small");
    c.channels = 48;
    c.proposals.anchors.levels = anchorLevels(8);
    c.proposals.training = {200, 100};
    c.proposals.evaluation = {100, 50};
    c.proposals.samples = 64;
    c.levels.canonicalSize = 64;
    c.samples.count = 32;
    c.box = {7, 128};
    c.mask = {14, 32, 2};
    return c;
}

MaskRcnnConfig published(MaskRcnnConfig c)
{
    c.backbone = BackboneConfig::byName("resnet50_caffe");
    c.backbone.frozenNorm = true;
    c.backbone.frozenStages = 2;
    return c;
}

} // namespace

MaskRcnnConfig MaskRcnnConfig::byName(const std::string& name, int categories)
{
    SB_REQUIRE(categories >= 1, "a detector needs at least one category");
    MaskRcnnConfig c;
    c.name = name;
    c.categories = categories;
    c.proposals.anchors.levels = anchorLevels(32);
    if (name == "maskrcnn_small")
        return small(std::move(c));
    if (name == "maskrcnn_resnet50")
        return published(std::move(c));
    if (name == "maskrcnn_resnet18") {
        c.backbone = BackboneConfig::byName("resnet18");
        return c;
    }
    throw InvalidArgument("unknown network \"" + name +
                          "\": use maskrcnn_small, maskrcnn_resnet18 or maskrcnn_resnet50");
}

} // namespace scalebench
