// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whole arrays of floats between the host and the memory of a backend, for checkpoints and the
// like.

#include <span>
#include <vector>

#include "engine/backend/backend.h"

namespace scalebench {

/// A host copy of an array in the backend's memory, as everything issued before leaves it.
std::vector<float> toHost(Backend& backend, std::span<const float> array);
/// The other way; of one length.
void fromHost(Backend& backend, std::span<const float> host, std::span<float> array);

} // namespace scalebench
