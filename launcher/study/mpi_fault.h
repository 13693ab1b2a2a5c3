// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is wrong with the mpirun of this computer: one sentence, wherever it is told.

#include "base/result.h"

#include <optional>

namespace scalebench {

struct MachineInfo;

struct MpiFault {
    QString code; ///< "mpirun_missing", "mpi_broken"
    QString text; ///< what is wrong, without a full stop
    QString fix;  ///< a sentence

    Failure failure() const { return {code, text + QStringLiteral(". ") + fix}; }
};
/// Nothing where it can be used, or was not asked.
std::optional<MpiFault> mpiFault(const MachineInfo& machine);

} // namespace scalebench
