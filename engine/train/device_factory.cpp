// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/device_factory.h"

namespace scalebench::train {

DeviceFactory cpuDevices()
{
    return {[] { return makeCpuBackend(); }, {}};
}

} // namespace scalebench::train
