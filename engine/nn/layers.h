// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layers that own parameters. A layer declares them in a ParameterSet when constructed, and finds
// them there when called; what it computes is one function of engine/autograd/functions.h.

#include <cstdint>
#include <string>

#include "engine/autograd/functions.h"
#include "engine/nn/parameter_set.h"

namespace scalebench {

/// Value, gradient and version of a parameter of a built set; undefined for index -1.
ParameterRef reference(const ParameterSet& parameters, int index);
/// The same of a buffer that a layer uses like a parameter: without gradient.
ParameterRef frozenReference(const ParameterSet& parameters, int buffer);

struct Conv2dOptions {
    int stride = 1, padding = 0, dilation = 1, groups = 1;
    bool bias = false, relu = false;
    bool frozen = false; ///< weight and bias are buffers of the set: no gradient, no update
};

/// Square kernel.
class Conv2d
{
public:
    Conv2d() = default;
    /// Without bias.
    Conv2d(ParameterSet& parameters, const std::string& name, int inChannels, int outChannels,
           int kernel, int stride, int padding);
    Conv2d(ParameterSet& parameters, const std::string& name, int inChannels, int outChannels,
           int kernel, const Conv2dOptions& options);
    Variable operator()(Tape& tape, const ParameterSet& parameters, const Variable& input) const;
    /// He normal with fan out (He et al. 2015, arXiv 1502.01852, eq. 14), random stream = index of
    /// the parameter. The bias starts at 0.
    void initialise(ParameterSet& parameters, std::uint64_t seed) const;
    /// Normal with this deviation; the bias at `bias`, as the heads of detectors start.
    void initialiseNormal(ParameterSet& parameters, std::uint64_t seed, float deviation,
                          float bias = 0.0f) const;
    /// Uniform in +-sqrt(3 / fan in), the bias at 0: torch's kaiming_uniform_ with a = 1.
    void initialiseUniform(ParameterSet& parameters, std::uint64_t seed) const;
    /// Glorot uniform (Glorot and Bengio 2010); the bias uniform in +-1/sqrt(fan in), as
    /// torch.nn.Conv2d.
    void initialiseGlorot(ParameterSet& parameters, std::uint64_t seed) const;
    int biasIndex() const { return bias_; }

private:
    Tensor weight(const ParameterSet& parameters) const;
    /// Of its random numbers; frozen weights have streams of their own.
    int stream() const { return options_.frozen ? weight_ | 1 << 30 : weight_; }

    int weight_ = -1, bias_ = -1; // of the parameters, or of the buffers where frozen
    Conv2dOptions options_;
};

/// Scale 1, shift 0, running mean 0 and variance 1 at the start. frozen: all four are buffers and
/// stay as they are, in training too (the backbones of detectors).
class BatchNorm
{
public:
    BatchNorm() = default;
    BatchNorm(ParameterSet& parameters, const std::string& name, int channels,
              const BatchNormArgs& args, bool frozen = false);
    /// residual may be a default Variable.
    Variable operator()(Tape& tape, const ParameterSet& parameters, const Variable& input,
                        const Variable& residual, bool training, const StatReducer& reducer) const;
    void initialise(ParameterSet& parameters, float scale) const;

private:
    int gamma_ = -1, beta_ = -1, runningMean_ = -1, runningVar_ = -1;
    BatchNormArgs args_;
    bool frozen_ = false;
};

class Linear
{
public:
    Linear() = default;
    Linear(ParameterSet& parameters, const std::string& name, int in, int out);
    Variable operator()(Tape& tape, const ParameterSet& parameters, const Variable& input) const;
    /// Uniform in +-1/sqrt(in), weight and bias, as torch.nn.Linear.
    void initialise(ParameterSet& parameters, std::uint64_t seed) const;

private:
    int weight_ = -1, bias_ = -1;
};

} // namespace scalebench
