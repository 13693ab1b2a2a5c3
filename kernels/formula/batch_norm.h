// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batch normalisation per channel: what the sums over rows become. Formulas in
// kernels/batch_norm.h; everything here is double, because differences of sums cancel.

#include "kernels/formula/host_device.h"

#include <cmath>

namespace scalebench::formula {

/// Of one channel over `count` rows. The variance divides by count.
struct ChannelMoments {
    double mean, variance;
};

/// From the sums of x and of its square.
SB_HOST_DEVICE ChannelMoments batchNormMoments(double sum, double squares, double count)
{
    const double mean = sum / count;
    const double variance = squares / count - mean * mean;
    return {mean, variance < 0.0 ? 0.0 : variance}; // rounding; a NaN passes
}

SB_HOST_DEVICE float batchNormInvStd(double variance, double epsilon)
{
    return float(1.0 / std::sqrt(variance + epsilon));
}

/// The variance over count - 1, that of the running statistics.
SB_HOST_DEVICE double unbiasedVariance(ChannelMoments m, double count)
{
    return count > 1.0 ? m.variance * count / (count - 1.0) : m.variance;
}

SB_HOST_DEVICE float runningStatistic(float old, double value, double momentum)
{
    return float((1.0 - momentum) * double(old) + momentum * value);
}

/// dx = a * dz + (b * x + c).
struct BatchNormSlopes {
    float a, b, c;
};

/// sumDz, sumProduct: sums of dz and of dz * normalised x over `count` rows.
SB_HOST_DEVICE BatchNormSlopes batchNormSlopes(float gamma, float mean, float invStd, double sumDz,
                                               double sumProduct, double count)
{
    const double scale = double(gamma) * double(invStd);
    const double slope = -scale * double(invStd) * sumProduct / count;
    return {float(scale), float(slope), float(-scale * sumDz / count - slope * double(mean))};
}

} // namespace scalebench::formula
