// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the loss kernels leave their sums.

#include <cstddef>

#include "kernels/softmax_ce.h"

namespace scalebench::kernels::cuda {

/// Device memory.
struct LossTarget {
    SoftmaxCeResult* sums; ///< plain sums; overwritten
    float* value;          ///< scale * sum; overwritten
};

/// Scratch of every loss kernel.
inline constexpr std::size_t kLossScratchBytes = std::size_t(64) << 10;
/// By its parameters: a loss that needs more has an overload of its own.
template <class Params>
std::size_t lossScratchBytes(const Params&)
{
    return kLossScratchBytes;
}

} // namespace scalebench::kernels::cuda
