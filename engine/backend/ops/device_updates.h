// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Updates that are issued before the host knows whether they are wanted, and that can be recorded,
// of backends that compute beside it. An OptimizerOps that can is one of these too (dynamic_cast).

#include <span>

#include "engine/tensor/tensor.h"
#include "kernels/multi_tensor.h"

namespace scalebench {

class DeviceUpdates
{
public:
    virtual ~DeviceUpdates() = default;
    /// Where `loss` (F32 [1]) is NaN or infinite, the fused updates issued from now on change
    /// nothing, for ever: what the host finds out later is the network as it diverged. Updates of
    /// rows and elementary passes do not ask.
    virtual void stopUnlessFinite(const Tensor& loss) = 0;

    /// A fused update is in two parts: what differs from step to step (rate, gradient scale, bias
    /// corrections) goes to the device, and kernels read it there. The latter may be recorded; a
    /// replay then takes the numbers that were brought last.
    struct Parts {
        bool numbers = true, kernels = true;
        bool off = false; ///< numbers with which nothing is changed
    };
    /// What sgd(), adam() and DeviceTrust's do from now on.
    virtual void setParts(const Parts& parts) = 0;

    /// The next update takes its gradient times what brings the norm of all of `gradient` to
    /// `largest` at most (formula::normFactor()); part of the kernels.
    virtual void clip(const ChunkList& list, std::span<const float> gradient, double largest,
                      double epsilon) = 0;
};

} // namespace scalebench
