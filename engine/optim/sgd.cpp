// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/sgd.h"

#include "engine/optim/table_check.h"

namespace scalebench {
namespace {

OptimizerConfig general(const SgdConfig& sgd)
{
    OptimizerConfig c;
    c.momentum = sgd.momentum;
    c.weightDecay = sgd.weightDecay;
    c.nesterov = sgd.nesterov;
    return c;
}

std::vector<std::string> stateNames(const OptimizerConfig& config)
{
    return config.momentum == 0.0 ? std::vector<std::string>{}
                                  : std::vector<std::string>{"momentum"};
}

} // namespace

SgdOptimizer::SgdOptimizer(Backend& backend, ParameterSet& parameters,
                           const OptimizerConfig& config, const OptimizerPlacement& placement)
    : Optimizer(backend, parameters, config, placement, stateNames(config))
{
    if (config.momentum != 0.0)
        refuseTables(parameters, "sgd", "momentum moves rows that have no gradient");
    refuseTableDecay(parameters, config);
}

SgdOptimizer::SgdOptimizer(Backend& backend, ParameterSet& parameters, const SgdConfig& config)
    : SgdOptimizer(backend, parameters, general(config), {})
{
}

void SgdOptimizer::updateFused(const Update& u)
{
    SgdParams p;
    p.learningRate = float(u.learningRate);
    p.momentum = float(config().momentum);
    p.nesterov = config().nesterov;
    p.gradientScale = u.gradientScale;
    ops().sgd(p, chunks(), arenas());
}

void SgdOptimizer::updateUnfused(const Update& u)
{
    const OptimizerArenas a = arenas();
    const auto momentum = float(config().momentum);
    for (const Piece& piece : pieces()) {
        const TensorSetting& t = setting(piece.tensor);
        const auto w = a.weight.subspan(piece.offset, piece.count);
        const auto g = scratch(0, piece.count);
        ops().scale(u.gradientScale, a.gradient.subspan(piece.offset, piece.count), g);
        if (t.weightDecay != 0.0f)
            ops().axpy(t.weightDecay, w, g);
        std::span<float> direction = g;
        if (momentum != 0.0f) {
            const auto v = a.first.subspan(piece.offset, piece.count);
            ops().scale(momentum, v, v);
            ops().axpy(1.0f, g, v);
            if (config().nesterov)
                ops().axpy(momentum, v, g);
            else
                direction = v;
        }
        ops().axpy(-float(u.learningRate) * t.learningRateScale, direction, w);
    }
}

void SgdOptimizer::updateTable(const Update& u, int parameter)
{
    ops().sparseSgd({u.learningRate, u.gradientScale}, tableGradient(parameter), table(parameter));
}

} // namespace scalebench
