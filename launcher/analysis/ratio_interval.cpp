// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/ratio_interval.h"

#include "analysis/means.h"
#include "analysis/student_t.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scalebench {

static constexpr double kNoInterval = std::numeric_limits<double>::quiet_NaN();

RatioInterval ratioOfMeans(const QList<double>& values, const QList<double>& baseline)
{
    const RepeatMean a = repeatMean(values), b = repeatMean(baseline);
    RatioInterval r{a.mean / b.mean, kNoInterval, kNoInterval};
    const double va = std::pow(a.error / a.mean, 2), vb = std::pow(b.error / b.mean, 2);
    if (!std::isfinite(va) || !std::isfinite(vb))
        return r;
    const double sum = va + vb;
    if (sum <= 0)
        return {r.ratio, r.ratio, r.ratio};
    const double freedom = sum * sum / (va * va / a.freedom + vb * vb / b.freedom);
    const double half = studentT(0.95, std::max(1, int(freedom))) * std::sqrt(sum);
    r.low = r.ratio * std::exp(-half);
    r.high = r.ratio * std::exp(half);
    return r;
}

} // namespace scalebench
