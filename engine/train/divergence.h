// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Why a loss is NaN or infinite: where the first number that is not finite comes from.

#include "engine/config/run_config.h"
#include "engine/nn/network.h"

#include <cstdint>
#include <string>

namespace scalebench::train {

struct DivergedStep {
    int64_t step = 0; ///< from 0
    const RunConfig& config;
    int rank = 0;
};

/// One sentence: step, rank, layer and op, and what to do. Runs forward once more on the batch that
/// diverged, without talking to other workers; the network is of no further use.
std::string explainDivergence(const DivergedStep& where, Backend& backend, Network& network,
                              const Batch& batch, const LossParams& params);

} // namespace scalebench::train
