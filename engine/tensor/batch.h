// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One batch on its way from a data source to a network.

#include <any>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/tensor/raw_pictures.h"
#include "engine/tensor/tensor.h"

namespace scalebench {

/// The tensors lie in host memory, in the type that the device wants (what is in a backend's memory
/// already is taken as it is, where the network does not look into it). Their order and meaning are
/// the network's: see its header.
struct Batch {
    std::vector<Tensor> tensors;
    std::int64_t samples = 0;   ///< what samples/s and the global batch count
    std::int64_t index = 0;     ///< number of the batch in its epoch
    std::int64_t bytesRead = 0; ///< fetched from storage for this batch
    std::any notes = {};        ///< what only the metric reads: see the workload
    /// Where set, the first tensor is U8 [N,H,W,3] and this is still to be done to it: see
    /// Backend::uploadPictures().
    std::shared_ptr<const RawPictures> pictures = {};
};

} // namespace scalebench
