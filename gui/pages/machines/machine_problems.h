// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is wrong with a target machine, field by field, for the messages below them.

#include "machine/machines.h"
#include "study/study_spec.h"

namespace scalebench {

/// `field` is the member's name in machines.json ("login", "hosts", "slurm.time_limit");
/// `otherNames` are taken. Everything wrong at once, where TargetMachine::check() says the first.
QList<Problem> machineProblems(const TargetMachine& machine, const QStringList& otherNames);
/// Warnings keep a machine from being used, not from being saved.
bool canBeSaved(const QList<Problem>& problems);

} // namespace scalebench
