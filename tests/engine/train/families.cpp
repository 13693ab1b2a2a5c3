// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/families.h"

#include "engine/autograd/functions.h"
#include "engine/core/thread_count.h"
#include "engine/dist/exchange.h"
#include "engine/dist/gradient_reducer.h"
#include "engine/models/resnet/resnet.h"
#include "engine/nn/layers.h"
#include "engine/nn/network.h"
#include "engine/optim/optimizer.h"
#include "kernels/check.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

namespace scalebench::test {
namespace {

constexpr int kSteps = 10;
constexpr int64_t kGlobalBatch = 16, kClasses = 10;

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

Tensor labelsOf(Backend& backend, int64_t first, int64_t count)
{
    Tensor labels = Tensor::empty({count}, DType::I32, backend.allocator());
    for (int64_t i = 0; i < count; ++i)
        labels.i32()[size_t(i)] = label(first + i);
    return labels;
}

/// Parameters with noise in them, and what every network of ours says of itself.
class SmallNetwork : public Network
{
public:
    explicit SmallNetwork(Backend& backend) : precision_(backend.computePrecision(Precision::Fp32))
    {
    }
    ParameterSet& parameters() noexcept override { return parameters_; }
    const ComputePrecision& precision() const noexcept override { return precision_; }

protected:
    void finish(const ArenaAllocator& arena, int seed, float scale)
    {
        parameters_.build(arena);
        for (size_t i = 0; i < parameters_.parameters().size(); ++i)
            fillNoise(parameters_.value(int(i)).f32(), uint64_t(seed) * 1000 + i, scale);
        parameters_.markValuesChanged();
    }
    ParameterRef ref(int parameter) const { return reference(parameters_, parameter); }
    ParameterSet parameters_;

private:
    ComputePrecision precision_;
};

/// 3 linear layers with GELU. Batch: inputs [N,24], labels [N].
class Mlp final : public SmallNetwork
{
public:
    Mlp(Backend& backend, const ArenaAllocator& arena, int seed)
        : SmallNetwork(backend),
          first_(parameters_, "first", 24, 64),
          second_(parameters_, "second", 64, 64),
          last_(parameters_, "last", 64, int(kClasses))
    {
        finish(arena, seed, 0.2f);
    }
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params, bool) override
    {
        const auto gelu = [&](const Variable& x) {
            return autograd::activation(tape, Activation::GeluErf, x);
        };
        Variable x = gelu(first_(tape, parameters_, Variable(batch.tensors.at(0))));
        x = gelu(second_(tape, parameters_, x));
        return softmaxCrossEntropy(tape, last_(tape, parameters_, x), batch.tensors.at(1), params);
    }

private:
    Linear first_, second_, last_;
};

/// A bidirectional layer, its mean over time, a classifier. Batch: inputs [T,N,8], lengths [N],
/// labels [N].
class LstmClassifier final : public SmallNetwork
{
public:
    static constexpr int64_t kTime = 6, kIn = 8, kHidden = 16;

    LstmClassifier(Backend& backend, const ArenaAllocator& arena, int seed) : SmallNetwork(backend)
    {
        for (const char* name : {"forward", "backward"}) {
            const std::string prefix = std::string(name) + ".";
            for (const auto& [part, shape] :
                 {std::pair<const char*, Shape>{"input", {4 * kHidden, kIn}},
                  {"recurrent", {4 * kHidden, kHidden}},
                  {"input_bias", {4 * kHidden}},
                  {"recurrent_bias", {4 * kHidden}}})
                lstm_.push_back(parameters_.addParameter(prefix + part, shape, true));
        }
        last_ = Linear(parameters_, "last", 2 * kHidden, int(kClasses));
        finish(arena, seed, 0.25f);
    }
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params, bool) override
    {
        autograd::LstmRefs directions[2];
        for (size_t d = 0; d < 2; ++d)
            directions[d] = {ref(lstm_[4 * d]), ref(lstm_[4 * d + 1]), ref(lstm_[4 * d + 2]),
                             ref(lstm_[4 * d + 3])};
        const Variable x =
            autograd::lstm(tape, Variable(batch.tensors.at(0)), directions, batch.tensors.at(1))
                .output;
        const Variable mean = autograd::reduce(tape, ReduceOp::Mean, x, {0});
        return softmaxCrossEntropy(tape, last_(tape, parameters_, mean), batch.tensors.at(2),
                                   params);
    }

private:
    std::vector<int> lstm_;
    Linear last_;
};

/// Product of two sparse tables' rows beside a small network on them. Batch: users [N], items [N],
/// clicked [N,1].
class Recommender final : public SmallNetwork
{
public:
    static constexpr int64_t kUsers = 40, kItems = 30, kWidth = 16;

    Recommender(Backend& backend, const ArenaAllocator& arena, int seed)
        : SmallNetwork(backend),
          users_(parameters_.addSparseParameter("users", {kUsers, kWidth}, false)),
          items_(parameters_.addSparseParameter("items", {kItems, kWidth}, false)),
          hidden_(parameters_, "hidden", 2 * kWidth, 32),
          last_(parameters_, "last", 32 + kWidth, 1)
    {
        finish(arena, seed, 0.3f);
    }
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params, bool) override
    {
        const Variable user =
            autograd::embedding(tape, ref(users_), batch.tensors.at(0), DType::F32);
        const Variable item =
            autograd::embedding(tape, ref(items_), batch.tensors.at(1), DType::F32);
        const Variable deep = autograd::relu(
            tape, hidden_(tape, parameters_, autograd::concat(tape, {user, item}, 1)));
        const Variable all =
            autograd::concat(tape, {deep, autograd::multiply(tape, user, item)}, 1);
        const autograd::ScalarLoss loss = autograd::sigmoidCrossEntropy(
            tape, last_(tape, parameters_, all), batch.tensors.at(2), {}, params.scale);
        return {loss.loss, loss.sum, 0, batch.samples};
    }

private:
    int users_, items_;
    Linear hidden_, last_;
};

struct Family {
    std::function<std::unique_ptr<Network>(Backend&, const ArenaAllocator&, int seed)> network;
    std::function<Batch(Backend&, int64_t first, int64_t count)> batch;
    OptimizerConfig optimizer;
    double learningRate;
};

Batch imageBatch(Backend& backend, int64_t first, int64_t count)
{
    constexpr int64_t kEdge = 16;
    Tensor images = Tensor::empty({count, kEdge, kEdge, 3}, DType::F32, backend.allocator());
    for (int64_t i = 0; i < count; ++i)
        fillNoise(images.f32().subspan(size_t(i * kEdge * kEdge * 3), kEdge * kEdge * 3),
                  uint64_t(first + i), 1.0f);
    return {{images, labelsOf(backend, first, count)}, count};
}

Batch vectorBatch(Backend& backend, int64_t first, int64_t count)
{
    Tensor inputs = Tensor::empty({count, 24}, DType::F32, backend.allocator());
    for (int64_t i = 0; i < count; ++i)
        fillNoise(inputs.f32().subspan(size_t(i) * 24, 24), uint64_t(first + i), 1.0f);
    return {{inputs, labelsOf(backend, first, count)}, count};
}

Batch sequenceBatch(Backend& backend, int64_t first, int64_t count)
{
    constexpr int64_t kT = LstmClassifier::kTime, kIn = LstmClassifier::kIn;
    Tensor inputs = Tensor::empty({kT, count, kIn}, DType::F32, backend.allocator());
    Tensor lengths = Tensor::empty({count}, DType::I32, backend.allocator());
    for (int64_t i = 0; i < count; ++i) {
        for (int64_t t = 0; t < kT; ++t)
            fillNoise(inputs.f32().subspan(size_t((t * count + i) * kIn), size_t(kIn)),
                      uint64_t((first + i) * kT + t), 1.0f);
        lengths.i32()[size_t(i)] = int32_t(1 + (first + i) % kT);
    }
    return {{inputs, lengths, labelsOf(backend, first, count)}, count};
}

Batch clickBatch(Backend& backend, int64_t first, int64_t count)
{
    Tensor users = Tensor::empty({count}, DType::I32, backend.allocator());
    Tensor items = Tensor::empty({count}, DType::I32, backend.allocator());
    Tensor clicked = Tensor::empty({count, 1}, DType::F32, backend.allocator());
    for (int64_t i = 0; i < count; ++i) {
        // Squares make some users and items frequent, so that workers share rows.
        const float u = noise(11, uint64_t(first + i)), v = noise(12, uint64_t(first + i));
        users.i32()[size_t(i)] = int32_t(u * u * float(Recommender::kUsers - 1));
        items.i32()[size_t(i)] = int32_t(v * v * float(Recommender::kItems - 1));
        clicked.f32()[size_t(i)] = label(first + i) < 5 ? 1.0f : 0.0f;
    }
    return {{users, items, clicked}, count};
}

template <typename T>
std::unique_ptr<Network> makeSmall(Backend& backend, const ArenaAllocator& arena, int seed)
{
    return std::make_unique<T>(backend, arena, seed);
}

Family familyByName(const std::string& name)
{
    Family family;
    if (name == "resnet") {
        family.network = [](Backend& backend, const ArenaAllocator& arena, int seed) {
            return std::make_unique<ResNet>(ResNetConfig::byName("resnet8", int(kClasses)), backend,
                                            Precision::Fp32, uint64_t(seed), arena);
        };
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
        family.network = makeSmall<Mlp>;
        family.batch = vectorBatch;
        family.optimizer.weightDecay = 0.01;
        family.optimizer.maxGradNorm = 0.5;
    } else if (name == "lstm") {
        family.network = makeSmall<LstmClassifier>;
        family.batch = sequenceBatch;
    } else if (name == "ncf") {
        family.network = makeSmall<Recommender>;
        family.batch = clickBatch;
    } else {
        throw InvalidArgument("unknown family " + name);
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
          backend_(makeCpuBackend())
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
        network_ = family_.network(*backend_, arena, setting.seed);
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
            const LossResult loss =
                network_->loss(tape, family_.batch(*backend_, first, micro), params, true);
            tail.lossSum += loss.lossSum;
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
    std::span<const float> values() const { return network_->parameters().values(); }

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
            const dist::RowSum sum = dist::sumSparseRows(comm_, gradient.rows.i32(),
                                                         gradient.values.f32(), size_t(width));
            const int64_t n = int64_t(sum.ids.size());
            gradient.rows = Tensor::empty({n}, DType::I32, backend_->allocator());
            gradient.values = Tensor::empty({n, width}, DType::F32, backend_->allocator());
            std::ranges::copy(sum.ids, gradient.rows.i32().begin());
            std::ranges::copy(sum.rows, gradient.values.f32().begin());
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
    static const std::vector<std::string> kNames = {"resnet", "mlp", "lstm", "ncf"};
    return kNames;
}

FamilyResult trainFamily(dist::Communicator& communicator, const FamilySetting& setting)
{
    setComputeThreads(1);
    Trainee trainee(communicator, setting);
    FamilyResult result;
    result.initial.assign(trainee.values().begin(), trainee.values().end());
    for (int step = 0; step < kSteps; ++step) {
        communicator.setStep(step);
        result.losses.push_back(trainee.step(step));
    }
    communicator.setStep(-1);
    result.parameters.assign(trainee.values().begin(), trainee.values().end());
    return result;
}

} // namespace scalebench::test
