// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/run_config.h"

namespace scalebench {

const char* dataSourceName(DataSource source)
{
    switch (source) {
    case DataSource::Generated:
        return "generated";
    case DataSource::Synthetic:
        return "synthetic";
    default:
        return "files";
    }
}

} // namespace scalebench
