// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Initial weights. Each parameter has a random stream of its own, by its index, so that the numbers
// are the same on every rank and platform and no layer's depend on how many another draws. All fill
// values on the host, between ParameterSet::build() and moveTo().

#include "engine/nn/parameter_set.h"

#include <cstdint>

namespace scalebench {

/// High word of the random streams of weights ("WEIG"), so that no other use of a seed meets them.
inline constexpr std::uint32_t kWeightStreams = 0x57454947u;

/// Random stream of the initial values of a parameter.
constexpr std::uint64_t weightStream(int parameter, std::uint32_t streams = kWeightStreams)
{
    return (std::uint64_t(streams) << 32) | std::uint32_t(parameter);
}

/// The same into any values, `stream` in place of the parameter's number: for weights that are no
/// parameters.
void fillUniform(const Tensor& values, int stream, std::uint64_t seed, float bound,
                 std::uint32_t streams = kWeightStreams);
void fillNormal(const Tensor& values, int stream, std::uint64_t seed, float deviation,
                std::uint32_t streams = kWeightStreams);

/// Uniform in +-bound.
void fillUniform(ParameterSet& parameters, int parameter, std::uint64_t seed, float bound,
                 std::uint32_t streams = kWeightStreams);

/// As fillUniform(), where the parameter is the elements from `first` on of the one that has the
/// index `whole` where it is in one piece.
void fillUniformPart(ParameterSet& parameters, int parameter, int whole, std::size_t first,
                     std::uint64_t seed, float bound, std::uint32_t streams = kWeightStreams);

/// Normal with mean 0.
void fillNormal(ParameterSet& parameters, int parameter, std::uint64_t seed, float deviation,
                std::uint32_t streams = kWeightStreams);

/// Normal with mean 0, drawn again where it is further than two deviations from it (`deviation` is
/// that of the normal, not of what is left, as tensorflow's truncated_normal_initializer).
void fillTruncatedNormal(ParameterSet& parameters, int parameter, std::uint64_t seed,
                         float deviation);

/// Glorot uniform (Glorot and Bengio 2010) of a weight [out,in], or of `parts` such matrices of one
/// size stacked along `out`.
void fillGlorotUniform(ParameterSet& parameters, int parameter, std::uint64_t seed, int parts = 1);

} // namespace scalebench
