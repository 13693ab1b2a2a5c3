// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Threads and processes of which nothing is wanted any more, ended without waiting for them:
// whoever lets go may be the window's thread. The end of the program waits for those that are left.
// From a thread that has no application object to leave them to, they are waited for at once.

#include <memory>

class QProcess;
class QThread;

namespace scalebench {

/// Asked to stop, then deleted. What it works with must be its own.
void letGo(std::unique_ptr<QThread> thread);
/// Killed, then deleted.
void letGo(std::unique_ptr<QProcess> process);

} // namespace scalebench
