// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/loss.h"

#include <algorithm>
#include <cmath>

#include "kernels/sigmoid_loss.h"

namespace scalebench::kernels::ref {

double softmaxLoss(std::int64_t classes, double smoothing, std::int32_t ignored,
                   const Values& logits, const std::vector<std::int32_t>& labels)
{
    double loss = 0.0;
    for (std::size_t n = 0; n < labels.size(); ++n) {
        if (labels[n] < 0 || labels[n] == ignored)
            continue;
        const double* z = logits.data() + std::int64_t(n) * classes;
        const double top = *std::max_element(z, z + classes);
        double sum = 0.0;
        for (std::int64_t c = 0; c < classes; ++c)
            sum += std::exp(z[c] - top);
        for (std::int64_t c = 0; c < classes; ++c) {
            const double target =
                smoothing / double(classes) + (c == labels[n] ? 1.0 - smoothing : 0.0);
            loss -= target * (z[c] - top - std::log(sum));
        }
    }
    return loss;
}

double sigmoidLoss(const Values& logits, const Values& targets, const Values& weights)
{
    double loss = 0.0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const double p = 1.0 / (1.0 + std::exp(-logits[i]));
        loss -= (weights.empty() ? 1.0 : weights[i]) *
                (targets[i] * std::log(p) + (1.0 - targets[i]) * std::log(1.0 - p));
    }
    return loss;
}

double focalLoss(std::int64_t classes, double alpha, double gamma, const Values& logits,
                 const std::vector<std::int32_t>& labels, const Values& weights)
{
    double loss = 0.0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const std::int32_t label = labels[i / std::size_t(classes)];
        const double weight = weights.empty() ? 1.0 : weights[i / std::size_t(classes)];
        if (label == kFocalIgnored)
            continue;
        const bool hit = std::int64_t(i) % classes == label;
        const double p = 1.0 / (1.0 + std::exp(-logits[i]));
        const double right = hit ? p : 1.0 - p;
        loss -=
            weight * (hit ? alpha : 1.0 - alpha) * std::pow(1.0 - right, gamma) * std::log(right);
    }
    return loss;
}

double smoothL1(std::int64_t width, double beta, bool huber, const Values& predictions,
                const Values& targets, const Values& weights)
{
    double loss = 0.0;
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        const double d = std::abs(predictions[i] - targets[i]);
        const double weight = weights.empty() ? 1.0 : weights[i / std::size_t(width)];
        const double plain = d < beta ? d * d / (2.0 * beta) : d - beta / 2.0;
        loss += weight * plain * (huber ? beta : 1.0);
    }
    return loss;
}

} // namespace scalebench::kernels::ref
