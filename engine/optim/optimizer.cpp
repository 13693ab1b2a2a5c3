// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/check.h"
#include "kernels/formula/optimizer.h"

namespace scalebench {

Optimizer::Optimizer(Backend& backend, ParameterSet& parameters, const OptimizerConfig& config,
                     const OptimizerPlacement& placement, const std::vector<std::string>& states)
    : backend_(backend), parameters_(parameters), config_(config), placement_(placement)
{
    validate(config);
    SB_REQUIRE(parameters.built(), "the optimizer needs built parameters");
    const std::size_t all = parameters.gradients().size();
    if (placement_.end == 0 && placement_.begin == 0)
        placement_.end = all;
    SB_REQUIRE(placement_.begin <= placement_.end && placement_.end <= all,
               "optimizer: the range [" + std::to_string(placement_.begin) + "," +
                   std::to_string(placement_.end) + ") is not inside the gradients' " +
                   std::to_string(all) + " elements");
    layOut();
    makeState(states);
}

void Optimizer::layOut()
{
    for (int index : parameters_.readyOrder()) {
        const ParameterInfo& p = parameters_.parameters()[std::size_t(index)];
        const bool decays = decaysWeights(config_, p);
        const std::size_t size = p.count / std::size_t(p.parts);
        for (int part = 0; part < p.parts; ++part) {
            const auto tensor = std::int32_t(settings_.size());
            settings_.push_back({decays ? float(config_.weightDecay) : 0.0f,
                                 decays ? 1.0f : float(config_.noDecayRateFactor), decays});
            const std::size_t begin = p.offset + std::size_t(part) * size;
            addTensor(tensor, begin, begin + size);
        }
    }
    squares_.resize(settings_.size() + 1);
}

void Optimizer::addTensor(std::int32_t tensor, std::size_t begin, std::size_t end)
{
    const std::size_t from = std::max(begin, placement_.begin);
    const std::size_t to = std::min(end, placement_.end);
    if (from >= to)
        return;
    pieces_.push_back({from - placement_.begin, to - from, tensor});
    for (std::size_t at = from; at < to; at += std::size_t(kChunkElements))
        chunks_.push_back({std::int64_t(at - placement_.begin),
                           std::int32_t(std::min<std::size_t>(kChunkElements, to - at)), tensor});
}

void Optimizer::makeState(const std::vector<std::string>& names)
{
    const std::size_t dense = placement_.end - placement_.begin;
    const std::size_t tables = parameters_.values().size() - parameters_.gradients().size();
    denseStates_ = names.size();
    auto add = [&](const std::string& name, std::size_t elements) {
        Tensor t = makeArray(elements);
        backend_.clear(t);
        state_.push_back({name, t.f32().first(elements)});
        stateStorage_.push_back(std::move(t));
    };
    for (const std::string& name : names)
        add(name, dense);
    if (!parameters_.sparseOrder().empty())
        for (const std::string& name : names)
            add("table_" + name, tables);
}

Tensor Optimizer::makeArray(std::size_t elements) const
{
    return Tensor::empty({std::int64_t(std::max<std::size_t>(elements, 1))}, DType::F32,
                         backend_.allocator());
}

OptimizerArenas Optimizer::arenas() const
{
    const std::size_t begin = placement_.begin, count = placement_.end - begin;
    OptimizerArenas a{parameters_.gradients().subspan(begin, count),
                      parameters_.values().subspan(begin, count),
                      {},
                      {}};
    if (denseStates_ > 0)
        a.first = state_[0].values;
    if (denseStates_ > 1)
        a.second = state_[1].values;
    return a;
}

Tensor Optimizer::tableState(int parameter, std::size_t state) const
{
    const ParameterInfo& p = parameters_.parameters()[std::size_t(parameter)];
    const std::size_t at = p.offset - parameters_.gradients().size();
    const std::size_t which = denseStates_ + state;
    return Tensor::view(state_[which].values.data() + at, p.shape, DType::F32, {},
                        backend_.allocator().onDevice());
}

std::span<float> Optimizer::tableState(const StateSpan& span, int parameter) const
{
    const ParameterInfo& p = parameters_.parameters()[std::size_t(parameter)];
    return span.values.subspan(p.offset - parameters_.gradients().size(), p.count);
}

std::span<float> Optimizer::scratch(int number, std::size_t count)
{
    Tensor& t = scratch_[number];
    if (!t.defined()) {
        std::size_t largest = 0;
        for (const Piece& p : pieces_)
            largest = std::max(largest, p.count);
        t = makeArray(largest);
    }
    return t.f32().first(count);
}

void Optimizer::addOverWorkers(std::span<double> numbers) const
{
    if (placement_.reduceNorms)
        placement_.reduceNorms(numbers);
}

double Optimizer::tableSquares() const
{
    double sum = 0.0;
    for (int index : parameters_.sparseOrder()) {
        const SparseRows& rows = tableGradient(index);
        const bool shared = parameters_.parameters()[std::size_t(index)].owner < 0;
        if (rows.empty() || (shared && placement_.reduceTables && !placement_.countsShared))
            continue;
        const std::span<const float> values = rows.values.f32();
        std::vector<TensorChunk> cut;
        for (std::size_t at = 0; at < values.size(); at += std::size_t(kChunkElements))
            cut.push_back({std::int64_t(at),
                           std::int32_t(std::min<std::size_t>(kChunkElements, values.size() - at)),
                           0});
        const TensorSetting one;
        double squares = 0.0;
        ops().sumOfSquares({cut, {&one, 1}}, values, {&squares, 1});
        sum += squares;
    }
    return sum;
}

std::span<const double> Optimizer::gradientSquares()
{
    const std::size_t tensors = tensorCount();
    if (!squaresKnown_) {
        ops().sumOfSquares(chunks(), arenas().gradient, std::span(squares_).first(tensors));
        // Every worker has the gradients of the tables: only one of them may count them.
        const bool counts = !placement_.reduceNorms || (placement_.begin == 0 && !pieces_.empty());
        squares_.back() = counts || placement_.reduceTables ? tableSquares() : 0.0;
        if (placement_.reduceTables && !placement_.reduceNorms)
            placement_.reduceTables(std::span(squares_).last(1));
        addOverWorkers(squares_);
        squaresKnown_ = true;
    }
    return std::span<const double>(squares_).first(tensors);
}

double Optimizer::gradientNorm(double gradientScale)
{
    gradientSquares();
    return std::abs(gradientScale) *
           std::sqrt(std::accumulate(squares_.begin(), squares_.end(), 0.0));
}

double Optimizer::clipFactor(double norm) const
{
    return clips() ? formula::normFactor(norm, largestNorm(), clipEpsilon()) : 1.0;
}

bool Optimizer::clips() const
{
    return config_.normaliseGradient || config_.maxGradNorm > 0.0;
}

double Optimizer::largestNorm() const
{
    return config_.normaliseGradient ? 0.0 : config_.maxGradNorm;
}

/// LAMB's own clipping has none; torch.nn.utils.clip_grad_norm_ has.
double Optimizer::clipEpsilon() const
{
    return config_.kind == OptimizerKind::Lamb ? 0.0 : 1e-6;
}

bool Optimizer::needsNorm() const
{
    return clips() || config_.skipNonFinite;
}

bool Optimizer::issuesOnly() const
{
    return deviceUpdates() != nullptr && config_.fused && !config_.skipNonFinite &&
           !placement_.reduceNorms && parameters_.sparseOrder().empty();
}

StepResult Optimizer::step(double learningRate, double gradientScale)
{
    StepResult result;
    squaresKnown_ = false;
    double factor = gradientScale;
    if (needsNorm()) {
        result.gradientNorm = gradientNorm(gradientScale);
        if (config_.skipNonFinite && !std::isfinite(result.gradientNorm)) {
            result.applied = false;
            return result;
        }
        factor *= clipFactor(result.gradientNorm);
    }
    const Update update{learningRate, float(factor), stepCount_ + 1};
    if (config_.fused)
        updateFused(update);
    else
        updateUnfused(update);
    for (int index : parameters_.sparseOrder())
        updateTable(update, index);
    count();
    return result;
}

void Optimizer::count()
{
    ++stepCount_;
    parameters_.markValuesChanged();
}

void Optimizer::inParts(const Update& update, const DeviceUpdates::Parts& parts)
{
    struct Whole { // whatever happens
        DeviceUpdates& updates;
        ~Whole() { updates.setParts({}); }
    } const whole{*deviceUpdates()};
    whole.updates.setParts(parts);
    updateFused(update);
}

void Optimizer::bring(double learningRate, bool off)
{
    brought_ = {learningRate, 1.0f, stepCount_ + 1};
    inParts(brought_, {.numbers = true, .kernels = false, .off = off});
}

void Optimizer::issueUpdate()
{
    if (clips())
        deviceUpdates()->clip(chunks(), arenas().gradient, largestNorm(), clipEpsilon());
    inParts(brought_, {.numbers = false, .kernels = true});
}

} // namespace scalebench
