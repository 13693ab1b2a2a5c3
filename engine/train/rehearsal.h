// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A device loads libraries, chooses algorithms and takes memory when they are first needed, which
// takes it up to seconds. Where the network is built on the clock, because its sizes are the
// data's, a rehearsal does so before: on a network and a batch of the same layers (WarmUpInput).

#include "engine/backend/backend.h"
#include "engine/config/run_config.h"
#include "engine/workloads/device_input.h"

#include <cstdint>

namespace scalebench::train {

/// Some steps, with the updates of the run's optimizer, of a micro-batch of `samples`; nothing of
/// them is kept but what the backend remembers. Without other workers. Throws what a step throws.
void rehearse(Backend& backend, const RunConfig& config, workloads::WarmUpInput& input,
              std::int64_t samples, Allocator& batchMemory);

} // namespace scalebench::train
