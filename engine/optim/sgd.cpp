// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/sgd.h"

#include <cstdlib>
#include <cstring>

#include "engine/backend/backend.h"
#include "kernels/check.h"

namespace scalebench {

SgdOptimizer::SgdOptimizer(Backend& backend, ParameterSet& parameters, const SgdConfig& config)
    : backend_(backend),
      parameters_(parameters),
      config_(config),
      count_(parameters.values().size())
{
    SB_REQUIRE(config.momentum >= 0.0 && config.momentum < 1.0,
               "momentum must be in [0,1), not " + std::to_string(config.momentum));
    SB_REQUIRE(config.weightDecay >= 0.0,
               "weight decay must not be negative: " + std::to_string(config.weightDecay));
    SB_REQUIRE(!config.nesterov || config.momentum > 0.0, "Nesterov momentum needs a momentum");
    SB_REQUIRE(parameters.built(), "the optimizer needs built parameters");
    velocity_ =
        std::static_pointer_cast<float>(backend.allocator().allocate(count_ * sizeof(float)));
    std::memset(velocity_.get(), 0, count_ * sizeof(float));
    // Neighbours with equal decay are updated in one pass, the padding between them too.
    for (int index : parameters.readyOrder()) {
        const ParameterInfo& p = parameters.parameters()[std::size_t(index)];
        const float decay = p.weightDecay ? float(config.weightDecay) : 0.0f;
        if (segments_.empty() || segments_.back().weightDecay != decay)
            segments_.push_back({p.offset, 0, decay});
        segments_.back().count = p.offset + p.count - segments_.back().offset;
    }
}

void SgdOptimizer::step(double learningRate)
{
    for (const Segment& s : segments_)
        backend_.optimizer().sgdStep(
            float(learningRate), float(config_.momentum), s.weightDecay, config_.nesterov,
            parameters_.gradients().subspan(s.offset, s.count),
            parameters_.values().subspan(s.offset, s.count), state().subspan(s.offset, s.count));
    parameters_.markValuesChanged();
}

} // namespace scalebench
