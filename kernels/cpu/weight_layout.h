// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Numbers for oneDNN's memory descriptors.

#include <oneapi/dnnl/dnnl.hpp>

#include "kernels/weight_layout.h"

namespace scalebench::kernels::cpu {

/// What layoutOf() tells from convolutions' weights: matrices, as they are stored and turned.
constexpr std::int64_t kStraight = -1, kTurned = -2;

/// The same for equal descriptors of weights whose groups were merged to `groups`. Thread-safe;
/// what was asked for is remembered, and there are few kinds.
WeightLayout layoutOf(const dnnl::memory::desc& desc, std::int64_t groups = 1);

} // namespace scalebench::kernels::cpu
