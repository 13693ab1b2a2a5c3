// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What this computer has. Probing takes milliseconds except for the engine's own probe (a process
// start), which is optional.
#include "machine/this_computer.h"
#include "study/machine_info.h"

#include <QList>
#include <QString>

namespace scalebench {

/// Synchronous and cheap; with `runEngineProbe` starts the engine once (up to 30 s).
MachineInfo probeThisComputer(bool runEngineProbe);
/// Asks its engine what it can do, as that does: some tenths of a second.
void probeEngine(MachineInfo& info);

/// Measures for `ms` milliseconds, in which it sleeps, how many processors of this computer are
/// busy: sets busyProcessors and processors of `info`. Leaves them where /proc/stat does not tell.
void measureOtherWork(MachineInfo& info, int ms = 300);

/// One line of `scalebench doctor`.
struct Finding {
    enum class Level { Ok, Warning, Problem };
    QString id; ///< stable: "cores", "memory", "gpu", "mpi", "engine", "backend", "disk", …
    Level level = Level::Ok;
    QString text; ///< what was found
    QString fix;  ///< what to do; empty when Ok
};

/// Checks everything a local study needs; `libraryDir` is checked for space and rights.
QList<Finding> runDoctor(const QString& libraryDir);
/// Of them: none where `lockFile`, by which runs take turns, is not there or may be used.
QList<Finding> turnFindings(const QString& lockFile);

/// Paths of programs beside this one (or in PATH): "scalebench", "scalebench-engine",
/// "scalebench-gui". Environment SCALEBENCH_ENGINE overrides the engine. Empty: not found.
QString findProgram(const QString& name);

} // namespace scalebench
