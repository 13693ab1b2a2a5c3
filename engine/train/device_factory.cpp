// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/device_factory.h"

#include "engine/report/system_info.h"

namespace scalebench::train {

DeviceFactory cpuDevices()
{
    return {report::cpuModel(), [] { return makeCpuBackend(); }, {}};
}

} // namespace scalebench::train
