// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// LARS and LAMB as one piece of work, of backends that compute the trust ratios where the sums are:
// nobody waits for them. An OptimizerOps that can is one of these too (dynamic_cast); only where
// all of a tensor is on this worker, since sums over workers are the host's.

#include "engine/backend/ops/optimizer_ops.h"

namespace scalebench {

class DeviceTrust
{
public:
    virtual ~DeviceTrust() = default;
    /// larsRatios() of the sums of squares, then lars().
    virtual void larsStep(const LarsParams& p, const ChunkList& list, const OptimizerArenas& a) = 0;
    /// lambMoments(), lambRatios(), lambApply().
    virtual void lambStep(const LambParams& p, const ChunkList& list, const OptimizerArenas& a) = 0;
};

} // namespace scalebench
