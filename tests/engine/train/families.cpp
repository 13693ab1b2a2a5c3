// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/families.h"

#include "engine/autograd/functions.h"
#include "engine/backend/host_copy.h"
#include "engine/core/thread_count.h"
#include "engine/dist/exchange.h"
#include "engine/dist/gradient_reducer.h"
#include "engine/models/lstm_stack/lstm_stack.h"
#include "engine/models/ncf/ncf.h"
#include "engine/models/resnet/resnet.h"
#include "engine/models/transformer/transformer.h"
#include "engine/nn/layers.h"
#include "engine/nn/network.h"
#include "engine/optim/optimizer.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

namespace scalebench::test {
namespace {

constexpr int kSteps = 10;
constexpr int64_t kGlobalBatch = 16, kClasses = 10;
constexpr int64_t kVocabulary = 30, kTime = 6; // tokens, and of a sentence
constexpr int64_t kUsers = 40, kItems = 30;

/// Uniform in [-1,1), the same for the same numbers (the finaliser of MurmurHash3).
float noise(uint64_t a, uint64_t b)
{
    uint64_t z = a * 0x9e3779b97f4a7c15ull + b + 1;
    z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdull;
    z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53ull;
    z ^= z >> 33;
    return float(double(z >> 11) / double(uint64_t{1} << 52) - 1.0);
}

int32_t label(int64_t sample)
{
    return int32_t((noise(7, uint64_t(sample)) + 1) * 0.5f * float(kClasses));
}

void fillNoise(std::span<float> values, uint64_t stream, float scale)
{
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = scale * noise(stream, i);
}

/// Batches are made on the host.
CachingAllocator& host()
{
    static CachingAllocator allocator;
    return allocator;
}

Tensor labelsOf(int64_t first, int64_t count)
{
    Tensor labels = Tensor::empty({count}, DType::I32, host());
    for (int64_t i = 0; i < count; ++i)
        labels.i32()[size_t(i)] = label(first + i);
    return labels;
}

/// 3 linear layers with GELU. Batch: inputs [N,24], labels [N].
class Mlp final : public Network
{
public:
    Mlp(Backend& backend, const ArenaAllocator& arena, int seed)
        : precision_(backend.computePrecision(Precision::Fp32)),
          first_(parameters_, "first", 24, 64),
          second_(parameters_, "second", 64, 64),
          last_(parameters_, "last", 64, int(kClasses))
    {
        parameters_.build(arena);
        for (const Linear* layer : {&first_, &second_, &last_})
            layer->initialise(parameters_, uint64_t(seed));
        parameters_.markValuesChanged();
    }
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params, bool) override
    {
        const auto gelu = [&](const Variable& x) {
            return autograd::activation(tape, Activation::GeluErf, x);
        };
        Backend& backend = tape.backend();
        Variable x = gelu(first_(tape, parameters_, Variable(backend.upload(batch.tensors.at(0)))));
        x = gelu(second_(tape, parameters_, x));
        return softmaxCrossEntropy(tape, last_(tape, parameters_, x),
                                   backend.upload(batch.tensors.at(1)), params);
    }
    ParameterSet& parameters() noexcept override { return parameters_; }
    const ComputePrecision& precision() const noexcept override { return precision_; }

private:
    ComputePrecision precision_;
    ParameterSet parameters_;
    Linear first_, second_, last_;
};

using MakeNetwork =
    std::function<std::unique_ptr<Network>(Backend&, const ArenaAllocator&, int seed)>;

struct Family {
    MakeNetwork network;
    std::function<Batch(int64_t first, int64_t count)> batch;
    OptimizerConfig optimizer;
    double learningRate;
};

Batch imageBatch(int64_t first, int64_t count)
{
    constexpr int64_t kEdge = 16;
    Tensor images = Tensor::empty({count, kEdge, kEdge, 3}, DType::F32, host());
    for (int64_t i = 0; i < count; ++i)
        fillNoise(images.f32().subspan(size_t(i * kEdge * kEdge * 3), kEdge * kEdge * 3),
                  uint64_t(first + i), 1.0f);
    return {{images, labelsOf(first, count)}, count};
}

Batch vectorBatch(int64_t first, int64_t count)
{
    Tensor inputs = Tensor::empty({count, 24}, DType::F32, host());
    for (int64_t i = 0; i < count; ++i)
        fillNoise(inputs.f32().subspan(size_t(i) * 24, 24), uint64_t(first + i), 1.0f);
    return {{inputs, labelsOf(first, count)}, count};
}

/// Tokens [rows,columns]; token (r, c) belongs to sample first + r, or first + c if time-major.
Tensor tokens(int64_t first, int64_t rows, int64_t columns, bool timeMajor, uint64_t stream)
{
    Tensor out = Tensor::empty({rows, columns}, DType::I32, host());
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < columns; ++c) {
            const int64_t sample = first + (timeMajor ? c : r), time = timeMajor ? r : c;
            const float x = noise(stream, uint64_t(sample * kTime + time));
            out.i32()[size_t(r * columns + c)] = int32_t((x + 1) * 0.5f * float(kVocabulary));
        }
    return out;
}

Tensor lengths(int64_t first, int64_t count)
{
    Tensor out = Tensor::empty({count}, DType::I32, host());
    for (int64_t i = 0; i < count; ++i)
        out.i32()[size_t(i)] = int32_t(1 + (first + i) % kTime);
    return out;
}

Batch languageBatch(int64_t first, int64_t count)
{
    return {{tokens(first, kTime, count, true, 21), tokens(first, kTime, count, true, 22),
             lengths(first, count)},
            count};
}

Batch translationBatch(int64_t first, int64_t count)
{
    return {{tokens(first, count, kTime, false, 31), tokens(first, count, kTime, false, 32),
             tokens(first, count, kTime, false, 33), lengths(first, count)},
            count};
}

Batch clickBatch(int64_t first, int64_t count)
{
    Tensor users = Tensor::empty({count}, DType::I32, host());
    Tensor items = Tensor::empty({count}, DType::I32, host());
    Tensor clicked = Tensor::empty({count}, DType::F32, host());
    for (int64_t i = 0; i < count; ++i) {
        // Squares make some users and items frequent, so that workers share rows.
        const float u = noise(11, uint64_t(first + i)), v = noise(12, uint64_t(first + i));
        users.i32()[size_t(i)] = int32_t(u * u * float(kUsers - 1));
        items.i32()[size_t(i)] = int32_t(v * v * float(kItems - 1));
        clicked.f32()[size_t(i)] = label(first + i) < 5 ? 1.0f : 0.0f;
    }
    return {{users, items, clicked}, count};
}

template <typename T, typename Config>
MakeNetwork maker(Config config)
{
    return [config](Backend& backend, const ArenaAllocator& arena, int seed) {
        return std::make_unique<T>(config, backend, Precision::Fp32, uint64_t(seed), arena);
    };
}

MakeNetwork networkOf(const std::string& name)
{
    if (name == "resnet")
        return maker<ResNet>(ResNetConfig::byName("resnet8", int(kClasses)));
    if (name == "mlp")
        return [](Backend& backend, const ArenaAllocator& arena, int seed) {
            return std::make_unique<Mlp>(backend, arena, seed);
        };
    if (name == "lstm") {
        LstmStackConfig config;
        config.vocabulary = kVocabulary;
        config.hidden = 16;
        config.layers = 2;
        config.dropout = 0; // masks differ between workers
        config.initRange = 0.25f;
        return maker<LstmStack>(config);
    }
    if (name == "transformer") {
        TransformerConfig config;
        config.vocabulary = kVocabulary;
        config.hidden = 32;
        config.heads = 4;
        config.feedForward = 64;
        config.encoderLayers = config.decoderLayers = 2;
        config.dropout = 0;
        return maker<Transformer>(config);
    }
    NcfConfig config;
    config.users = kUsers;
    config.items = kItems;
    config.factors = 8;
    config.layers = {32, 16, 8};
    config.sparseGradients = true;
    return maker<Ncf>(config);
}

Family familyByName(const std::string& name)
{
    Family family;
    family.network = networkOf(name);
    if (name == "resnet") {
        family.batch = imageBatch;
        family.optimizer = optimizerDefaults(OptimizerKind::Sgd);
        family.optimizer.nesterov = true;
        family.optimizer.weightDecay = 5e-4;
        family.learningRate = 0.02;
        return family;
    }
    // An epsilon far above rounding: Adam would make steps of full length from gradients that are
    // zero but for it.
    family.optimizer = optimizerDefaults(name == "mlp" ? OptimizerKind::Lamb : OptimizerKind::Adam);
    family.optimizer.epsilon = 1e-4;
    family.learningRate = 0.01;
    if (name == "mlp") {
        family.batch = vectorBatch;
        family.optimizer.weightDecay = 0.01;
        family.optimizer.maxGradNorm = 0.5;
    } else if (name == "lstm") {
        family.batch = languageBatch;
    } else if (name == "transformer") {
        family.batch = translationBatch;
    } else {
        family.batch = clickBatch;
    }
    return family;
}

/// What one worker trains with; members in the order they need each other.
class Trainee
{
public:
    Trainee(dist::Communicator& communicator, const FamilySetting& setting)
        : comm_(communicator),
          setting_(setting),
          family_(familyByName(setting.family)),
          backend_(setting.devices.makeBackend())
    {
        dist::ReducerOptions options;
        options.bucketMb = 4.0 / 1024;
        options.overlap = setting.overlap;
        options.shard = setting.shard;
        options.allReduce = dist::parseAllReduceKind(setting.allReduce);
        const ArenaAllocator arena = [&](std::size_t elements) {
            reducer_ = std::make_unique<dist::GradientReducer>(comm_, elements, options);
            return std::shared_ptr<float>(reducer_->gradients().data(), [](float*) {});
        };
        const bool onDevice = backend_->allocator().onDevice();
        if (onDevice)
            options.makeArena = [&](size_t floats) {
                return setting_.devices.makeArena(*backend_, comm_, floats);
            };
        network_ = family_.network(*backend_, onDevice ? ArenaAllocator() : arena, setting.seed);
        network_->parameters().moveTo(*backend_, arena);
        if (setting.syncBatchNorm)
            network_->setStatReducer([this](std::span<double> s) { comm_.allReduceSum(s); });
        OptimizerPlacement placement;
        if (reducer_->sharded())
            placement = {reducer_->shardBegin(), reducer_->shardEnd(),
                         [this](std::span<double> norms) { comm_.allReduceSum(norms); }};
        optimizer_ = makeOptimizer(*backend_, network_->parameters(), family_.optimizer, placement);
    }

    /// Returns the mean loss over the global batch.
    float step(int64_t number)
    {
        ParameterSet& parameters = network_->parameters();
        const int64_t micro = kGlobalBatch / comm_.size() / setting_.accumulate;
        LossParams params;
        params.scale = 1.0f / float(kGlobalBatch);
        dist::StepTail tail;
        for (int m = 0; m < setting_.accumulate; ++m) {
            const int64_t first =
                number * kGlobalBatch + (comm_.rank() * setting_.accumulate + m) * micro;
            Tape tape(*backend_);
            tape.setAccumulate(m > 0);
            const LossResult loss = network_->loss(tape, family_.batch(first, micro), params, true);
            tail.lossSum += loss.sums.get().lossSum;
            if (m + 1 < setting_.accumulate)
                tape.backward(loss.loss);
            else
                tape.backward(loss.loss, [&](int parameter) { announce(parameter); });
        }
        const dist::StepTail sum = reducer_->finish(tail);
        sumTables();
        optimizer_->step(family_.learningRate);
        reducer_->gatherShards(parameters.values());
        parameters.markValuesChanged();
        return float(sum.lossSum / double(kGlobalBatch));
    }
    std::vector<float> values() const { return toHost(*backend_, network_->parameters().values()); }

private:
    void announce(int parameter)
    {
        const ParameterSet& parameters = network_->parameters();
        const ParameterInfo& info = parameters.parameters()[size_t(parameter)];
        if (info.sparse)
            return;
        const size_t padded = (info.count + 15) / 16 * 16;
        reducer_->markReady(info.offset,
                            std::min(padded, parameters.gradients().size() - info.offset));
    }
    void sumTables()
    {
        const ParameterSet& parameters = network_->parameters();
        for (const int table : parameters.sparseOrder()) {
            SparseRows& gradient = *parameters.sparseGradient(table);
            const int64_t width = parameters.parameters()[size_t(table)].shape.at(1);
            const Tensor rows = backend_->download(gradient.rows);
            const Tensor values = backend_->download(gradient.values);
            const dist::RowSum sum =
                dist::sumSparseRows(comm_, rows.i32(), values.f32(), size_t(width));
            const int64_t n = int64_t(sum.ids.size());
            gradient.rows = Tensor::empty({n}, DType::I32, backend_->allocator());
            gradient.values = Tensor::empty({n, width}, DType::F32, backend_->allocator());
            backend_->copy(Tensor::view(const_cast<int32_t*>(sum.ids.data()), {n}, DType::I32),
                           gradient.rows);
            fromHost(*backend_, sum.rows, gradient.values.f32());
        }
    }

    dist::Communicator& comm_;
    FamilySetting setting_;
    Family family_;
    std::unique_ptr<Backend> backend_;
    std::unique_ptr<dist::GradientReducer> reducer_;
    std::unique_ptr<Network> network_;
    std::unique_ptr<Optimizer> optimizer_;
};

} // namespace

const std::vector<std::string>& familyNames()
{
    static const std::vector<std::string> kNames = {"resnet", "mlp", "lstm", "transformer", "ncf"};
    return kNames;
}

FamilyResult trainFamily(dist::Communicator& communicator, const FamilySetting& setting)
{
    setComputeThreads(1);
    Trainee trainee(communicator, setting);
    FamilyResult result;
    result.initial = trainee.values();
    for (int step = 0; step < kSteps; ++step) {
        communicator.setStep(step);
        result.losses.push_back(trainee.step(step));
    }
    communicator.setStep(-1);
    result.parameters = trainee.values();
    return result;
}

} // namespace scalebench::test
