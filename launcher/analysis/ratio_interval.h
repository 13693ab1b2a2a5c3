// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

namespace scalebench {

/// A ratio of two means with its 95 % interval; NaN where it is not known.
struct RatioInterval {
    double ratio = 0, low = 0, high = 0;
};

/// Mean of `values` over mean of `baseline` (repeatMean()), both positive. The interval is Welch's
/// with Satterthwaite's degrees of freedom, on the relative scale (of the logarithm); two values on
/// each side are the least.
RatioInterval ratioOfMeans(const QList<double>& values, const QList<double>& baseline);

} // namespace scalebench
