// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/resnet/resnet9.h"

#include "engine/backend/backend.h"
#include "engine/nn/layers.h"
#include "kernels/check.h"

namespace scalebench {
namespace {

/// 3x3 convolution, batch norm, ReLU.
struct ConvBlock {
    Conv2d conv;
    BatchNorm norm;

    ConvBlock(ParameterSet& parameters, const std::string& name, int in, int out)
        : conv(parameters, name + ".conv", in, out, 3, 1, 1),
          norm(parameters, name + ".bn", out, {1e-5, 0.1, true})
    {
    }
    Variable operator()(Tape& tape, const ParameterSet& p, const Variable& x, bool training,
                        const StatReducer& reducer) const
    {
        return norm(tape, p, conv(tape, p, x), Variable(), training, reducer);
    }
    void initialise(ParameterSet& parameters, std::uint64_t seed) const
    {
        conv.initialise(parameters, seed);
        norm.initialise(parameters, 1.0f);
    }
};

constexpr float kLogitScale = 0.125f;

} // namespace

struct ResNet9::Impl {
    ComputePrecision precision;
    Backend& backend;
    ParameterSet parameters;
    StatReducer reducer;
    ConvBlock first, second, residual1, residual2, third, fourth, residual3, residual4;
    Linear classifier;

    Impl(int classes, Backend& b, Precision requested)
        : precision(b.computePrecision(requested)),
          backend(b),
          first(parameters, "prep", 3, 64),
          second(parameters, "layer1", 64, 128),
          residual1(parameters, "layer1.residual1", 128, 128),
          residual2(parameters, "layer1.residual2", 128, 128),
          third(parameters, "layer2", 128, 256),
          fourth(parameters, "layer3", 256, 512),
          residual3(parameters, "layer3.residual1", 512, 512),
          residual4(parameters, "layer3.residual2", 512, 512),
          classifier(parameters, "classifier", 512, classes)
    {
    }
};

ResNet9::ResNet9(int classes, Backend& backend, Precision requested, std::uint64_t seed,
                 const ArenaAllocator& gradientArena)
{
    SB_REQUIRE(classes >= 2, "a classifier needs at least 2 classes");
    impl_ = std::make_unique<Impl>(classes, backend, requested);
    Impl& m = *impl_;
    m.parameters.build(gradientArena);
    for (const ConvBlock* block : {&m.first, &m.second, &m.residual1, &m.residual2, &m.third,
                                   &m.fourth, &m.residual3, &m.residual4})
        block->initialise(m.parameters, seed);
    m.classifier.initialise(m.parameters, seed);
    m.parameters.markValuesChanged();
}

ResNet9::~ResNet9() = default;

Variable ResNet9::forward(Tape& tape, const Tensor& input, bool training)
{
    const Impl& m = *impl_;
    SB_REQUIRE(input.shape().size() == 4 && input.dim(3) == 3 && input.dim(1) % 8 == 0 &&
                   input.dim(1) == input.dim(2),
               "resnet9: input must be [N,E,E,3] with E a multiple of 8, not " + input.describe());
    const auto block = [&](const ConvBlock& b, const Variable& x) {
        return b(tape, m.parameters, x, training, m.reducer);
    };
    const auto halved = [&](const ConvBlock& b, const Variable& x) {
        return autograd::maxPool(tape, block(b, x), 2, 2, 0);
    };
    const auto plus = [&](const Variable& x, const ConvBlock& a, const ConvBlock& b) {
        return autograd::add(tape, x, block(b, block(a, x)));
    };
    Variable x(m.backend.elementwise().cast(input, m.precision.activationType()));
    x = halved(m.second, block(m.first, x));
    x = plus(x, m.residual1, m.residual2);
    x = halved(m.fourth, halved(m.third, x));
    x = plus(x, m.residual3, m.residual4);
    x = autograd::maxPool(tape, x, int(input.dim(1) / 8), int(input.dim(1) / 8), 0);
    // One pixel is left: its average is itself.
    x = m.classifier(tape, m.parameters, autograd::globalAvgPool(tape, x));
    return autograd::scale(tape, x, kLogitScale);
}

ParameterSet& ResNet9::parameters() noexcept
{
    return impl_->parameters;
}
const ComputePrecision& ResNet9::precision() const noexcept
{
    return impl_->precision;
}
void ResNet9::setStatReducer(StatReducer reducer)
{
    impl_->reducer = std::move(reducer);
}

} // namespace scalebench
