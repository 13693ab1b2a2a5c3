// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/ratio_interval.h"

#include "analysis/student_t.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scalebench {

static constexpr double kNoInterval = std::numeric_limits<double>::quiet_NaN();

double meanOf(const QList<double>& values)
{
    double sum = 0;
    for (const double value : values)
        sum += value;
    return values.isEmpty() ? kNoInterval : sum / double(values.size());
}

/// Relative variance of the mean.
static double varianceOfMean(const QList<double>& values)
{
    if (values.size() < 2)
        return kNoInterval;
    const double mean = meanOf(values);
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const auto n = double(values.size());
    return squares / (n - 1) / n / (mean * mean);
}

RatioInterval ratioOfMeans(const QList<double>& values, const QList<double>& baseline)
{
    RatioInterval r{meanOf(values) / meanOf(baseline), kNoInterval, kNoInterval};
    const double va = varianceOfMean(values), vb = varianceOfMean(baseline);
    if (!std::isfinite(va) || !std::isfinite(vb))
        return r;
    const double sum = va + vb;
    if (sum <= 0)
        return {r.ratio, r.ratio, r.ratio};
    const double freedom =
        sum * sum / (va * va / double(values.size() - 1) + vb * vb / double(baseline.size() - 1));
    const double half = studentT(0.95, std::max(1, int(freedom))) * std::sqrt(sum);
    r.low = r.ratio * std::exp(-half);
    r.high = r.ratio * std::exp(half);
    return r;
}

} // namespace scalebench
