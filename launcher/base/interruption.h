// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Ctrl+C in commands that write files for minutes: they ask, leave nothing half done and end.

#include "base/result.h"

namespace scalebench {

/// From now on SIGINT, SIGTERM and SIGHUP only tell isInterrupted(). Often two come at once, one to
/// the program and one to its group.
void watchInterruption();
bool isInterrupted();
/// What such a command ends with: code "export_cancelled".
Failure interruptedFailure();

} // namespace scalebench
