// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/adam.h"

#include <cmath>

#include "engine/optim/table_check.h"

namespace scalebench {

AdamOptimizer::AdamOptimizer(Backend& backend, ParameterSet& parameters,
                             const OptimizerConfig& config, const OptimizerPlacement& placement)
    : Optimizer(backend, parameters, config, placement, {"moment1", "moment2"})
{
    refuseTableDecay(parameters, config);
}

void AdamOptimizer::updateFused(const Update& u)
{
    AdamParams p;
    p.learningRate = u.learningRate;
    p.beta1 = config().beta1;
    p.beta2 = config().beta2;
    p.epsilon = config().epsilon;
    p.step = u.step;
    p.decoupled = config().kind == OptimizerKind::AdamW;
    p.gradientScale = u.gradientScale;
    ops().adam(p, chunks(), arenas());
}

void AdamOptimizer::updateUnfused(const Update& u)
{
    const OptimizerArenas a = arenas();
    const double beta1 = config().beta1, beta2 = config().beta2;
    const double correction1 = 1.0 - std::pow(beta1, double(u.step));
    const double correction2 = 1.0 - std::pow(beta2, double(u.step));
    for (const Piece& piece : pieces()) {
        const TensorSetting& t = setting(piece.tensor);
        const double rate = u.learningRate * double(t.learningRateScale);
        const auto w = a.weight.subspan(piece.offset, piece.count);
        const auto m = a.first.subspan(piece.offset, piece.count);
        const auto v = a.second.subspan(piece.offset, piece.count);
        const auto g = scratch(0, piece.count);
        ops().scale(u.gradientScale, a.gradient.subspan(piece.offset, piece.count), g);
        if (t.weightDecay != 0.0f) {
            if (config().kind == OptimizerKind::AdamW)
                ops().scale(float(1.0 - rate * double(t.weightDecay)), w, w);
            else
                ops().axpy(t.weightDecay, w, g);
        }
        ops().scale(float(beta1), m, m);
        ops().axpy(float(1.0 - beta1), g, m);
        ops().multiply(g, g, g);
        ops().scale(float(beta2), v, v);
        ops().axpy(float(1.0 - beta2), g, v);
        ops().squareRoot(v, g);
        ops().scale(float(1.0 / std::sqrt(correction2)), g, g);
        ops().addScalar(float(config().epsilon), g, g);
        ops().divide(m, g, g);
        ops().axpy(float(-rate / correction1), g, w);
    }
}

void AdamOptimizer::updateTable(const Update& u, int parameter)
{
    SparseAdamParams p;
    p.learningRate = u.learningRate;
    p.beta1 = config().beta1;
    p.beta2 = config().beta2;
    p.epsilon = config().epsilon;
    p.step = u.step;
    p.gradientScale = u.gradientScale;
    ops().sparseAdam(p, tableGradient(parameter), table(parameter), tableState(parameter, 0),
                     tableState(parameter, 1));
}

} // namespace scalebench
