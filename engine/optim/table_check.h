// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Refusals for sparse parameters, whose untouched rows an update does not visit.

#include "engine/optim/optimizer.h"

namespace scalebench {

/// Unsupported when there are sparse parameters: names the first, the optimizer and the reason.
void refuseTables(const ParameterSet& parameters, const char* optimizer, const char* reason);
/// Unsupported when a sparse parameter would decay.
void refuseTableDecay(const ParameterSet& parameters, const OptimizerConfig& config);

} // namespace scalebench
