// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/mpi_fault.h"

#include "base/translated.h"
#include "study/machine_info.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

std::optional<MpiFault> mpiFault(const MachineInfo& machine)
{
    const QString broken = u"mpi_broken"_s;
    if (machine.mpirunPath.isEmpty())
        return MpiFault{
            u"mpirun_missing"_s, Launcher::tr("mpirun was not found in PATH"),
            Launcher::tr("Install Open MPI (Debian, Ubuntu: apt install openmpi-bin).")};
    if (!machine.mpirunFault.isEmpty() && !machine.opalPrefix.isEmpty())
        return MpiFault{
            broken,
            Launcher::tr("%1 does not start, since OPAL_PREFIX names another Open MPI, in %2")
                .arg(machine.mpirunPath, machine.opalPrefix),
            Launcher::tr("Unset OPAL_PREFIX, or put the mpirun that belongs to it first in PATH.")};
    if (!machine.mpirunFault.isEmpty())
        return MpiFault{
            broken,
            Launcher::tr("%1 does not answer to --version: %2")
                .arg(machine.mpirunPath, machine.mpirunFault),
            Launcher::tr(
                "Install Open MPI again (Debian, Ubuntu: apt install --reinstall openmpi-bin).")};
    if (machine.hasOtherMpi())
        return MpiFault{broken,
                        Launcher::tr("%1 is not Open MPI's: it says \"%2\"")
                            .arg(machine.mpirunPath, machine.mpirunVersion),
                        Launcher::tr("Install Open MPI (Debian, Ubuntu: apt install openmpi-bin) "
                                     "and put its folder first in PATH.")};
    return {};
}

} // namespace scalebench
