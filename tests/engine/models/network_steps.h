// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the tests of networks do with one: its loss, its gradients, and those held against
// differences of the loss.

#include "engine/nn/network.h"
#include "engine/optim/optimizer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace scalebench::tests {

inline Tensor integers(Backend& backend, Shape shape, const std::vector<std::int32_t>& values)
{
    Tensor t = Tensor::empty(std::move(shape), DType::I32, backend.allocator());
    std::copy(values.begin(), values.end(), t.i32().begin());
    return t;
}

/// Sum over the batch; `seed`: of its dropout.
inline double lossOf(Backend& backend, Network& net, const Batch& batch, std::uint64_t seed = 0,
                     bool training = true, const LossParams& params = {})
{
    Tape tape(backend);
    tape.seedRandom(seed);
    return net.loss(tape, batch, params, training).sums.get().lossSum;
}

/// The same, and leaves the gradients in the network.
inline double backwardOf(Backend& backend, Network& net, const Batch& batch,
                         const LossParams& params = {}, const ParameterGradientReady& ready = {})
{
    Tape tape(backend);
    const LossResult r = net.loss(tape, batch, params, true);
    tape.backward(r.loss, ready);
    return r.sums.get().lossSum;
}

/// Of the mean over the batch.
inline double meanBackwardOf(Backend& backend, Network& net, const Batch& batch)
{
    const double samples = double(batch.samples);
    return backwardOf(backend, net, batch, {.scale = float(1 / samples)}) / samples;
}

/// Mean losses of steps with Adam on eight batches in turn.
inline std::vector<double> lossesWithAdam(Backend& backend, Network& net, int steps,
                                          const std::function<Batch(std::uint64_t)>& batch)
{
    const auto adam =
        makeOptimizer(backend, net.parameters(), optimizerDefaults(OptimizerKind::Adam));
    std::vector<double> losses;
    for (int i = 0; i < steps; ++i) {
        losses.push_back(meanBackwardOf(backend, net, batch(std::uint64_t(i % 8))));
        adam->step(0.01);
    }
    return losses;
}

/// The largest difference over the largest number of `wanted`.
inline double gradientGap(std::span<const float> got, std::span<const float> wanted)
{
    double top = 0, worst = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        top = std::max(top, std::abs(double(wanted[i])));
        worst = std::max(worst, std::abs(double(wanted[i] - got[i])));
    }
    return worst / top;
}

struct Differences {
    double step = 2e-3; ///< a longer one crosses kinks of ReLUs
    double relative = 0.02, absolute = 1e-4;
    double least = 0; ///< every parameter's gradient is longer
};

/// The gradients that `parameters` hold against central differences of loss() along them, each
/// parameter by itself. The parameter whose gradient is another; empty where all are right.
inline std::string againstDifferences(ParameterSet& parameters, const std::function<double()>& loss,
                                      const Differences& allowed)
{
    const std::vector<float> keep(parameters.values().begin(), parameters.values().end());
    const std::vector<float> g(parameters.gradients().begin(), parameters.gradients().end());
    for (const ParameterInfo& p : parameters.parameters()) {
        double norm = 0;
        for (std::size_t i = p.offset; i < p.offset + p.count; ++i)
            norm += double(g[i]) * double(g[i]);
        norm = std::sqrt(norm);
        if (!(norm > allowed.least))
            return p.name + " has a gradient of " + std::to_string(norm);
        const auto at = [&](double step) {
            for (std::size_t i = p.offset; i < p.offset + p.count; ++i)
                parameters.values()[i] = float(double(keep[i]) + step * double(g[i]) / norm);
            parameters.markValuesChanged();
            return loss();
        };
        const double numeric = (at(allowed.step) - at(-allowed.step)) / (2 * allowed.step);
        at(0);
        if (!(std::abs(numeric - norm) < allowed.relative * norm + allowed.absolute))
            return p.name + ": " + std::to_string(numeric) + " instead of " + std::to_string(norm);
    }
    return {};
}

} // namespace scalebench::tests
