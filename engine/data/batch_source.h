// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where batches come from. A batch is a pure function of the run's seed, its epoch, its number and
// this worker's place, so that any number of threads may fill batches and a resumed run sees the
// same ones.

#include "engine/tensor/batch.h"

#include <cstdint>

namespace scalebench::data {

class BatchSource
{
public:
    virtual ~BatchSource() = default;
    BatchSource(const BatchSource&) = delete;
    BatchSource& operator=(const BatchSource&) = delete;

    /// Batches of this worker in an epoch (from 0). Training: micro-batches, as many on every
    /// worker, a multiple of the accumulation steps.
    virtual int64_t batches(int64_t epoch) const = 0;
    /// Batch number `index` of an epoch, both from 0. What `batch` held before is overwritten.
    /// Thread-safe. Throws what reading throws (`data_*`).
    virtual void fill(int64_t epoch, int64_t index, Batch& batch) const = 0;

protected:
    BatchSource() = default;
};

} // namespace scalebench::data
