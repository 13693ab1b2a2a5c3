// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/run_config.h"

#include <cmath>

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

EvalCadence EvalCadence::ofBert(int64_t globalBatch)
{
    constexpr double kMultiple = 25'000;
    const double samples = 0.05 * (230.23 * double(globalBatch) + 3'000'000);
    const auto every = int64_t(std::floor(samples / kMultiple) * kMultiple);
    return {EvalUnit::Samples, every, every};
}

} // namespace scalebench
