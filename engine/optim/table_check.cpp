// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/table_check.h"

#include "kernels/check.h"

namespace scalebench {

void refuseTables(const ParameterSet& parameters, const char* optimizer, const char* reason)
{
    for (int index : parameters.sparseOrder()) {
        const ParameterInfo& p = parameters.parameters()[std::size_t(index)];
        throw Unsupported(std::string(optimizer) + " f32" + toString(p.shape) +
                          " with sparse gradients (" + p.name + "): " + reason);
    }
}

void refuseTableDecay(const ParameterSet& parameters, const OptimizerConfig& config)
{
    for (int index : parameters.sparseOrder()) {
        const ParameterInfo& p = parameters.parameters()[std::size_t(index)];
        if (decaysWeights(config, p) && config.weightDecay > 0.0)
            throw Unsupported(std::string(optimizerName(config.kind)) + " f32" + toString(p.shape) +
                              " with sparse gradients (" + p.name +
                              "): weight decay shrinks rows that have no gradient");
    }
}

} // namespace scalebench
