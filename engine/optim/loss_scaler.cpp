// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/loss_scaler.h"

#include <algorithm>
#include <cmath>

#include "kernels/check.h"

namespace scalebench {

LossScaler::LossScaler(const LossScalerConfig& config) : config_(config)
{
    SB_REQUIRE(config.growth > 1.0 && config.backoff > 0.0 && config.backoff < 1.0,
               "loss scale: it must grow by more than 1 and shrink by a factor in (0,1)");
    SB_REQUIRE(config.growthInterval >= 1, "loss scale: the growth interval must be at least 1");
    SB_REQUIRE(config.smallest > 0.0 && config.smallest <= config.initialScale &&
                   config.initialScale <= config.largest && std::isfinite(config.largest),
               "loss scale: the initial scale must lie between the smallest and the largest");
    state_.scale = config.initialScale;
}

bool LossScaler::update(bool applied)
{
    if (applied) {
        state_.goodSteps += 1;
        if (config_.dynamic && state_.goodSteps >= config_.growthInterval) {
            state_.scale = std::min(state_.scale * config_.growth, config_.largest);
            state_.goodSteps = 0;
        }
        return true;
    }
    state_.goodSteps = 0;
    state_.skipped += 1;
    if (!config_.dynamic)
        return true;
    const bool couldShrink = state_.scale > config_.smallest;
    state_.scale = std::max(state_.scale * config_.backoff, config_.smallest);
    return couldShrink;
}

} // namespace scalebench
