// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Device collectives by NCCL, on a stream of their own, with a watchdog: a collective that does not
// end within the communicator's time-out, or that NCCL gave up, is aborted (nccl_comm.h), and the
// next call throws. NCCL cannot tell which rank is missing; the communicator's own collectives,
// which the same rank misses, name it.

#include <memory>

#include "engine/backend/backend.h"
#include "engine/dist/communicator.h"
#include "engine/dist/device_group.h"

namespace scalebench::dist {

/// Collective. The unique id travels over `communicator`.
std::unique_ptr<DeviceGroup> makeNcclGroup(Backend& backend, Communicator& communicator);

} // namespace scalebench::dist
