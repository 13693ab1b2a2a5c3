// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench_network.h"

#include <algorithm>
#include <map>

#include "engine/core/rng.h"
#include "engine/models/resnet/resnet.h"
#include "kernels/check.h"

namespace scalebench::bench {
namespace {

struct Request {
    std::int64_t samples;
    Precision precision;
    bool dropout;
    std::uint64_t seed;
    Backend& backend;
};

using Factory = BenchNetwork (*)(const Request&);

Tensor noise(const Request& r, Shape shape)
{
    Tensor t = Tensor::empty(std::move(shape), DType::F32, r.backend.allocator());
    Rng rng(r.seed, 7);
    for (float& v : t.f32())
        v = rng.normal();
    return t;
}

Tensor integers(const Request& r, Shape shape, std::uint32_t below, std::uint64_t stream)
{
    Tensor t = Tensor::empty(std::move(shape), DType::I32, r.backend.allocator());
    Rng rng(r.seed, stream);
    for (auto& v : t.i32())
        v = std::int32_t(rng.below(below));
    return t;
}

/// Residual branches that start closed (scale 0) have no gradients to compare; fully open ones make
/// a deep network chaotic, so that rounding decides the gradients. This is between the two.
void openBranches(ParameterSet& set)
{
    for (std::size_t i = 0; i < set.parameters().size(); ++i)
        if (set.parameters()[i].name.ends_with(".weight") && set.value(int(i)).f32()[0] == 0.0f)
            std::ranges::fill(set.value(int(i)).f32(), 0.2f);
    set.markValuesChanged();
}

BenchNetwork residual(const Request& r, const std::string& name, int classes)
{
    ResNetConfig config = ResNetConfig::byName(name, classes);
    config.zeroInitResidual = true;
    BenchNetwork b;
    const std::int64_t size = config.imageSize;
    b.network = std::make_unique<ResNet>(config, r.backend, r.precision, r.seed);
    openBranches(b.network->parameters());
    b.batch = {{noise(r, {r.samples, size, size, 3}), integers(r, {r.samples}, 10, 8)}, r.samples};
    b.inputNames = {"images", "labels"};
    b.loss.scale = 1.0f / float(r.samples);
    return b;
}

const std::map<std::string, Factory>& factories()
{
    static const std::map<std::string, Factory> table = {
        {"resnet20", [](const Request& r) { return residual(r, "resnet20", 10); }},
        {"resnet50", [](const Request& r) { return residual(r, "resnet50", 1000); }},
    };
    return table;
}

} // namespace

std::vector<std::string> benchNetworkNames()
{
    std::vector<std::string> names;
    for (const auto& [name, factory] : factories())
        names.push_back(name);
    return names;
}

BenchNetwork makeBenchNetwork(const std::string& name, std::int64_t samples, Precision precision,
                              bool dropout, std::uint64_t seed, Backend& backend)
{
    SB_REQUIRE(samples > 0, "a batch needs at least one sample");
    const auto it = factories().find(name);
    if (it == factories().end()) {
        std::string known;
        for (const auto& n : benchNetworkNames())
            known += (known.empty() ? "" : ", ") + n;
        throw InvalidArgument("unknown network \"" + name + "\": use one of " + known);
    }
    return it->second({samples, precision, dropout, seed, backend});
}

} // namespace scalebench::bench
