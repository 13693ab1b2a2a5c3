// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batches whose pictures are bytes still.

#include "engine/backend/backend.h"
#include "engine/tensor/batch.h"

namespace scalebench {

/// The batch as networks take it: a copy with its pictures made by the backend.
Batch withPictures(Backend& backend, const Batch& batch);

} // namespace scalebench
