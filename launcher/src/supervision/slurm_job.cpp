// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervision/run_job.h"

namespace scalebench {

std::unique_ptr<RunJob> makeSlurmJob(const RunPlace& place)
{
    return makeLocalJob(place);
}

} // namespace scalebench
