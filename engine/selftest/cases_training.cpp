// SPDX-License-Identifier: GPL-3.0-or-later
// One training step of a small network of every kind on the backend, against the same step on the
// CPU in fp32: the loss, all gradients, all values after the update. Dropout is on where the
// network has it: the masks are the same everywhere.

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>

#include "engine/backend/host_copy.h"
#include "engine/models/gnmt/gnmt.h"
#include "engine/models/lstm_stack/lstm_stack.h"
#include "engine/models/ncf/ncf.h"
#include "engine/models/resnet/resnet.h"
#include "engine/models/ssd/ssd.h"
#include "engine/models/transformer/transformer.h"
#include "engine/optim/optimizer.h"
#include "engine/selftest/case_list.h"

namespace scalebench::selftest {
namespace {

using Integers = std::vector<std::int32_t>;

constexpr std::int64_t kBatch = 4, kTime = 7, kVocabulary = 40;

/// Host tensors of one batch, filled from the case's random numbers.
struct HostBatch {
    CachingAllocator memory;
    Batch batch{{}, kBatch};

    void add(const Shape& shape, const Integers& values)
    {
        const Tensor t = Tensor::empty(shape, DType::I32, memory);
        std::copy(values.begin(), values.end(), t.i32().begin());
        batch.tensors.push_back(t);
    }
    void add(const Shape& shape, const Values& values)
    {
        const Tensor t = Tensor::empty(shape, DType::F32, memory);
        std::copy(values.begin(), values.end(), t.f32().begin());
        batch.tensors.push_back(t);
    }
};

struct TrainingCase {
    std::string name;
    std::function<std::unique_ptr<Network>(Backend&, Precision)> network;
    std::function<void(Checker&, HostBatch&)> fill;
    OptimizerKind optimizer = OptimizerKind::Adam;
};

Integers lengths()
{
    return {7, 3, 5, 1};
}

template <class T, class Config>
std::function<std::unique_ptr<Network>(Backend&, Precision)> maker(const Config& config)
{
    return [config](Backend& backend, Precision precision) {
        auto network = std::make_unique<T>(config, backend, precision, 3, ArenaAllocator());
        network->parameters().moveTo(backend);
        return network;
    };
}

TrainingCase resnet(const std::string& name, int classes, std::int64_t edge)
{
    TrainingCase c{
        name, maker<ResNet>(ResNetConfig::byName(name, classes)), {}, OptimizerKind::Sgd};
    c.fill = [=](Checker& check, HostBatch& host) {
        host.add({kBatch, edge, edge, 3}, check.random(kBatch * edge * edge * 3));
        host.add({kBatch}, check.randomIntegers(kBatch, 0, classes));
    };
    return c;
}

TrainingCase transformer()
{
    TransformerConfig config;
    config.vocabulary = kVocabulary;
    config.hidden = 64;
    config.heads = 2;
    config.feedForward = 96;
    config.encoderLayers = config.decoderLayers = 2;
    TrainingCase c{"transformer", maker<Transformer>(config), {}, OptimizerKind::Adam};
    c.fill = [](Checker& check, HostBatch& host) {
        for (int i = 0; i < 3; ++i)
            host.add({kBatch, kTime}, check.randomIntegers(kBatch * kTime, 0, kVocabulary));
        host.add({kBatch}, lengths());
    };
    return c;
}

TrainingCase gnmt()
{
    GnmtConfig config;
    config.vocabulary = kVocabulary;
    config.hidden = 32;
    config.layers = 3;
    TrainingCase c{"gnmt", maker<Gnmt>(config), {}, OptimizerKind::Adam};
    c.fill = [](Checker& check, HostBatch& host) {
        host.add({kTime, kBatch}, check.randomIntegers(kTime * kBatch, 1, kVocabulary));
        host.add({kBatch}, lengths());
        host.add({kTime, kBatch}, check.randomIntegers(kTime * kBatch, 1, kVocabulary));
        host.add({kTime, kBatch}, check.randomIntegers(kTime * kBatch, -1, kVocabulary));
    };
    return c;
}

TrainingCase lstmStack()
{
    LstmStackConfig config;
    config.vocabulary = kVocabulary;
    config.hidden = 24;
    config.layers = 2;
    TrainingCase c{"lstm stack", maker<LstmStack>(config), {}, OptimizerKind::Lamb};
    c.fill = [](Checker& check, HostBatch& host) {
        for (int i = 0; i < 2; ++i)
            host.add({kTime, kBatch}, check.randomIntegers(kTime * kBatch, 0, kVocabulary));
        host.add({kBatch}, lengths());
    };
    return c;
}

TrainingCase ncf()
{
    NcfConfig config;
    config.users = 50;
    config.items = 30;
    config.factors = 8;
    config.layers = {32, 16, 8};
    config.sparseGradients = true;
    TrainingCase c{"ncf", maker<Ncf>(config), {}, OptimizerKind::Adam};
    c.fill = [](Checker& check, HostBatch& host) {
        constexpr std::int64_t n = 64;
        host.batch.samples = n;
        host.add({n}, check.randomIntegers(n, 0, 50));
        host.add({n}, check.randomIntegers(n, 0, 30));
        Values clicked;
        for (const std::int32_t one : check.randomIntegers(n, 0, 2))
            clicked.push_back(double(one));
        host.add({n}, clicked);
    };
    return c;
}

/// The desk network on pictures of half the size. The last picture has no object.
TrainingCase ssd()
{
    SsdConfig config = SsdConfig::byName("ssd_small", 5);
    config.boxes.imageSize = 64;
    config.boxes.maps = {8, 4, 2, 1};
    const std::int64_t boxes = config.boxes.count(), edge = config.boxes.imageSize;
    TrainingCase c{"ssd", maker<Ssd>(config), {}, OptimizerKind::Sgd};
    c.fill = [=](Checker& check, HostBatch& host) {
        host.add({kBatch, edge, edge, 3}, check.random(kBatch * edge * edge * 3));
        Integers labels(std::size_t(kBatch * boxes), 0);
        for (std::int64_t i = 0; i < (kBatch - 1) * boxes; i += 41)
            labels[std::size_t(i)] = std::int32_t(1 + i % config.categories);
        host.add({kBatch, boxes}, labels);
        host.add({kBatch, boxes, 4}, check.random(kBatch * boxes * 4));
    };
    return c;
}

struct StepOutcome {
    double loss = 0;
    std::vector<float> gradients, values, buffers;
};

OptimizerConfig optimizerOf(OptimizerKind kind)
{
    OptimizerConfig config = optimizerDefaults(kind);
    // Far above rounding: Adam would make whole steps from gradients that are zero but for it.
    config.epsilon = 1e-4;
    config.weightDecay = kind == OptimizerKind::Sgd ? 5e-4 : 0.0;
    return config;
}

StepOutcome step(Backend& backend, const TrainingCase& c, const Batch& batch, Precision precision)
{
    const std::unique_ptr<Network> network = c.network(backend, precision);
    ParameterSet& parameters = network->parameters();
    const std::unique_ptr<Optimizer> optimizer =
        makeOptimizer(backend, parameters, optimizerOf(c.optimizer));
    Tape tape(backend);
    tape.seedRandom(11);
    LossParams params;
    params.scale = 1.0f / float(batch.samples);
    const LossResult loss = network->loss(tape, batch, params, true);
    tape.backward(loss.loss);
    StepOutcome out;
    out.gradients = toHost(backend, parameters.gradients());
    optimizer->step(0.02);
    out.loss = loss.sums.get().lossSum;
    out.values = toHost(backend, parameters.values());
    out.buffers = toHost(backend, parameters.bufferValues());
    return out;
}

void compareFloats(Checker& check, const std::string& what, const std::vector<float>& actual,
                   const std::vector<float>& expected, double limit)
{
    check.compare(what, Values(actual.begin(), actual.end()),
                  Values(expected.begin(), expected.end()), limit);
}

/// fp32 sums in another order, through some dozen layers; short types: only the loss is near.
void runTraining(Checker& check, const TrainingCase& c)
{
    const Precision precision = check.dtype() == DType::BF16  ? Precision::Bf16
                                : check.dtype() == DType::F16 ? Precision::Fp16
                                                              : Precision::Fp32;
    HostBatch host;
    c.fill(check, host);
    const std::unique_ptr<Backend> cpu = makeCpuBackend();
    const StepOutcome expected = step(*cpu, c, host.batch, Precision::Fp32);
    const StepOutcome actual = step(check.backend(), c, host.batch, precision);
    check.require(std::isfinite(expected.loss), "the loss on the CPU is not finite");
    const bool exact = precision == Precision::Fp32;
    check.compare("loss", {actual.loss}, {expected.loss}, exact ? 1e-5 : 3e-2);
    if (!exact)
        return;
    compareFloats(check, "gradients", actual.gradients, expected.gradients, 1e-3);
    compareFloats(check, "values after the step", actual.values, expected.values, 1e-4);
    compareFloats(check, "running statistics", actual.buffers, expected.buffers, 1e-4);
}

} // namespace

void addTrainingCases(CaseList& list)
{
    for (const TrainingCase& c : {resnet("resnet8", 10, 16), resnet("resnet50", 12, 48),
                                  transformer(), gnmt(), lstmStack(), ncf(), ssd()})
        for (const DType dtype : {DType::F32, DType::BF16, DType::F16})
            list.push_back({"training", "one step of " + c.name, dtype,
                            [c](Checker& check) { runTraining(check, c); }});
}

} // namespace scalebench::selftest
