// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/loss.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/sigmoid_loss.h"

namespace scalebench::kernels::ref {
namespace {

/// Cross-entropy of one row.
double entropy(const double* z, std::int64_t classes, std::int32_t label)
{
    const double top = *std::max_element(z, z + classes);
    double sum = 0.0;
    for (std::int64_t c = 0; c < classes; ++c)
        sum += std::exp(z[c] - top);
    return top + std::log(sum) - z[label];
}

} // namespace

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

Values multiboxWeights(std::int64_t boxes, std::int64_t classes, int negativesPerPositive,
                       const Values& logits, const std::vector<std::int32_t>& labels)
{
    Values weights(labels.size(), 0.0);
    for (std::size_t first = 0; first < labels.size(); first += std::size_t(boxes)) {
        std::vector<std::pair<double, std::size_t>> negatives;
        std::vector<std::size_t> taken;
        for (std::size_t a = first; a < first + std::size_t(boxes); ++a)
            if (labels[a] > 0)
                taken.push_back(a);
            else
                negatives.emplace_back(
                    -entropy(logits.data() + std::int64_t(a) * classes, classes, 0), a);
        std::sort(negatives.begin(), negatives.end());
        const std::size_t positives = taken.size();
        for (std::size_t i = 0;
             i < std::min(positives * std::size_t(negativesPerPositive), negatives.size()); ++i)
            taken.push_back(negatives[i].second);
        for (const std::size_t a : taken)
            weights[a] = 1.0 / double(positives);
    }
    return weights;
}

double multiboxLoss(std::int64_t classes, const Values& logits, const Values& deltas,
                    const std::vector<std::int32_t>& labels, const Values& targets,
                    const Values& weights)
{
    double loss = 0.0;
    for (std::size_t a = 0; a < labels.size(); ++a) {
        if (weights[a] == 0.0)
            continue;
        loss += weights[a] * entropy(logits.data() + std::int64_t(a) * classes, classes, labels[a]);
        for (std::size_t i = 4 * a; labels[a] > 0 && i < 4 * a + 4; ++i) {
            const double d = std::abs(deltas[i] - targets[i]);
            loss += weights[a] * (d < 1.0 ? 0.5 * d * d : d - 0.5);
        }
    }
    return loss;
}

} // namespace scalebench::kernels::ref
