// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/optimizer.h"

#include <cmath>

namespace scalebench::kernels::ref {
namespace {

/// The two running means after this step, without bias.
struct Means {
    double first, second;
};

Means advance(const OptimizerSettings& s, double g, double& m, double& v)
{
    m = s.beta1 * m + (1.0 - s.beta1) * g;
    v = s.beta2 * v + (1.0 - s.beta2) * g * g;
    return {m / (1.0 - std::pow(s.beta1, double(s.step))),
            v / (1.0 - std::pow(s.beta2, double(s.step)))};
}

} // namespace

double norm(const Values& x)
{
    double sum = 0.0;
    for (double v : x)
        sum += v * v;
    return std::sqrt(sum);
}

void sgd(const OptimizerSettings& s, const Values& grad, Values& w, Values& v)
{
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double g = grad[i] + s.weightDecay * w[i];
        v[i] = s.momentum * v[i] + g;
        w[i] -= s.learningRate * (s.nesterov ? g + s.momentum * v[i] : v[i]);
    }
}

void adam(const OptimizerSettings& s, const Values& grad, Values& w, Values& m, Values& v)
{
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double decay = s.weightDecay * w[i];
        const Means mean = advance(s, s.decoupled ? grad[i] : grad[i] + decay, m[i], v[i]);
        if (s.decoupled)
            w[i] -= s.learningRate * decay;
        w[i] -= s.learningRate * mean.first / (std::sqrt(mean.second) + s.epsilon);
    }
}

void lars(const OptimizerSettings& s, const Values& grad, Values& w, Values& v)
{
    const double wNorm = norm(w), gNorm = norm(grad);
    double trust = 1.0;
    if (s.adapt && wNorm > 0.0 && gNorm > 0.0)
        trust = s.eta * wNorm / (gNorm + s.weightDecay * wNorm + s.epsilon);
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double g = trust * (grad[i] + s.weightDecay * w[i]);
        v[i] = s.momentum * v[i] + (s.learningRateInMomentum ? s.learningRate * g : g);
        w[i] -= s.learningRateInMomentum ? v[i] : s.learningRate * v[i];
    }
}

void lamb(const OptimizerSettings& s, const Values& grad, Values& w, Values& m, Values& v)
{
    Values update(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) {
        const Means mean = advance(s, grad[i], m[i], v[i]);
        update[i] = mean.first / (std::sqrt(mean.second) + s.epsilon) + s.weightDecay * w[i];
    }
    const double wNorm = norm(w), uNorm = norm(update);
    const double trust = s.adapt && wNorm > 0.0 && uNorm > 0.0 ? wNorm / uNorm : 1.0;
    for (std::size_t i = 0; i < w.size(); ++i)
        w[i] -= s.learningRate * trust * update[i];
}

void sparseAdam(const OptimizerSettings& s, const Values& grad, Values& w, Values& m, Values& v)
{
    const double correction1 = 1.0 - std::pow(s.beta1, double(s.step));
    const double correction2 = 1.0 - std::pow(s.beta2, double(s.step));
    for (std::size_t i = 0; i < w.size(); ++i) {
        m[i] = s.beta1 * m[i] + (1.0 - s.beta1) * grad[i];
        v[i] = s.beta2 * v[i] + (1.0 - s.beta2) * grad[i] * grad[i];
        w[i] -= s.learningRate * std::sqrt(correction2) / correction1 * m[i] /
                (std::sqrt(v[i]) + s.epsilon);
    }
}

} // namespace scalebench::kernels::ref
