// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The options of `scalebench machines` that stand for the fields of a target machine.

#include "cli.h"
#include "machine/machines.h"

namespace scalebench::cli {

/// `connectionOnly`: those that matter for a check without a saved machine.
void addMachineOptions(CommandParser& parser, bool connectionOnly);
/// Puts the given options into the machine; an empty value clears a field.
Result<void> applyMachineOptions(const CommandParser& parser, TargetMachine& machine);
/// Whether any of them was given.
bool hasMachineOptions(const CommandParser& parser);

int commandMachinesCheck(const QStringList& arguments);
int commandMachinesLogin(const QStringList& arguments, bool logout);
int commandMachinesDeploy(const QStringList& arguments);
/// The named machine; prints why there is none and sets the exit code.
std::optional<TargetMachine> findMachine(const QString& name, int* exitCode);
/// Failures of the file of machines are the computer's, others the user's.
int reportMachines(const Failure& failure);

} // namespace scalebench::cli
