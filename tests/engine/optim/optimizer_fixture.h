// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Parameter sets with reproducible numbers, and one double precision step of any optimizer.

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/optim/optimizer.h"
#include "kernels/ref/optimizer.h"

namespace scalebench::test {

using kernels::ref::Values;

/// Tensors of many sizes, chunk borders among them; every third is a bias.
struct Fixture {
    explicit Fixture(std::vector<std::int64_t> sizes = {5, 1, 40000, 17, 70001, 3, 32768})
    {
        for (std::size_t i = 0; i < sizes.size(); ++i)
            set.addParameter(std::string("p").append(std::to_string(i)), {sizes[i]}, i % 3 != 1);
        set.build();
        for (int i = 0; i < int(sizes.size()); ++i)
            fill(set.value(i), std::uint64_t(i), 0.5);
    }

    void makeGradients(int step)
    {
        for (int i = 0; i < int(set.parameters().size()); ++i)
            fill(set.gradient(i), std::uint64_t(1000 * (step + 1) + i), 0.1);
    }

    static void fill(Tensor t, std::uint64_t seed, double size)
    {
        std::uint64_t state = seed * 2654435761u + 99991u;
        for (float& x : t.f32()) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            x = float(size * (2.0 * double(state >> 40) / double(1 << 24) - 1.0));
        }
    }

    static Values values(const Tensor& t)
    {
        const auto v = t.f32();
        return {v.begin(), v.end()};
    }

    ParameterSet set;
};

/// The same optimizer in double precision, tensor by tensor.
class Reference
{
public:
    Reference(const ParameterSet& set, const OptimizerConfig& config) : config_(config)
    {
        for (int i = 0; i < int(set.parameters().size()); ++i) {
            weights.push_back(Fixture::values(set.value(i)));
            first_.emplace_back(weights.back().size());
            second_.emplace_back(weights.back().size());
        }
    }

    void step(const ParameterSet& set, double learningRate, double gradientScale)
    {
        std::vector<Values> grads;
        double squares = 0.0;
        for (int i = 0; i < int(weights.size()); ++i) {
            grads.push_back(Fixture::values(set.gradient(i)));
            for (double& g : grads.back())
                g *= gradientScale;
            squares += std::pow(kernels::ref::norm(grads.back()), 2);
        }
        double factor = 1.0;
        if (config_.normaliseGradient)
            factor = 1.0 / std::sqrt(squares);
        else if (config_.maxGradNorm > 0.0 && std::sqrt(squares) > config_.maxGradNorm)
            factor = config_.maxGradNorm / std::sqrt(squares);
        ++count_;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            for (double& g : grads[i])
                g *= factor;
            stepTensor(set.parameters()[i].weightDecay, i, grads[i], learningRate);
        }
    }

    std::vector<Values> weights;

private:
    void stepTensor(bool decays, std::size_t i, const Values& grad, double learningRate)
    {
        kernels::ref::OptimizerSettings s;
        s.learningRate = learningRate * (decays ? 1.0 : config_.noDecayRateFactor);
        s.weightDecay = decays ? config_.weightDecay : 0.0;
        s.momentum = config_.momentum;
        s.nesterov = config_.nesterov;
        s.beta1 = config_.beta1;
        s.beta2 = config_.beta2;
        s.epsilon = config_.kind == OptimizerKind::Lars ? config_.larsEpsilon : config_.epsilon;
        s.step = count_;
        s.decoupled = config_.kind == OptimizerKind::AdamW;
        s.eta = config_.larsEta;
        s.learningRateInMomentum = config_.larsRateInMomentum;
        s.adapt = decays;
        if (config_.kind == OptimizerKind::Lamb)
            s.adapt = s.weightDecay != 0.0 || config_.lambAdaptAll;
        switch (config_.kind) {
        case OptimizerKind::Sgd:
            return kernels::ref::sgd(s, grad, weights[i], first_[i]);
        case OptimizerKind::Lars:
            return kernels::ref::lars(s, grad, weights[i], first_[i]);
        case OptimizerKind::Adam:
        case OptimizerKind::AdamW:
            return kernels::ref::adam(s, grad, weights[i], first_[i], second_[i]);
        case OptimizerKind::Lamb:
            return kernels::ref::lamb(s, grad, weights[i], first_[i], second_[i]);
        }
    }

    OptimizerConfig config_;
    std::vector<Values> first_, second_;
    std::int64_t count_ = 0;
};

/// Settings that reach every branch, by name.
struct NamedConfig {
    const char* name;
    OptimizerConfig config;
};

inline std::vector<NamedConfig> namedConfigs()
{
    std::vector<NamedConfig> list;
    auto add = [&](const char* name, OptimizerKind kind, auto change) {
        OptimizerConfig c = optimizerDefaults(kind);
        change(c);
        list.push_back({name, c});
    };
    using K = OptimizerKind;
    add("sgd plain", K::Sgd, [](auto& c) { c.momentum = 0.0, c.weightDecay = 0.01; });
    add("sgd momentum", K::Sgd, [](auto& c) { c.weightDecay = 0.01; });
    add("sgd nesterov, clipped", K::Sgd,
        [](auto& c) { c.weightDecay = 0.01, c.nesterov = true, c.maxGradNorm = 3.0; });
    add("sgd, faster biases", K::Sgd, [](auto& c) { c.noDecayRateFactor = 2.0; });
    add("lars", K::Lars, [](auto& c) { c.weightDecay = 5e-5; });
    add("lars, rate outside", K::Lars,
        [](auto& c) { c.weightDecay = 5e-5, c.larsRateInMomentum = false, c.larsEpsilon = 1e-9; });
    add("adam", K::Adam, [](auto&) {});
    add("adam decay, ncf betas", K::Adam,
        [](auto& c) { c.beta1 = 0.25, c.beta2 = 0.5, c.weightDecay = 0.1, c.epsilon = 1e-4; });
    add("adamw, clipped", K::AdamW, [](auto& c) { c.maxGradNorm = 5.0; });
    add("lamb", K::Lamb, [](auto&) {});
    add("lamb normalised, all adapt", K::Lamb,
        [](auto& c) { c.maxGradNorm = 0.0, c.normaliseGradient = true, c.lambAdaptAll = true; });
    return list;
}

} // namespace scalebench::test
