// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where an output pixel of a resize looks in its input, per axis, and which output pixels look at
// an input pixel. I: an integer type that holds twice the product of both sizes.

#include <cstdint>

#include "kernels/formula/host_device.h"
#include "kernels/formula/window.h"

namespace scalebench::formula {

/// Two neighbours and the weight of the second.
template <class I>
struct ResizeTap {
    I low, high;
    float weight;
};

template <class I>
SB_HOST_DEVICE I nearestSource(I i, I in, I out)
{
    return i * in / out;
}

/// (i + 0.5) * in / out - 0.5, not below 0, with integers up to the last division so that exact
/// places (as in a doubling) stay exact.
template <class I>
SB_HOST_DEVICE ResizeTap<I> bilinearSource(I i, I in, I out)
{
    const I twice = (2 * i + 1) * in - out; // place * 2 * out
    if (twice <= 0)
        return {0, 0, 0.0f};
    const I low = twice / (2 * out);
    return {low, low + 1 < in ? low + 1 : low, float(twice - low * 2 * out) / float(2 * out)};
}

/// Output pixels whose nearestSource() is i.
template <class I>
SB_HOST_DEVICE Span<I> nearestReaders(I i, I in, I out)
{
    return {(i * out + in - 1) / in, ((i + 1) * out + in - 1) / in};
}

/// Output pixels that look between i - 1 and i + 1; at the ends some may have weight 0.
template <class I>
SB_HOST_DEVICE Span<I> bilinearReaders(I i, I in, I out)
{
    // (2 o + 1) in is above out (2 i - 1) and below out (2 i + 3).
    const I begin = i == 0 ? 0 : (out * (2 * i - 1) / in + 1) / 2;
    const I end = (out * (2 * i + 3) + in - 1) / in / 2;
    return {begin, end < out ? end : out};
}

/// What a tap takes of pixel i.
template <class I>
SB_HOST_DEVICE float weightOf(const ResizeTap<I>& tap, I i)
{
    return (tap.low == i ? 1.0f - tap.weight : 0.0f) + (tap.high == i ? tap.weight : 0.0f);
}

} // namespace scalebench::formula
