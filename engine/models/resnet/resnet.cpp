// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/resnet/resnet.h"

#include <charconv>

#include "engine/backend/backend.h"
#include "engine/models/resnet/residual_block.h"
#include "engine/nn/layers.h"
#include "kernels/check.h"

namespace scalebench {

ResNetConfig ResNetConfig::byName(const std::string& name, int classes)
{
    SB_REQUIRE(classes >= 2, "a classifier needs at least 2 classes");
    ResNetConfig c;
    c.name = name;
    c.classes = classes;
    if (name == "resnet50") {
        c.imageSize = 224;
        c.imageNetStem = true;
        c.bottleneck = true;
        c.shortcut = Shortcut::Projection;
        c.blocks = {3, 4, 6, 3};
        c.channels = {64, 128, 256, 512};
        c.zeroInitResidual = true;
        return c;
    }
    if (name == "resnet18") {
        c.shortcut = Shortcut::Projection;
        c.blocks = {2, 2, 2, 2};
        c.channels = {64, 128, 256, 512};
        return c;
    }
    int depth = 0;
    const char* digits = name.data() + 6;
    const char* end = name.data() + name.size();
    const bool number = name.starts_with("resnet") &&
                        std::from_chars(digits, end, depth).ptr == end && digits != end;
    SB_REQUIRE(
        number && depth >= 8 && depth <= 1202 && depth % 6 == 2,
        "unknown network \"" + name +
            "\": use resnet50, resnet18, or resnet20, resnet32, resnet56 or another depth 6n+2");
    const int n = (depth - 2) / 6;
    c.blocks = {n, n, n};
    c.channels = {16, 32, 64};
    return c;
}

struct ResNet::Impl {
    ResNetConfig config;
    Backend& backend;
    ComputePrecision precision;
    ParameterSet parameters;
    StatReducer reducer;
    Conv2d stem;
    BatchNorm stemNorm;
    std::vector<ResidualBlock> blocks;
    Linear classifier;

    Impl(const ResNetConfig& c, Backend& b, Precision requested)
        : config(c), backend(b), precision(b.computePrecision(requested))
    {
        SB_REQUIRE(!c.blocks.empty() && c.blocks.size() == c.channels.size(),
                   "a residual network needs one width per stage");
        const int first = c.channels[0];
        stem = c.imageNetStem ? Conv2d(parameters, "stem.conv", 3, first, 7, 2, 3)
                              : Conv2d(parameters, "stem.conv", 3, first, 3, 1, 1);
        stemNorm = BatchNorm(parameters, "stem.bn", first,
                             {c.batchNormEpsilon, c.batchNormMomentum, true});
        const ResidualBlockKind kind{c.bottleneck, c.shortcut, c.batchNormEpsilon,
                                     c.batchNormMomentum};
        int in = first;
        for (std::size_t s = 0; s < c.blocks.size(); ++s)
            for (int i = 0; i < c.blocks[s]; ++i) {
                blocks.emplace_back(parameters, kind,
                                    "stage" + std::to_string(s + 1) + ".block" +
                                        std::to_string(i + 1),
                                    in, c.channels[s], s > 0 && i == 0 ? 2 : 1);
                in = c.channels[s] * (c.bottleneck ? 4 : 1);
            }
        classifier = Linear(parameters, "classifier", in, c.classes);
    }
};

ResNet::ResNet(const ResNetConfig& config, Backend& backend, Precision requested,
               std::uint64_t seed, const ArenaAllocator& gradientArena)
    : impl_(std::make_unique<Impl>(config, backend, requested))
{
    ParameterSet& parameters = impl_->parameters;
    parameters.build(gradientArena);
    impl_->stem.initialise(parameters, seed);
    impl_->stemNorm.initialise(parameters, 1.0f);
    for (const ResidualBlock& block : impl_->blocks)
        block.initialise(parameters, seed, config.zeroInitResidual);
    impl_->classifier.initialise(parameters, seed);
    parameters.markValuesChanged();
}

ResNet::~ResNet() = default;

Variable ResNet::forward(Tape& tape, const Tensor& input, bool training)
{
    const Impl& m = *impl_;
    SB_REQUIRE(input.shape().size() == 4 && input.dim(3) == 3,
               m.config.name + ": input must be [N,H,W,3], not " + input.describe());
    const ParameterSet& p = m.parameters;
    Variable x(m.backend.elementwise().cast(input, m.precision.activationType()));
    x = m.stemNorm(tape, p, m.stem(tape, p, x), Variable(), training, m.reducer);
    if (m.config.imageNetStem)
        x = autograd::maxPool(tape, x, 3, 2, 1);
    for (const ResidualBlock& block : m.blocks)
        x = block.forward(tape, p, x, training, m.reducer);
    return m.classifier(tape, p, autograd::globalAvgPool(tape, x));
}

ParameterSet& ResNet::parameters() noexcept
{
    return impl_->parameters;
}
const ComputePrecision& ResNet::precision() const noexcept
{
    return impl_->precision;
}
void ResNet::setStatReducer(StatReducer reducer)
{
    impl_->reducer = std::move(reducer);
}
const ResNetConfig& ResNet::config() const noexcept
{
    return impl_->config;
}

} // namespace scalebench
