// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one table of tolerances: how far an op may be from its float64 reference. An error is the
// largest difference in a tensor divided by the largest magnitude of the expected tensor, so that
// sums that cancel are judged by the size of what was summed.

#include "kernels/types.h"

namespace scalebench::selftest {

struct Tolerance {
    double value;    ///< outputs
    double gradient; ///< gradients: one more rounded product than the outputs
};

/// f32: 2^-24 per rounding, sums of up to some ten thousand terms. bf16: 2^-9 per rounding of a
/// stored element, of which a gradient has up to three on its way (the stored forward value, the
/// incoming gradient, the result); arithmetic in between is fp32. f16: 2^-12 in
/// the same way, and subnormal numbers below 6e-5.
constexpr Tolerance tolerance(DType dtype)
{
    return dtype == DType::BF16  ? Tolerance{1e-2, 2e-2}
           : dtype == DType::F16 ? Tolerance{1.5e-3, 3e-3}
                                 : Tolerance{2e-5, 5e-5};
}

} // namespace scalebench::selftest
