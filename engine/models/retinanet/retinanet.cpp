// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/retinanet/retinanet.h"

#include "engine/autograd/functions.h"
#include "engine/detection/anchor_cache.h"
#include "engine/models/detector/feature_pyramid.h"
#include "engine/models/detector/loss_total.h"
#include "engine/models/retinanet/retina_detect.h"
#include "engine/models/retinanet/retina_targets.h"
#include "kernels/check.h"

#include <cmath>
#include <utility>

namespace scalebench {
namespace {

/// Logarithm of p / (1 - p) for the prior probability 0.01 (section 3.3).
const float kPriorBias = -std::log((1.0f - 0.01f) / 0.01f);
constexpr float kHeadDeviation = 0.01f;

/// Sizes of a level: its base times 2^0, 2^(1/3), 2^(2/3), cut to whole pixels as torchvision does.
std::vector<detection::AnchorLevel> levelsFrom(double base)
{
    std::vector<detection::AnchorLevel> levels;
    for (int stride = 8; stride <= 128; stride *= 2, base *= 2)
        levels.push_back({stride,
                          {base, std::floor(base * std::pow(2.0, 1.0 / 3)),
                           std::floor(base * std::pow(2.0, 2.0 / 3))}});
    return levels;
}

/// A head: convolutions with ReLU and the last one.
struct RetinaHead {
    std::vector<Conv2d> convs;
    Conv2d last;

    RetinaHead() = default;
    RetinaHead(ParameterSet& parameters, const std::string& name, int channels, int depth,
               int outputs)
    {
        for (int i = 1; i <= depth; ++i)
            convs.emplace_back(parameters, name + ".conv" + std::to_string(i), channels, channels,
                               3, Conv2dOptions{.padding = 1, .bias = true, .relu = true});
        last =
            Conv2d(parameters, name + ".last", channels, outputs, 3, {.padding = 1, .bias = true});
    }
    void initialise(ParameterSet& parameters, std::uint64_t seed, float bias) const
    {
        for (const Conv2d& conv : convs)
            conv.initialiseNormal(parameters, seed, kHeadDeviation);
        last.initialiseNormal(parameters, seed, kHeadDeviation, bias);
    }
    Variable operator()(Tape& tape, const ParameterSet& parameters, Variable x) const
    {
        for (const Conv2d& conv : convs)
            x = conv(tape, parameters, x);
        return last(tape, parameters, x);
    }
};

} // namespace

RetinaNetConfig RetinaNetConfig::byName(const std::string& name, int categories)
{
    SB_REQUIRE(categories >= 1, "a detector needs at least one category");
    RetinaNetConfig c;
    c.name = name;
    c.categories = categories;
    c.anchors.levels = levelsFrom(32);
    if (name == "retinanet_small") {
        c.backbone = BackboneConfig::byName("resnet_small");
        c.channels = 64;
        c.headConvs = 1;
        c.anchors.levels = levelsFrom(14);
    } else if (name == "retinanet_resnet18") {
        c.backbone = BackboneConfig::byName("resnet18");
    } else if (name == "retinanet_resnet50") {
        c.backbone = BackboneConfig::byName("resnet50");
    } else if (name == "retinanet_resnext50") {
        c.backbone = BackboneConfig::byName("resnext50");
    } else {
        throw InvalidArgument("unknown network \"" + name +
                              "\": use retinanet_small, retinanet_resnet18, retinanet_resnet50 or "
                              "retinanet_resnext50");
    }
    return c;
}

struct RetinaNet::Impl {
    RetinaNetConfig config;
    ComputePrecision precision;
    ParameterSet parameters;
    StatReducer reducer;
    Backbone backbone;
    FeaturePyramid pyramid;
    RetinaHead classes, boxes;
    detection::AnchorCache anchors; ///< for detect()

    Impl(const RetinaNetConfig& c, Backend& b, Precision requested)
        : config(c), precision(b.computePrecision(requested)), anchors(c.anchors)
    {
        backbone = Backbone(parameters, c.backbone, "backbone.");
        const std::vector<int>& all = backbone.channels();
        SB_REQUIRE(all.size() == 4 && c.anchors.levels.size() == 5,
                   "RetinaNet needs four stages and five levels of anchors");
        pyramid = FeaturePyramid(parameters, "pyramid", {all[1], all[2], all[3]}, c.channels,
                                 FeaturePyramid::Further::Convolutions);
        const int perPlace = c.anchors.perPlace(0);
        classes =
            RetinaHead(parameters, "class_head", c.channels, c.headConvs, perPlace * c.categories);
        boxes = RetinaHead(parameters, "box_head", c.channels, c.headConvs, perPlace * 4);
    }

    void initialise(std::uint64_t seed)
    {
        backbone.initialise(parameters, seed);
        pyramid.initialise(parameters, seed);
        classes.initialise(parameters, seed, kPriorBias);
        boxes.initialise(parameters, seed, 0.0f);
    }
};

RetinaNet::RetinaNet(const RetinaNetConfig& config, Backend& backend, Precision requested,
                     std::uint64_t seed, const ArenaAllocator& gradientArena)
    : impl_(std::make_unique<Impl>(config, backend, requested))
{
    impl_->parameters.build(gradientArena);
    impl_->initialise(seed);
    impl_->parameters.markValuesChanged();
}

RetinaNet::~RetinaNet() = default;

std::vector<RetinaNet::Level> RetinaNet::forward(Tape& tape, const Tensor& images, bool training)
{
    const Impl& m = *impl_;
    SB_REQUIRE(images.shape().size() == 4 && images.dim(1) % 32 == 0 && images.dim(2) % 32 == 0 &&
                   images.dim(3) == 3,
               m.config.name + ": images must be [N,H,W,3] with multiples of 32, not " +
                   images.describe());
    const Variable x(tape.backend().elementwise().cast(images, m.precision.activationType()));
    std::vector<Variable> maps = m.backbone(tape, m.parameters, x, training, m.reducer);
    maps.erase(maps.begin()); // the finest is not looked at
    std::vector<Level> levels;
    const std::int64_t n = images.dim(0);
    for (const Variable& map : m.pyramid(tape, m.parameters, maps)) {
        const std::int64_t anchors =
            map.value().dim(1) * map.value().dim(2) * m.config.anchors.perPlace(0);
        levels.push_back(
            {autograd::reshape(tape, m.classes(tape, m.parameters, map),
                               {n, anchors, m.config.categories}),
             autograd::reshape(tape, m.boxes(tape, m.parameters, map), {n, anchors, 4})});
    }
    return levels;
}

LossResult RetinaNet::loss(Tape& tape, const Batch& batch, const LossParams& params, bool training)
{
    Backend& backend = tape.backend();
    const std::vector<Level> levels = forward(tape, backend.upload(batch.tensors.at(0)), training);
    SB_REQUIRE(batch.tensors.size() == 1 + kRetinaTensorsOfLevel * levels.size(),
               "RetinaNet: a batch without its targets");
    LossTotal total(tape);
    for (std::size_t l = 0; l < levels.size(); ++l) {
        const auto target = [&](std::size_t i) {
            return backend.upload(batch.tensors[1 + kRetinaTensorsOfLevel * l + i]);
        };
        total.add(autograd::focalLoss(tape, levels[l].logits, target(0), target(1),
                                      {.scale = params.scale}));
        total.add(autograd::smoothL1(tape, levels[l].deltas, target(2), target(3),
                                     {.beta = 0.0f, .scale = params.scale}));
    }
    return total.result();
}

std::vector<std::vector<FoundObject>> RetinaNet::detect(Backend& backend, const Tensor& images,
                                                        const std::vector<PictureNote>& notes,
                                                        const DetectOptions& options)
{
    Tape tape(backend, Tape::Mode::Inference);
    const std::vector<Level> levels = forward(tape, backend.upload(images), false);
    ElementwiseOps& ops = backend.elementwise();
    std::vector<RetinaOutputs> outputs;
    for (const Level& level : levels)
        outputs.push_back({backend.download(ops.cast(level.logits.value(), DType::F32)),
                           backend.download(ops.cast(level.deltas.value(), DType::F32))});
    const auto anchors = impl_->anchors.of(int(images.dim(1)), int(images.dim(2)));
    return retinaDetections(outputs, *anchors, notes, options);
}

ParameterSet& RetinaNet::parameters() noexcept
{
    return impl_->parameters;
}
const ComputePrecision& RetinaNet::precision() const noexcept
{
    return impl_->precision;
}
void RetinaNet::setStatReducer(StatReducer reducer)
{
    impl_->reducer = std::move(reducer);
}
const RetinaNetConfig& RetinaNet::config() const noexcept
{
    return impl_->config;
}

} // namespace scalebench
