// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which input pixels a sliding window covers and which windows cover an input pixel, per axis.

#include <cstdint>

#include "kernels/formula/host_device.h"

namespace scalebench::formula {

/// Entries [begin, end).
template <class I>
struct Span {
    I begin, end;
    SB_HOST_DEVICE I size() const { return end - begin; }
};

/// Pixels inside the image of the window of output pixel o.
template <class I>
SB_HOST_DEVICE Span<I> windowOf(I o, I size, I window, I stride, I padding)
{
    const I start = o * stride - padding, end = start + window;
    return {start > 0 ? start : 0, end < size ? end : size};
}

/// Output pixels whose windows hold input pixel i.
template <class I>
SB_HOST_DEVICE Span<I> outputsOf(I i, I out, I window, I stride, I padding)
{
    const I last = i + padding, first = last - window + 1;
    const I end = last / stride + 1;
    return {first <= 0 ? 0 : (first + stride - 1) / stride, end < out ? end : out};
}

} // namespace scalebench::formula
