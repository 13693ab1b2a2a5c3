// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/ssd/ssd.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/models/resnet/residual_block.h"
#include "engine/models/ssd/multibox_loss.h"
#include "engine/models/ssd/ssd_detect.h"
#include "engine/nn/layers.h"
#include "kernels/check.h"

namespace scalebench {
namespace {

SsdConfig small(SsdConfig c)
{
    c.imageNetStem = false;
    c.stemChannels = 24;
    c.blocks = {1, 1};
    c.channels = {48, 96};
    c.strides = {2, 2};
    c.extras = {{64, 128}, {64, 128}, {64, 128}};
    c.extraNorm = true;
    c.boxes = {128, {16, 8, 4, 2}, {8, 16, 32, 64}, {14, 26, 44, 70, 100}, {{2}, {2}, {2}, {2}}};
    return c;
}

SsdConfig published(SsdConfig c, std::vector<int> blocks)
{
    c.blocks = std::move(blocks);
    c.channels = {64, 128, 256};
    c.strides = {1, 2, 1};
    c.extras = {{256, 512}, {256, 512}, {128, 256}, {128, 256, 1, 0}, {128, 256, 1, 0}};
    c.boxes = {300,
               {38, 19, 10, 5, 3, 1},
               {8, 16, 32, 64, 100, 300},
               {21, 45, 99, 153, 207, 261, 315},
               {{2}, {2, 3}, {2, 3}, {2, 3}, {2}, {2}}};
    return c;
}

constexpr BatchNormArgs kSsdNorm{1e-5, 0.1, true};

struct Extra {
    Conv2d reduce, grow;
    BatchNorm reduceNorm, growNorm;
};

struct SsdHead {
    Conv2d deltas, logits;
};

} // namespace

SsdConfig SsdConfig::byName(const std::string& name, int categories)
{
    SB_REQUIRE(categories >= 1, "a detector needs at least one category");
    SsdConfig c;
    c.name = name;
    c.categories = categories;
    if (name == "ssd_small")
        return small(std::move(c));
    if (name == "ssd_resnet18")
        return published(std::move(c), {2, 2, 2});
    if (name == "ssd_resnet34")
        return published(std::move(c), {3, 4, 6});
    throw InvalidArgument("unknown network \"" + name +
                          "\": use ssd_small, ssd_resnet18 or ssd_resnet34");
}

struct Ssd::Impl {
    SsdConfig config;
    ComputePrecision precision;
    std::vector<float> defaults;
    ParameterSet parameters;
    StatReducer reducer;
    Conv2d stem;
    BatchNorm stemNorm;
    std::vector<ResidualBlock> blocks;
    std::vector<Extra> extras;
    std::vector<SsdHead> heads;

    Impl(const SsdConfig& c, Backend& b, Precision requested)
        : config(c),
          precision(b.computePrecision(requested)),
          defaults(detection::makeDefaultBoxes(c.boxes))
    {
        SB_REQUIRE(c.blocks.size() == c.channels.size() && c.blocks.size() == c.strides.size() &&
                       c.boxes.maps.size() == c.extras.size() + 1,
                   "SSD needs one width and stride per stage and default boxes for every map");
        stem = c.imageNetStem ? Conv2d(parameters, "stem.conv", 3, c.stemChannels, 7, 2, 3)
                              : Conv2d(parameters, "stem.conv", 3, c.stemChannels, 3, 2, 1);
        stemNorm = BatchNorm(parameters, "stem.bn", c.stemChannels, kSsdNorm);
        int in = c.stemChannels;
        const ResidualBlockKind kind{.shortcut = Shortcut::Projection};
        for (std::size_t s = 0; s < c.blocks.size(); ++s)
            for (int i = 0; i < c.blocks[s]; ++i) {
                blocks.emplace_back(parameters, kind,
                                    "stage" + std::to_string(s + 1) + ".block" +
                                        std::to_string(i + 1),
                                    in, c.channels[s], i == 0 ? c.strides[s] : 1);
                in = c.channels[s];
            }
        std::vector<int> widths = {in};
        for (const SsdExtra& extra : c.extras) {
            addExtra(extra, widths.back());
            widths.push_back(extra.out);
        }
        for (std::size_t m = 0; m < widths.size(); ++m) {
            const std::string name = "head" + std::to_string(m + 1);
            const int n = c.boxes.perPlace(m);
            const Conv2dOptions options{.padding = 1, .bias = true};
            heads.push_back({Conv2d(parameters, name + ".box", widths[m], 4 * n, 3, options),
                             Conv2d(parameters, name + ".class", widths[m], (c.categories + 1) * n,
                                    3, options)});
        }
    }

    void addExtra(const SsdExtra& extra, int in)
    {
        const std::string name = "extra" + std::to_string(extras.size() + 1);
        const bool norm = config.extraNorm;
        Extra& e = extras.emplace_back();
        e.reduce = Conv2d(parameters, name + ".conv1", in, extra.middle, 1,
                          {.bias = !norm, .relu = !norm});
        if (norm)
            e.reduceNorm = BatchNorm(parameters, name + ".bn1", extra.middle, kSsdNorm);
        e.grow = Conv2d(
            parameters, name + ".conv2", extra.middle, extra.out, 3,
            {.stride = extra.stride, .padding = extra.padding, .bias = !norm, .relu = !norm});
        if (norm)
            e.growNorm = BatchNorm(parameters, name + ".bn2", extra.out, kSsdNorm);
    }

    void initialise(std::uint64_t seed)
    {
        stem.initialise(parameters, seed);
        stemNorm.initialise(parameters, 1.0f);
        for (const ResidualBlock& block : blocks)
            block.initialise(parameters, seed, false);
        for (const Extra& extra : extras) {
            extra.reduce.initialiseGlorot(parameters, seed);
            extra.grow.initialiseGlorot(parameters, seed);
            if (config.extraNorm) {
                extra.reduceNorm.initialise(parameters, 1.0f);
                extra.growNorm.initialise(parameters, 1.0f);
            }
        }
        for (const SsdHead& head : heads) {
            head.deltas.initialiseGlorot(parameters, seed);
            head.logits.initialiseGlorot(parameters, seed);
        }
    }

    /// The maps that the heads look at, largest first.
    std::vector<Variable> maps(Tape& tape, const Tensor& images, bool training) const
    {
        const auto normed = [&](const BatchNorm& norm, const Variable& x) {
            return norm(tape, parameters, x, Variable(), training, reducer);
        };
        Variable x(tape.backend().elementwise().cast(images, precision.activationType()));
        x = normed(stemNorm, stem(tape, parameters, x));
        if (config.imageNetStem)
            x = autograd::maxPool(tape, x, 3, 2, 1);
        for (const ResidualBlock& block : blocks)
            x = block.forward(tape, parameters, x, training, reducer);
        std::vector<Variable> all = {x};
        for (const Extra& extra : extras) {
            x = extra.reduce(tape, parameters, x);
            x = config.extraNorm ? normed(extra.reduceNorm, x) : x;
            x = extra.grow(tape, parameters, x);
            x = config.extraNorm ? normed(extra.growNorm, x) : x;
            all.push_back(x);
        }
        return all;
    }
};

Ssd::Ssd(const SsdConfig& config, Backend& backend, Precision requested, std::uint64_t seed,
         const ArenaAllocator& gradientArena)
    : impl_(std::make_unique<Impl>(config, backend, requested))
{
    impl_->parameters.build(gradientArena);
    impl_->initialise(seed);
    impl_->parameters.markValuesChanged();
}

Ssd::~Ssd() = default;

Ssd::Output Ssd::forward(Tape& tape, const Tensor& images, bool training)
{
    const Impl& m = *impl_;
    const int edge = m.config.boxes.imageSize;
    SB_REQUIRE(images.shape().size() == 4 && images.dim(1) == edge && images.dim(2) == edge &&
                   images.dim(3) == 3,
               m.config.name + ": images must be [N," + std::to_string(edge) + "," +
                   std::to_string(edge) + ",3], not " + images.describe());
    const std::int64_t n = images.dim(0);
    std::vector<Variable> logits, deltas;
    const std::vector<Variable> maps = m.maps(tape, images, training);
    for (std::size_t i = 0; i < maps.size(); ++i) {
        const std::int64_t boxes =
            maps[i].value().dim(1) * maps[i].value().dim(2) * m.config.boxes.perPlace(i);
        deltas.push_back(
            autograd::reshape(tape, m.heads[i].deltas(tape, m.parameters, maps[i]), {n, boxes, 4}));
        logits.push_back(autograd::reshape(tape, m.heads[i].logits(tape, m.parameters, maps[i]),
                                           {n, boxes, m.config.categories + 1}));
    }
    return {autograd::concat(tape, logits, 1), autograd::concat(tape, deltas, 1)};
}

LossResult Ssd::loss(Tape& tape, const Batch& batch, const LossParams& params, bool training)
{
    Backend& backend = tape.backend();
    const Output out = forward(tape, backend.upload(batch.tensors.at(0)), training);
    MultiboxParams multibox;
    multibox.scale = params.scale;
    return multiboxLoss(tape, out.logits, out.deltas, backend.upload(batch.tensors.at(1)),
                        backend.upload(batch.tensors.at(2)), multibox);
}

std::vector<std::vector<FoundObject>> Ssd::detect(Backend& backend, const Tensor& images,
                                                  const std::vector<PictureNote>& notes,
                                                  const DetectOptions& options)
{
    Tape tape(backend, Tape::Mode::Inference);
    const Output out = forward(tape, backend.upload(images), false);
    ElementwiseOps& ops = backend.elementwise();
    const Tensor logits = backend.download(ops.cast(out.logits.value(), DType::F32));
    const Tensor deltas = backend.download(ops.cast(out.deltas.value(), DType::F32));
    const auto rows = std::size_t(images.dim(0));
    const std::size_t ofLogits = logits.f32().size() / rows, ofDeltas = deltas.f32().size() / rows;
    std::vector<std::vector<FoundObject>> found(notes.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < found.size(); ++i)
        found[i] = ssdDetections(logits.f32().subspan(i * ofLogits, ofLogits),
                                 deltas.f32().subspan(i * ofDeltas, ofDeltas), impl_->defaults,
                                 impl_->config.boxes.imageSize, options);
    return found;
}

ParameterSet& Ssd::parameters() noexcept
{
    return impl_->parameters;
}
const ComputePrecision& Ssd::precision() const noexcept
{
    return impl_->precision;
}
void Ssd::setStatReducer(StatReducer reducer)
{
    impl_->reducer = std::move(reducer);
}
const SsdConfig& Ssd::config() const noexcept
{
    return impl_->config;
}
const std::vector<float>& Ssd::defaultBoxes() const noexcept
{
    return impl_->defaults;
}

} // namespace scalebench
