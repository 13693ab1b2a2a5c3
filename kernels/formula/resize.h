// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where an output pixel of a resize looks in its input, per axis.

#include <cstdint>

#include "kernels/formula/host_device.h"

namespace scalebench::formula {

/// Two neighbours and the weight of the second.
struct ResizeTap {
    std::int64_t low, high;
    float weight;
};

SB_HOST_DEVICE std::int64_t nearestSource(std::int64_t i, std::int64_t in, std::int64_t out)
{
    return i * in / out;
}

/// (i + 0.5) * in / out - 0.5, not below 0, with integers up to the last division so that exact
/// places (as in a doubling) stay exact.
SB_HOST_DEVICE ResizeTap bilinearSource(std::int64_t i, std::int64_t in, std::int64_t out)
{
    const std::int64_t twice = (2 * i + 1) * in - out; // place * 2 * out
    if (twice <= 0)
        return {0, 0, 0.0f};
    const std::int64_t low = twice / (2 * out);
    return {low, low + 1 < in ? low + 1 : low, float(twice % (2 * out)) / float(2 * out)};
}

} // namespace scalebench::formula
