// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/reference.h"

#include <algorithm>
#include <cmath>

namespace scalebench::kernels::ref {
Values linearForward(std::int64_t N, std::int64_t in, std::int64_t out, const Values& x,
                     const Values& w, const Values& b)
{
    Values y(std::size_t(N * out));
    for (std::int64_t n = 0; n < N; ++n)
        for (std::int64_t o = 0; o < out; ++o) {
            double sum = b.empty() ? 0.0 : b[std::size_t(o)];
            for (std::int64_t i = 0; i < in; ++i)
                sum += x[std::size_t(n * in + i)] * w[std::size_t(o * in + i)];
            y[std::size_t(n * out + o)] = sum;
        }
    return y;
}

double softmaxCrossEntropy(std::int64_t N, std::int64_t classes, double labelSmoothing,
                           const Values& logits, const std::vector<std::int32_t>& labels)
{
    double loss = 0.0;
    for (std::int64_t n = 0; n < N; ++n) {
        if (labels[std::size_t(n)] < 0)
            continue;
        const double* z = logits.data() + n * classes;
        const double top = *std::max_element(z, z + classes);
        double sum = 0.0;
        for (std::int64_t c = 0; c < classes; ++c)
            sum += std::exp(z[c] - top);
        for (std::int64_t c = 0; c < classes; ++c) {
            const double target = labelSmoothing / double(classes) +
                                  (c == labels[std::size_t(n)] ? 1.0 - labelSmoothing : 0.0);
            loss -= target * (z[c] - top - std::log(sum));
        }
    }
    return loss;
}

} // namespace scalebench::kernels::ref
