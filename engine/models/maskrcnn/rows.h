// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lists of the host as tensors of a backend, and back.

#include "engine/backend/backend.h"

#include <cstdint>
#include <vector>

namespace scalebench {

/// F32 of that shape.
Tensor uploaded(Backend& backend, const std::vector<float>& values, const Shape& shape);
/// I32 [n].
Tensor uploadedIds(Backend& backend, const std::vector<int32_t>& ids);
/// F32 in host memory.
Tensor hostFloats(Backend& backend, const Tensor& values);

} // namespace scalebench
