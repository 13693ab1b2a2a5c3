// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Dynamic loss scaling for fp16 (Micikevicius et al. 2017, arXiv 1710.03740, section 3.2; the rule
// of torch.amp.GradScaler): the loss is multiplied by scale() before backward, gradients are
// divided by it in the optimizer, which skips the update when one of them overflowed. The scale
// grows after a run of good steps and is halved by every overflow.

#include <cstdint>

namespace scalebench {

struct LossScalerConfig {
    double initialScale = 65536.0;
    double growth = 2.0, backoff = 0.5;
    int growthInterval = 2000; ///< good steps in a row before the scale grows
    double largest = 16777216.0, smallest = 1.0;
    bool dynamic = true; ///< false: the scale stays (NCF 8192, DLRM 1024)
};

class LossScaler
{
public:
    struct State {
        double scale = 1.0;
        std::int32_t goodSteps = 0;
        std::int64_t skipped = 0;
    };

    /// InvalidArgument for factors that do not grow or shrink, or bounds the wrong way round.
    explicit LossScaler(const LossScalerConfig& config = {});

    double scale() const noexcept { return state_.scale; }
    /// What an optimizer's step() multiplies gradients by.
    double gradientScale() const noexcept { return 1.0 / state_.scale; }
    /// After each step with StepResult::applied. A step that overflows at the smallest scale is a
    /// diverged run, not a large scale: returns false then, else true.
    bool update(bool applied);

    /// For checkpoints.
    const State& state() const noexcept { return state_; }
    void setState(const State& state) { state_ = state; }

private:
    LossScalerConfig config_;
    State state_;
};

} // namespace scalebench
