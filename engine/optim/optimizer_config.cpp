// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/optim/adam.h"
#include "engine/optim/lamb.h"
#include "engine/optim/lars.h"
#include "engine/optim/optimizer.h"
#include "engine/optim/sgd.h"
#include "kernels/check.h"

namespace scalebench {
namespace {

struct Entry {
    OptimizerKind kind;
    const char* name;
};
constexpr Entry kKinds[] = {{OptimizerKind::Sgd, "sgd"},
                            {OptimizerKind::Lars, "lars"},
                            {OptimizerKind::Adam, "adam"},
                            {OptimizerKind::AdamW, "adamw"},
                            {OptimizerKind::Lamb, "lamb"}};

std::string number(double v)
{
    char text[32];
    std::snprintf(text, sizeof text, "%g", v);
    return text;
}

bool hasMoments(OptimizerKind kind)
{
    return kind == OptimizerKind::Adam || kind == OptimizerKind::AdamW ||
           kind == OptimizerKind::Lamb;
}

} // namespace

const char* optimizerName(OptimizerKind kind)
{
    for (const Entry& e : kKinds)
        if (e.kind == kind)
            return e.name;
    return "unknown";
}

OptimizerKind parseOptimizerKind(const std::string& name)
{
    std::string known;
    for (const Entry& e : kKinds) {
        if (name == e.name)
            return e.kind;
        known += known.empty() ? e.name : std::string(", ") + e.name;
    }
    throw InvalidArgument("unknown optimizer \"" + name + "\": use one of " + known);
}

OptimizerConfig optimizerDefaults(OptimizerKind kind)
{
    OptimizerConfig c;
    c.kind = kind;
    if (kind == OptimizerKind::AdamW || kind == OptimizerKind::Lamb)
        c.weightDecay = 0.01;
    if (kind == OptimizerKind::Lamb) {
        c.epsilon = 1e-6;
        c.maxGradNorm = 1.0;
    }
    return c;
}

void validate(const OptimizerConfig& c)
{
    auto notNegative = [](const char* what, double v) {
        SB_REQUIRE(std::isfinite(v) && v >= 0.0,
                   std::string("optimizer: the ") + what + " must not be negative: " + number(v));
    };
    auto fraction = [](const char* what, double v) {
        SB_REQUIRE(v >= 0.0 && v < 1.0,
                   std::string("optimizer: ") + what + " must be in [0,1), not " + number(v));
    };
    notNegative("weight decay", c.weightDecay);
    notNegative("largest gradient norm", c.maxGradNorm);
    notNegative("rate factor of parameters without decay", c.noDecayRateFactor);
    if (hasMoments(c.kind)) {
        fraction("beta1", c.beta1);
        fraction("beta2", c.beta2);
        notNegative("epsilon", c.epsilon);
    } else {
        fraction("the momentum", c.momentum);
    }
    SB_REQUIRE(!c.nesterov || (c.kind == OptimizerKind::Sgd && c.momentum > 0.0),
               "optimizer: Nesterov needs sgd with a momentum");
    if (c.kind == OptimizerKind::Lars) {
        SB_REQUIRE(std::isfinite(c.larsEta) && c.larsEta > 0.0,
                   "optimizer: the trust coefficient of LARS must be positive, not " +
                       number(c.larsEta));
        notNegative("epsilon of LARS", c.larsEpsilon);
    }
    SB_REQUIRE(!c.normaliseGradient || c.maxGradNorm == 0.0,
               "optimizer: a gradient divided by its norm needs no largest norm");
}

bool decaysWeights(const OptimizerConfig& config, const ParameterInfo& parameter)
{
    return parameter.weightDecay &&
           std::ranges::none_of(config.noDecay, [&](const std::string& part) {
               return parameter.name.find(part) != std::string::npos;
           });
}

std::string Optimizer::describe() const
{
    const OptimizerConfig& c = config_;
    std::string text = optimizerName(c.kind);
    if (hasMoments(c.kind))
        text +=
            ", betas " + number(c.beta1) + " " + number(c.beta2) + ", epsilon " + number(c.epsilon);
    else
        text +=
            std::string(", ") + (c.nesterov ? "Nesterov " : "") + "momentum " + number(c.momentum);
    if (c.kind == OptimizerKind::Lars)
        text += ", eta " + number(c.larsEta);
    text += ", weight decay " + number(c.weightDecay);
    if (c.noDecayRateFactor != 1.0)
        text += ", rate x" + number(c.noDecayRateFactor) + " without decay";
    if (c.normaliseGradient)
        text += ", gradient divided by its norm";
    if (c.maxGradNorm > 0.0)
        text += ", gradient norm up to " + number(c.maxGradNorm);
    return text + (c.fused ? ", fused" : ", not fused");
}

std::unique_ptr<Optimizer> makeOptimizer(Backend& backend, ParameterSet& parameters,
                                         const OptimizerConfig& config,
                                         const OptimizerPlacement& placement)
{
    switch (config.kind) {
    case OptimizerKind::Sgd:
        return std::make_unique<SgdOptimizer>(backend, parameters, config, placement);
    case OptimizerKind::Lars:
        return std::make_unique<LarsOptimizer>(backend, parameters, config, placement);
    case OptimizerKind::Adam:
    case OptimizerKind::AdamW:
        return std::make_unique<AdamOptimizer>(backend, parameters, config, placement);
    case OptimizerKind::Lamb:
        return std::make_unique<LambOptimizer>(backend, parameters, config, placement);
    }
    throw InvalidArgument("unknown optimizer");
}

} // namespace scalebench
