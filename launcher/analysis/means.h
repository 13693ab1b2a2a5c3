// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The mean of repeated runs, the same one wherever times, rates and epochs are shown or compared.

#include <QList>

namespace scalebench {

/// With its standard error, which is NaN for fewer than two values.
struct RepeatMean {
    double mean = 0;
    double error = 0;
    int freedom = 0; ///< of Student's t
};

/// Below five values the plain mean; from five up the olympic one, without best and worst, with the
/// error after Tukey and McLaughlin (winsorised variance, two degrees of freedom fewer). NaN of
/// nothing.
RepeatMean repeatMean(QList<double> values);

double olympicMean(const QList<double>& values); ///< repeatMean().mean
/// Half width of the 95 % interval of the olympic mean.
double olympicInterval95(const QList<double>& values);

/// Of all values, for how they scatter; NaN of nothing.
double plainMean(const QList<double>& values);
/// Half width of the 95 % Student t interval of the plain mean; NaN for fewer than two values.
double tInterval95(const QList<double>& values);

} // namespace scalebench
