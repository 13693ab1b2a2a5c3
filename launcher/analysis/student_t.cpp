// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/student_t.h"

#include <cmath>

namespace scalebench {

/// P(|T| <= t): the closed series for integer degrees of freedom
/// (Abramowitz and Stegun, 26.7.3 and 26.7.4).
static double probability(double t, int freedom)
{
    const double theta = std::atan(t / std::sqrt(double(freedom)));
    const double c2 = std::cos(theta) * std::cos(theta);
    const bool odd = freedom % 2 == 1;
    double term = odd ? std::cos(theta) : 1;
    double sum = freedom == 1 ? 0 : term;
    for (int k = odd ? 3 : 2; k < freedom; k += 2) {
        term *= c2 * double(k - 1) / double(k);
        sum += term;
    }
    return odd ? 2 / M_PI * (theta + std::sin(theta) * sum) : std::sin(theta) * sum;
}

double studentT(double confidence, int freedom)
{
    double low = 0, high = 1;
    while (probability(high, freedom) < confidence && high < 1e12)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
        const double middle = (low + high) / 2;
        (probability(middle, freedom) < confidence ? low : high) = middle;
    }
    return (low + high) / 2;
}

} // namespace scalebench
