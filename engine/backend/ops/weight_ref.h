// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A master weight as the ops see it.

#include <cstdint>

#include "engine/tensor/tensor.h"

namespace scalebench {

/// A master weight (F32) and ParameterSet::version() of its values, by which packed copies are
/// kept.
struct WeightRef {
    Tensor value;
    std::uint64_t version = 0;
};

} // namespace scalebench
