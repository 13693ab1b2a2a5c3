// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/families.h"

#include "engine/autograd/functions.h"
#include "engine/backend/host_copy.h"
#include "engine/data/prefetcher.h"
#include "engine/data/sampler.h"
#include "engine/models/bert/bert.h"
#include "engine/models/dlrm/dlrm.h"
#include "engine/models/lstm_stack/lstm_stack.h"
#include "engine/models/ncf/ncf.h"
#include "engine/models/resnet/resnet.h"
#include "engine/models/transformer/transformer.h"
#include "engine/nn/layers.h"
#include "engine/nn/network.h"
#include "engine/optim/optimizer.h"
#include "engine/train/agreement.h"
#include "engine/train/replica.h"

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
constexpr int64_t kAdCounts = 5;
const std::vector<int64_t> kAdRows{40, 30, 20};

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

/// Two words of each sequence are to be predicted.
Batch pretrainingBatch(int64_t first, int64_t count)
{
    const Tensor types = tokens(first, count, kTime, false, 42);
    for (int32_t& type : types.i32())
        type %= 2;
    const Tensor rows = Tensor::empty({2 * count}, DType::I32, host());
    const Tensor next = labelsOf(first, count), factor = Tensor::empty({1}, DType::F32, host());
    for (int64_t i = 0; i < count; ++i) {
        rows.i32()[size_t(2 * i)] = int32_t(i * kTime);
        rows.i32()[size_t(2 * i + 1)] = int32_t(i * kTime + (first + i) % kTime);
        next.i32()[size_t(i)] %= 2;
    }
    factor.f32()[0] = 0.5f;
    return {{tokens(first, count, kTime, false, 41), types, rows,
             tokens(first, count, 2, false, 43).reshaped({2 * count}), next, lengths(first, count),
             factor},
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

/// Squares, as of clickBatch().
Batch adBatch(int64_t first, int64_t count)
{
    const auto tables = int64_t(kAdRows.size());
    Tensor counts = Tensor::empty({count, kAdCounts}, DType::F32, host());
    Tensor ids = Tensor::empty({tables, count}, DType::I32, host());
    Tensor clicked = Tensor::empty({count}, DType::F32, host());
    for (int64_t i = 0; i < count; ++i) {
        fillNoise(counts.f32().subspan(size_t(i * kAdCounts), size_t(kAdCounts)),
                  uint64_t(first + i), 1.0f);
        for (int64_t t = 0; t < tables; ++t) {
            const float u = noise(uint64_t(51 + t), uint64_t(first + i));
            ids.i32()[size_t(t * count + i)] = int32_t(u * u * float(kAdRows[size_t(t)] - 1));
        }
        clicked.f32()[size_t(i)] = label(first + i) < 5 ? 1.0f : 0.0f;
    }
    return {{counts, ids, clicked}, count};
}

/// Whole tables and parts of one on several workers, some rows of which all have.
autograd::TablePlaces adPlaces(int rank, int workers)
{
    autograd::TablePlaces places;
    if (workers == 1)
        return places;
    const int last = workers - 1;
    places.blocks = {{0, 0, 24, 0}, {0, 24, 16, last}, {1, 0, 30, 1}, {2, 0, 20, last}};
    places.hot = std::make_shared<autograd::HotRows>(
        std::vector<autograd::HotRows::Row>{{0, 1}, {0, 30}, {1, 2}});
    places.rank = rank;
    places.workers = workers;
    return places;
}

template <typename T, typename Config>
MakeNetwork maker(Config config)
{
    return [config](Backend& backend, const ArenaAllocator& arena, int seed) {
        return std::make_unique<T>(config, backend, Precision::Fp32, uint64_t(seed), arena);
    };
}

MakeNetwork networkOf(const std::string& name, const dist::Communicator& workers, float dropout)
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
        config.dropout = dropout; // masks differ between workers
        config.initRange = 0.25f;
        return maker<LstmStack>(config);
    }
    if (name == "transformer") {
        TransformerConfig config;
        config.vocabulary = kVocabulary;
        config.hidden = 32;
        config.heads = 2; // a tile of attention each on a GPU
        config.feedForward = 64;
        config.encoderLayers = config.decoderLayers = 2;
        config.dropout = 0;
        return maker<Transformer>(config);
    }
    if (name == "bert") {
        BertConfig config;
        config.vocabulary = kVocabulary;
        config.hidden = 32;
        config.heads = 2;
        config.feedForward = 64;
        config.positions = kTime;
        config.layers = 2;
        config.dropout = 0;
        return maker<Bert>(config);
    }
    if (name == "dlrm") {
        DlrmConfig config;
        config.counts = kAdCounts;
        config.tableRows = kAdRows;
        config.dim = 8;
        config.bottom = {16};
        config.top = {32};
        config.places = adPlaces(workers.rank(), workers.size());
        return maker<Dlrm>(config);
    }
    NcfConfig config;
    config.users = kUsers;
    config.items = kItems;
    config.factors = 8;
    config.layers = {32, 16, 8};
    config.sparseGradients = true;
    return maker<Ncf>(config);
}

Family familyByName(const std::string& name, const dist::Communicator& workers, float dropout)
{
    Family family;
    family.network = networkOf(name, workers, dropout);
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
    } else if (name == "bert") {
        family.batch = pretrainingBatch;
    } else {
        family.batch = name == "dlrm" ? adBatch : clickBatch;
    }
    return family;
}

/// Step by step, as many micro-batches as the run has; worker r of k has its slice of each.
class FamilySource final : public data::BatchSource
{
public:
    FamilySource(const Family& family, const RunConfig& config, data::WorkerSlice slice)
        : family_(family), config_(config), slice_(slice)
    {
    }
    int64_t batches(int64_t) const override { return kSteps * config_.options.gradAccum; }
    void fill(int64_t, int64_t index, Batch& batch) const override
    {
        const auto [first, size] =
            data::microBatchRange(index, config_.globalBatch, config_.options.gradAccum, slice_);
        batch = family_.batch(first, size);
    }

private:
    const Family& family_;
    const RunConfig& config_;
    data::WorkerSlice slice_;
};

RunConfig configOf(const FamilySetting& setting, const Family& family, int workers)
{
    RunConfig config;
    config.workers = workers;
    config.globalBatch = kGlobalBatch;
    config.optimizer = family.optimizer;
    config.options.bucketMb = 4.0 / 1024;
    config.options.overlap = setting.overlap;
    config.options.gradAccum = setting.accumulate;
    config.options.allReduce = setting.allReduce;
    config.options.shardOptimizer = setting.shard;
    config.options.syncBn = setting.syncBatchNorm;
    config.options.cudaGraphs = setting.graphs;
    return config;
}

} // namespace

const std::vector<std::string>& familyNames()
{
    static const std::vector<std::string> kNames = {"resnet", "mlp", "lstm", "transformer",
                                                    "bert",   "ncf", "dlrm"};
    return kNames;
}

FamilyResult trainFamily(dist::Communicator& communicator, const FamilySetting& setting)
{
    const Family family = familyByName(setting.family, communicator, setting.dropout);
    const RunConfig config = configOf(setting, family, communicator.size());
    train::Replica replica(config, communicator, setting.devices,
                           [&](Backend& backend, const ArenaAllocator& arena) {
                               return family.network(backend, arena, setting.seed);
                           });
    const auto values = [&] {
        ParameterSet& set = replica.parameters();
        return toHost(replica.backend(), setting.family == "dlrm"
                                             ? set.values().first(set.gradients().size())
                                             : set.values());
    };
    const FamilySource source(family, config, {communicator.rank(), communicator.size()});
    data::Prefetcher batches(source, {}, 0, 1, 3, replica.keptBatches());
    FamilyResult result;
    result.initial = values();
    result.late = setting.whole && replica.lossIsLate();
    const auto noteLoss = [&](const train::Replica::Step& step) {
        result.losses.push_back(float(step.sum.lossSum / double(kGlobalBatch)));
    };
    for (int number = 0; number < kSteps; ++number) {
        train::Replica::Step step;
        step.number = number;
        step.lossScale = 1.0 / double(kGlobalBatch);
        std::optional<train::Failure> failure;
        if (setting.whole) {
            replica.trainStep(step, family.learningRate, batches, failure);
            train::agree(communicator, failure);
        } else {
            replica.computeGradients(step, batches, failure);
            train::agree(communicator, failure);
            if (setting.beforeUpdate)
                setting.beforeUpdate(communicator.rank());
            train::StepSplit update;
            replica.update(family.learningRate, update);
            result.updateCommMs += update.comm;
        }
        if (!result.late || number > 0)
            noteLoss(step);
    }
    if (result.late) {
        train::Replica::Step last;
        std::optional<train::Failure> failure;
        replica.readLoss(last, failure);
        train::agree(communicator, failure);
        noteLoss(last);
    }
    result.parameters = values();
    return result;
}

} // namespace scalebench::test
