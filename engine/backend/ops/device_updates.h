// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Updates that are issued before the host knows whether they are wanted, of backends that compute
// beside it. An OptimizerOps that can is one of these too (dynamic_cast).

#include "engine/tensor/tensor.h"

namespace scalebench {

class DeviceUpdates
{
public:
    virtual ~DeviceUpdates() = default;
    /// Where `loss` (F32 [1]) is NaN or infinite, the fused updates issued from now on change
    /// nothing, for ever: what the host finds out later is the network as it diverged. Updates of
    /// rows and elementary passes do not ask.
    virtual void stopUnlessFinite(const Tensor& loss) = 0;
};

} // namespace scalebench
