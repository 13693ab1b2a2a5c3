// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batches on their way to a device, beside what it computes. One thread, that of the backend.

#include "engine/tensor/batch.h"

namespace scalebench {

class BatchUploads
{
public:
    virtual ~BatchUploads() = default;

    /// Starts copying; the batch's tensors are free again when the call returns. Pictures that are
    /// bytes still are made on the device. Between two takes at most one.
    virtual void start(const Batch& batch) = 0;
    /// The batch last started, its tensors in device memory, without notes; valid until the next
    /// call. What is issued on the backend from now on comes after the copy.
    virtual const Batch& take() = 0;
};

} // namespace scalebench
