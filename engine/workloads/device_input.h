// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a Workload may do beside for a device (found by dynamic_cast): leave work on its input to
// it, and let it get warm.

#include <cstdint>

#include "engine/tensor/allocator.h"
#include "engine/tensor/batch.h"

namespace scalebench::workloads {

class DeviceInput
{
public:
    virtual ~DeviceInput() = default;
    /// Before open(): training batches may be RawPictures from now on.
    virtual void leavePicturesRaw() = 0;
    /// A batch of nothing, of the shapes that training will have: for a device to load, choose and
    /// record what it needs before the clock starts.
    virtual Batch warmUpBatch(std::int64_t samples, Allocator& memory) const = 0;
};

} // namespace scalebench::workloads
