// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/lamb.h"

#include <cmath>

#include "engine/optim/table_check.h"

namespace scalebench {

LambOptimizer::LambOptimizer(Backend& backend, ParameterSet& parameters,
                             const OptimizerConfig& config, const OptimizerPlacement& placement)
    : Optimizer(backend, parameters, config, placement, {"moment1", "moment2"}),
      squares_(2 * tensorCount()),
      trust_(tensorCount())
{
    refuseTables(parameters, "lamb", "the trust ratio needs the update of the whole table");
}

LambParams LambOptimizer::params(const Update& u) const
{
    LambParams p;
    p.learningRate = u.learningRate;
    p.beta1 = config().beta1;
    p.beta2 = config().beta2;
    p.epsilon = config().epsilon;
    p.step = u.step;
    p.adaptWithoutDecay = config().lambAdaptAll;
    p.gradientScale = u.gradientScale;
    return p;
}

void LambOptimizer::computeTrust(const LambParams& p)
{
    addOverWorkers(squares_);
    const auto all = std::span<const double>(squares_);
    ops().lambRatios(p, chunks(), all.first(tensorCount()), all.last(tensorCount()), trust_);
}

void LambOptimizer::updateFused(const Update& u)
{
    const LambParams p = params(u);
    if (DeviceTrust* const device = deviceTrust()) {
        device->lambStep(p, chunks(), arenas());
        return;
    }
    const auto all = std::span(squares_);
    ops().lambMoments(p, chunks(), arenas(), all.first(tensorCount()), all.last(tensorCount()));
    computeTrust(p);
    ops().lambApply(p, chunks(), trust_, arenas());
}

void LambOptimizer::makeDirection(const LambParams& p, const Piece& piece,
                                  std::span<float> direction)
{
    const OptimizerArenas a = arenas();
    const auto m = a.first.subspan(piece.offset, piece.count);
    const auto v = a.second.subspan(piece.offset, piece.count);
    const auto g = scratch(0, piece.count);
    ops().scale(p.gradientScale, a.gradient.subspan(piece.offset, piece.count), g);
    ops().scale(float(p.beta1), m, m);
    ops().axpy(float(1.0 - p.beta1), g, m);
    ops().multiply(g, g, g);
    ops().scale(float(p.beta2), v, v);
    ops().axpy(float(1.0 - p.beta2), g, v);
    ops().squareRoot(v, g);
    ops().scale(float(1.0 / std::sqrt(1.0 - std::pow(p.beta2, double(p.step)))), g, g);
    ops().addScalar(float(p.epsilon), g, g);
    ops().divide(m, g, direction);
    ops().scale(float(1.0 / (1.0 - std::pow(p.beta1, double(p.step)))), direction, direction);
    const float decay = setting(piece.tensor).weightDecay;
    if (decay != 0.0f)
        ops().axpy(decay, a.weight.subspan(piece.offset, piece.count), direction);
}

void LambOptimizer::updateUnfused(const Update& u)
{
    const LambParams p = params(u);
    const OptimizerArenas a = arenas();
    if (!directions_.defined())
        directions_ = makeArray(a.weight.size());
    const std::span<float> directions = directions_.f32().first(a.weight.size());
    for (const Piece& piece : pieces())
        makeDirection(p, piece, directions.subspan(piece.offset, piece.count));
    const auto all = std::span(squares_);
    ops().sumOfSquares(chunks(), a.weight, all.first(tensorCount()));
    ops().sumOfSquares(chunks(), directions, all.last(tensorCount()));
    computeTrust(p);
    for (const Piece& piece : pieces()) {
        const double rate = u.learningRate * double(setting(piece.tensor).learningRateScale);
        ops().axpy(float(-rate * double(trust_[std::size_t(piece.tensor)])),
                   directions.subspan(piece.offset, piece.count),
                   a.weight.subspan(piece.offset, piece.count));
    }
}

void LambOptimizer::updateTable(const Update&, int) {} // refused by the constructor

} // namespace scalebench
