// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Uploads on a copy stream into two sets of device buffers: one is filled while the other is
// computed with.

#include <memory>

#include "engine/backend/backend.h"
#include "engine/backend/batch_uploads.h"

namespace scalebench::cuda_backend {

/// `backend` is one of makeCudaBackend() and outlives the uploads.
std::unique_ptr<BatchUploads> makeBatchUploads(Backend& backend);

} // namespace scalebench::cuda_backend
