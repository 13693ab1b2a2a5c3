// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/softmax_ce.h"

#include <cmath>

namespace scalebench::kernels::cpu {

// Rows are few and short beside the rest of a step: double where it costs nothing.
SoftmaxCeResult softmaxCrossEntropy(const SoftmaxCeParams& p, const float* logits,
                                    const std::int32_t* labels, float* dlogits)
{
    SoftmaxCeResult result;
    const std::int64_t classes = p.classes;
    const double smooth = double(p.labelSmoothing) / double(classes);
    for (std::int64_t n = 0; n < p.N; ++n) {
        const float* z = logits + n * classes;
        float* dz = dlogits ? dlogits + n * classes : nullptr;
        const std::int32_t label = labels[n];
        if (label < 0) {
            if (dz)
                for (std::int64_t c = 0; c < classes; ++c)
                    dz[c] = 0.0f;
            continue;
        }
        std::int64_t best = 0;
        double zSum = 0.0;
        for (std::int64_t c = 0; c < classes; ++c) {
            best = z[c] > z[best] ? c : best;
            zSum += z[c];
        }
        const double zLabel = z[label];
        const double zMax = z[best];
        double sum = 0.0;
        for (std::int64_t c = 0; c < classes; ++c)
            sum += double(std::exp(float(z[c] - zMax)));
        const double logSum = zMax + std::log(sum);
        // -sum t log p with log p = z - logSum and sum t = 1
        result.lossSum += logSum - (1.0 - double(p.labelSmoothing)) * zLabel - smooth * zSum;
        result.correct += best == label ? 1 : 0;
        result.counted += 1;
        if (dz) {
            const double inverse = 1.0 / sum;
            for (std::int64_t c = 0; c < classes; ++c) {
                const double target = smooth + (c == label ? 1.0 - double(p.labelSmoothing) : 0.0);
                const double probability = double(std::exp(float(z[c] - zMax))) * inverse;
                dz[c] = float(double(p.scale) * (probability - target));
            }
        }
    }
    return result;
}

} // namespace scalebench::kernels::cpu
