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

Conv2d::Conv2d(ParameterSet& parameters, const std::string& name, int inChannels, int outChannels,
               int kernel, const Conv2dOptions& options)
    : weight_(parameters.addParameter(
          name + ".weight", {outChannels, inChannels / options.groups, kernel, kernel}, true)),
      options_(options)
{
    if (options.bias)
        bias_ = parameters.addParameter(name + ".bias", {outChannels}, false);
}

Variable Conv2d::operator()(Tape& tape, const ParameterSet& parameters, const Variable& input) const
{
    tape.enterLayer(parameters.parameters()[std::size_t(weight_)].name);
    return autograd::conv2d(tape, input, reference(parameters, weight_),
                            reference(parameters, bias_),
                            {.stride = options_.stride,
                             .padding = options_.padding,
                             .dilation = options_.dilation,
                             .groups = options_.groups,
                             .relu = options_.relu});
}

void Conv2d::initialise(ParameterSet& parameters, std::uint64_t seed) const
{
    const Tensor w = parameters.value(weight_);
    const double fanOut = double(w.dim(0) / options_.groups * w.dim(2) * w.dim(3));
    fillNormal(parameters, weight_, seed, float(std::sqrt(2.0 / fanOut)));
}

void Conv2d::initialiseGlorot(ParameterSet& parameters, std::uint64_t seed) const
{
    const Tensor w = parameters.value(weight_);
    const double field = double(w.dim(2) * w.dim(3));
    const double fanIn = field * double(w.dim(1)), fanOut = field * double(w.dim(0));
    fillUniform(parameters, weight_, seed, float(std::sqrt(6.0 / (fanIn + fanOut))));
    if (bias_ >= 0)
        fillUniform(parameters, bias_, seed, float(1.0 / std::sqrt(fanIn)));
}

BatchNorm::BatchNorm(ParameterSet& parameters, const std::string& name, int channels,
                     const BatchNormArgs& args)
    : gamma_(parameters.addParameter(name + ".weight", {channels}, false)),
      beta_(parameters.addParameter(name + ".bias", {channels}, false)),
      runningMean_(parameters.addBuffer(name + ".running_mean", {channels}, 0.0f)),
      runningVar_(parameters.addBuffer(name + ".running_var", {channels}, 1.0f)),
      args_(args)
{
}

Variable BatchNorm::operator()(Tape& tape, const ParameterSet& parameters, const Variable& input,
                               const Variable& residual, bool training,
                               const StatReducer& reducer) const
{
    tape.enterLayer(parameters.parameters()[std::size_t(gamma_)].name);
    return autograd::batchNorm(tape, args_, input, residual, reference(parameters, gamma_),
                               reference(parameters, beta_), parameters.buffer(runningMean_),
                               parameters.buffer(runningVar_), training, reducer);
}

void BatchNorm::initialise(ParameterSet& parameters, float scale) const
{
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
