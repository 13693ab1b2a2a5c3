// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Learning-rate schedules: pure functions of the step, so that a resumed run continues exactly.
// With s the number of updates already done, W = warmupSteps, T = totalSteps, B = baseLearningRate,
// E = endLearningRate:
//   warm-up (s < W)  B * (f + (1 - f) * (s + 1) / W), f = warmupStartFactor: linear, reaches B at
//                    the last warm-up step (Goyal et al. 2017, arXiv 1706.02677, section 2.2).
//                    Exponential: B * f^((W - s) / W) (MLPerf GNMT: f 0.01, W 200).
//                    It is counted from startWarmupStep (MLPerf BERT; negative: some of it is
//                    already over), so that s stands for s - startWarmupStep here.
//   Constant         B.
//   Step             B * stepGamma^(number of milestones <= s) (He et al. 2015, arXiv 1512.03385,
//                    section 4.2; torch MultiStepLR).
//   Cosine           E + (B - E) * (1 + cos(pi * t)) / 2, t = (s - W) / (T - W)
//                    (Loshchilov and Hutter 2016, arXiv 1608.03983, eq. 5, without restarts).
//   Polynomial       E + (B - E) * (1 - t)^power (MLPerf resnet reference: power 2, E 1e-4).
//                    decayFromStart: t = s / T instead (MLPerf BERT: power 1, E 0).
//   InverseSqrt      B * sqrt(W / (s + 1)), W > 0 (Vaswani et al. 2017, arXiv 1706.03762, eq. 3).
//   ConstantPolynomial  B up to decayStartStep D, then E + (B - E) * (1 - (s - D) / N)^power over
//                    N = decaySteps steps (MLPerf DLRM: power 2).
//   OneCycle         torch.optim.lr_scheduler.OneCycleLR with cosine annealing and two phases: from
//                    B / oneCycleDiv up to B over the first oneCyclePeak of T - 1 steps, then down
//                    to B / (oneCycleDiv * oneCycleFinalDiv) (Smith and Topin 2017, arXiv
//                    1708.07120). It has its own warm-up: W must be 0.
// Steps beyond T keep the value of the last step.

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench {

enum class ScheduleKind {
    Constant,
    Step,
    Cosine,
    Polynomial,
    OneCycle,
    InverseSqrt,
    ConstantPolynomial
};
enum class WarmupCurve { Linear, Exponential };

const char* scheduleName(ScheduleKind kind);
/// "constant", "step", "cosine", "polynomial", "one_cycle", "inverse_sqrt", "constant_polynomial";
/// InvalidArgument lists them.
ScheduleKind parseScheduleKind(const std::string& name);

struct ScheduleConfig {
    ScheduleKind kind = ScheduleKind::Constant;
    double baseLearningRate = 0.1;
    std::int64_t totalSteps = 1;
    std::int64_t warmupSteps = 0;
    double warmupStartFactor = 0.0;
    WarmupCurve warmupCurve = WarmupCurve::Linear;
    std::int64_t startWarmupStep = 0;
    std::vector<std::int64_t> milestones; ///< Step: ascending, in steps
    double stepGamma = 0.1;
    double endLearningRate = 0.0;                    ///< Cosine, Polynomial, ConstantPolynomial
    double power = 2.0;                              ///< Polynomial, ConstantPolynomial
    bool decayFromStart = false;                     ///< Polynomial
    std::int64_t decayStartStep = 0, decaySteps = 1; ///< ConstantPolynomial
    double oneCyclePeak = 0.3;
    double oneCycleDiv = 25.0;
    double oneCycleFinalDiv = 1e4;
};

enum class LengthUnit { Epochs, Steps };

/// The lengths in a schedule as recipes give them, before it is known how many steps an epoch has.
struct ScheduleLengths {
    LengthUnit unit = LengthUnit::Epochs;
    double warmup = 0;                ///< OneCycle: its rise
    std::vector<double> milestones;   ///< Step
    double decayStart = 0, decay = 1; ///< ConstantPolynomial
};

/// Sets the fields of `config` that count steps; to the nearest.
void setLengths(ScheduleConfig& config, const ScheduleLengths& lengths, int epochs,
                std::int64_t stepsPerEpoch);

/// InvalidArgument names the first field that cannot work.
void validate(const ScheduleConfig& config);
/// Learning rate of the update number `step` (0 is the first). `config` must be valid.
double learningRateAt(const ScheduleConfig& config, std::int64_t step);

} // namespace scalebench
