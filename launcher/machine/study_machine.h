// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The machine that a study keeps in its folder (machine.json).
#include "machine/machines.h"

namespace scalebench {

/// Where a study runs: machine.json of its folder, checked; Local where there is none.
Result<TargetMachine> studyMachine(const QString& studyDir);
/// The same machine as the login node sees it: its hosts are reached from there.
TargetMachine machineBehindLogin(TargetMachine machine);
Result<void> writeStudyMachine(const QString& studyDir, const TargetMachine& machine);

} // namespace scalebench
