// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a Workload may do beside for a device (each found by dynamic_cast): leave work on its input
// to it, and let it get warm.

#include <cstdint>
#include <memory>

#include "engine/nn/network.h"
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
    /// Before measure(), where that reads the data: a network of the layers that training will
    /// have, with stand-ins for sizes that only the data knows (words, categories, rows of tables).
    /// Of layers that are alike, few are enough.
    virtual std::unique_ptr<Network> warmUpNetwork(Backend& backend) = 0;
    /// A batch of nothing, of shapes that training will have, for that network and for
    /// makeNetwork()'s: a device loads, chooses and records with it what it needs before the clock
    /// starts. `samples`: as a micro-batch counts them. This workload outlives it.
    virtual Batch warmUpBatch(std::int64_t samples, Allocator& memory) = 0;
};

} // namespace scalebench::workloads
