// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers.h"

#include <algorithm>
#include <cmath>

#include "engine/nn/initialise.h"

namespace scalebench {

ParameterRef reference(const ParameterSet& parameters, int index)
{
    if (index < 0)
        return {};
    return {parameters.value(index), parameters.gradient(index), index, parameters.version(),
            parameters.sparseGradient(index)};
}

Conv2d::Conv2d(ParameterSet& parameters, const std::string& name, int inChannels, int outChannels,
               int kernel, int stride, int padding)
    : Conv2d(parameters, name, inChannels, outChannels, kernel,
             Conv2dOptions{.stride = stride, .padding = padding})
{
}

ParameterRef frozenReference(const ParameterSet& parameters, int buffer)
{
    if (buffer < 0)
        return {};
    return {parameters.buffer(buffer), Tensor(), -1, parameters.version(), nullptr};
}

Conv2d::Conv2d(ParameterSet& parameters, const std::string& name, int inChannels, int outChannels,
               int kernel, const Conv2dOptions& options)
    : options_(options)
{
    const Shape shape = {outChannels, inChannels / options.groups, kernel, kernel};
    if (options.frozen) {
        weight_ = parameters.addBuffer(name + ".weight", shape, 0.0f);
        bias_ = options.bias ? parameters.addBuffer(name + ".bias", {outChannels}, 0.0f) : -1;
        return;
    }
    weight_ = parameters.addParameter(name + ".weight", shape, true);
    if (options.bias)
        bias_ = parameters.addParameter(name + ".bias", {outChannels}, false);
}

Tensor Conv2d::weight(const ParameterSet& parameters) const
{
    return options_.frozen ? parameters.buffer(weight_) : parameters.value(weight_);
}

Variable Conv2d::operator()(Tape& tape, const ParameterSet& parameters, const Variable& input) const
{
    const auto at = std::size_t(weight_);
    tape.enterLayer(options_.frozen ? parameters.buffers()[at].name
                                    : parameters.parameters()[at].name);
    const auto ref = options_.frozen ? frozenReference : reference;
    return autograd::conv2d(tape, input, ref(parameters, weight_), ref(parameters, bias_),
                            {.stride = options_.stride,
                             .padding = options_.padding,
                             .dilation = options_.dilation,
                             .groups = options_.groups,
                             .relu = options_.relu});
}

void Conv2d::initialise(ParameterSet& parameters, std::uint64_t seed) const
{
    const Tensor w = weight(parameters);
    const std::int64_t fanOut = w.dim(0) / options_.groups * w.dim(2) * w.dim(3);
    fillNormal(w, stream(), seed, float(std::sqrt(2.0 / double(fanOut))));
}

void Conv2d::initialiseNormal(ParameterSet& parameters, std::uint64_t seed, float deviation,
                              float bias) const
{
    fillNormal(weight(parameters), stream(), seed, deviation);
    if (bias_ >= 0)
        std::ranges::fill(parameters.value(bias_).f32(), bias);
}

void Conv2d::initialiseUniform(ParameterSet& parameters, std::uint64_t seed) const
{
    const Tensor w = weight(parameters);
    const double fanIn = double(w.dim(1) * w.dim(2) * w.dim(3));
    fillUniform(w, stream(), seed, float(std::sqrt(3.0 / fanIn)));
}

void Conv2d::initialiseGlorot(ParameterSet& parameters, std::uint64_t seed) const
{
    const Tensor w = weight(parameters);
    const double field = double(w.dim(2) * w.dim(3));
    const double fanIn = field * double(w.dim(1)), fanOut = field * double(w.dim(0));
    fillUniform(w, stream(), seed, float(std::sqrt(6.0 / (fanIn + fanOut))));
    if (bias_ >= 0)
        fillUniform(parameters, bias_, seed, float(1.0 / std::sqrt(fanIn)));
}

BatchNorm::BatchNorm(ParameterSet& parameters, const std::string& name, int channels,
                     const BatchNormArgs& args, bool frozen)
    : gamma_(frozen ? parameters.addBuffer(name + ".weight", {channels}, 1.0f)
                    : parameters.addParameter(name + ".weight", {channels}, false)),
      beta_(frozen ? parameters.addBuffer(name + ".bias", {channels}, 0.0f)
                   : parameters.addParameter(name + ".bias", {channels}, false)),
      runningMean_(parameters.addBuffer(name + ".running_mean", {channels}, 0.0f)),
      runningVar_(parameters.addBuffer(name + ".running_var", {channels}, 1.0f)),
      args_(args),
      frozen_(frozen)
{
}

Variable BatchNorm::operator()(Tape& tape, const ParameterSet& parameters, const Variable& input,
                               const Variable& residual, bool training,
                               const StatReducer& reducer) const
{
    if (frozen_) {
        tape.enterLayer(parameters.buffers()[std::size_t(gamma_)].name);
        return autograd::frozenBatchNorm(
            tape, args_, input, residual, frozenReference(parameters, gamma_),
            frozenReference(parameters, beta_), parameters.buffer(runningMean_),
            parameters.buffer(runningVar_));
    }
    tape.enterLayer(parameters.parameters()[std::size_t(gamma_)].name);
    return autograd::batchNorm(tape, args_, input, residual, reference(parameters, gamma_),
                               reference(parameters, beta_), parameters.buffer(runningMean_),
                               parameters.buffer(runningVar_), training, reducer);
}

void BatchNorm::initialise(ParameterSet& parameters, float scale) const
{
    if (frozen_)
        return; // as declared, until weights are read
    std::ranges::fill(parameters.value(gamma_).f32(), scale);
    std::ranges::fill(parameters.value(beta_).f32(), 0.0f);
}

Linear::Linear(ParameterSet& parameters, const std::string& name, int in, int out)
    : weight_(parameters.addParameter(name + ".weight", {out, in}, true)),
      bias_(parameters.addParameter(name + ".bias", {out}, false))
{
}

Variable Linear::operator()(Tape& tape, const ParameterSet& parameters, const Variable& input) const
{
    tape.enterLayer(parameters.parameters()[std::size_t(weight_)].name);
    return autograd::linear(tape, input, reference(parameters, weight_),
                            reference(parameters, bias_));
}

void Linear::initialise(ParameterSet& parameters, std::uint64_t seed) const
{
    const Tensor w = parameters.value(weight_);
    const auto bound = float(1.0 / std::sqrt(double(w.dim(1))));
    for (int index : {weight_, bias_})
        fillUniform(parameters, index, seed, bound);
}

} // namespace scalebench
