// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/lars.h"

#include "engine/optim/table_check.h"

namespace scalebench {

LarsOptimizer::LarsOptimizer(Backend& backend, ParameterSet& parameters,
                             const OptimizerConfig& config, const OptimizerPlacement& placement)
    : Optimizer(backend, parameters, config, placement, {"momentum"}),
      weightSquares_(tensorCount()),
      trust_(tensorCount())
{
    refuseTables(parameters, "lars", "the trust ratio needs the gradient of the whole table");
}

LarsParams LarsOptimizer::params(const Update& u) const
{
    LarsParams p;
    p.learningRate = u.learningRate;
    p.momentum = config().momentum;
    p.eta = config().larsEta;
    p.epsilon = config().larsEpsilon;
    p.learningRateInMomentum = config().larsRateInMomentum;
    p.gradientScale = u.gradientScale;
    return p;
}

void LarsOptimizer::computeTrust(const LarsParams& p)
{
    const std::span<const double> gradSquares = gradientSquares();
    ops().sumOfSquares(chunks(), arenas().weight, weightSquares_);
    addOverWorkers(weightSquares_);
    ops().larsRatios(p, chunks(), gradSquares, weightSquares_, trust_);
}

void LarsOptimizer::updateFused(const Update& u)
{
    const LarsParams p = params(u);
    if (DeviceTrust* const device = deviceTrust()) {
        device->larsStep(p, chunks(), arenas());
        return;
    }
    computeTrust(p);
    ops().lars(p, chunks(), trust_, arenas());
}

void LarsOptimizer::updateUnfused(const Update& u)
{
    const LarsParams p = params(u);
    computeTrust(p);
    const OptimizerArenas a = arenas();
    for (const Piece& piece : pieces()) {
        const TensorSetting& t = setting(piece.tensor);
        const double rate = u.learningRate * double(t.learningRateScale);
        const double trust = double(trust_[std::size_t(piece.tensor)]);
        const auto w = a.weight.subspan(piece.offset, piece.count);
        const auto v = a.first.subspan(piece.offset, piece.count);
        const auto g = scratch(0, piece.count);
        ops().scale(u.gradientScale, a.gradient.subspan(piece.offset, piece.count), g);
        if (t.weightDecay != 0.0f)
            ops().axpy(t.weightDecay, w, g);
        ops().scale(float(p.momentum), v, v);
        ops().axpy(float(p.learningRateInMomentum ? rate * trust : trust), g, v);
        ops().axpy(p.learningRateInMomentum ? -1.0f : -float(rate), v, w);
    }
}

void LarsOptimizer::updateTable(const Update&, int) {} // refused by the constructor

} // namespace scalebench
