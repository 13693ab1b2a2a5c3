// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/initialise.h"

#include "engine/core/rng.h"

#include <cmath>

namespace scalebench {

void fillUniform(const Tensor& values, int stream, std::uint64_t seed, float bound,
                 std::uint32_t streams)
{
    Rng rng(seed, weightStream(stream, streams));
    for (float& v : values.f32())
        v = bound * (2.0f * rng.uniform() - 1.0f);
}

void fillNormal(const Tensor& values, int stream, std::uint64_t seed, float deviation,
                std::uint32_t streams)
{
    Rng rng(seed, weightStream(stream, streams));
    for (float& v : values.f32())
        v = deviation * rng.normal();
}

void fillUniform(ParameterSet& parameters, int parameter, std::uint64_t seed, float bound,
                 std::uint32_t streams)
{
    fillUniform(parameters.value(parameter), parameter, seed, bound, streams);
}

void fillUniformPart(ParameterSet& parameters, int parameter, int whole, std::size_t first,
                     std::uint64_t seed, float bound, std::uint32_t streams)
{
    constexpr std::size_t kBlock = 4; // words of a counter
    Rng rng(seed, weightStream(whole, streams), first / kBlock);
    for (std::size_t i = 0; i < first % kBlock; ++i)
        rng.uniform();
    for (float& v : parameters.value(parameter).f32())
        v = bound * (2.0f * rng.uniform() - 1.0f);
}

void fillNormal(ParameterSet& parameters, int parameter, std::uint64_t seed, float deviation,
                std::uint32_t streams)
{
    fillNormal(parameters.value(parameter), parameter, seed, deviation, streams);
}

void fillTruncatedNormal(ParameterSet& parameters, int parameter, std::uint64_t seed,
                         float deviation)
{
    Rng rng(seed, weightStream(parameter));
    for (float& v : parameters.value(parameter).f32()) {
        float drawn = rng.normal();
        while (std::abs(drawn) > 2.0f)
            drawn = rng.normal();
        v = deviation * drawn;
    }
}

void fillGlorotUniform(ParameterSet& parameters, int parameter, std::uint64_t seed, int parts)
{
    const Tensor w = parameters.value(parameter);
    const std::int64_t fans = w.dim(1) + w.dim(0) / parts;
    fillUniform(parameters, parameter, seed, float(std::sqrt(6.0 / double(fans))));
}

} // namespace scalebench
