// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/check.h"

namespace scalebench {
namespace {

struct ScheduleName {
    ScheduleKind kind;
    const char* name;
};
constexpr ScheduleName kScheduleNames[] = {
    {ScheduleKind::Constant, "constant"},
    {ScheduleKind::Step, "step"},
    {ScheduleKind::Cosine, "cosine"},
    {ScheduleKind::Polynomial, "polynomial"},
    {ScheduleKind::OneCycle, "one_cycle"},
    {ScheduleKind::InverseSqrt, "inverse_sqrt"},
    {ScheduleKind::ConstantPolynomial, "constant_polynomial"}};

/// From `a` (t = 0) to `b` (t = 1) along half a cosine.
double anneal(double a, double b, double t)
{
    return b + (a - b) * (1.0 + std::cos(std::numbers::pi * t)) / 2.0;
}

double oneCycle(const ScheduleConfig& c, double step)
{
    const double first = c.baseLearningRate / c.oneCycleDiv;
    const double last = first / c.oneCycleFinalDiv;
    const double end = double(c.totalSteps) - 1.0;
    const double peak = c.oneCyclePeak * double(c.totalSteps) - 1.0;
    if (peak > 0.0 && step <= peak)
        return anneal(first, c.baseLearningRate, step / peak);
    if (end <= peak)
        return last;
    return anneal(c.baseLearningRate, last, (step - peak) / (end - peak));
}

/// Step `s` of a warm-up of W steps.
double warmup(const ScheduleConfig& c, std::int64_t s)
{
    const double f = c.warmupStartFactor, W = double(c.warmupSteps);
    if (c.warmupCurve == WarmupCurve::Exponential)
        return c.baseLearningRate * std::pow(f, (W - double(s)) / W);
    return c.baseLearningRate * (f + (1.0 - f) * double(s + 1) / W);
}

/// From base to end, t in [0,1].
double polynomial(const ScheduleConfig& c, double t)
{
    return c.endLearningRate +
           (c.baseLearningRate - c.endLearningRate) * std::pow(1.0 - t, c.power);
}

} // namespace

const char* scheduleName(ScheduleKind kind)
{
    for (const ScheduleName& e : kScheduleNames)
        if (e.kind == kind)
            return e.name;
    return "unknown";
}

ScheduleKind parseScheduleKind(const std::string& name)
{
    std::string known;
    for (const ScheduleName& e : kScheduleNames) {
        if (name == e.name)
            return e.kind;
        known += known.empty() ? e.name : std::string(", ") + e.name;
    }
    throw InvalidArgument("unknown learning-rate schedule \"" + name + "\": use one of " + known);
}

void validate(const ScheduleConfig& c)
{
    auto number = [](double v) { return std::to_string(v); };
    SB_REQUIRE(std::isfinite(c.baseLearningRate) && c.baseLearningRate > 0.0,
               "schedule: the base learning rate must be positive, not " +
                   number(c.baseLearningRate));
    SB_REQUIRE(c.totalSteps >= 1, "schedule: total steps must be at least 1");
    SB_REQUIRE(c.warmupSteps >= 0 && c.warmupSteps <= c.totalSteps,
               "schedule: warm-up steps must be between 0 and the total of " +
                   std::to_string(c.totalSteps));
    SB_REQUIRE(c.warmupStartFactor >= 0.0 && c.warmupStartFactor <= 1.0,
               "schedule: the warm-up start factor must be in [0,1]");
    SB_REQUIRE(std::is_sorted(c.milestones.begin(), c.milestones.end()),
               "schedule: milestones must ascend");
    SB_REQUIRE(c.stepGamma > 0.0 && c.stepGamma <= 1.0, "schedule: step gamma must be in (0,1]");
    SB_REQUIRE(c.endLearningRate >= 0.0 && c.endLearningRate <= c.baseLearningRate,
               "schedule: the end learning rate must be between 0 and the base");
    SB_REQUIRE(c.power > 0.0, "schedule: the power must be positive");
    SB_REQUIRE(c.warmupCurve == WarmupCurve::Linear || c.warmupStartFactor > 0.0,
               "schedule: an exponential warm-up needs a start factor above 0");
    SB_REQUIRE(c.kind != ScheduleKind::InverseSqrt || c.warmupSteps > 0,
               "schedule: the inverse square root needs warm-up steps");
    SB_REQUIRE(c.kind != ScheduleKind::ConstantPolynomial ||
                   (c.decaySteps >= 1 && c.decayStartStep >= 0),
               "schedule: the decay must start at step 0 or later and last a step or more");
    if (c.kind == ScheduleKind::OneCycle) {
        SB_REQUIRE(c.warmupSteps == 0, "schedule: one-cycle has its own warm-up");
        SB_REQUIRE(c.oneCyclePeak > 0.0 && c.oneCyclePeak <= 1.0 && c.oneCycleDiv >= 1.0 &&
                       c.oneCycleFinalDiv >= 1.0,
                   "schedule: one-cycle needs a peak in (0,1] and divisors of at least 1");
    }
}

void setLengths(ScheduleConfig& c, const ScheduleLengths& lengths, int epochs,
                std::int64_t stepsPerEpoch)
{
    const double unit = lengths.unit == LengthUnit::Steps ? 1.0 : double(stepsPerEpoch);
    const auto steps = [unit](double length) { return std::int64_t(std::llround(length * unit)); };
    c.totalSteps = epochs * stepsPerEpoch;
    c.milestones.clear();
    for (const double milestone : lengths.milestones)
        c.milestones.push_back(steps(milestone));
    c.decayStartStep = steps(lengths.decayStart);
    c.decaySteps = std::max<std::int64_t>(1, steps(lengths.decay));
    if (c.kind != ScheduleKind::OneCycle)
        c.warmupSteps = steps(lengths.warmup);
    else if (lengths.warmup > 0) // its rise is the warm-up
        c.oneCyclePeak = lengths.unit == LengthUnit::Epochs ? lengths.warmup / epochs
                                                            : lengths.warmup / double(c.totalSteps);
}

double learningRateAt(const ScheduleConfig& c, std::int64_t step)
{
    const double base = c.baseLearningRate;
    step = std::clamp<std::int64_t>(step, 0, std::max<std::int64_t>(c.totalSteps - 1, 0));
    const std::int64_t sinceStart = std::max<std::int64_t>(step - c.startWarmupStep, 0);
    if (sinceStart < c.warmupSteps)
        return warmup(c, sinceStart);
    const double t =
        double(step - c.warmupSteps) / std::max(1.0, double(c.totalSteps - c.warmupSteps));
    switch (c.kind) {
    case ScheduleKind::Constant:
        return base;
    case ScheduleKind::Step: {
        const auto passed =
            std::upper_bound(c.milestones.begin(), c.milestones.end(), step) - c.milestones.begin();
        return base * std::pow(c.stepGamma, double(passed));
    }
    case ScheduleKind::Cosine:
        return anneal(base, c.endLearningRate, t);
    case ScheduleKind::Polynomial:
        return polynomial(c, c.decayFromStart ? double(step) / double(c.totalSteps) : t);
    case ScheduleKind::OneCycle:
        return oneCycle(c, double(step));
    case ScheduleKind::InverseSqrt:
        return base * std::sqrt(double(c.warmupSteps) / double(sinceStart + 1));
    case ScheduleKind::ConstantPolynomial:
        return polynomial(
            c, std::clamp(double(step - c.decayStartStep) / double(c.decaySteps), 0.0, 1.0));
    }
    return base;
}

} // namespace scalebench
