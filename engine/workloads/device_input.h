// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a Workload may do beside for a device (each found by dynamic_cast): leave work on its input
// to it, and let it get warm.

#include <cstdint>

#include "engine/tensor/allocator.h"
#include "engine/tensor/batch.h"

namespace scalebench::workloads {

class PictureInput
{
public:
    virtual ~PictureInput() = default;
    /// Before open(): batches of training and evaluation may hold bytes (Batch::pictures).
    virtual void leavePicturesRaw() = 0;
};

class WarmUpInput
{
public:
    virtual ~WarmUpInput() = default;
    /// A batch of nothing, of the shapes that training will have: for a device to load, choose and
    /// record what it needs before the clock starts.
    virtual Batch warmUpBatch(std::int64_t samples, Allocator& memory) const = 0;
};

} // namespace scalebench::workloads
