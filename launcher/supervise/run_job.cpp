// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/run_job.h"

namespace scalebench {

std::unique_ptr<RunJob> makeRunJob(const RunPlace& place)
{
    switch (place.machine.kind) {
    case TargetMachine::Kind::Local:
        return makeLocalJob(place);
    case TargetMachine::Kind::Ssh:
    case TargetMachine::Kind::Login: // seen from the login node itself
        return makeHostsJob(place);
    case TargetMachine::Kind::Slurm:
        return makeSlurmJob(place);
    }
    return makeLocalJob(place);
}

} // namespace scalebench
