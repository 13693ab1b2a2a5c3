// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An epoch has one global batch at least.

#include "kernels/check.h"

#include <cstdint>
#include <string>

namespace scalebench::workloads {

/// Throws InvalidArgument (`batch`). `what` there are `units` of in an epoch: "training samples".
inline void requireFullBatch(int64_t units, const std::string& what, int64_t globalBatch)
{
    if (units < globalBatch)
        throw InvalidArgument("the " + what + " do not fill one global batch of " +
                                  std::to_string(globalBatch) + ": there " +
                                  (units == 1 ? "is " : "are ") + std::to_string(units) +
                                  "; choose a smaller batch",
                              "batch");
}

} // namespace scalebench::workloads
