// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/means.h"

#include "analysis/student_t.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace scalebench {

static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr qsizetype kLeastOlympic = 5;

/// Standard deviation.
static double deviationOf(const QList<double>& values)
{
    const double mean = plainMean(values);
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return values.size() < 2 ? kNaN : std::sqrt(squares / double(values.size() - 1));
}

double plainMean(const QList<double>& values)
{
    return values.isEmpty()
               ? kNaN
               : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

static RepeatMean plain(const QList<double>& values)
{
    return {plainMean(values), deviationOf(values) / std::sqrt(double(values.size())),
            int(values.size()) - 1};
}

RepeatMean repeatMean(QList<double> values)
{
    const qsizetype n = values.size();
    if (n < kLeastOlympic)
        return plain(values);
    std::sort(values.begin(), values.end());
    const double mean = plainMean(values.mid(1, n - 2));
    values.first() = values[1];
    values.last() = values[n - 2];
    return {mean, deviationOf(values) / ((1 - 2.0 / double(n)) * std::sqrt(double(n))), int(n) - 3};
}

double olympicMean(const QList<double>& values)
{
    return repeatMean(values).mean;
}

static double interval95(const RepeatMean& mean)
{
    return mean.freedom < 1 ? kNaN : studentT(0.95, mean.freedom) * mean.error;
}

double olympicInterval95(const QList<double>& values)
{
    return interval95(repeatMean(values));
}

double tInterval95(const QList<double>& values)
{
    return interval95(plain(values));
}

} // namespace scalebench
