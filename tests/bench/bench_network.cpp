// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench_network.h"

#include <algorithm>
#include <functional>
#include <map>

#include "engine/core/rng.h"
#include "engine/models/bert/bert.h"
#include "engine/models/dlrm/dlrm.h"
#include "engine/models/gnmt/gnmt.h"
#include "engine/models/lstm_stack/lstm_stack.h"
#include "engine/models/ncf/ncf.h"
#include "engine/models/resnet/resnet.h"
#include "engine/models/resnet/resnet9.h"
#include "engine/models/ssd/ssd.h"
#include "engine/models/transformer/transformer.h"
#include "kernels/check.h"

namespace scalebench::bench {
namespace {

struct Request {
    std::int64_t samples;
    Precision precision;
    bool dropout;
    std::uint64_t seed;
    Backend& backend;
    Allocator& host;
};

using Factory = BenchNetwork (*)(const Request&);

Tensor noise(const Request& r, Shape shape)
{
    Tensor t = Tensor::empty(std::move(shape), DType::F32, r.host);
    Rng rng(r.seed, 7);
    for (float& v : t.f32())
        v = rng.normal();
    return t;
}

Tensor integers(const Request& r, Shape shape, std::uint32_t below, std::uint64_t stream)
{
    Tensor t = Tensor::empty(std::move(shape), DType::I32, r.host);
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

BenchNetwork resnet9(const Request& r)
{
    BenchNetwork b;
    b.network = std::make_unique<ResNet9>(10, r.backend, r.precision, r.seed);
    b.batch = {{noise(r, {r.samples, 32, 32, 3}), integers(r, {r.samples}, 10, 8)}, r.samples};
    b.inputNames = {"images", "labels"};
    b.loss.scale = 1.0f / float(r.samples);
    return b;
}

BenchNetwork lstmStack(const Request& r, std::int64_t hidden, std::int64_t steps)
{
    LstmStackConfig config;
    config.hidden = hidden;
    config.dropout = r.dropout ? config.dropout : 0.0f;
    const auto vocabulary = std::uint32_t(config.vocabulary);
    BenchNetwork b;
    b.network = std::make_unique<LstmStack>(config, r.backend, r.precision, r.seed);
    b.batch = {{integers(r, {steps, r.samples}, vocabulary, 8),
                integers(r, {steps, r.samples}, vocabulary, 9)},
               r.samples};
    b.inputNames = {"tokens", "labels"};
    b.loss.scale = 1.0f / float(steps * r.samples);
    return b;
}

BenchNetwork gnmt(const Request& r)
{
    constexpr std::int64_t kSteps = 25;
    GnmtConfig config;
    config.dropout = r.dropout ? config.dropout : 0.0f;
    config.padding = -1;
    const auto vocabulary = std::uint32_t(config.vocabulary);
    const Tensor lengths = integers(r, {r.samples}, kSteps / 2, 10);
    for (auto& length : lengths.i32())
        length += kSteps / 2 + 1;
    std::ranges::sort(lengths.i32(), std::greater<>());
    lengths.i32()[0] = std::int32_t(kSteps);
    BenchNetwork b;
    b.network = std::make_unique<Gnmt>(config, r.backend, r.precision, r.seed);
    b.batch = {{integers(r, {kSteps, r.samples}, vocabulary, 8), lengths,
                integers(r, {kSteps, r.samples}, vocabulary, 9),
                integers(r, {kSteps, r.samples}, vocabulary, 11)},
               r.samples};
    b.inputNames = {"source", "lengths", "target", "labels"};
    b.loss.scale = 1.0f / float(kSteps * r.samples);
    return b;
}

BenchNetwork transformer(const Request& r, const std::string& name, std::int64_t tokens,
                         std::int64_t vocabulary)
{
    TransformerConfig config = TransformerConfig::byName(name, vocabulary);
    config.dropout = 0.0f;
    const auto below = std::uint32_t(vocabulary);
    BenchNetwork b;
    b.network = std::make_unique<Transformer>(config, r.backend, r.precision, r.seed);
    b.batch = {{integers(r, {r.samples, tokens}, below, 8),
                integers(r, {r.samples, tokens}, below, 9),
                integers(r, {r.samples, tokens}, below, 11)},
               r.samples};
    b.inputNames = {"source", "target", "labels"};
    b.loss.scale = 1.0f / float(r.samples * tokens);
    b.optimizer = "adam";
    return b;
}

/// Sequences of one length, every seventh word to be predicted.
BenchNetwork bert(const Request& r, const std::string& name, std::int64_t tokens)
{
    BertConfig config = BertConfig::byName(name);
    config.dropout = r.dropout ? config.dropout : 0.0f;
    const auto below = std::uint32_t(config.vocabulary);
    const std::int64_t S = r.samples, masked = tokens * 3 / 20;
    const Tensor rows = Tensor::empty({S * masked}, DType::I32, r.host);
    for (std::int64_t i = 0; i < rows.count(); ++i)
        rows.i32()[std::size_t(i)] = std::int32_t(i / masked * tokens + i % masked * 6 + 1);
    const Tensor lengths = Tensor::empty({S}, DType::I32, r.host);
    std::ranges::fill(lengths.i32(), std::int32_t(tokens));
    const Tensor factor = Tensor::empty({1}, DType::F32, r.host);
    factor.f32()[0] = 1.0f / float(masked);
    BenchNetwork b;
    b.network = std::make_unique<Bert>(config, r.backend, r.precision, r.seed);
    b.batch = {{integers(r, {S, tokens}, below, 8), integers(r, {S, tokens}, 2, 9), rows,
                integers(r, {S * masked}, below, 10), integers(r, {S}, 2, 11), lengths, factor},
               S};
    b.inputNames = {"tokens", "types", "rows", "labels", "next", "lengths", "factor"};
    b.loss.scale = 1.0f / float(S);
    b.optimizer = "adam";
    return b;
}

BenchNetwork ncf(const Request& r, bool sparse)
{
    NcfConfig config;
    config.sparseGradients = sparse;
    Tensor labels = Tensor::empty({r.samples}, DType::F32, r.host);
    Rng rng(r.seed, 9);
    for (float& v : labels.f32())
        v = rng.below(5) == 0 ? 1.0f : 0.0f; // four items not taken for each that was
    BenchNetwork b;
    b.network = std::make_unique<Ncf>(config, r.backend, r.precision, r.seed);
    b.batch = {{integers(r, {r.samples}, std::uint32_t(config.users), 8),
                integers(r, {r.samples}, std::uint32_t(config.items), 10), labels},
               r.samples};
    b.inputNames = {"users", "items", "labels"};
    b.loss.scale = 1.0f / float(r.samples);
    b.resident = true;
    b.optimizer = "adam";
    return b;
}

/// MLPerf's perceptrons, or those of the lab scale, with tables of a size that fits a desk.
BenchNetwork dlrm(const Request& r, bool lab)
{
    constexpr std::int64_t kRows = 100'000;
    DlrmConfig config;
    config.tableRows.assign(26, kRows);
    if (lab) {
        config.dim = 16;
        config.bottom = {512, 256, 64};
        config.top = {512, 256};
    }
    Tensor labels = Tensor::empty({r.samples}, DType::F32, r.host);
    Rng rng(r.seed, 9);
    for (float& v : labels.f32())
        v = rng.below(4) == 0 ? 1.0f : 0.0f;
    BenchNetwork b;
    b.network = std::make_unique<Dlrm>(config, r.backend, r.precision, r.seed);
    b.batch = {
        {noise(r, {r.samples, config.counts}), integers(r, {26, r.samples}, kRows, 8), labels},
        r.samples};
    b.inputNames = {"counts", "ids", "labels"};
    b.loss.scale = 1.0f / float(r.samples);
    b.resident = true;
    b.plain = true; // rows without a gradient stay
    return b;
}

/// One box in four hundred holds something.
BenchNetwork ssd(const Request& r)
{
    constexpr std::uint32_t kCategories = 80, kBoxesPerObject = 400;
    auto network = std::make_unique<Ssd>(SsdConfig::byName("ssd_resnet34", kCategories), r.backend,
                                         r.precision, r.seed);
    const std::int64_t edge = network->config().boxes.imageSize,
                       boxes = std::int64_t(network->defaultBoxes().size()) / 4;
    const Tensor labels = integers(r, {r.samples, boxes}, kCategories * kBoxesPerObject, 8);
    for (auto& label : labels.i32())
        label = label < std::int32_t(kCategories) ? label + 1 : 0;
    BenchNetwork b;
    b.network = std::move(network);
    b.batch = {{noise(r, {r.samples, edge, edge, 3}), labels, noise(r, {r.samples, boxes, 4})},
               r.samples};
    b.inputNames = {"images", "labels", "targets"};
    b.loss.scale = 1.0f / float(r.samples);
    return b;
}

const std::map<std::string, Factory>& factories()
{
    static const std::map<std::string, Factory> table = {
        {"resnet9", resnet9},
        {"resnet18", [](const Request& r) { return residual(r, "resnet18", 10); }},
        {"resnet20", [](const Request& r) { return residual(r, "resnet20", 10); }},
        {"resnet50", [](const Request& r) { return residual(r, "resnet50", 1000); }},
        {"lstm512", [](const Request& r) { return lstmStack(r, 512, 32); }},
        {"lstm1024", [](const Request& r) { return lstmStack(r, 1024, 25); }},
        {"gnmt", gnmt},
        {"bert_mini128", [](const Request& r) { return bert(r, "bert_mini", 128); }},
        {"bert_large512", [](const Request& r) { return bert(r, "bert_large", 512); }},
        {"bert_base128", [](const Request& r) { return bert(r, "bert_base", 128); }},
        {"dlrm", [](const Request& r) { return dlrm(r, false); }},
        {"dlrm_lab", [](const Request& r) { return dlrm(r, true); }},
        {"ncf", [](const Request& r) { return ncf(r, false); }},
        {"ncf_sparse", [](const Request& r) { return ncf(r, true); }},
        {"ssd", ssd},
        {"transformer256", // the network of the first measurements: 6 + 6 layers, 64 tokens
         [](const Request& r) { return transformer(r, "transformer_small", 64, 8192); }},
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
    const auto host = std::make_shared<CachingAllocator>();
    BenchNetwork made = it->second({samples, precision, dropout, seed, backend, *host});
    made.host = host;
    return made;
}

} // namespace scalebench::bench
