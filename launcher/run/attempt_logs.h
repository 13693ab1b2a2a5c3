// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What mpirun and the ranks say goes to the end of the same files, attempt after attempt. How an
// attempt ended is told by its own words only, so a line divides them.

#include <QString>

namespace scalebench {

/// Ends what earlier attempts said in `launcher.txt` and, where the ranks write into this folder,
/// in their `stderr_<rank>.txt`. Before anything is started.
void beginAttemptLogs(const QString& runDir, int workers, bool ranksWriteHere);

/// The last lines of one of these files, of the present attempt only.
QString tailOfAttempt(const QString& runDir, const QString& name, int maxLines);

} // namespace scalebench
